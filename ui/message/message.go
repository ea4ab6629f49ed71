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
	if _, ok := msg.(page.Pressed); ok {
		return msg == page.Pressed{Label: "Close"}, nil
	}
	k, ok := msg.(tea.KeyPressMsg)
	return ok && (dialog.Press("").Pressed(k) || dialog.Leave("").Pressed(k)), nil
}

// Spoken says the lines.
func (m *Model) Spoken(page.Frame) speech.Scene {
	return speech.Scene{Name: m.title, Text: dialog.Said(m.lines...)}
}

// View draws the dialog's box.
func (m *Model) View(f page.Frame) string {
	lines := append([]string{""}, dialog.Paragraphs(f, m.lines)...)
	lines = append(lines, "", dialog.Buttons(f, 0, dialog.Button{Label: "Close"}))
	return dialog.Box(f, m.title, lines)
}
