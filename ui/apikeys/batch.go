package apikeys

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/keys"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

const (
	longestWait = time.Minute // a batch ends if the service asks for a longer wait
	maxRetries  = 3           // of a key that was rate limited
)

// batch revokes keys one after the other: the user can stop it, and it leaves budget for other requests. When it ends, the
// lists are read, which show what became of the keys.
type batch struct {
	page    *Page
	targets []*models.APIKey
	told    bool                   // the user knows that the journal will not have them
	results []keys.State           // of the targets that were tried
	retries int                    // of the next target, after rate limits
	timer   *time.Timer            // of the last wait, or nil
	inUse   map[models.KeyRef]bool // the targets that looked used when the user was asked
	stopped bool
	ended   string // why it ended early, or empty
	dialog  *dialog.Progress
}

func (p *Page) startBatch(targets []*models.APIKey, warned bool) tea.Cmd {
	labels := make([]string, len(targets))
	for i, k := range targets {
		labels[i] = k.Name
	}
	b := &batch{page: p, targets: targets, told: warned, inUse: map[models.KeyRef]bool{}}
	q := p.questions()
	for _, k := range targets {
		_, canGo := q.canGo(k)
		b.inUse[k.Ref()] = maybeInUse(k, q.now) && !canGo
	}
	b.dialog = dialog.NewProgress("Revoking "+style.Plural(len(labels), "key"), labels, b.stop)
	p.session.Open(b.dialog)
	return b.step()
}

func (b *batch) stop() {
	b.stopped = true
	if b.timer != nil {
		b.timer.Reset(0)
	}
}

// next is the index of the current or next target.
func (b *batch) next() int { return len(b.results) }

func (b *batch) step() tea.Cmd {
	switch {
	case b.dialog.Over():
		return nil
	case b.next() == len(b.targets):
		return b.end("")
	case b.stopped:
		return b.end("Stopped by you.")
	}
	if target := b.targets[b.next()]; b.usedSince(target) {
		b.dialog.Set(b.next(), dialog.Failed, "used since you were asked: not revoked")
		b.results = append(b.results, keys.NotAsked)
		return b.step()
	}
	if pause := b.page.session.Polls.Pace(b.page.session.Now()); pause > 0 {
		return b.after(pause)
	}
	b.dialog.Set(b.next(), dialog.Running, "")
	return b.page.revoke(*b.targets[b.next()], b.told, b)
}

// usedSince reports whether a list shows that a key was used after the user was asked, and did not look used then.
func (b *batch) usedSince(k *models.APIKey) bool {
	current, listed := b.page.keys.asOfNow(k)
	return listed && current.LastUsedAt.Value.After(k.LastUsedAt.Value) && !b.inUse[k.Ref()]
}

func (b *batch) answered(r keys.Revocation) tea.Cmd {
	kind, wait := models.KindOf(r.Err), models.RetryAfterOf(r.Err)
	heldBack := kind == models.KindRateLimited && r.State == keys.Refusal // another 429 may come from a proxy that had passed the request on
	if heldBack && b.retries < maxRetries && wait <= longestWait && !b.stopped {
		b.retries++
		return b.wait(max(wait, time.Second))
	}
	if r.State != keys.Revoked {
		b.page.changeFailed(b.targets[b.next()].List, r.Err)
	}
	b.note(r)
	switch {
	case hopeless(kind):
		return b.end("Stopped: " + kind.String() + ".")
	case wait > longestWait:
		return b.end("Stopped: the service asked us to wait " + style.Took(wait) + ".")
	case wait > 0 && b.next() < len(b.targets) && !b.stopped:
		return b.wait(wait)
	}
	return b.step()
}

func (b *batch) note(r keys.Revocation) {
	i := b.next()
	b.results, b.retries = append(b.results, r.State), 0
	switch r.State {
	case keys.Revoked:
		b.dialog.Set(i, dialog.Done, "")
		b.page.Unmark(rowOf(b.targets[i].Ref()))
	case keys.Unknown:
		b.dialog.Set(i, dialog.Unsure, "may be revoked: "+models.KindOf(r.Err).String())
	default:
		b.dialog.Set(i, dialog.Failed, models.Doing(r.Err, "").Error())
	}
}

func (b *batch) wait(d time.Duration) tea.Cmd {
	b.dialog.Set(b.next(), dialog.Waiting, "waits "+style.Took(d)+" (rate limited)")
	return b.after(d)
}

// after continues after a time, or when the user stops the batch.
func (b *batch) after(d time.Duration) tea.Cmd {
	timer := time.NewTimer(d)
	b.timer = timer
	return b.page.session.Do(page.APIKeys, func(ctx context.Context) tea.Msg {
		await(ctx, timer)
		return page.Result(b.step)
	})
}

// await waits for a timer, or for the end of the session.
func await(ctx context.Context, timer *time.Timer) {
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// hopeless reports whether the next request would fail as well.
func hopeless(kind models.Kind) bool {
	return slices.Contains([]models.Kind{
		models.KindUnauthorized, models.KindReadOnly, models.KindUnreachable, models.KindTimeout,
		models.KindTLS, models.KindRedirect, models.KindNotRecorded,
	}, kind)
}

// end shows the result, and reads the lists of the keys that were tried: they show what became of the keys.
func (b *batch) end(why string) tea.Cmd {
	b.ended = why
	b.page.report = b
	b.show()
	var lists []models.ListID
	for i := range b.results {
		if id := b.targets[i].List; !slices.Contains(lists, id) {
			lists = append(lists, id)
		}
	}
	b.page.read(lists...)
	return nil
}

// count returns how many targets have a result.
func (b *batch) count(result keys.State) (n int) {
	for _, r := range b.results {
		if r == result {
			n++
		}
	}
	return n
}

func (b *batch) show() {
	done, undecided := b.count(keys.Revoked), b.count(keys.Unknown)
	text := b.ended + counted(" Not tried: %s.", len(b.targets)-b.next()) +
		counted(" Failed: %s.", b.next()-done-undecided) + counted(" Unknown until a list tells: %s.", undecided)
	if done < len(b.targets) {
		text += " The remaining keys are still marked."
	}
	var lines []dialog.Line
	if text = strings.TrimSpace(text); text != "" {
		lines = append(lines, line(style.Waiting, text))
	}
	b.dialog.Finish(style.Count(done)+" of "+style.Plural(len(b.targets), "key")+" revoked", lines...)
}

// counted returns a sentence with a number of keys, or "" for none.
func counted(format string, n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(format, style.Count(n))
}

// compare updates the results by a list that was read since.
func (b *batch) compare(list *keyList) {
	for i, result := range b.results {
		if b.targets[i].List != list.id || result != keys.Unknown && result != keys.Revoked {
			continue
		}
		listed := list.Has(b.targets[i].ID)
		switch {
		case listed && b.page.keys.Revocations[b.targets[i].Ref()].State == keys.StillListed:
			b.results[i] = keys.StillListed
			b.dialog.Set(i, dialog.Failed, "still listed")
		case !listed && result == keys.Unknown && b.page.keys.Revocations[b.targets[i].Ref()].State == keys.NotAsked:
			b.results[i] = keys.Revoked
			b.dialog.Set(i, dialog.Done, "no longer listed")
		}
	}
	b.show()
}
