package ui

import (
	tea "charm.land/bubbletea/v2"

	"pgtower/ui/announce"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// announcer is the accessible mode, in which what happens is said in lines of words.
type announcer struct {
	announce.Speaker

	hinted  bool // how to get help was said
	leaving bool // nothing is to stay behind on the screen
}

// announce prints what is new after a message, at once or when it is time.
func (m *Model) announce(msg tea.Msg) tea.Cmd {
	a := &m.announcer
	if !m.options.Accessible || m.width <= 0 {
		return nil
	}
	if _, ticks := msg.(clockTick); !ticks || !a.Tick() {
		wait, due, ok := a.After(msg, m.description)
		switch {
		case !ok:
			return nil
		case wait > 0:
			return page.After(m.ctx, wait, due)
		}
	}
	account := ""
	if m.live() {
		account = "pgtower, signed in to " + m.profile.label() + " with the " + m.connection.Source + "."
	}
	lines := a.Say(m.description(), account)
	a.hinted = a.hinted || m.live() && len(m.dialogs) == 0
	return announce.Print(lines, m.width, m.height)
}

// description is what gets the keys now, in words.
func (m *Model) description() announce.Description {
	f := m.frame(m.height)
	f.Spoken = true
	var d announce.Description
	switch {
	case len(m.dialogs) > 0:
		top := m.dialogs.top()
		d = top.Describe(f)
		d.ID, d.Over, d.Hint = top, true, dialog.SayHints(m.actions())
	case m.signin != nil:
		d = m.signin.Describe(f)
		d.ID, d.Hint = m.signin, dialog.SayHints(m.actions())
	case !m.live():
		return announce.Description{ID: "opening", Name: "pgtower", Text: []string{"Looking for the API key."}}
	default:
		d = m.pages[m.active].Describe(f)
		switch {
		case d.Hint != "":
		case d.Field != nil:
			d.Hint = dialog.SayHints(m.actions())
		case !m.announcer.hinted || m.announcer.Repeats():
			d.Hint = style.Sentence(announce.Key(m.label("help"))) + " lists the keys, " +
				announce.Key(m.label("say-again")) + " says again where you are."
		}
	}
	return d
}
