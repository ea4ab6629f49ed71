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
	return m
}

// Actions declares what can be done now.
func (m *Form) Actions() []action.Group {
	submit := key(strings.ToLower(m.spec.Verb), m.submit, "enter")
	submit.Disabled = m.wrong()
	return only(submit, m.leave("cancel"))
}

// Update types.
func (m *Form) Update(msg tea.Msg) tea.Cmd {
	m.touched = m.input.Update(msg) || m.touched
	return m.base.Update(msg)
}

func (m *Form) wrong() string { return m.spec.Check(m.input.Text()) }

func (m *Form) submit() tea.Cmd {
	m.touched = true
	if m.wrong() != "" {
		return nil
	}
	m.done = true
	return m.spec.Submit(m.input.Text())
}

func (m *Form) shown(c *content) {
	c.text(Line{Text: m.spec.About})
	if m.spec.Wrong != "" {
		c.text(Line{}, Line{Tone: style.Bad, Text: m.spec.Wrong})
	}
	c.gap()
	c.field("", m.spec.Label, &m.input, nil)
	wrong := Line{Tone: style.Bad}
	if m.touched {
		wrong.Text = m.wrong()
	}
	if wrong.Text == "" && m.input.Dropped() {
		wrong.Text = "Characters that cannot be seen were left out of what was pasted."
	}
	c.note("wrong", true, wrong)
	c.gap()
	c.buttons(0, button{label: m.spec.Verb, off: m.wrong() != "", press: m.submit})
}
