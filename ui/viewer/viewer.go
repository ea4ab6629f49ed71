// Package viewer is a dialog with lines that may be more than the screen holds.
package viewer

import (
	"math"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/dialog"
	"pgtower/ui/keys"
	"pgtower/ui/page"
)

// Model is the state of the dialog.
type Model struct {
	title  string
	lines  func(page.Frame) []string
	scroll int
	room   int // for lines, when it was last drawn
}

// New shows what lines draws, under a title.
func New(title string, lines func(page.Frame) []string) *Model {
	return &Model{title: title, lines: lines}
}

func closeKey() keys.Action  { return keys.New("esc", "close", "esc", "enter", "q", "?").InFooter() }
func downKey() keys.Action   { return keys.New("↓", "down", "down", "j").InFooter() }
func upKey() keys.Action     { return keys.New("↑", "up", "up", "k").InFooter() }
func pageDown() keys.Action  { return keys.New("pgdn", "page down", "pgdown", "ctrl+f", "space") }
func topKey() keys.Action    { return keys.New("g", "to the top", "g", "home") }
func bottomKey() keys.Action { return keys.New("G", "to the bottom", "G", "end") }
func pageUp() keys.Action    { return keys.New("pgup", "page up", "pgup", "ctrl+b") }

// Keys declares what can be done now.
func (m *Model) Keys() []keys.Group {
	return []keys.Group{{Title: m.title, Actions: []keys.Action{closeKey(), downKey(), upKey(), pageDown(), pageUp(), topKey(), bottomKey()}}}
}

// Update scrolls or leaves.
func (m *Model) Update(msg tea.Msg) (done bool, answer tea.Msg) {
	k, ok := msg.(tea.KeyPressMsg)
	switch {
	case !ok:
	case closeKey().Pressed(k):
		return true, nil
	case downKey().Pressed(k):
		m.scroll++
	case upKey().Pressed(k):
		m.scroll--
	case pageDown().Pressed(k):
		m.scroll += max(1, m.room-1)
	case pageUp().Pressed(k):
		m.scroll -= max(1, m.room-1)
	case topKey().Pressed(k):
		m.scroll = 0
	case bottomKey().Pressed(k):
		m.scroll = math.MaxInt
	}
	return false, nil
}

// View draws the dialog's box.
func (m *Model) View(f page.Frame) string {
	lines := m.lines(f)
	m.room = max(1, f.Height-4)
	m.scroll = max(0, min(m.scroll, len(lines)-m.room))
	return dialog.Box(f, m.title, lines[m.scroll:min(len(lines), m.scroll+m.room)])
}
