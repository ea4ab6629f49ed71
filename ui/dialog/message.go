package dialog

import (
	tea "charm.land/bubbletea/v2"

	"pgtower/ui/action"
	"pgtower/ui/announce"
	"pgtower/ui/page"
)

// Message is a dialog that says something and has to be read.
type Message struct {
	title string
	lines []Line
}

// NewMessage says the lines under a title.
func NewMessage(title string, lines []Line) *Message { return &Message{title, lines} }

// Keys declares what can be done now.
func (m *Message) Keys() []action.Group {
	return []action.Group{{Title: m.title, Actions: []action.Action{Press("close"), Leave("close")}}}
}

// Update leaves.
func (m *Message) Update(msg tea.Msg) (done bool, answer tea.Msg) {
	if p, ok := msg.(page.Pressed); ok {
		lines := len(m.body(p.Frame))
		_, ok := ButtonAt(p, Close())
		return ok && LineAt(p, lines) == lines-1, nil
	}
	k, ok := msg.(tea.KeyPressMsg)
	return ok && (Press("").Pressed(k) || Leave("").Pressed(k)), nil
}

// Spoken says the lines.
func (m *Message) Spoken(page.Frame) announce.Description {
	return announce.Description{Name: m.title, Text: Said(m.lines...)}
}

// View draws the dialog's box.
func (m *Message) View(f page.Frame) string { return Box(f, m.title, m.body(f)) }

func (m *Message) body(f page.Frame) []string {
	return append(Paragraphs(f, m.lines), "", Buttons(f, 0, Close()))
}
