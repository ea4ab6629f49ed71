package apikeys

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/dialog"
	"pgtower/ui/form"
	"pgtower/ui/message"
	"pgtower/ui/page"
	"pgtower/ui/secret"
	"pgtower/ui/theme"
)

// nameForm asks for the name of a new key.
func (p *Page) nameForm() page.Dialog {
	return form.New(form.Form{
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
	what := "It will be tried with a request, and kept as this profile's key. "
	if own, ok := p.rows.ownKey(); ok {
		what += "You are then asked whether to revoke the old one, " + own.Name + "."
	} else {
		what += "pgtower cannot know which key in the list is the old one: you revoke that yourself afterwards."
	}
	return form.New(form.Form{
		Title: "Rotate this session's key",
		About: "A new key takes the place of the one that pgtower uses now. " + what,
		Label: "Name of the new key",
		Text:  p.freeName("pgtower-" + p.session.Now().UTC().Format(time.DateOnly)),
		Verb:  "Rotate",
		Check: p.wrongName,
		Then: func(name string) tea.Msg {
			return page.To{Page: page.APIKeys, Msg: createWanted{name: name, rotate: true}}
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
	_, taken := p.rows.named(name)
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

// tookCreated shows the new key, whose list is then read again. An answer that did not
// come does not mean that no key was made, so the list is read in that case too.
func (p *Page) tookCreated(msg created) tea.Cmd {
	if msg.err != nil {
		if carriedOutPerhaps(models.KindOf(msg.err)) {
			p.rows.lost[msg.name] = true
		}
		p.open(createFailed(msg.name, msg.err))
		return tea.Batch(p.failed(msg.err), p.load())
	}
	p.resume = msg.key.ID
	note := ""
	if msg.rotate && msg.key.Key.IsZero() {
		note = "The old key stays in use."
	}
	d := secret.New(msg.name, msg.key, note)
	p.open(d)
	if p.holder == nil || msg.key.Key.IsZero() {
		return p.load()
	}
	wanted := keepWanted{key: msg.key, name: msg.name, dialog: d, rotate: msg.rotate}
	d.OfferKeep(page.To{Page: page.APIKeys, Msg: wanted})
	if msg.rotate {
		return tea.Batch(p.prove(wanted), p.load())
	}
	return p.load()
}

// createFailed says what is known after a creation without an answer.
func createFailed(name string, err error) page.Dialog {
	lines := []dialog.Line{{Tone: theme.Bad, Text: err.Error()}, {}}
	if carriedOutPerhaps(models.KindOf(err)) {
		lines = append(lines, dialog.Line{Text: "The key may exist all the same, and its secret is then lost. " +
			"If " + name + " is in the list, revoke it and create another one."})
	} else {
		lines = append(lines, dialog.Line{Text: strings.TrimSpace("No key was created. " + models.KindOf(err).Advice())})
	}
	return message.New("The key could not be created", lines)
}

// tookProved goes on to keep the key that was tried, if it is good.
func (p *Page) tookProved(msg proved) tea.Cmd {
	if msg.err != nil {
		p.notKept(msg.keepWanted, "The new key could not be tried: "+msg.err.Error()+".")
		return nil
	}
	return p.keep(msg.keepWanted)
}

func (p *Page) notKept(wanted keepWanted, why string) {
	why += " The old key is still the one in use"
	if wanted.rotate {
		why += ", and was not revoked"
	}
	wanted.dialog.NotKept(why + ". k tries again; copy this one if you want to keep it elsewhere, or leave and revoke it.")
}

// tookKept takes in that the session goes on with the new key. When rotating, the old
// one can be revoked from now on.
func (p *Page) tookKept(msg kept) tea.Cmd {
	if msg.err != nil {
		p.notKept(msg.keepWanted, "The new key works, but could not be kept: "+msg.err.Error()+".")
		return nil
	}
	old, known := p.rows.ownKey()
	p.rows.own = msg.key.ID
	msg.dialog.Kept(msg.place.Source)
	p.session.Tell(page.KeyChanged{Source: msg.place.Source})
	done := []dialog.Line{{Tone: theme.Good, Text: "✓ " + msg.name + " works, and is in use now: " + msg.place.Source + "."}}
	if msg.place.Warning != "" {
		done = append(done, dialog.Line{Tone: theme.Waiting, Text: msg.place.Warning})
	}
	switch {
	case !msg.rotate && msg.place.Warning != "":
		return tea.Batch(p.load(), page.Say(page.Notice{Tone: theme.Waiting, Text: msg.place.Warning}))
	case !msg.rotate:
	case known:
		p.session.Tell(page.Close{Dialog: msg.dialog})
		p.open(p.revokeOldQuestion(*old, done))
	default:
		p.session.Tell(page.Close{Dialog: msg.dialog})
		p.open(message.New("The key was rotated", append(done, dialog.Line{}, dialog.Line{
			Text: "The old key still works. pgtower cannot know which one in the list it is: find it there, and revoke it with x.",
		})))
	}
	return p.load()
}
