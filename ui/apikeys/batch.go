package apikeys

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/browse"
	"pgtower/ui/confirm"
	"pgtower/ui/dialog"
	"pgtower/ui/message"
	"pgtower/ui/page"
	"pgtower/ui/progress"
	"pgtower/ui/theme"
)

// batch is a set of keys that is being revoked, one after the other: so many requests at
// once would take the whole budget of the account, and could not be stopped.
type batch struct {
	targets []target
	next    int
	stop    bool
	dialog  *progress.Model
	revoked int // of those behind, gone already or not
	failed  int
}

// batchWanted is the confirmation's yes, batchStop the person's wish to leave the rest.
type batchWanted struct{ targets []target }

type batchStop struct{}

// batchNext goes on after a pause.
type batchNext struct{}

// batchQuestion asks whether to revoke the marked keys. The least used come first, so
// that what may be this session's own key comes last.
func (p *Page) batchQuestion(marked []*models.APIKey) page.Dialog {
	now := p.session.Now()
	shown := p.table.List().MarkedShown()
	hidden := len(marked) - shown
	var wanted batchWanted
	var list []string
	var left, used int
	own := false
	slices.SortStableFunc(marked, func(a, b *models.APIKey) int { return cmp.Compare(a.LastUsedAt.Unix(), b.LastUsedAt.Unix()) })
	for _, k := range marked {
		switch {
		case k.ID == p.rows.own:
			own = true
			continue
		case p.rows.notRevocable(k) != "":
			left++
			continue
		case usedLately(k, now):
			used++
		}
		wanted.targets = append(wanted.targets, target{k.ID, k.Name})
		list = append(list, k.Name+"  "+lastUse(k, now))
	}
	n := len(wanted.targets)
	if n == 0 {
		return message.New("There is nothing to revoke", []dialog.Line{
			{Text: "What is marked is revoked already, or is the key of this session: revoke that alone, or rotate it."},
		})
	}
	lines := []dialog.Line{{Text: "They stop working at once, for everything that uses them. This cannot be undone."}}
	caution := func(tone theme.Tone, format string, a ...any) {
		lines = append(lines, dialog.Line{Tone: tone, Text: fmt.Sprintf(format, a...)})
	}
	if hidden > 0 {
		caution(theme.Bad, "Hidden by the filter, so not seen behind this: %s.", keysCount(hidden))
	}
	if used > 0 {
		caution(theme.Waiting, "Used in the last 7 days, so something may still use them: %s.", keysCount(used))
	}
	switch {
	case own:
		caution(theme.Waiting, "This session's own key is left out. Revoke it alone, or rotate it.")
	case p.rows.own == 0 && used > 0:
		caution(theme.Waiting, "This session's own key may be among them: pgtower cannot know which one it is. The rest then stays undone.")
	}
	if left > 0 {
		caution(theme.Muted, "Left out, being revoked already or without an id: %s.", keysCount(left))
	}
	return confirm.New(confirm.Question{
		Title: fmt.Sprintf("Revoke %s?", keysCount(n)),
		Lines: lines, List: list, Verb: "Revoke",
		Type: strconv.Itoa(n), What: fmt.Sprintf("the number %d", n),
		Then: page.To{Page: page.APIKeys, Msg: wanted},
	})
}

func keysCount(n int) string {
	if n == 1 {
		return "1 key"
	}
	return browse.Count(n) + " keys"
}

func (p *Page) startBatch(wanted batchWanted) tea.Cmd {
	labels := make([]string, len(wanted.targets))
	for i, t := range wanted.targets {
		labels[i] = t.name
	}
	d := progress.New("Revoking "+keysCount(len(labels)), labels, page.To{Page: page.APIKeys, Msg: batchStop{}})
	p.batch = &batch{targets: wanted.targets, dialog: d}
	p.open(d)
	return p.nextOfBatch()
}

func (p *Page) nextOfBatch() tea.Cmd {
	b := p.batch
	switch {
	case b.next == len(b.targets):
		return p.endBatch("")
	case b.stop:
		return p.endBatch("You stopped it.")
	}
	t := b.targets[b.next]
	b.dialog.Set(b.next, progress.Running, "")
	p.rows.fate[t.id] = fate{state: revoking}
	return p.revoke(t)
}

// tookOneOfBatch notes what became of one key, and goes on unless the next one could
// not fare better.
func (p *Page) tookOneOfBatch(msg revoked, f fate) tea.Cmd {
	b := p.batch
	state, note := progress.Done, ""
	switch {
	case f.state == gone && msg.err != nil:
		note = "was gone already"
	case f.state == unsure:
		state, note = progress.Failed, "perhaps revoked: "+why(msg.err)
	case f.state == failed:
		state, note = progress.Failed, why(msg.err)
	}
	if f.state == gone {
		b.revoked++
		p.table.List().Unmark(msg.id)
	} else {
		b.failed++
	}
	b.dialog.Set(b.next, state, note)
	b.next++
	kind := models.KindOf(msg.err)
	if hopeless(kind) {
		return tea.Batch(p.endBatch("It stopped: "+kind.String()+"."), p.failed(msg.err))
	}
	if kind == models.KindRateLimited {
		return p.session.After(page.APIKeys, max(time.Second, retryAfter(msg.err)), batchNext{})
	}
	return p.nextOfBatch()
}

// hopeless says that the next request would fail as well.
func hopeless(kind models.Kind) bool {
	return slices.Contains([]models.Kind{
		models.KindUnauthorized, models.KindReadOnly, models.KindUnreachable, models.KindTimeout, models.KindTLS, models.KindRedirect,
	}, kind)
}

// endBatch says what became of the keys, and reads the list again: that is what tells
// what was revoked without an answer.
func (p *Page) endBatch(why string) tea.Cmd {
	b := p.batch
	p.batch = nil
	said := why
	if n := len(b.targets) - b.next; n > 0 {
		said += fmt.Sprintf(" Not tried: %s.", browse.Count(n))
	}
	if b.failed > 0 {
		said += fmt.Sprintf(" Failed, and still marked: %s.", browse.Count(b.failed))
	}
	title := fmt.Sprintf("%s of %s revoked", browse.Count(b.revoked), keysCount(len(b.targets)))
	if said = strings.TrimSpace(said); said == "" {
		b.dialog.Finish(title)
	} else {
		b.dialog.Finish(title, dialog.Line{Tone: theme.Waiting, Text: said})
	}
	if b.failed > 0 {
		return p.load()
	}
	return nil
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

// retryAfter is how long the service wants to be left alone.
func retryAfter(err error) time.Duration {
	if e, ok := errors.AsType[*models.Error](err); ok {
		return e.RetryAfter
	}
	return 0
}
