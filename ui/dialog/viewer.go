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

	// Width is that of the box in a frame, [Width] if it is left out.
	Width func(page.Frame) int
	// Copy copies what can be copied of it; nil if nothing can.
	Copy func()

	head  func(*content) // adds what stands above the lines and is not scrolled
	lines func(page.Frame) []string
}

// NewViewer shows what lines draws, under a title.
func NewViewer(title string, lines func(page.Frame) []string) *Viewer {
	m := &Viewer{base: base{title: title}, Width: Width, lines: lines, head: func(*content) {}}
	m.show = m.shown
	return m
}

// Actions declares what can be done now.
func (m *Viewer) Actions() []action.Group {
	pageDown := action.Do(m.scroll.pageDown)
	by := func(lines int) func() tea.Cmd { return action.Do(func() { m.scroll.by(lines) }) }
	actions := []action.Action{
		{Title: "close", Keys: []string{"esc", "enter", "q", "?"}, Footer: action.Shown, Run: m.close},
		{Title: "down", Keys: []string{"down", "j"}, Footer: action.Shown, Run: by(+1)},
		{Title: "up", Keys: []string{"up", "k"}, Footer: action.Shown, Run: by(-1)},
		{Title: "page down", Keys: []string{"pgdown", "space"}, Footer: action.Shown, Run: pageDown},
		{Title: "page up", Keys: []string{"pgup"}, Run: action.Do(m.scroll.pageUp)},
		{Title: "to the top", Keys: []string{"g", "home"}, Run: action.Do(m.scroll.top)},
		{Title: "to the bottom", Keys: []string{"G", "end"}, Run: action.Do(m.scroll.bottom)},
	}
	if m.Copy != nil {
		copies := action.Action{Title: "copy", Keys: []string{"y"}, Footer: action.Shown, Run: action.Do(m.Copy)}
		actions = slices.Insert(actions, 1, copies)
	}
	return []action.Group{{Title: m.title, Actions: actions}}
}

func (m *Viewer) shown(c *content) {
	const most = 100 // lines that are said at once
	c.width = m.Width(c.Frame)
	m.head(c)
	lines := trimmed(m.lines(c.Frame))
	c.scrolled(&m.scroll, lines)
	if c.Spoken {
		said := m.scroll.window(c.Frame, lines, most)
		c.say(announce.Part{Name: "lines", Text: strings.Join(said, "\n")})
	}
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
