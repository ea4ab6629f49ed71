package apikeys

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// nameForm asks for the name of a new key.
func (p *Page) nameForm() page.Dialog {
	return dialog.NewForm(dialog.FormSpec{
		Title: "New API key",
		About: "The key will work with every project of the account, until it is revoked. Name it after what will use it.",
		Label: "Name",
		Verb:  "Create",
		Check: p.wrongName,
		Then: func(name string) tea.Msg {
			return page.To{Page: page.APIKeys, Msg: createWanted{name: name}}
		},
	})
}

// rotateForm asks for the name of the key that takes the place of the session's.
func (p *Page) rotateForm() page.Dialog {
	old := p.rows.own
	what := "It will be tried with a request, and kept as this profile's key. "
	if old.id != 0 {
		what += "You are then asked whether to revoke the old one, " + old.name + "."
	} else {
		what += "pgtower cannot know which key in the list is the old one: you revoke that yourself afterwards."
	}
	return dialog.NewForm(dialog.FormSpec{
		Title: "Rotate this session's key",
		About: "A new key takes the place of the one that pgtower uses now. " + what,
		Label: "Name of the new key",
		Text:  p.freeName("pgtower-" + p.session.Now().UTC().Format(time.DateOnly)),
		Verb:  "Rotate",
		Check: p.wrongName,
		Then: func(name string) tea.Msg {
			return page.To{Page: page.APIKeys, Msg: createWanted{name: name, rotate: true, old: old}}
		},
	})
}

// freeName is a name that no key has yet.
func (p *Page) freeName(name string) string {
	free := name
	for n := 2; p.wrongName(free) != ""; n++ {
		free = fmt.Sprintf("%s-%d", name, n)
	}
	return free
}

// wrongName says why a key cannot have the name, or nothing.
func (p *Page) wrongName(name string) string {
	_, taken := p.rows.byName[name]
	switch n := utf8.RuneCountInString(name); {
	case name == "":
		return "A key needs a name."
	case n > models.MaxAPIKeyName:
		return fmt.Sprintf("At most %d characters: this has %d.", models.MaxAPIKeyName, n)
	case strings.ContainsFunc(name, func(r rune) bool { return r == unicode.ReplacementChar || !unicode.IsPrint(r) }):
		return "There are characters in it that cannot be seen."
	case taken:
		return "There is a key of that name: two could not be told apart."
	}
	return ""
}

func (p *Page) startCreation(wanted createWanted) tea.Cmd {
	c := creation{createWanted: wanted, dialog: dialog.NewSecret(wanted.name), before: p.rows.listing}
	p.open(c.dialog)
	return p.create(c)
}

// show tells the dialog how the creation ended.
func (c *created) show() {
	switch {
	case c.err == nil && c.key.Key.IsZero():
		c.dialog.Unusable(c.key, c.unusable()...)
		return
	case c.err == nil:
		c.dialog.Created(c.key)
		return
	}
	lines := []dialog.Line{{Tone: style.Bad, Text: style.Sentence(c.err.Error())}, {}}
	switch {
	case c.notBegun:
		lines = append(lines, dialog.Line{Text: "No key was created: there would be no place to keep it. The one in use stays."})
	case carriedOutPerhaps(models.KindOf(c.err)):
		lines = append(lines, dialog.Line{Text: "The key may exist all the same, and its secret is then lost. " +
			"If " + c.name + " is in the list, revoke it and create another one."})
	default:
		lines = append(lines, dialog.Line{Text: strings.TrimSpace("No key was created. " + models.AdviceOf(c.err))})
	}
	if c.rotate && !c.notBegun {
		lines = append(lines, dialog.Line{Text: stillInUse})
	}
	c.dialog.NotCreated(lines...)
}

const stillInUse = "The old key is still the one in use."

// unusable says what to do with a key whose secret did not come as one.
func (c *created) unusable() []dialog.Line {
	lines := []dialog.Line{
		{Tone: style.Bad, Text: "The key was created, but its secret cannot be used: " + c.key.Damage + "."},
		{},
		{Text: "Nothing was copied or kept. Revoke " + c.name + " in the list with x, and create another one."},
	}
	if c.rotate {
		lines = append(lines, dialog.Line{Text: stillInUse})
	}
	return lines
}

// tookCreated shows the new key, whose list is then read again. An answer that did not
// come does not mean that no key was made, so the list is read in that case too.
func (p *Page) tookCreated(msg created) tea.Cmd {
	msg.show()
	switch {
	case msg.notBegun:
		return nil
	case msg.err != nil:
		if carriedOutPerhaps(models.KindOf(msg.err)) {
			p.rows.lost[msg.name] = &lost{before: msg.before.byID}
		}
		p.changeFailed(msg.err)
		return p.load()
	}
	p.resume = msg.key.ID
	if msg.key.Key.IsZero() {
		p.rows.lost[msg.name] = &lost{before: msg.before.byID, id: msg.key.ID}
		return p.load()
	}
	delete(p.rows.lost, msg.name)
	msg.dialog.OnAbandon(page.To{Page: page.APIKeys, Msg: abandoned{target{msg.key.ID, msg.name}}})
	if p.holder == nil {
		return p.load()
	}
	wanted := keepWanted{creation: msg.creation, key: msg.key}
	msg.dialog.OfferKeep(page.To{Page: page.APIKeys, Msg: wanted})
	if msg.rotate {
		// The list is read once the new key is kept: that the old one is refused must not
		// end the session in between.
		return p.prove(wanted)
	}
	return p.load()
}

// tookProved goes on to keep the key that was tried, if it is good.
func (p *Page) tookProved(msg proved) tea.Cmd {
	if msg.err == nil {
		return p.keep(msg.keepWanted)
	}
	msg.dialog.NotKept("The new key could not be tried: " + stopped(msg.err) +
		" " + stillInUse + " k tries again; or leave, and revoke this one.")
	return p.load()
}

// tookKept takes in that the session goes on with the new key. When rotating, the old
// one can be revoked from now on.
func (p *Page) tookKept(msg kept) tea.Cmd {
	switch {
	case errors.Is(msg.err, ErrPerhapsKept):
		p.rows.perhapsKept = target{msg.key.ID, msg.name}
		msg.dialog.NotKept("The new key works, but whether it was kept is not known: " + stopped(msg.err) +
			" Do not revoke either key before k worked.")
		return p.load()
	case msg.err != nil:
		msg.dialog.NotKept("The new key works, but could not be kept: " + stopped(msg.err) +
			" " + stillInUse + " k tries again; or leave, and revoke this one.")
		return p.load()
	}
	p.rows.own, p.rows.perhapsKept = target{msg.key.ID, msg.name}, target{}
	msg.dialog.Kept(msg.place.Source)
	p.session.Tell(page.KeyChanged{Source: msg.place.Source})
	if msg.rotate {
		p.session.Tell(page.Close{Dialog: msg.dialog})
		p.open(p.rotated(msg))
	} else if msg.place.Warning != "" {
		return tea.Batch(p.load(), page.Say(page.Notice{Tone: style.Waiting, Text: msg.place.Warning}))
	}
	return p.load()
}

// rotated asks about the key that another one took the place of, if it is known.
func (p *Page) rotated(msg kept) page.Dialog {
	done := []dialog.Line{{Tone: style.Good, Text: "✓ " + msg.name + " works, and is in use now: " + msg.place.Source + "."}}
	if msg.place.Warning != "" {
		done = append(done, dialog.Line{Tone: style.Waiting, Text: msg.place.Warning})
	}
	done = append(done, dialog.Line{})
	if msg.old.id == 0 {
		return dialog.NewMessage("The key was rotated", append(done, dialog.Line{
			Text: "The old key still works. pgtower cannot know which one in the list it is: find it there, and revoke it with x.",
		}))
	}
	old := models.APIKey{ID: msg.old.id, Name: msg.old.name}
	if i, ok := p.rows.byID[old.ID]; ok {
		old = p.rows.all[i]
		done = append(done, dialog.Line{Tone: style.Muted, Text: p.use(&old) + ": that was pgtower"})
	}
	done = append(done, p.sharedWarning(old.ID)...)
	return question(old, append(done, dialog.Line{Text: "Revoke the old key? Nothing else must be using it. " + irrevocable}), true)
}

// stopped is an error as the end of a sentence.
func stopped(err error) string { return strings.TrimRight(err.Error(), ".") + "." }
