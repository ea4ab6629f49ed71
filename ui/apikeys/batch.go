package apikeys

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// longestPause is how long a batch waits for the service before it gives up.
const longestPause = time.Minute

// maxTries is how often a key is tried again that the service was too busy for.
const maxTries = 3

// batch is a set of keys that is being revoked, one after the other: so many requests at
// once would take the whole budget of the account, and could not be stopped.
type batch struct {
	targets []target
	next    int
	pausing bool // no request is under way: the service wants to be left alone
	stop    bool
	dialog  *dialog.Progress
	revoked int // of those behind, gone already or not
	failed  int
	unsure  []int // the steps of which it is not known
	said    string

	signedOut bool // it ended the session, and with that the marks
	tries     int  // of the next one, that were told to wait
}

// batchWanted is the confirmation's yes.
type batchWanted struct{ targets []target }

// batchStop is the person's wish to leave the rest, batchNext the end of a pause.
type batchStop struct{ of *batch }

type batchNext struct{ of *batch }

func (p *Page) startBatch(wanted batchWanted) tea.Cmd {
	labels := make([]string, len(wanted.targets))
	for i, t := range wanted.targets {
		labels[i] = t.name
	}
	b := &batch{targets: wanted.targets}
	b.dialog = dialog.NewProgress("Revoking "+table.Plural(len(labels), "key"), labels, page.To{Page: page.APIKeys, Msg: batchStop{b}})
	p.open(b.dialog)
	return p.nextOfBatch(b)
}

func (p *Page) stopBatch(b *batch) tea.Cmd {
	b.stop = true
	if b.pausing {
		return p.nextOfBatch(b)
	}
	return nil
}

func (p *Page) nextOfBatch(b *batch) tea.Cmd {
	b.pausing = false
	switch {
	case b.dialog.Over():
		return nil
	case b.next == len(b.targets):
		return p.endBatch(b, "")
	case b.stop:
		return p.endBatch(b, "You stopped it.")
	}
	b.dialog.Set(b.next, dialog.Running, "")
	return p.revoke(b.targets[b.next], b)
}

// tookOneOfBatch notes what became of one key, and goes on unless the next one could
// not fare better.
func (p *Page) tookOneOfBatch(msg revoked, f fate) tea.Cmd {
	b := msg.of
	state, note := dialog.Done, ""
	switch {
	case f.state == gone && msg.err != nil:
		note = "was gone already"
	case f.state == unsure:
		state, note = dialog.Unsure, "perhaps revoked: "+models.KindOf(msg.err).String()
	case f.state == failed:
		state, note = dialog.Failed, why(msg.err)
	}
	kind, pause := models.KindOf(msg.err), models.RetryAfterOf(msg.err)
	if kind == models.KindRateLimited && b.tries < maxTries && pause <= longestPause && !b.stop {
		// It was not carried out, so the same key is next.
		b.tries++
		return p.pauseBatch(b, max(pause, time.Second))
	}
	b.note(f, state, note)
	if f.state == gone {
		p.table.List().Unmark(msg.id)
	}
	switch {
	case hopeless(kind):
		b.signedOut = kind == models.KindUnauthorized
		cmd := p.endBatch(b, "It stopped: "+kind.String()+".")
		p.changeFailed(msg.err)
		return cmd
	case pause > longestPause:
		return p.endBatch(b, "It stopped: the service wants to be left alone for "+style.Took(pause)+".")
	case pause > 0 && b.next < len(b.targets) && !b.stop:
		return p.pauseBatch(b, pause)
	}
	return p.nextOfBatch(b)
}

// note takes in what became of the step that was under way.
func (b *batch) note(f fate, state dialog.ProgressState, said string) {
	switch f.state {
	case gone:
		b.revoked++
	case unsure:
		b.unsure = append(b.unsure, b.next)
		b.failed++
	default:
		b.failed++
	}
	b.dialog.Set(b.next, state, said)
	b.next++
	b.tries = 0
}

func (p *Page) pauseBatch(b *batch, d time.Duration) tea.Cmd {
	b.pausing = true
	b.dialog.Set(b.next, dialog.Waiting, "waits "+style.Took(d)+", as the service asked")
	return p.session.After(page.APIKeys, d, batchNext{b})
}

// hopeless says that the next request would fail as well.
func hopeless(kind models.Kind) bool {
	return slices.Contains([]models.Kind{
		models.KindUnauthorized, models.KindReadOnly, models.KindUnreachable, models.KindTimeout, models.KindTLS, models.KindRedirect,
	}, kind)
}

// endBatch says what became of the keys, and reads the list again where only that tells
// what was revoked.
func (p *Page) endBatch(b *batch, said string) tea.Cmd {
	if n := len(b.targets) - b.next; n > 0 {
		said += fmt.Sprintf(" Not tried: %s.", table.Count(n))
	}
	if b.failed > 0 {
		said += fmt.Sprintf(" Failed: %s.", table.Count(b.failed))
	}
	if b.revoked < len(b.targets) && !b.signedOut {
		said += " What is still there is still marked."
	}
	b.said = strings.TrimSpace(said)
	p.report = b
	b.finish()
	if b.failed > 0 {
		return p.load()
	}
	return nil
}

// finish shows the result.
func (b *batch) finish() {
	var lines []dialog.Line
	if b.said != "" {
		lines = []dialog.Line{{Tone: style.Waiting, Text: b.said}}
	}
	b.dialog.Finish(fmt.Sprintf("%s of %s revoked", table.Count(b.revoked), table.Plural(len(b.targets), "key")), lines...)
}

// settleReport lets the list tell what is known by it of keys whose revocation had no
// answer.
func (p *Page) settleReport() {
	b := p.report
	if b == nil || len(b.unsure) == 0 {
		return
	}
	for _, step := range b.unsure {
		if _, there := p.rows.byID[b.targets[step].id]; there {
			b.dialog.Set(step, dialog.Failed, "still listed")
			continue
		}
		b.dialog.Set(step, dialog.Done, "no longer listed")
		b.revoked++
	}
	b.unsure = nil
	b.finish()
}

// why is an error without what was being done: the dialog says that.
func why(err error) string {
	if e, ok := errors.AsType[*models.Error](err); ok {
		bare := *e
		bare.Doing = ""
		return bare.Error()
	}
	return err.Error()
}
