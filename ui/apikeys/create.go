package apikeys

import (
	"context"
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/control"
	"pgtower/models/keys"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// ask asks for the name of the new key. wrong is what was wrong with the last name, or empty.
func (c *creation) ask(wrong string) {
	p := c.page
	form := dialog.FormSpec{
		Title: "New API key", Label: "Name", Verb: "Create",
		About: "The key " + p.account.ReachWords(c.Key.Reach()) + ", until it is revoked. " +
			"Name it after the program that will use it.",
	}
	if c.Own || c.successor() {
		form = c.successorForm()
	}
	form.Wrong, form.Text, form.Warning = wrong, c.Key.Name, p.recorder.warning()
	form.Check = func(name string) string { return p.keys.nameProblem(c.Key.List, name) }
	warned := p.recorder.told()
	form.Submit = func(name string) tea.Cmd { return c.submit(name, form.More, warned) }
	p.session.Open(dialog.NewForm(form))
}

// submit creates a key with the typed name. quiet has the typed quiet time; nil if the form had none.
func (c *creation) submit(name string, quiet *dialog.FormField, warned bool) tea.Cmd {
	asked := *c
	asked.Key.Name, asked.Unrecorded = name, warned
	if quiet != nil {
		asked.Quiet, _ = models.ParseDuration(quiet.Text)
	}
	return asked.create()
}

// create creates the key. A successor is then verified, and the successor of the session's key also saved.
func (c *creation) create() tea.Cmd {
	p := c.page
	c.dialog = dialog.NewSecret(c.Key.Name, func(secret page.Copy) { p.session.Emit(secret) })
	p.session.Open(c.dialog)
	c.Before, c.Asked = p.keys.listed(c.Key.List), p.session.ServiceNow()
	c.Verify = p.options.KeyStore != nil && (c.Own || c.successor())
	if c.Own {
		c.To = keys.ToProfile
	}
	performer := p.changing()
	c.Flow = performer.Begin(c.Change)
	return c.anyway(performer, c.answered, c.show)
}

// show shows the answer to the request.
func (c *creation) show() {
	problem, next := "", ""
	if c.Err != nil {
		problem = style.Sentence(c.Err.Error())
	}
	switch {
	case c.Err == nil && !c.Made.Key.IsZero():
		c.dialog.Created(c.Made, c.page.account.ReachWords(c.Made.Reach()))
		c.dialog.Taking, c.dialog.ToFile = c.taking, c.askFile
		if c.page.options.KeyStore != nil {
			c.dialog.ToCommand = c.askCommand
		}
		return
	case c.Err == nil:
		problem = "The key was created, but its secret cannot be used: " + c.Made.Damage + "."
		next = "Nothing was copied or saved. Revoke " + c.Key.Name + " in the list with x, and create another one."
	case c.NotSent:
		next = "No key created: there is nowhere to save it. Your current key is unchanged."
	case !keys.Refused(c.Err):
		next = c.Key.Name + " may still appear, but its secret is lost."
	default:
		next = strings.TrimSpace("No key was created. " + c.advice())
	}
	c.tell(style.Bad, problem, next, c.Own && !c.NotSent)
}

// advice returns what to do about a refusal, with the role of the user in the organization that refused.
func (c *creation) advice() string {
	advice := models.AdviceOf(c.Err)
	if role := c.page.words().role(c.Key.List, c.Err); role != "" {
		advice = strings.TrimSpace(style.Sentence(role) + ". " + advice)
	}
	return advice
}

// decide shows what a list proves of a creation without an answer. It reports whether that is final.
func (c *creation) decide(list *keyList) bool {
	p := c.page
	claim := p.keys.Claim(&c.Flow)
	text := claim.Words(&c.Key, p.session.Times.Clock(p.session.Service(list.began))) + "."
	switch claim.State {
	case keys.Appeared:
		c.tell(style.Bad, text, "Revoke it in the list with x, and create another one.", c.Own)
	case keys.Absent:
		c.tell(style.Waiting, text, "You can create it again.", c.Own)
	case keys.Several:
		c.tell(style.Bad, text, "The secret of this one is lost.", c.Own)
	default:
		left := p.keys.Until(list.id).Sub(p.options.Steady())
		until := p.session.Times.Clock(p.session.ServiceNow().Add(max(0, left)))
		c.tell(style.Waiting, text, "Checking again until "+until+", when it can no longer change.", c.Own)
		return false
	}
	return true
}

// answered shows the new key and reads its list again, also after an error, as the key may exist. After a refusal, it asks again,
// with the service's reason and the typed name.
func (c *creation) answered() tea.Cmd {
	p, id := c.page, c.Key.List
	p.told(&c.Flow)
	if c.Err != nil && !c.NotSent && keys.Refused(c.Err) {
		p.session.Emit(page.Close{Dialog: c.dialog})
		p.session.Emit(page.Failed{Err: c.Err, Change: true})
		why := "No key was created: " + sentence(models.Doing(c.Err, ""))
		c.ask(strings.TrimSpace(why + " " + c.advice()))
		p.read(id)
		return nil
	}
	c.show()
	c.dialog.After = c.queue.after().stop
	switch {
	case c.NotSent:
		return nil
	case c.Err != nil:
		p.unanswered = c
		p.changeFailed(id, c.Err)
		p.read(id)
		return nil
	}
	if c.successor() {
		warnOfMemory(p.session, c.Unremembered)
	}
	p.Restore(rowOf(c.Made.Ref()), false)
	if c.Made.Key.IsZero() {
		p.read(id)
		return nil
	}
	c.dialog.Abandon, c.dialog.After = c.orphaned, c.queue.next
	if c.OtherReach() {
		c.dialog.Doubt(c.otherReach(), c.revoke, c.accept)
		p.read(id)
		return nil
	}
	return c.proceed()
}

// accept continues with a key that reaches something else than the user asked for.
func (c *creation) accept() tea.Cmd {
	c.Accept()
	return c.proceed()
}

// otherReach is the warning about a key that reaches something else than the user asked for.
func (c *creation) otherReach() string {
	a := c.page.account
	return "The service created a key that " + a.ReachWords(c.Made.Reach()) + ". You asked for one that " +
		a.ReachWords(c.Key.Reach()) + "."
}

// revoke revokes the new key.
func (c *creation) revoke() tea.Cmd {
	c.page.session.Emit(page.Close{Dialog: c.dialog})
	c.queue.after().stop()
	return c.page.revoke(c.made(), c.Unrecorded, nil)
}

// proceed offers to save the new key, and performs the next task.
func (c *creation) proceed() tea.Cmd {
	if c.page.options.KeyStore != nil {
		c.dialog.Keep = c.keep
	}
	if c.successor() && !c.Own {
		c.dialog.KeepWarning = "pgtower then can't tell when " + c.Old.Name + " can go, as it uses the new key itself."
	}
	return c.next()
}

func (c *creation) orphaned() { c.page.keys.Lose(c.Made.Ref(), c.Key.Name) }

// keep verifies the key and saves it, as the user asked.
func (c *creation) keep() tea.Cmd {
	c.Keep()
	return c.next()
}

// next performs the next task of the flow, unless the session ends meanwhile. After the last task, it reads the list. Not before:
// if the service refuses the old key by then, the session ends, and the new key must have been saved.
func (c *creation) next() tea.Cmd {
	p, task := c.page, c.Task
	switch task {
	case keys.Verifying:
		c.store = p.options.KeyStore
		c.dialog.Doing("Verifying the new key…")
	case keys.Delivering:
		c.dialog.Doing("The new key works. Saving it…")
	default:
		p.read(c.Key.List)
		return nil
	}
	var saved control.Saved
	store, performer := c.store, p.performer()
	performer.HandOver = func(ctx context.Context, made *models.CreatedAPIKey) (maybe bool, err error) {
		saved, err = store.Save(ctx, *made)
		return errors.Is(err, control.ErrMaybeSaved), err
	}
	return p.perform(performer, c.Flow, func(flow keys.Flow, _ error) tea.Cmd { return c.performed(task, &flow, store, saved) })
}

// performed continues after the key was verified or saved, unless the store is of an earlier session.
func (c *creation) performed(task keys.Task, flow *keys.Flow, store control.KeyStore, saved control.Saved) tea.Cmd {
	if store != c.page.options.KeyStore {
		return nil
	}
	c.page.handed(&c.Flow, flow)
	c.Flow = *flow
	if task == keys.Delivering {
		return c.saved(saved)
	}
	return c.verified()
}

// verified continues if the key is valid.
func (c *creation) verified() tea.Cmd {
	switch {
	case c.Unverified != nil && c.To == keys.ToProfile:
		return c.notKept("Could not verify the new key: "+sentence(c.Unverified), triesAgain)
	case c.Unverified != nil:
		return c.notKept("Could not verify the new key: "+sentence(c.Unverified), stillInUse)
	case c.Task == keys.Resting:
		c.dialog.Verified()
	}
	return c.next()
}

func (c *creation) notKept(why, next string) tea.Cmd {
	c.dialog.NotKept(why + " " + next)
	c.page.read(c.Key.List)
	return nil
}

// saved continues with the new key. Only now can a rotation revoke the old one.
func (c *creation) saved(saved control.Saved) tea.Cmd {
	p, err := c.page, c.Undelivered
	switch {
	case c.Maybe:
		p.keys.maybeSaved = c.Made.Ref()
		return c.notKept("The new key works, but may not have been saved: "+sentence(err),
			"Do not revoke either key until k has succeeded.")
	case err != nil:
		return c.notKept("The new key works, but could not be saved: "+sentence(err), triesAgain)
	}
	p.keys.own = c.made()
	p.keys.maybeSaved = models.KeyRef{}
	c.dialog.Kept(saved.Source)
	p.session.Emit(page.KeyChanged{Source: saved.Source})
	if c.Own {
		p.session.Emit(page.Close{Dialog: c.dialog})
		c.queue.next() // its form is below the question
		p.session.Open(c.rotated(saved))
	} else if saved.Warning != "" {
		p.session.Notify(style.Waiting, saved.Warning)
	}
	p.read(c.Key.List)
	return nil
}
