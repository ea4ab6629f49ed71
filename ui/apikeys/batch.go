package apikeys

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/dialog"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// longestWait is how long a batch waits for the service before it gives up.
const longestWait = time.Minute

// maxRetries is how often a key is tried again that the service was too busy for.
const maxRetries = 3

// batch is a set of keys that is being revoked, one after the other: so many requests at
// once would take the whole budget of the account, and could not be stopped.
type batch struct {
	page    *Page
	targets []target
	next    int         // the target that is being revoked, or is next
	retries int         // of that one, because the service asked to wait
	timer   *time.Timer // of the last wait, or nil
	stopped bool
	dialog  *dialog.Progress
	revoked int   // including those that were gone already
	unknown []int // the targets of which it is not known
	said    string
}

func (p *Page) startBatch(targets []target) tea.Cmd {
	labels := make([]string, len(targets))
	for i, t := range targets {
		labels[i] = t.name
	}
	b := &batch{page: p, targets: targets}
	b.dialog = dialog.NewProgress("Revoking "+table.Plural(len(labels), "key"), labels, b.stop)
	p.session.Open(b.dialog)
	return b.step()
}

// stop leaves the rest, once what is under way is answered.
func (b *batch) stop() {
	b.stopped = true
	if b.timer != nil {
		b.timer.Reset(0)
	}
}

// step revokes the next key, or ends.
func (b *batch) step() tea.Cmd {
	switch {
	case b.dialog.Over():
		return nil
	case b.next == len(b.targets):
		return b.end("", false)
	case b.stopped:
		return b.end("You stopped it.", false)
	}
	b.dialog.Set(b.next, dialog.Running, "")
	return b.page.revoke(b.targets[b.next], b)
}

// answered notes what became of one key, and goes on unless the next one could not fare better.
func (b *batch) answered(r revocation) tea.Cmd {
	kind, wait := models.KindOf(r.err), models.RetryAfterOf(r.err)
	if kind == models.KindRateLimited && b.retries < maxRetries && wait <= longestWait && !b.stopped {
		// It was not carried out, so the same key is next.
		b.retries++
		return b.wait(max(wait, time.Second))
	}
	b.note(r)
	switch {
	case hopeless(kind):
		cmd := b.end("Stopped: "+kind.String()+".", kind == models.KindUnauthorized)
		b.page.changeFailed(r.err)
		return cmd
	case wait > longestWait:
		return b.end("Stopped: the service asked us to wait "+style.Took(wait)+".", false)
	case wait > 0 && b.next < len(b.targets) && !b.stopped:
		return b.wait(wait)
	}
	return b.step()
}

// note takes in what became of the key that was next.
func (b *batch) note(r revocation) {
	state, said := dialog.Failed, reason(r.err)
	switch r.state {
	case revoked:
		state, said = dialog.Done, ""
		if r.err != nil {
			said = "was gone already"
		}
		b.revoked++
		b.page.table.Unmark(b.targets[b.next].id)
	case unknown:
		state, said = dialog.Unsure, "perhaps revoked: "+models.KindOf(r.err).String()
		b.unknown = append(b.unknown, b.next)
	default:
	}
	b.dialog.Set(b.next, state, said)
	b.next, b.retries = b.next+1, 0
}

func (b *batch) wait(d time.Duration) tea.Cmd {
	b.dialog.Set(b.next, dialog.Waiting, "waits "+style.Took(d)+", as the service asked")
	timer := time.NewTimer(d)
	b.timer = timer
	return ask(b.page, func(ctx context.Context) (struct{}, error) {
		select {
		case <-timer.C:
		case <-ctx.Done():
		}
		return struct{}{}, nil
	}, func(struct{}, error) tea.Cmd { return b.step() })
}

// hopeless reports whether the next request would fail as well.
func hopeless(kind models.Kind) bool {
	return slices.Contains([]models.Kind{
		models.KindUnauthorized, models.KindReadOnly, models.KindUnreachable, models.KindTimeout, models.KindTLS,
		models.KindRedirect,
	}, kind)
}

// end says what became of the keys, and reads the list again where only that tells what was
// revoked. A session that is over has no marks left to speak of.
func (b *batch) end(said string, signedOut bool) tea.Cmd {
	if n := len(b.targets) - b.next; n > 0 {
		said += fmt.Sprintf(" Not tried: %s.", table.Count(n))
	}
	failed := b.next - b.revoked
	if failed > 0 {
		said += fmt.Sprintf(" Failed: %s.", table.Count(failed))
	}
	if b.revoked < len(b.targets) && !signedOut {
		said += " What is still there is still marked."
	}
	b.said = strings.TrimSpace(said)
	b.page.report = b
	b.show()
	if failed > 0 {
		return b.page.load()
	}
	return nil
}

// show tells the dialog the result.
func (b *batch) show() {
	var lines []dialog.Line
	if b.said != "" {
		lines = append(lines, line(style.Waiting, b.said))
	}
	b.dialog.Finish(table.Count(b.revoked)+" of "+table.Plural(len(b.targets), "key")+" revoked", lines...)
}

// compare lets the list tell what became of the keys whose revocation had no answer.
func (b *batch) compare(list *listing) {
	if len(b.unknown) == 0 {
		return
	}
	for _, i := range b.unknown {
		if _, listed := list.Find(b.targets[i].id); listed {
			b.dialog.Set(i, dialog.Failed, "still listed")
			continue
		}
		b.dialog.Set(i, dialog.Done, "no longer listed")
		b.revoked++
	}
	b.unknown = nil
	b.show()
}

// reason is an error without what was being done: the dialog says that.
func reason(err error) string {
	if err == nil {
		return ""
	}
	if e, ok := errors.AsType[*models.Error](err); ok {
		bare := *e
		bare.Doing = ""
		return bare.Error()
	}
	return err.Error()
}
