// Package signin asks for an API key, and for the service that it is of.
package signin

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/action"
	"pgtower/ui/dialog"
	"pgtower/ui/input"
	"pgtower/ui/page"
)

// Options say what is asked for, and what becomes of it.
type Options struct {
	// BaseURL is the address of the service, unless the user changes it.
	BaseURL string
	// Profile is the name of the profile that the key will be kept for.
	Profile string
	// Reason says why the key is asked for now, or is empty where none was ever given.
	Reason string
	// Over reports that the form is drawn over rows, which are to stay in sight.
	Over bool
	// Keeps reports that the key is kept for the next time, where that is possible.
	Keeps bool
	// SignIn tries a key, and keeps it if it is good. A bad one is [Model.Refused].
	SignIn func(baseURL string, key models.Secret) tea.Cmd
	// LookAgain looks for a key for the service once more.
	LookAgain func(baseURL string) tea.Cmd
	// Demo opens the demo, and Profiles lets the user choose another profile; nil where
	// there is none.
	Demo     func() tea.Cmd
	Profiles func()
}

// The fields, in their order.
const (
	onService = iota
	onKey
)

// Model is the state of the form.
type Model struct {
	options Options
	fields  [2]input.Model
	focus   int
	trying  bool
	err     error
	unmeant time.Time // when something was pressed that was not meant for the form, or zero
}

// New asks for a key.
func New(o Options) *Model {
	m := &Model{options: o, fields: [2]input.Model{input.New(""), input.New("")}, focus: onKey}
	m.fields[onService].Set(o.BaseURL)
	m.fields[onService].Blur()
	m.fields[onKey].Masked()
	return m
}

// Because says anew why the key is asked for.
func (m *Model) Because(reason string) { m.options.Reason = reason }

// Refused tells the form that the key is not good, or could not be tried.
func (m *Model) Refused(err error) {
	m.trying, m.err = false, err
	if models.KindOf(err) == models.KindUnauthorized {
		m.fields[onKey].Clear()
	}
}

// unmeantFor is how long keys that follow each other were meant for what the form has
// appeared over, and not for the form.
const unmeantFor = 500 * time.Millisecond

// Guard tells the form that it has appeared now over what the user may be typing into.
func (m *Model) Guard(now time.Time) { m.unmeant = now }

// Unmeant reports whether what is pressed now was not meant for the form: what is pressed
// when it appears, and what follows that without a pause. What is pasted was meant.
func (m *Model) Unmeant(now time.Time) bool {
	if since := now.Sub(m.unmeant); since >= 0 && since < unmeantFor {
		m.unmeant = now
		return true
	}
	m.unmeant = time.Time{}
	return false
}

// demoWord is what stands for the demo in the place of a key: a letter alone would be
// taken from a key that a terminal pastes character by character.
const demoWord = "d"

// Actions declares what can be done now.
func (m *Model) Actions() []action.Group {
	idle := func(f func()) func() tea.Cmd {
		return action.Do(func() {
			if !m.trying {
				f()
			}
		})
	}
	empty := func() {
		m.fields[m.focus].Clear()
		m.err = nil
	}
	try := action.Action{Title: "sign in", Keys: []string{"enter"}, Footer: action.Shown, Run: m.submit}
	if m.trying {
		try.Disabled = "the key is being tried"
	}
	return []action.Group{{Title: "Sign in", Actions: []action.Action{
		try,
		{Title: "key, service", Keys: []string{"tab", "shift+tab", "up", "down"}, Footer: action.Shown, Run: idle(m.other)},
		{Title: "clear", Keys: []string{"ctrl+u"}, Footer: action.Shown, Run: idle(empty)},
		{
			Title: "profiles", Keys: []string{"esc"}, Footer: action.Shown,
			Hidden: m.options.Profiles == nil, Run: action.Do(m.options.Profiles),
		},
	}}}
}

// Update types, or does what the mouse points at.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if _, pasted := msg.(tea.PasteMsg); pasted {
		m.unmeant = time.Time{}
	}
	p, pressed := msg.(page.Pressed)
	switch {
	case m.trying:
	case pressed:
		return m.pressed(p)
	case m.fields[m.focus].Update(msg):
		m.err = nil
	}
	return nil
}

// pressed gives the focus to the field that the mouse points at, or presses the button.
func (m *Model) pressed(p page.Pressed) tea.Cmd {
	lines, first := m.lines(p.Frame)
	line := dialog.LineAt(p, len(lines))
	button, ok := dialog.ButtonAt(p, m.buttons()...)
	switch {
	case line == first+onService+onKey-m.focus:
		m.other()
	case !ok || line != len(lines)-1:
	case button < len(m.buttons())-1:
		return m.options.Demo()
	default:
		return m.submit()
	}
	return nil
}

// buttons are what the mouse can press. Keys have no need to go there: Enter signs in.
func (m *Model) buttons() []dialog.Button {
	signIn := dialog.Button{Label: "Sign in", Off: m.trying}
	if m.options.Demo == nil {
		return []dialog.Button{signIn}
	}
	return []dialog.Button{{Label: "Open the demo", Off: m.trying}, signIn}
}

// other gives the focus to the other field.
func (m *Model) other() {
	m.fields[m.focus].Blur()
	m.focus = onService + onKey - m.focus
	m.fields[m.focus].Focus()
}

func (m *Model) submit() tea.Cmd {
	service, typed := m.fields[onService].Text(), m.fields[onKey].Text()
	switch {
	case m.focus == onService && typed == "":
		m.other()
		return nil
	case m.options.Demo != nil && typed == demoWord:
		return m.options.Demo()
	case typed == "" && m.err == nil:
		return m.options.LookAgain(service)
	}
	key := models.NewSecret(typed)
	if m.err = key.Check(); m.err != nil {
		return nil
	}
	m.trying = true
	return m.options.SignIn(service, key)
}
