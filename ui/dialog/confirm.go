package dialog

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/action"
	"pgtower/ui/announce"
	"pgtower/ui/input"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// Question is what is asked.
type Question struct {
	Title string
	Lines []Line
	// List is what it is about, a line each, where that is more than one thing.
	List []Line
	// Verb is the button that does it.
	Verb string
	// Type is a text that has to be typed first, with What it is; empty asks for none.
	Type, What string
	// Confirm does it. What it is done to was settled when the question was asked.
	Confirm func() tea.Cmd
}

type confirmFocus int

const (
	onInput confirmFocus = iota
	onCancel
	onVerb
)

// Confirm asks before something that cannot be undone.
//
// What is asked about is settled when the question is: a yes calls the function that was
// made then, whatever happened to the rows behind the dialog since. The
// focus is on Cancel, and no single key means yes, so that neither Enter nor pasted
// text can confirm by accident.
type Confirm struct {
	base

	question Question
	input    input.Model
	focus    confirmFocus
	refused  bool // what is typed now was given, and is not what was asked for
}

// NewConfirm asks the question.
func NewConfirm(q Question) *Confirm {
	m := &Confirm{base: base{title: q.Title}, question: q, input: input.New(""), focus: onCancel}
	m.show = m.shown
	if q.Type != "" {
		m.focus = onInput
	} else {
		m.input.Blur()
	}
	return m
}

// Actions declares what can be done now.
func (m *Confirm) Actions() []action.Group {
	press := enter("cancel", m.close)
	next, previous := []string{"tab", "right", "down"}, []string{"shift+tab", "left", "up"}
	scroll := m.scroll.actions()
	switch m.focus {
	case onVerb:
		press = enter(strings.ToLower(m.question.Verb), m.confirm)
	case onInput:
		press = enter("next", action.Do(m.give))
		press.Footer = action.NotShown
		// The other keys edit what is typed.
		next, previous = []string{"tab", "down"}, []string{"shift+tab", "up"}
		scroll = m.scroll.pages()
	case onCancel:
	}
	actions := []action.Action{
		press,
		{Title: "next", Keys: next, Footer: action.Shown, Run: action.Do(func() { m.move(+1) })},
		{Title: "previous", Keys: previous, Run: action.Do(func() { m.move(-1) })},
		m.leave("cancel"),
	}
	return []action.Group{{Title: m.question.Verb, Actions: append(actions, scroll...)}}
}

// typed reports whether nothing is missing for a yes.
func (m *Confirm) typed() bool { return m.input.Text() == m.wanted() }

// wanted is what has to be typed. What stands for characters that cannot be shown cannot
// be typed either.
func (m *Confirm) wanted() string {
	const replacement = "\uFFFD"
	return strings.TrimSpace(strings.ReplaceAll(m.question.Type, replacement, ""))
}

// Update types.
func (m *Confirm) Update(msg tea.Msg) tea.Cmd {
	if _, ok := msg.(tea.KeyPressMsg); ok && m.focus == onVerb {
		// The user types without having seen where the focus is, or a terminal pastes key by key.
		m.move(-1)
		return nil
	}
	if m.input.Update(msg) {
		m.refused = false
	}
	return m.base.Update(msg)
}

// click presses Cancel at once. What cannot be undone takes a click that points at it
// and another one that means it.
func (m *Confirm) click(button int) tea.Cmd {
	switch {
	case confirmFocus(button)+onCancel == onCancel:
		return m.close()
	case m.focus == onVerb:
		return m.confirm()
	}
	m.give()
	return nil
}

func (m *Confirm) confirm() tea.Cmd {
	m.done = true
	return m.question.Confirm()
}

// give goes on to the button with what was typed, or refuses it.
func (m *Confirm) give() {
	if m.refused = !m.typed(); !m.refused {
		m.focus = onVerb
		m.input.Blur()
	}
}

// move goes to the next thing that can have the focus.
func (m *Confirm) move(by int) {
	first := onCancel
	if m.question.Type != "" {
		first = onInput
	}
	last := onVerb
	if !m.typed() {
		last = onCancel
	}
	m.focus = max(first, min(m.focus+confirmFocus(by), last))
	if m.focus == onInput {
		m.input.Focus()
	} else {
		m.input.Blur()
	}
}

// shown has what is asked scrolled where it must be: what the user answers with is always
// there.
func (m *Confirm) shown(c *content) {
	asked := Paragraphs(c.Frame, m.question.Lines)
	if len(m.question.List) > 0 {
		asked = append(asked, "")
		for _, l := range m.question.List {
			asked = append(asked, c.Theme.Paint(l.Tone, style.Cut(l.in(c.Frame), Inner(c.Frame))))
		}
	}
	c.said.Text = asked
	c.scrolled(&m.scroll, asked)
	if m.question.Type != "" {
		c.gap()
		c.field("", "Type "+m.question.What+" to confirm", &m.input)
		c.rows[len(c.rows)-1].click = func(page.Pressed) tea.Cmd {
			m.focus = onInput
			m.input.Focus()
			return nil
		}
	}
	typed, button := m.judged()
	c.note("typed", true, typed)
	c.say(announce.Part{Name: "button", Text: button, Current: true})
	verb := Button{Label: m.question.Verb, Danger: true, Off: !m.typed()}
	c.buttons(int(m.focus-onCancel), m.click, Button{Label: "Cancel"}, verb)
}

// judged returns what there is to say of what was typed, and of the button that has the focus.
// Only a refusal is drawn.
func (m *Confirm) judged() (typed Line, button string) {
	what, verb := m.question.What, m.question.Verb
	button = map[confirmFocus]string{onCancel: "Button Cancel.", onVerb: "Button " + verb + "."}[m.focus]
	if m.refused {
		refusal := "Type " + m.wanted() + " to confirm: you typed " + m.input.Text() + "."
		if m.input.Text() == "" {
			refusal = "Type " + m.wanted() + " to confirm: you typed nothing."
		}
		typed = Line{Tone: style.Bad, Text: "✗ " + refusal, Heard: refusal}
	}
	switch {
	case m.focus != onInput && !m.typed():
		button += " The other button, " + verb + ", cannot be pressed before " + what + " is typed."
	case m.focus != onInput, m.refused:
	case m.typed():
		typed.Heard = "That is " + what + ". Enter goes on to the button " + verb + "."
	case m.input.Text() != "":
		typed.Heard = "That is not " + what + " yet."
	default:
		button = "Without it, there is only the button Cancel: Tab goes there."
	}
	return typed, button
}
