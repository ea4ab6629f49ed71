package apikeys

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/control"
	"pgtower/models/keys"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// queue is keys that are rotated one after the other.
type queue struct {
	page *Page
	rest []models.APIKey // the first one is being rotated
	done int
}

// title names the key that is rotated, and its place among several.
func (q queue) title(old *models.APIKey) string {
	if q.done+len(q.rest) < 2 {
		return "Rotate " + old.Name
	}
	return fmt.Sprintf("Rotate %s (%d of %d)", old.Name, q.done+1, q.done+len(q.rest))
}

// ask asks for the successor of the first key.
func (q queue) ask() {
	if len(q.rest) == 0 {
		return
	}
	old := q.rest[0]
	c := q.page.successorOf(&old, q.page.keys.isOwn(&old))
	c.queue = q
	c.ask("")
}

// successorOf returns the creation of the successor of a key. ours is set if the key is the session's.
func (p *Page) successorOf(old *models.APIKey, ours bool) *creation {
	named := *old
	if ours {
		named.Name = keys.OwnName(old.Name, p.options.Computer)
	}
	key := keys.Wanted(p.keys.successorName(&named, p.session.ServiceNow()), old.Reach())
	quiet := p.audited().Usage(old).Proposed(p.options.QuietFor)
	return p.newCreation(keys.Change{Key: key, Old: *old, Own: ours, Quiet: quiet})
}

// next continues with the next key.
func (q queue) next() {
	if len(q.rest) == 0 {
		return
	}
	q.page.Unmark(rowOf(q.rest[0].Ref()))
	if q.page.session.Ended() { // only the dialog with the secret is left
		q.after().stop()
		return
	}
	q.after().ask()
}

// after returns the queue without its first key.
func (q queue) after() queue {
	return queue{page: q.page, rest: q.rest[min(1, len(q.rest)):], done: q.done + 1}
}

// stop shows which of several keys were not rotated. They stay marked.
func (q queue) stop() {
	if q.done+len(q.rest) < 2 || len(q.rest) == 0 {
		return
	}
	const most = 3 // names
	var names []string
	for _, k := range q.rest[:min(most, len(q.rest))] {
		names = append(names, k.Name)
	}
	list := strings.Join(names, ", ")
	if others := len(q.rest) - most; others > 0 {
		list += fmt.Sprintf(" and %d more", others)
	}
	q.page.session.Notify(style.Waiting, "Not rotated, and still marked: "+list)
}

// askRotation asks for the successors of the marked keys, one after the other, or of the selected one.
func (p *Page) askRotation() {
	var targets []models.APIKey
	for _, k := range p.List().Marked() {
		if p.keys.notRevocable(k) == "" {
			targets = append(targets, *k)
		}
	}
	skipped := p.List().CountMarked() - len(targets)
	switch {
	case skipped > 0:
		p.session.Notify(style.Waiting, skippedKeys(skipped))
	case len(targets) == 0:
		k, ok := p.Choose()
		if ok {
			targets = []models.APIKey{*k}
		}
	}
	queue{page: p, rest: targets}.ask()
}

// askOwnRotation asks for the successor of the session's key, which may not be known.
func (p *Page) askOwnRotation() {
	key := p.keys.own
	p.successorOf(&key, true).ask("")
}

// successorForm is the form for the name of a key that replaces another one, in the same list and with the same reach.
func (c *creation) successorForm() dialog.FormSpec {
	title, what := "Rotate this session's key", "You hand over its secret. "
	switch {
	case c.Own:
		what = "It is verified with one request, then saved as this profile's key. "
		if !c.successor() {
			what += cannotTell + " Revoke the old one yourself afterwards."
		}
	case c.page.words().mayBeOwn(&c.Old):
		what += cannotTell + " "
	}
	if !c.Own {
		title = c.queue.title(&c.Old)
	}
	form := dialog.FormSpec{
		Title: title, Label: "Name of the new key", Verb: "Rotate", Cancel: c.queue.stop,
		About: "The new key " + c.page.account.ReachWords(c.Key.Reach()) + ", like the old one. " + what,
	}
	if c.successor() {
		form.About += cmp.Or(c.Old.Name, "The old one") + " keeps working. It can go once nothing has used it for the " +
			"quiet time, while the new key was used."
		if u := c.page.audited().Usage(&c.Old); u != nil && u.Paused() > time.Hour {
			form.About += " Its longest pause that was seen: " + keys.Exactly(u.Paused()) + "."
		}
		form.More = &dialog.FormField{Label: "Quiet time", Text: style.Every(c.Quiet), Check: quietProblem}
	}
	return form
}

// quietProblem returns what is wrong with a quiet time, or "".
func quietProblem(text string) string {
	d, ok := models.ParseDuration(text)
	if err := keys.CheckQuiet(d); !ok || err != nil {
		return "The quiet time must be between 1m and 91d, such as 24h or 8d."
	}
	return ""
}

// rotated returns the dialog after the session's key was rotated. It asks whether to revoke the old key if that is known.
func (c *creation) rotated(saved control.Saved) page.Dialog {
	done := []dialog.Line{line(style.Good, "✓ "+c.Key.Name+" works and is now in use: "+saved.Source+".")}
	if saved.Warning != "" {
		done = append(done, line(style.Waiting, saved.Warning))
	}
	done = append(done, dialog.Line{})
	p, old := c.page, c.Old
	if old.ID == 0 {
		still := "The old key still works. " +
			"pgtower can't tell which one in the list it is: find it there, and revoke it with x."
		return dialog.NewMessage("The key was rotated", append(done, line(style.Plain, still)))
	}
	moved := p.session.ServiceNow().Add(keys.Slack)
	return p.open(func() (dialog.Question, string) { return c.afterRotation(done, moved) })
}

// afterRotation returns the question whether to revoke the session's old key, below what was done, and what it rests on. Uses
// until pgtower moved to the new key may have been its own, and change nothing.
func (c *creation) afterRotation(done []dialog.Line, moved time.Time) (q dialog.Question, rests string) {
	p, old, warned := c.page, c.Old, c.Unrecorded
	current, listed := p.keys.asOfNow(&old)
	used, since := current.LastUsedAt, ": that may have been pgtower"
	switch {
	case used.Value.After(moved):
		since = ": after pgtower left it"
	case used.Known:
		used.Value = moved
	}
	lines := slices.Clone(done)
	switch identity := p.words().identify(current, p.session.ServiceNow()); {
	case listed:
		lines = append(lines, line(style.Muted, identity+since))
	case p.keys.read(old.List):
		lines = append(lines, line(style.Waiting, "It is not listed now."))
	}
	lines = append(lines, line(style.Plain, "Revoke the old key? Make sure nothing else uses it. "+irrevocable+
		" Later, pgtower tells when it can go."))
	q = p.questions().about(current, lines, true)
	q.Cancel, q.Confirm = "Later", func() tea.Cmd { return p.revoke(old, warned, nil) }
	return q, fmt.Sprint(listed, current.Name, current.Reach(), used, p.keys.notRevocable(current))
}
