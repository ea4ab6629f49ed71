package apikeys

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/keys"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// queue is the keys that are rotated one after the other.
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
	p, old := q.page, q.rest[0]
	c := &creation{
		page: p, old: old, rotate: p.keys.isOwn(&old), reach: old.Reach(),
		quiet: p.options.QuietFor, queue: q,
		name: p.keys.successorName(&old, p.session.ServiceNow()),
	}
	c.ask("")
}

// next goes on with the next key.
func (q queue) next() {
	if len(q.rest) == 0 {
		return
	}
	q.page.Unmark(rowOf(q.rest[0].Ref()))
	if q.page.session.Ended() { // the secret stayed on the screen
		q.after().stop()
		return
	}
	q.after().ask()
}

// after returns the queue without its first key.
func (q queue) after() queue {
	return queue{page: q.page, rest: q.rest[min(1, len(q.rest)):], done: q.done + 1}
}

// stop tells which of several keys are not rotated. They stay marked.
func (q queue) stop() {
	if q.done+len(q.rest) < 2 || len(q.rest) == 0 {
		return
	}
	const most = 3 // names
	var names []string
	for _, k := range q.rest[:min(most, len(q.rest))] {
		names = append(names, k.Name)
	}
	said := strings.Join(names, ", ")
	if more := len(q.rest) - most; more > 0 {
		said += fmt.Sprintf(" and %d more", more)
	}
	q.page.session.Notify(style.Waiting, "Not rotated, and still marked: "+said)
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
	own := p.keys.own
	c := &creation{
		page: p, old: own, rotate: true, reach: own.Reach(), quiet: p.options.QuietFor,
		name: p.keys.successorName(&own, p.session.ServiceNow()),
	}
	c.ask("")
}

// successorForm asks for the name of the key that replaces another one, in the same list and with the same reach. It
// becomes the profile's key if it replaces the session's.
func (c *creation) successorForm() dialog.FormSpec {
	title, what := "Rotate this session's key", "You hand over its secret. "
	switch {
	case c.rotate:
		what = "It is verified with one request, then saved as this profile's key. "
		if !c.successor() {
			what += cannotTell + " Revoke the old one yourself afterwards."
		}
	case c.page.words().mayBeOwn(&c.old):
		what += cannotTell + " "
	}
	if !c.rotate {
		title = c.queue.title(&c.old)
	}
	form := dialog.FormSpec{
		Title: title, Label: "Name of the new key", Verb: "Rotate", Cancel: c.queue.stop,
		About: "The new key " + c.page.account.ReachWords(c.reach) + ", like the old one. " + what,
	}
	if c.successor() {
		form.About += cmp.Or(c.old.Name, "The old one") + " keeps working. It can go once nothing has used it for the " +
			"quiet time, while the new key was used."
		form.More = &dialog.FormField{Label: "Quiet time", Text: style.Every(c.quiet), Check: quietProblem}
	}
	return form
}

// quietProblem returns what is wrong with how long an old key must be quiet, or "".
func quietProblem(text string) string {
	d, ok := models.ParseDuration(text)
	if err := keys.CheckQuiet(d); !ok || err != nil {
		return "The quiet time must be between 1m and 91d, such as 24h or 8d."
	}
	return ""
}

// successor reports whether the key is the successor of a known one.
func (c *creation) successor() bool { return c.old.ID != 0 }

// rotation returns what to remember of a rotation that begins now, but for the new key.
func (c *creation) rotation() keys.Rotation {
	began := c.page.session.ServiceNow().Truncate(time.Second)
	return keys.Rotation{Old: c.old.Ref(), OldCreated: c.old.CreatedAt, Began: began, Quiet: c.quiet}
}

// check verifies the successor of a key that is not the session's. Its secret is then handed over.
func (c *creation) check() tea.Cmd {
	c.dialog.Doing("Verifying the new key…")
	return page.Call(c.page.session, page.APIKeys, c.verification(), func(_ struct{}, err error) tea.Cmd {
		if err != nil {
			return c.notKept("Could not verify the new key: "+sentence(err), stillInUse)
		}
		c.dialog.Verified()
		return c.page.read(c.reach.List())
	})
}

// verification returns what verifies the new key, and remembers for how long: the program may end before a list shows that
// use. A key that may have been handed over is not pgtower's alone: then all uses until some time after the second
// verification prove nothing.
func (c *creation) verification() func(context.Context) (struct{}, error) {
	p, secret, key, again := c.page, c.key.Key, c.key.Ref(), c.used
	store, memory, now, moment := p.options.KeyStore, p.rotations.store, p.session.Now, p.moment()
	c.used = true
	return func(ctx context.Context) (struct{}, error) {
		if again {
			_, _ = memory.Change(func(m *keys.Memory) { m.VerifyAgain(key, moment()) }) // the process knows it
			return struct{}{}, store.Verify(ctx, secret)
		}
		began := now()
		err := store.Verify(ctx, secret)
		took := max(time.Second, now().Sub(began))
		_, _ = memory.Change(func(m *keys.Memory) { m.Verified(key, took, err != nil) })
		return struct{}{}, err
	}
}
