package apikeys

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/control"
	"pgtower/models/keys"
	"pgtower/ui/action"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// creation is a key that is being created. It becomes the profile's key if the user says so, or rotates.
type creation struct {
	page   *Page
	name   string
	reach  models.Reach  // that was asked for
	rotate bool          // the key replaces the session's
	old    models.APIKey // the key that it is the successor of; its id is 0 if there is none, or it is unknown
	quiet  time.Duration // how long the old key must be quiet
	queue  queue         // of the keys that are rotated one after the other
	told   bool          // the user knows that it will not be recorded
	dialog *dialog.Secret
	key    models.CreatedAPIKey // the service's answer
	record keys.Record          // of the creation, in the journal
	used   bool                 // pgtower has verified the key
	store  control.KeyStore     // verifies and saves the key
	// file and command are what the user typed last.
	file, command string
}

// ask asks for the name of the new key. wrong is what was wrong with the last one, or empty.
func (c *creation) ask(wrong string) {
	p := c.page
	form := dialog.FormSpec{
		Title: "New API key", Label: "Name", Verb: "Create",
		About: "The key " + p.account.ReachWords(c.reach) + ", until it is revoked. " +
			"Name it after the program that will use it.",
	}
	if c.rotate || c.successor() {
		form = c.successorForm()
	}
	form.Wrong, form.Text, form.Warning = wrong, c.name, p.recorder.warning()
	form.Check = func(name string) string { return p.keys.nameProblem(c.reach.List(), name) }
	told := p.recorder.told()
	form.Submit = func(name string) tea.Cmd {
		asked := *c
		asked.name, asked.told = name, told
		if form.More != nil {
			asked.quiet, _ = models.ParseDuration(form.More.Text)
		}
		return asked.create()
	}
	p.session.Open(dialog.NewForm(form))
}

// created is the service's answer. notSent reports whether there was no request.
type created struct {
	key       models.CreatedAPIKey
	record    keys.Record
	notSent   bool
	err       error
	memory    keys.Memory // with the new key
	unwritten error       // why the journal does not have what came of it, or nil
	// unremembered is why the key is remembered by this session only, or nil.
	unremembered error
}

// create creates the key even if the session ends meanwhile: only this answer has the secret.
func (c *creation) create() tea.Cmd {
	p := c.page
	c.dialog = dialog.NewSecret(c.name, func(secret page.Copy) { p.session.Emit(secret) })
	p.session.Open(c.dialog)
	o := order{
		send: p.sender(c.told), name: c.name, reach: c.reach, replaces: c.old.ID, memory: p.rotations.store,
	}
	if list := p.keys.get(c.reach.List()); list != nil {
		o.send.Before = list.All
	}
	if c.successor() {
		o.rotation = c.rotation()
	}
	if c.rotate {
		o.store = p.options.KeyStore
	}
	answered, late := c.answered, c.show
	return p.session.DoAnyway(page.APIKeys, func(ctx context.Context) (tea.Msg, func()) {
		made := o.carryOut(ctx)
		return page.Result(action.With(answered, made)), func() { late(made) }
	})
}

// order is what is needed to create a key, as values: the page may change meanwhile.
type order struct {
	store    control.KeyStore // that must be able to save the key; nil: it need not be saved
	send     keys.Send
	name     string
	reach    models.Reach
	replaces int64         // the id of the key that it is the successor of, or 0
	rotation keys.Rotation // but for the new key, if there is an old one
	memory   keys.Store
}

func (o *order) carryOut(ctx context.Context) (made created) {
	if o.store != nil {
		made.err = o.store.Check(ctx)
		if made.err != nil { // a key that cannot be saved would have to be revoked
			made.notSent = true
			return made
		}
	}
	o.send.Unwritten = func(err error) { made.unwritten = err }
	made.key, made.record, made.err = o.send.Create(ctx, o.name, o.reach, o.replaces)
	if made.err != nil {
		return made
	}
	made.memory, made.unremembered = o.memory.Change(func(m *keys.Memory) { o.remember(m, &made.key) })
	return made
}

// remember adds the new key, before it is verified. Nobody has its secret yet.
func (o *order) remember(m *keys.Memory, made *models.CreatedAPIKey) {
	m.Add(keys.Made{Key: made.Ref(), Created: made.CreatedAt, Print: m.Print(made.Key), Took: keys.Killed})
	if o.replaces != 0 {
		r := o.rotation
		r.New = made.Ref()
		m.Begin(r)
	}
}

const (
	stillInUse = "The old key is still in use."
	triesAgain = stillInUse + " k: try again, or leave and revoke this one."
)

func (c *creation) show(answer created) {
	err, problem, next := answer.err, "", ""
	if err != nil {
		problem = style.Sentence(err.Error())
		answer.key = models.CreatedAPIKey{} // the rest of the answer is not reliable
	}
	c.key = answer.key
	switch {
	case err == nil && !answer.key.Key.IsZero():
		c.dialog.Created(answer.key, c.page.account.ReachWords(answer.key.Reach()))
		c.dialog.ToFile = c.askFile
		if c.page.options.KeyStore != nil {
			c.dialog.ToCommand = c.askCommand
		}
		return
	case err == nil:
		problem = "The key was created, but its secret cannot be used: " + answer.key.Damage + "."
		next = "Nothing was copied or saved. Revoke " + c.name + " in the list with x, and create another one."
	case answer.notSent:
		next = "No key created: there is nowhere to save it. Your current key is unchanged."
	case !keys.Refused(err):
		next = c.name + " is not listed yet; it may still appear, but its secret is lost."
	default:
		next = strings.TrimSpace("No key was created. " + models.AdviceOf(err))
	}
	c.tell(style.Bad, problem, next, c.rotate && !answer.notSent)
}

// tell shows that there is no usable key, and whether another one is still in use.
func (c *creation) tell(tone style.Tone, problem, next string, old bool) {
	lines := []dialog.Line{line(tone, problem), {}, line(style.Plain, next)}
	if old {
		lines = append(lines, line(style.Plain, stillInUse))
	}
	c.dialog.Created(c.key, "", lines...)
}

// decide shows what a list tells of a creation without an answer. It reports whether that is all.
func (c *creation) decide(of *keyList, decided *keys.Decided) bool {
	p := c.page
	until := p.keys.Until(of.id)
	is := func(ref models.KeyRef) bool { k := p.keys.key(ref); return k != nil && k.Name == c.name }
	switch {
	case slices.ContainsFunc(decided.Found, is):
		next := "Revoke it in the list with x, and create another one."
		c.tell(style.Bad, c.name+" exists, but its secret is lost.", next, c.rotate)
		return true
	case slices.Contains(decided.Absent, c.name):
		at := p.session.Times.Clock(p.session.Service(of.requested))
		c.tell(style.Waiting, c.name+" is not listed as of "+at+", and can no longer appear.", "You can create it again.", c.rotate)
		return true
	case until.IsZero():
		return true
	}
	again := p.keys.Due(of.id, p.session.Now()).Sub(p.session.Now()).Round(time.Second)
	c.tell(style.Waiting, c.name+" is not listed yet; it may still appear.",
		"Checking again in "+style.Every(max(time.Second, again))+", until it can no longer change.", c.rotate)
	return false
}

// answered shows the new key and reads its list again, also after an error: the key may exist. A refusal leads back into
// the form, with the service's words and what was typed.
func (c *creation) answered(answer created) tea.Cmd {
	p, in := c.page, c.reach.List()
	p.recorder.answered(answer.err)
	p.unwritten(answer.unwritten)
	if answer.err != nil && !answer.notSent && keys.Refused(answer.err) {
		p.session.Emit(page.Close{Dialog: c.dialog})
		p.session.Emit(page.Failed{Err: answer.err, Change: true})
		why := "No key was created: " + sentence(models.Doing(answer.err, ""))
		c.ask(strings.TrimSpace(why + " " + models.AdviceOf(answer.err)))
		return p.read(in)
	}
	c.show(answer)
	c.dialog.After = func() { c.queue.after().stop() }
	switch {
	case answer.notSent:
		return nil
	case answer.err != nil:
		p.keys.Unanswered(in, answer.record, p.listed(in), p.session.Now())
		p.unanswered = c
		p.changeFailed(in, answer.err)
		return p.read(in)
	}
	c.record = answer.record
	p.rotations.know(&answer.memory)
	if c.successor() {
		warnOfMemory(p.session, answer.unremembered)
	}
	p.Restore(rowOf(c.key.Ref()), false)
	if c.key.Key.IsZero() {
		c.orphaned()
		return p.read(in)
	}
	p.keys.Created(in, answer.record)
	c.dialog.Taking = c.taking
	c.dialog.Abandon, c.dialog.After = c.orphaned, c.queue.next
	if c.key.Reach() != c.reach {
		c.dialog.Doubt(c.otherReach(), c.revoke, c.proceed)
		return p.read(in)
	}
	return c.proceed()
}

// otherReach is the warning about a key that does not reach what was asked for.
func (c *creation) otherReach() string {
	a := c.page.account
	return "The service created a key that " + a.ReachWords(c.key.Reach()) + ". You asked for one that " +
		a.ReachWords(c.reach) + "."
}

// revoke revokes the new key.
func (c *creation) revoke() tea.Cmd {
	c.page.session.Emit(page.Close{Dialog: c.dialog})
	c.queue.after().stop()
	return c.page.revoke(models.APIKey{
		List: c.key.List, ID: c.key.ID, Name: c.name, ProjectID: c.key.ProjectID,
	}, c.told, nil)
}

// proceed offers to save the new key, which a rotation does by itself.
func (c *creation) proceed() tea.Cmd {
	p := c.page
	if p.options.KeyStore != nil {
		c.dialog.Keep = c.verify
	}
	if c.successor() && !c.rotate {
		c.dialog.KeepWarning = "pgtower then can't tell when " + c.old.Name + " can go, as it uses the new key itself."
	}
	if c.rotate && p.options.KeyStore != nil {
		// The list is read once the key is saved: the old one may be refused, which must not end the session.
		return c.verify()
	}
	if c.successor() && p.options.KeyStore != nil {
		return c.check()
	}
	return p.read(c.reach.List())
}

func (c *creation) orphaned() {
	c.page.keys.Lose(c.key.Ref(), c.name)
}

func (c *creation) verify() tea.Cmd {
	c.dialog.Doing("Verifying the new key…")
	c.store = c.page.options.KeyStore
	return page.Call(c.page.session, page.APIKeys, c.verification(), c.verified)
}

// verified saves the key if it is valid, unless the session has changed.
func (c *creation) verified(_ struct{}, err error) tea.Cmd {
	if c.store != c.page.options.KeyStore {
		return nil
	}
	if err != nil {
		return c.notKept("Could not verify the new key: "+sentence(err), triesAgain)
	}
	c.dialog.Doing("The new key works. Saving it…")
	return page.Call(c.page.session, page.APIKeys, c.saving(), c.saved)
}

// saving returns what saves the key as the profile's, and remembers that pgtower uses it from then on.
func (c *creation) saving() func(context.Context) (control.Saved, error) {
	store, key, own := c.store, c.key, c.rotate
	memory, ledger, moment := c.page.rotations.store, c.ledger(), c.page.moment()
	return func(ctx context.Context) (control.Saved, error) {
		ledger.note(keys.Handing, keys.ToProfile)
		place, err := store.Save(ctx, key)
		if maybeSaved(err) {
			moved := time.Time{}
			if now := moment(); own && !now.Late.IsZero() {
				moved = now.Early
			}
			_, _ = memory.Change(func(m *keys.Memory) { m.Keep(key.Ref(), moved) }) // that it is not remembered was told
		}
		if err == nil {
			ledger.note(keys.Handed, keys.ToProfile)
		}
		return place, err
	}
}

func maybeSaved(err error) bool { return err == nil || errors.Is(err, control.ErrMaybeSaved) }

func (c *creation) notKept(why, next string) tea.Cmd {
	c.dialog.NotKept(why + " " + next)
	return c.page.read(c.reach.List())
}

// saved continues with the new key. Only now can a rotation revoke the old one.
func (c *creation) saved(place control.Saved, err error) tea.Cmd {
	p := c.page
	switch {
	case c.store != p.options.KeyStore:
		return nil
	case errors.Is(err, control.ErrMaybeSaved):
		p.keys.maybeSaved = c.key.Ref()
		return c.notKept("The new key works, but may not have been saved: "+sentence(err),
			"Do not revoke either key until k has succeeded.")
	case err != nil:
		return c.notKept("The new key works, but could not be saved: "+sentence(err), triesAgain)
	}
	p.keys.own = models.APIKey{List: c.key.List, ID: c.key.ID, Name: c.name, ProjectID: c.key.ProjectID}
	p.keys.maybeSaved = models.KeyRef{}
	c.dialog.Kept(place.Source)
	p.session.Emit(page.KeyChanged{Source: place.Source})
	if c.rotate {
		p.session.Emit(page.Close{Dialog: c.dialog})
		c.queue.next() // below the question
		p.session.Open(c.rotated(place))
	} else if place.Warning != "" {
		p.session.Notify(style.Waiting, place.Warning)
	}
	return p.read(c.reach.List())
}

func (c *creation) rotated(place control.Saved) page.Dialog {
	done := []dialog.Line{line(style.Good, "✓ "+c.name+" works and is now in use: "+place.Source+".")}
	if place.Warning != "" {
		done = append(done, line(style.Waiting, place.Warning))
	}
	done = append(done, dialog.Line{})
	p, old := c.page, c.old
	if old.ID == 0 {
		still := "The old key still works. " +
			"pgtower can't tell which one in the list it is: find it there, and revoke it with x."
		return dialog.NewMessage("The key was rotated", append(done, line(style.Plain, still)))
	}
	k := p.keys.key(old.Ref())
	if k != nil {
		old = *k
		identity := p.words().identify(k, p.session.ServiceNow())
		done = append(done, line(style.Muted, identity+": that was pgtower"))
	}
	asked := line(style.Plain, "Revoke the old key? Make sure nothing else uses it. "+irrevocable+
		" Later, pgtower tells when it can go.")
	q := p.questions().of(&old, append(done, asked), true)
	q.Cancel = "Later"
	return p.confirm(old, q)
}

// sentence returns an error as the end of a sentence.
func sentence(err error) string { return strings.TrimRight(err.Error(), ".") + "." }
