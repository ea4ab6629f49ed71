// Package signin asks for an API key, and for the service that it is of.
package signin

import (
	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/action"
	"pgtower/ui/dialog"
	"pgtower/ui/input"
	"pgtower/ui/page"
)

// Submitted is the key that the person gave, to be tried and kept, with the address of
// the service that it is for.
type Submitted struct {
	BaseURL string
	Key     models.Secret
}

// Elsewhere is the wish for another profile, or for the demo.
type Elsewhere struct{ Demo bool }

// Again is the wish that a key for the service at the address be looked for once more.
type Again struct{ BaseURL string }

// Options say what is asked for.
type Options struct {
	// BaseURL is the address of the service, unless the person changes it.
	BaseURL string
	// Profile is the name of the profile that the key will be kept for.
	Profile string
	// Reason says why the key is asked for now, or is empty where none was ever given.
	Reason string
	// Over says that the form is drawn over rows, which are to stay in sight.
	Over bool
	// Keeps says that the key is kept for the next time, where that is possible.
	Keeps bool
	// Demo says that there is a demo to try instead, Others that there are other profiles.
	Demo, Others bool
}

type focus int

const (
	onService focus = iota
	onKey
)

// Model is the state of the page.
type Model struct {
	options Options
	service input.Model
	key     input.Model
	focus   focus
	trying  bool
	err     error
}

// New asks for a key.
func New(o Options) *Model {
	m := &Model{options: o, service: input.New(""), key: input.New(""), focus: onKey}
	m.service.Set(o.BaseURL)
	m.service.Blur()
	m.key.Masked()
	return m
}

// Because says anew why the key is asked for.
func (m *Model) Because(reason string) { m.options.Reason = reason }

// Refused tells the page that the key is not good, or could not be tried.
func (m *Model) Refused(err error) {
	m.trying, m.err = false, err
	if models.KindOf(err) == models.KindUnauthorized {
		m.key.Clear()
	}
}

// demoWord is what stands for the demo in the place of a key: a letter alone would be
// taken from a key that a terminal pastes character by character.
const demoWord = "d"

func clearKey() action.Action { return action.New("ctrl+u", "clear", "ctrl+u").InFooter() }
func fieldKey() action.Action {
	return action.New("tab", "key, service", "tab", "shift+tab", "up", "down")
}
func othersKey() action.Action { return action.New("esc", "profiles", "esc").InFooter() }

// Keys declares what can be done now.
func (m *Model) Keys() []action.Group {
	try := dialog.Press("sign in")
	if m.trying {
		try = try.Unless("the key is being tried")
	}
	actions := []action.Action{try, fieldKey().InFooter(), clearKey()}
	if m.options.Others {
		actions = append(actions, othersKey())
	}
	return []action.Group{{Title: "Sign in", Actions: actions}}
}

// Update types or submits.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	k, ok := msg.(tea.KeyPressMsg)
	if p, pressed := msg.(page.Pressed); pressed {
		return m.pressed(p)
	}
	switch {
	case ok && m.options.Others && othersKey().Pressed(k):
		return page.Say(Elsewhere{})
	case m.trying:
	case ok && dialog.Press("").Pressed(k):
		return m.submit()
	case ok && fieldKey().Pressed(k):
		m.turn()
	case ok && clearKey().Pressed(k):
		m.line().Clear()
		m.err = nil
	default:
		if m.line().Update(msg) {
			m.err = nil
		}
	}
	return nil
}

// line is the input that has the focus.
func (m *Model) line() *input.Model {
	if m.focus == onService {
		return &m.service
	}
	return &m.key
}

// pressed gives the focus to the field that the mouse points at, or presses the button.
func (m *Model) pressed(p page.Pressed) tea.Cmd {
	lines, field := m.lines(p.Frame)
	line := dialog.LineAt(p, len(lines))
	button, ok := dialog.ButtonAt(p, m.buttons()...)
	switch {
	case m.trying:
	case line == field+int(onService) && m.focus != onService, line == field+int(onKey) && m.focus != onKey:
		m.turn()
	case ok && line == len(lines)-1 && m.buttons()[button].Label == demoLabel:
		return page.Say(Elsewhere{Demo: true})
	case ok && line == len(lines)-1:
		return m.submit()
	}
	return nil
}

const demoLabel = "Open the demo"

// buttons are what the mouse can press. Keys have no need to go there: Enter signs in.
func (m *Model) buttons() []dialog.Button {
	signIn := dialog.Button{Label: "Sign in", Off: m.trying}
	if m.options.Demo {
		return []dialog.Button{{Label: demoLabel, Off: m.trying}, signIn}
	}
	return []dialog.Button{signIn}
}

// turn gives the focus to the other input.
func (m *Model) turn() {
	m.line().Blur()
	m.focus = onService + onKey - m.focus
	m.line().Focus()
}

func (m *Model) submit() tea.Cmd {
	typed := m.key.Text()
	if m.focus == onService && typed == "" {
		m.turn()
		return nil
	}
	if m.options.Demo && typed == demoWord {
		return page.Say(Elsewhere{Demo: true})
	}
	if typed == "" && m.err == nil {
		return page.Say(Again{m.service.Text()})
	}
	key := models.NewSecret(typed)
	if m.err = key.Check(); m.err != nil {
		return nil
	}
	m.trying = true
	return page.Say(Submitted{m.service.Text(), key})
}
