package dialog

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/action"
	"pgtower/ui/announce"
	"pgtower/ui/page"
)

// Viewer is a dialog with lines that may be more than the screen holds.
type Viewer struct {
	base

	copies func() // copies what can be copied of it; nil if nothing can
	lines  func(page.Frame) []string
}

// NewViewer shows what lines draws in the width of a frame, under a title.
func NewViewer(title string, lines func(page.Frame) []string) *Viewer {
	m := &Viewer{base: base{title: title}, lines: lines}
	m.show = m.shown
	return m
}

// Actions declares what can be done now.
func (m *Viewer) Actions() []action.Group {
	by := func(lines int) func() tea.Cmd { return action.Do(func() { m.scroll.by(lines) }) }
	actions := []action.Action{
		key("close", m.close, "esc", "enter", "q", "?"),
		key("down", by(+1), "down", "j"),
		key("up", by(-1), "up", "k"),
		key("page down", m.scroll.pages(+1), "pgdown", "space"),
		{Title: "page up", Keys: []string{"pgup"}, Run: m.scroll.pages(-1)},
		{Title: "to the top", Keys: []string{"g", "home"}, Run: action.Do(m.scroll.top)},
		{Title: "to the bottom", Keys: []string{"G", "end"}, Run: action.Do(m.scroll.bottom)},
	}
	if m.copies != nil {
		actions = slices.Insert(actions, 1, key("copy", action.Do(m.copies), "y"))
	}
	return only(actions...)
}

func (m *Viewer) shown(c *content) {
	const most = 100 // lines that are said at once
	lines := m.lines(c.Frame)
	c.scrolled(&m.scroll, lines)
	if c.Spoken {
		said := m.scroll.window(c.Frame, lines, most)
		c.say(announce.Part{Name: "lines", Text: strings.Join(said, "\n")})
	}
}
