// Package message is a dialog that says something and has to be read.
package message

import (
	tea "charm.land/bubbletea/v2"

	"pgtower/ui/dialog"
	"pgtower/ui/keys"
	"pgtower/ui/page"
	"pgtower/ui/speech"
)

// Model is the state of the dialog.
type Model struct {
	title string
	lines []dialog.Line
}

// New says the lines under a title.
func New(title string, lines []dialog.Line) *Model { return &Model{title, lines} }

// Keys declares what can be done now.
func (m *Model) Keys() []keys.Group {
	return []keys.Group{{Title: m.title, Actions: []keys.Action{dialog.Press("close"), dialog.Leave("close")}}}
}

// Update leaves.
func (m *Model) Update(msg tea.Msg) (done bool, answer tea.Msg) {
	if p, ok := msg.(page.Pressed); ok {
		lines := len(m.body(p.Frame))
		_, ok := dialog.ButtonAt(p, dialog.Close())
		return ok && dialog.LineAt(p, lines) == lines-1, nil
	}
	k, ok := msg.(tea.KeyPressMsg)
	return ok && (dialog.Press("").Pressed(k) || dialog.Leave("").Pressed(k)), nil
}

// Spoken says the lines.
func (m *Model) Spoken(page.Frame) speech.Scene {
	return speech.Scene{Name: m.title, Text: dialog.Said(m.lines...)}
}

// View draws the dialog's box.
func (m *Model) View(f page.Frame) string { return dialog.Box(f, m.title, m.body(f)) }

func (m *Model) body(f page.Frame) []string {
	return append(dialog.Paragraphs(f, m.lines), "", dialog.Buttons(f, 0, dialog.Close()))
}
