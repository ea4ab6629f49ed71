package dialog

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/action"
	"pgtower/ui/announce"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// Viewer is a dialog with lines that may be more than the screen holds.
type Viewer struct {
	base

	copies func() // copies what can be copied of it; nil if nothing can
	lines  func(page.Frame) []string
}

// NewViewer shows what lines draws in the width of a frame, under a title.
func NewViewer(title string, lines func(page.Frame) []string) *Viewer {
	m := &Viewer{base: base{title: title, minHeight: listHeight}, lines: lines}
	m.show = m.shown
	return m
}

// NewText shows a text that the user may copy.
func NewText(title, text string, copies func()) *Viewer {
	m := NewViewer(title, func(f page.Frame) []string {
		if f.Accessible {
			return []string{text}
		}
		return style.Wrap(text, f.Width)
	})
	m.copies = copies
	return m
}

// Actions declares what can be done now.
func (m *Viewer) Actions() []action.Group {
	by := func(lines int) func() tea.Cmd { return action.Do(func() { m.scroll.by(lines) }) }
	copies := key("copy", action.Do(m.copies), "y")
	copies.Hidden = m.copies == nil
	return only(
		key("close", m.close, "esc", "enter", "q", "?"),
		copies,
		key("down", by(+1), "down", "j"),
		key("up", by(-1), "up", "k"),
		key("page down", m.scroll.pages(+1), "pgdown", "space"),
		action.Action{Title: "page up", Keys: []string{"pgup"}, Run: m.scroll.pages(-1)},
		action.Action{Title: "go to the top", Keys: []string{"g", "home"}, Run: action.Do(m.scroll.top)},
		action.Action{Title: "go to the bottom", Keys: []string{"G", "end"}, Run: action.Do(m.scroll.bottom)},
	)
}

func (m *Viewer) shown(c *content) {
	const most = 100 // lines that are said at once
	lines := m.lines(c.Frame)
	c.scrolled(&m.scroll, lines)
	if c.Accessible {
		said := m.scroll.window(c.Frame, lines, most)
		c.say(announce.Part{Name: "lines", Text: strings.Join(said, "\n")})
	}
}

// scroll is how far a part of a dialog is scrolled that has more lines than room.
type scroll struct {
	offset int
	// room and lines are those of the last drawing: how far it can be scrolled depends on nothing else. hidden is how many
	// of the lines in the room are not there.
	room, lines, hidden int
}

// actions declares the keys that scroll, if there is anything to scroll: while typing, those that edit no text.
func (s *scroll) actions(typing bool) []action.Action {
	switch {
	case s.lines <= s.room:
		return nil
	case typing:
		return []action.Action{key("more", s.pages(+1), "pgdown"), {Title: "back", Keys: []string{"pgup"}, Run: s.pages(-1)}}
	}
	return []action.Action{
		key("more", s.pages(+1), "pgdown", "ctrl+f", "ctrl+d"),
		{Title: "back", Keys: []string{"pgup", "ctrl+b", "ctrl+u"}, Run: s.pages(-1)},
		{Title: "go to the top", Keys: []string{"home"}, Run: action.Do(s.top)},
		{Title: "go to the bottom", Keys: []string{"end"}, Run: action.Do(s.bottom)},
	}
}

func (s *scroll) pages(n int) func() tea.Cmd {
	return action.Do(func() { s.by(n * max(1, s.room-s.hidden)) })
}

func (s *scroll) by(lines int) {
	s.offset += lines
	s.clamp()
}

func (s *scroll) top()    { s.by(-s.lines) }
func (s *scroll) bottom() { s.by(s.lines) }

// reveal scrolls as little as shows a line.
func (s *scroll) reveal(line int) {
	// The first and the last line may be taken by what says that there are more.
	s.offset = min(s.offset, line-1)
	s.offset = max(s.offset, line-s.room+2)
	s.clamp()
}

func (s *scroll) clamp() { s.offset = max(0, min(s.offset, s.lines-s.room)) }

// part returns the lines that show in the room.
func (s *scroll) part(lines []string, room int) []string {
	s.room, s.lines, s.hidden = max(1, min(room, len(lines))), len(lines), 0
	s.clamp()
	return slices.Clone(lines[s.offset:min(s.lines, s.offset+s.room)])
}

// window is part with the first and the last line saying how many more there are.
func (s *scroll) window(f page.Frame, lines []string, room int) []string {
	out := s.part(lines, room)
	s.hidden = 2
	end := s.offset + len(out)
	more := func(at int, arrow string, n int) {
		if n > 0 && s.room > 3 {
			out[at] = f.Theme.Paint(style.Muted, fmt.Sprintf("%s %s more", arrow, style.Count(n+1)))
		}
	}
	more(0, "↑", s.offset)
	more(len(out)-1, "↓ pgdn:", s.lines-end)
	return out
}
