package apikeys

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/rotation"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// queue is the keys that are rotated one after the other.
type queue struct {
	rest []models.APIKey
	done int
	all  int
}

// title names the key that is rotated, and its place among several.
func (q queue) title(old *models.APIKey) string {
	if q.all < 2 {
		return "Rotate " + old.Name
	}
	return fmt.Sprintf("Rotate %s (%d of %d)", old.Name, q.done+1, q.all)
}

// askRotation asks for the successors of the marked keys, one after the other, or of the selected one.
func (p *Page) askRotation() {
	var targets []models.APIKey
	for _, k := range p.List().Marked() {
		if p.keys.notRevocable(k) == "" {
			targets = append(targets, *k)
		}
	}
	if p.List().CountMarked() == 0 {
		if k, ok := p.Choose(); ok {
			targets = []models.APIKey{*k}
		}
	}
	p.rotateNext(queue{rest: targets, all: len(targets)})
}

// rotateNext asks for the successor of the next key.
func (p *Page) rotateNext(q queue) {
	if len(q.rest) == 0 {
		return
	}
	old := q.rest[0]
	p.askSuccessor(old, q, p.successorName(&old), "")
}

// successorName returns a free name that tells whose successor a key is. The form tells what else is wrong with it.
func (p *Page) successorName(old *models.APIKey) string {
	of := p.keys.get(old.List)
	return rotation.SuccessorName(cmp.Or(old.Name, "pgtower"), p.session.ServiceNow(), func(name string) bool {
		return of == nil || of.Named(name) == nil
	})
}

// askOwnRotation asks for the successor of the session's key, which may not be known.
func (p *Page) askOwnRotation() {
	p.askSuccessor(p.keys.own, queue{}, p.successorName(&p.keys.own), "")
}

// askSuccessor asks for the name of the key that replaces another one, in the same list and with the same reach. It
// becomes the profile's key if it replaces the session's.
func (p *Page) askSuccessor(old models.APIKey, q queue, name, wrong string) {
	reach, journal, own := old.Reach(), p.journal(), old.ID == 0 || p.keys.isOwn(&old)
	title, what := q.title(&old), "You hand over its secret. "
	switch {
	case own:
		title = "Rotate this session's key"
		what = "It is verified with one request, then saved as this profile's key. "
		if old.ID == 0 {
			what += cannotTell + " Revoke the old one yourself afterwards."
		}
	case p.keys.own.ID == 0:
		what += cannotTell + " "
	}
	if old.ID != 0 {
		what += cmp.Or(old.Name, "The old one") + " keeps working. It can go once nothing has used it for the quiet time, " +
			"while the new key was used."
	}
	quiet := &dialog.FormField{Label: "Quiet time", Text: style.Every(p.quietFor()), Check: quietProblem}
	form := dialog.FormSpec{
		Title: title, Label: "Name of the new key", Verb: "Rotate", Wrong: wrong, Text: name,
		Check:   func(name string) string { return p.keys.nameProblem(reach.List(), name) },
		About:   "The new key " + p.account.ReachWords(reach) + ", like the old one. " + what,
		Warning: p.unrecordedWarning(), More: quiet,
		Submit: func(name string) tea.Cmd {
			asked, _ := models.ParseDuration(quiet.Text)
			return p.create(&creation{
				page: p, name: name, reach: reach, rotate: own, old: old, journal: journal, quiet: asked, queue: q,
			})
		},
	}
	if old.ID == 0 {
		form.More = nil
	}
	p.session.Open(dialog.NewForm(form))
}

// quietProblem returns what is wrong with how long an old key must be quiet, or "".
func quietProblem(text string) string {
	d, ok := models.ParseDuration(text)
	if err := rotation.CheckQuiet(d); !ok || err != nil {
		return "The quiet time must be between 1m and 31d, such as 24h."
	}
	return ""
}

// successor reports whether the key is the successor of a known one.
func (c *creation) successor() bool { return c.old.ID != 0 }

// memory returns what to remember of the rotation, before the new key is used.
func (c *creation) memory(made *models.CreatedAPIKey, began time.Time) rotation.Memory {
	return rotation.Memory{
		Old: c.old.Ref(), OldCreated: c.old.CreatedAt, Successor: made.Ref(), Began: began, Quiet: c.quiet,
	}
}

// check verifies the successor of a key that is not the session's. Its secret is then handed over.
func (c *creation) check() tea.Cmd {
	c.dialog.Doing("Verifying the new key…")
	return page.Call(c.page.session, page.APIKeys, c.verification(), func(_ struct{}, err error) tea.Cmd {
		c.page.wasVerified(c.key.Ref())
		if err != nil {
			return c.notKept("Could not verify the new key: "+sentence(err), stillInUse)
		}
		c.dialog.Verified()
		return c.page.read(c.reach.List())
	})
}

// verification returns what verifies the new key. What is remembered of its rotation covers that use before it is made: the
// program may end before a list shows it.
func (c *creation) verification() func(context.Context) (struct{}, error) {
	p, secret := c.page, c.key.Key
	keys, memory := p.options.KeyStore, p.rotations.store
	m, ok := p.rotations.uncounted(c.key.Ref(), p.session.ServiceNow().Add(rotation.Verifying))
	return func(ctx context.Context) (struct{}, error) {
		if ok && memory != nil {
			_ = memory.Save(m) // that it could not be saved was told when the key was created
		}
		return struct{}{}, keys.Verify(ctx, secret)
	}
}

// next goes on with the next key, once the user has left the dialog with the secret.
func (c *creation) next() {
	p, q := c.page, c.queue
	p.Unmark(rowOf(c.old.Ref()))
	q.rest, q.done = slices.Clone(q.rest[min(1, len(q.rest)):]), q.done+1
	p.rotateNext(q)
}
