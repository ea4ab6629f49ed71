package dialog

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/action"
	"pgtower/ui/input"
	"pgtower/ui/style"
)

// FormSpec is what is asked for.
type FormSpec struct {
	Title string
	// Wrong says what came of the text that was given before, or is empty.
	Wrong string
	// About says what the text is for.
	About string
	Label string
	// Text is what stands in the line at first.
	Text string
	// Verb is the button that does it.
	Verb string
	// Check says what is wrong with the text, or nothing.
	Check func(text string) string
	// Submit takes a text with which nothing is wrong.
	Submit func(text string) tea.Cmd
}

// Form asks for one line of text and says what is wrong with it while it is
// being typed.
type Form struct {
	base

	spec    FormSpec
	input   input.Model
	touched bool // there was something to check
}

// NewForm asks for the text.
func NewForm(f FormSpec) *Form {
	m := &Form{base: base{title: f.Title}, spec: f, input: input.New("")}
	m.show = m.shown
	m.input.Set(f.Text)
	m.input.Focus()
	return m
}

// Actions declares what can be done now.
func (m *Form) Actions() []action.Group {
	submit := enter(strings.ToLower(m.spec.Verb), m.submit)
	submit.Disabled = m.spec.Check(m.input.Text())
	return []action.Group{{Title: m.title, Actions: []action.Action{submit, m.leave("cancel")}}}
}

// Update types.
func (m *Form) Update(msg tea.Msg) tea.Cmd {
	m.touched = m.input.Update(msg) || m.touched
	return m.base.Update(msg)
}

func (m *Form) submit() tea.Cmd {
	m.touched = true
	if m.spec.Check(m.input.Text()) != "" {
		return nil
	}
	m.done = true
	return m.spec.Submit(m.input.Text())
}

// wrong is what is wrong with the text so far, once there was something to check.
func (m *Form) wrong() string {
	wrong := ""
	if m.touched {
		wrong = m.spec.Check(m.input.Text())
	}
	if wrong == "" && m.input.Dropped() {
		wrong = "Characters that cannot be seen were left out of what was pasted."
	}
	return wrong
}

func (m *Form) shown(c *content) {
	c.text(Line{Text: m.spec.About})
	if m.spec.Wrong != "" {
		c.text(Line{}, Line{Tone: style.Bad, Text: m.spec.Wrong})
	}
	c.gap()
	c.field("", m.spec.Label, &m.input)
	c.note("wrong", true, Line{Tone: style.Bad, Text: m.wrong()})
	c.gap()
	submit := func(int) tea.Cmd { return m.submit() }
	c.buttons(0, submit, Button{Label: m.spec.Verb, Off: m.spec.Check(m.input.Text()) != ""})
}
