package apikeys

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

const (
	longestWait = time.Minute // a batch ends if the service asks for a longer wait
	maxRetries  = 3           // of a key that was rate limited
)

// batch revokes keys one after the other, so that it can be stopped and leaves some of the budget.
type batch struct {
	page    *Page
	targets []*models.APIKey
	next    int         // the index of the current or next target
	retries int         // of that target, after rate limits
	timer   *time.Timer // of the last wait, or nil
	stopped bool
	dialog  *dialog.Progress
	revoked int    // the number of revoked keys, including those already gone
	unknown []int  // indexes of the targets that may be revoked
	said    string // why the batch ended, and what remains
}

func (p *Page) startBatch(targets []*models.APIKey) tea.Cmd {
	labels := make([]string, len(targets))
	for i, k := range targets {
		labels[i] = k.Name
	}
	b := &batch{page: p, targets: targets}
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

func (b *batch) step() tea.Cmd {
	switch {
	case b.dialog.Over():
		return nil
	case b.next == len(b.targets):
		return b.end("", false)
	case b.stopped:
		return b.end("Stopped by you.", false)
	}
	b.dialog.Set(b.next, dialog.Running, "")
	return b.page.revoke(*b.targets[b.next], b)
}

func (b *batch) answered(r revocation) tea.Cmd {
	kind, wait := models.KindOf(r.err), models.RetryAfterOf(r.err)
	if kind == models.KindRateLimited && b.retries < maxRetries && wait <= longestWait && !b.stopped {
		// It was not executed: the same key is next.
		b.retries++
		return b.wait(max(wait, time.Second))
	}
	b.note(r)
	if r.state != revoked {
		b.page.changeFailed(r.err)
	}
	switch {
	case hopeless(kind):
		return b.end("Stopped: "+kind.String()+".", kind == models.KindUnauthorized)
	case wait > longestWait:
		return b.end("Stopped: the service asked us to wait "+style.Took(wait)+".", false)
	case wait > 0 && b.next < len(b.targets) && !b.stopped:
		return b.wait(wait)
	}
	return b.step()
}

func (b *batch) note(r revocation) {
	var state dialog.ProgressState
	said := ""
	switch r.state {
	case revoked:
		state = dialog.Done
		if r.err != nil {
			said = "already revoked"
		}
		b.revoked++
		b.page.Unmark(rowOf(b.targets[b.next].ID))
	case unknown:
		state, said = dialog.Unsure, "may be revoked: "+models.KindOf(r.err).String()
		b.unknown = append(b.unknown, b.next)
	default:
		state, said = dialog.Failed, models.Doing(r.err, "").Error()
	}
	b.dialog.Set(b.next, state, said)
	b.next, b.retries = b.next+1, 0
}

func (b *batch) wait(d time.Duration) tea.Cmd {
	b.dialog.Set(b.next, dialog.Waiting, "waits "+style.Took(d)+" (rate limited)")
	timer, step := time.NewTimer(d), page.Result(b.step)
	b.timer = timer
	return b.page.session.Do(page.APIKeys, func(ctx context.Context) tea.Msg {
		select {
		case <-timer.C:
		case <-ctx.Done():
		}
		return step
	})
}

// hopeless reports whether the next request would fail as well.
func hopeless(kind models.Kind) bool {
	return slices.Contains([]models.Kind{
		models.KindUnauthorized, models.KindReadOnly, models.KindUnreachable, models.KindTimeout, models.KindTLS,
		models.KindRedirect,
	}, kind)
}

// end shows the result, and reads the list again if a key failed: it may be revoked nevertheless.
func (b *batch) end(said string, signedOut bool) tea.Cmd {
	if n := len(b.targets) - b.next; n > 0 {
		said += fmt.Sprintf(" Not tried: %s.", style.Count(n))
	}
	failed := b.next - b.revoked
	if failed > 0 {
		said += fmt.Sprintf(" Failed: %s.", style.Count(failed))
	}
	if b.revoked < len(b.targets) && !signedOut {
		said += " The remaining keys are still marked."
	}
	b.said = strings.TrimSpace(said)
	b.page.report = b
	b.show()
	if failed > 0 {
		return b.page.load()
	}
	return nil
}

func (b *batch) show() {
	var lines []dialog.Line
	if b.said != "" {
		lines = append(lines, line(style.Waiting, b.said))
	}
	b.dialog.Finish(style.Count(b.revoked)+" of "+style.Plural(len(b.targets), "key")+" revoked", lines...)
}

// compare decides the revocations that had no answer by the list.
func (b *batch) compare(list *listing) {
	if len(b.unknown) == 0 {
		return
	}
	for _, i := range b.unknown {
		if _, listed := list.Find(rowOf(b.targets[i].ID)); listed {
			b.dialog.Set(i, dialog.Failed, "still listed")
			continue
		}
		b.dialog.Set(i, dialog.Done, "no longer listed")
		b.revoked++
	}
	b.unknown = nil
	b.show()
}
