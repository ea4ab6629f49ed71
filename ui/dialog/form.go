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

// FormSpec is what is asked for.
type FormSpec struct {
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

// Form asks for one line of text and says what is wrong with it while it is
// being typed.
type Form struct {
	form    FormSpec
	input   input.Model
	touched bool // there was something to check
}

// NewForm asks for the text.
func NewForm(f FormSpec) *Form {
	m := &Form{form: f, input: input.New("")}
	m.input.Set(f.Text)
	m.input.Focus()
	return m
}

// Keys declares what can be done now.
func (m *Form) Keys() []action.Group {
	return []action.Group{{Title: m.form.Title, Actions: []action.Action{
		Press(strings.ToLower(m.form.Verb)).Unless(m.form.Check(m.input.Text())), Leave("cancel"),
	}}}
}

// Update types, or leaves with or without the text.
func (m *Form) Update(msg tea.Msg) (done bool, answer tea.Msg) {
	if p, ok := msg.(page.Pressed); ok {
		lines := len(m.lines(p.Frame))
		if _, ok := ButtonAt(p, m.button()); ok && LineAt(p, lines) == lines-1 {
			return m.submit()
		}
		return false, nil
	}
	if k, ok := msg.(tea.KeyPressMsg); ok {
		switch {
		case Leave("").Pressed(k):
			return true, nil
		case Press("").Pressed(k):
			return m.submit()
		}
	}
	m.touched = m.input.Update(msg) || m.touched
	return false, nil
}

// wrong is what is wrong with the text so far, once there was something to check.
func (m *Form) wrong() string {
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
func (m *Form) Spoken(page.Frame) announce.Description {
	return announce.Description{
		Name: m.form.Title, Text: []string{m.form.Wrong, m.form.About}, Field: m.input.Spoken(m.form.Label),
		Parts: []announce.Part{{Name: "wrong", Text: m.wrong(), Current: true}},
	}
}

func (m *Form) submit() (done bool, answer tea.Msg) {
	m.touched = true
	if m.form.Check(m.input.Text()) != "" {
		return false, nil
	}
	return true, m.form.Then(m.input.Text())
}

func (m *Form) button() Button {
	return Button{Label: m.form.Verb, Off: m.form.Check(m.input.Text()) != ""}
}

// View draws the dialog's box.
func (m *Form) View(f page.Frame) string { return Box(f, m.form.Title, m.lines(f)) }

func (m *Form) lines(f page.Frame) []string {
	label, wrong := m.form.Label+": ", m.wrong()
	lines := Paragraphs(f, []Line{{Text: m.form.About}})
	if m.form.Wrong != "" {
		lines = append(append(lines, ""), Paragraphs(f, []Line{{Tone: style.Bad, Text: m.form.Wrong}})...)
	}
	lines = append(lines, "", f.Theme.Paint(style.Strong, label)+m.input.View(f.Theme, Inner(f)-style.Width(label)))
	lines = append(lines, Paragraphs(f, []Line{{Tone: style.Bad, Text: wrong}})...)
	return append(lines, "", Buttons(f, 0, m.button()))
}
