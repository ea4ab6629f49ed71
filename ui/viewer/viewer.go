// Package viewer is a dialog with lines that may be more than the screen holds.
package viewer

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/dialog"
	"pgtower/ui/keys"
	"pgtower/ui/page"
	"pgtower/ui/speech"
)

// Model is the state of the dialog.
type Model struct {
	// Width is that of the box in a frame, [dialog.Width] if it is left out.
	Width func(page.Frame) int
	// Head are lines above the others that are not scrolled; it may be nil.
	Head func(page.Frame) []string
	// Copy is what of it can be copied, or nil.
	Copy *page.Copy

	title  string
	lines  func(page.Frame) []string
	scroll dialog.Scroll
}

// New shows what lines draws, under a title.
func New(title string, lines func(page.Frame) []string) *Model {
	return &Model{Width: dialog.Width, title: title, lines: lines}
}

func closeKey() keys.Action  { return keys.New("esc", "close", "esc", "enter", "q", "?").InFooter() }
func copyKey() keys.Action   { return keys.New("y", "copy", "y").InFooter() }
func downKey() keys.Action   { return keys.New("↓", "down", "down", "j").InFooter() }
func upKey() keys.Action     { return keys.New("↑", "up", "up", "k").InFooter() }
func pageDown() keys.Action  { return keys.New("pgdn", "page down", "pgdown", "space").InFooter() }
func pageUp() keys.Action    { return keys.New("pgup", "page up", "pgup") }
func topKey() keys.Action    { return keys.New("g", "to the top", "g", "home") }
func bottomKey() keys.Action { return keys.New("G", "to the bottom", "G", "end") }

// Keys declares what can be done now.
func (m *Model) Keys() []keys.Group {
	actions := []keys.Action{closeKey(), downKey(), upKey(), pageDown(), pageUp(), topKey(), bottomKey()}
	if m.Copy != nil {
		actions = slices.Insert(actions, 1, copyKey())
	}
	return []keys.Group{{Title: m.title, Actions: actions}}
}

// Top scrolls to the first line.
func (m *Model) Top() { m.scroll.Top() }

// Update scrolls, copies or leaves.
func (m *Model) Update(msg tea.Msg) (done bool, answer tea.Msg) {
	if w, ok := msg.(page.Wheel); ok {
		m.scroll.By(w.By)
	}
	k, ok := msg.(tea.KeyPressMsg)
	switch {
	case !ok:
	case closeKey().Pressed(k):
		return true, nil
	case m.Copy != nil && copyKey().Pressed(k):
		return false, *m.Copy
	case downKey().Pressed(k):
		m.scroll.By(+1)
	case upKey().Pressed(k):
		m.scroll.By(-1)
	case topKey().Pressed(k):
		m.scroll.Top()
	case bottomKey().Pressed(k):
		m.scroll.Bottom()
	case pageDown().Pressed(k):
		m.scroll.Page(+1)
	case pageUp().Pressed(k):
		m.scroll.Page(-1)
	}
	return false, nil
}

// spokenLines is how many lines are said at once.
const spokenLines = 100

// Spoken says the lines, as many at once as can be listened to.
func (m *Model) Spoken(f page.Frame) speech.Scene {
	lines := m.lines(f)
	room := min(len(lines), spokenLines)
	said := m.scroll.Window(f, len(lines), room, func(i int) string { return lines[i] })
	return speech.Scene{Name: m.title, Parts: []speech.Part{{Name: "lines", Text: strings.Join(said, "\n")}}}
}

// View draws the dialog's box.
func (m *Model) View(f page.Frame) string {
	var head []string
	if m.Head != nil {
		head = m.Head(f)
	}
	lines := trimmed(m.lines(f))
	room := max(1, min(len(lines), dialog.Room(f)-len(head)))
	shown := m.scroll.Window(f, len(lines), room, func(i int) string { return lines[i] })
	return dialog.WideBox(f, m.title, append(head, shown...), m.Width(f))
}

// trimmed leaves out empty lines at the ends: the box has its own.
func trimmed(lines []string) []string {
	for len(lines) > 0 && lines[0] == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}
