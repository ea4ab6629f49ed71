// Package form asks for one line of text and says what is wrong with it while it is
// being typed.
package form

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/dialog"
	"pgtower/ui/input"
	"pgtower/ui/keys"
	"pgtower/ui/page"
	"pgtower/ui/speech"
	"pgtower/ui/text"
	"pgtower/ui/theme"
)

// Form is what is asked for.
type Form struct {
	Title string
	// About says what the text is for.
	About string
	// Wrong says what came of the text that was given before, or is empty.
	Wrong string
	Label string
	// Text is what stands in the line at first.
	Text string
	// Verb is the button that does it.
	Verb string
	// Check says what is wrong with the text, or nothing.
	Check func(text string) string
	// Then makes the message that is sent with the text.
	Then func(text string) tea.Msg
}

// Model is the state of the dialog.
type Model struct {
	form    Form
	input   input.Model
	touched bool // there was something to check
}

// New asks for the text.
func New(f Form) *Model {
	m := &Model{form: f, input: input.New("")}
	m.input.Set(f.Text)
	m.input.Focus()
	return m
}

// Keys declares what can be done now.
func (m *Model) Keys() []keys.Group {
	return []keys.Group{{Title: m.form.Title, Actions: []keys.Action{
		dialog.Press(strings.ToLower(m.form.Verb)).Unless(m.form.Check(m.input.Text())), dialog.Leave("cancel"),
	}}}
}

// Update types, or leaves with or without the text.
func (m *Model) Update(msg tea.Msg) (done bool, answer tea.Msg) {
	if p, ok := msg.(page.Pressed); ok {
		lines := len(m.lines(p.Frame))
		if _, ok := dialog.ButtonAt(p, m.button()); ok && dialog.LineAt(p, lines) == lines-1 {
			return m.submit()
		}
		return false, nil
	}
	if k, ok := msg.(tea.KeyPressMsg); ok {
		switch {
		case dialog.Leave("").Pressed(k):
			return true, nil
		case dialog.Press("").Pressed(k):
			return m.submit()
		}
	}
	m.touched = m.input.Update(msg) || m.touched
	return false, nil
}

// wrong is what is wrong with the text so far, once there was something to check.
func (m *Model) wrong() string {
	wrong := ""
	if m.touched {
		wrong = m.form.Check(m.input.Text())
	}
	if wrong == "" && m.input.Dropped() {
		wrong = "Characters that cannot be seen were left out of what was pasted."
	}
	return wrong
}

// Spoken says what is asked for, and what is wrong with what was typed.
func (m *Model) Spoken(page.Frame) speech.Scene {
	return speech.Scene{
		Name: m.form.Title, Text: []string{m.form.Wrong, m.form.About}, Field: m.input.Spoken(m.form.Label),
		Parts: []speech.Part{{Name: "wrong", Text: m.wrong(), Current: true}},
	}
}

func (m *Model) submit() (done bool, answer tea.Msg) {
	m.touched = true
	if m.form.Check(m.input.Text()) != "" {
		return false, nil
	}
	return true, m.form.Then(m.input.Text())
}

func (m *Model) button() dialog.Button {
	return dialog.Button{Label: m.form.Verb, Off: m.form.Check(m.input.Text()) != ""}
}

// View draws the dialog's box.
func (m *Model) View(f page.Frame) string { return dialog.Box(f, m.form.Title, m.lines(f)) }

func (m *Model) lines(f page.Frame) []string {
	label, wrong := m.form.Label+": ", m.wrong()
	lines := dialog.Paragraphs(f, []dialog.Line{{Text: m.form.About}})
	if m.form.Wrong != "" {
		lines = append(append(lines, ""), dialog.Paragraphs(f, []dialog.Line{{Tone: theme.Bad, Text: m.form.Wrong}})...)
	}
	lines = append(lines, "", f.Theme.Paint(theme.Strong, label)+m.input.View(f.Theme, dialog.Inner(f)-text.Width(label)))
	lines = append(lines, dialog.Paragraphs(f, []dialog.Line{{Tone: theme.Bad, Text: wrong}})...)
	return append(lines, "", dialog.Buttons(f, 0, m.button()))
}
