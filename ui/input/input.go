// Package input is the lines of text that the user can type into: one by itself, and the filter of a table.
package input

import (
	"strings"
	"unicode/utf8"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/announce"
	"pgtower/ui/style"
)

// Model is a line of text. Its cursor does not blink.
type Model struct {
	line    textinput.Model
	dropped bool // something of the last paste
}

// New makes an empty line that has the focus. hint stands in it while it is empty.
func New(hint string) Model {
	line := textinput.New()
	line.Prompt = ""
	line.Placeholder = hint
	backward, forward := &line.KeyMap.DeleteWordBackward, &line.KeyMap.DeleteWordForward
	backward.SetKeys(append(backward.Keys(), "ctrl+backspace")...)
	forward.SetKeys(append(forward.Keys(), "ctrl+delete")...)
	line.Focus()
	return Model{line: line}
}

// Masked makes the line show dots for what is typed.
func (m *Model) Masked() {
	m.line.EchoMode = textinput.EchoPassword
	m.line.EchoCharacter = '•'
}

// Text is what was typed, without the white space around it.
func (m *Model) Text() string { return models.Clean(strings.TrimSpace(m.line.Value())) }

// Spaced reports whether white space follows the text.
func (m *Model) Spaced() bool { return strings.HasSuffix(m.line.Value(), " ") }

// Focused reports whether keys are for the line.
func (m *Model) Focused() bool { return m.line.Focused() }

// Focus has keys go to the line.
func (m *Model) Focus() {
	m.line.Focus()
	m.line.CursorEnd()
}

// Blur has keys go elsewhere.
func (m *Model) Blur() { m.line.Blur() }

// Set replaces the text.
func (m *Model) Set(s string) {
	m.line.SetValue(s)
	m.line.CursorEnd()
}

// Clear empties the line.
func (m *Model) Clear() { m.line.Reset() }

// Update types, and reports whether the text changed. What is typed or pasted is cleaned: it
// goes to the screen as much as what a server sends.
func (m *Model) Update(msg tea.Msg) (changed bool) {
	before := m.Text()
	paste, pasted := msg.(tea.PasteMsg)
	if pasted {
		paste.Content = strings.TrimSpace(paste.Content)
		m.dropped = models.Clean(paste.Content) != paste.Content
		msg = tea.PasteMsg{Content: models.Clean(paste.Content)}
	}
	m.line, _ = m.line.Update(msg) // the command would only make the cursor blink
	// A terminal without bracketed paste sends what is pasted as keys. What is left when
	// something is cleaned away may have to be cleaned itself.
	for typed := m.line.Value(); models.Clean(typed) != typed; typed = m.line.Value() {
		behind := utf8.RuneCountInString(typed) - m.line.Position()
		m.line.SetValue(models.Clean(typed))
		m.line.SetCursor(utf8.RuneCountInString(m.line.Value()) - behind)
	}
	changed = m.Text() != before
	m.dropped = m.dropped && (pasted || !changed)
	return changed
}

// Dropped reports whether characters that cannot be seen were left out of the last paste.
func (m *Model) Dropped() bool { return m.dropped }

// Spoken is the line under a label, for those who hear it, or nil while keys are not for it.
func (m *Model) Spoken(label string) *announce.Field {
	if !m.Focused() {
		return nil
	}
	if m.line.EchoMode != textinput.EchoNormal {
		return &announce.Field{Label: label, Masked: true}
	}
	typed := []rune(m.line.Value())
	at := min(m.line.Position(), len(typed))
	return &announce.Field{Label: label, Before: string(typed[:at]), After: string(typed[at:])}
}

// View draws the line in width cells.
func (m *Model) View(th *style.Theme, width int) string {
	m.line.SetStyles(th.Input())
	m.line.SetWidth(max(1, width-1))
	m.line.SetCursor(m.line.Position()) // what part of the text shows is settled here
	return m.line.View()
}
