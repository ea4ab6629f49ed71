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

// Viewer is a dialog with lines that scroll.
type Viewer struct {
	base

	copies func()  // copies the text; may be nil
	toggle *Switch // below the lines; may be nil
	lines  func(page.Frame) []string
}

// Switch is a line of a dialog that turns something on or off, by its key or a click.
type Switch struct {
	Label, Title, Key string // Title is in the footer
	On                func() bool
	Turn              func() tea.Cmd
}

// text draws it: "[x] Ring when an operation first matches".
func (s *Switch) text() string {
	mark := "[ ] "
	if s.On() {
		mark = "[x] "
	}
	return mark + s.Label
}

// said says it in words.
func (s *Switch) said() string {
	if s.On() {
		return s.Label + ": on"
	}
	return s.Label + ": off"
}

// NewViewer returns a dialog with the lines for the width of a frame.
func NewViewer(title string, lines func(page.Frame) []string) *Viewer {
	m := &Viewer{base: base{title: title, minHeight: listHeight}, lines: lines}
	m.show = m.shown
	closes := key("close", m.close, "esc", "enter", "q", "?")
	m.actions = only(append([]*action.Action{closes}, m.declare()...)...)
	return m
}

// NewText returns a dialog with a text that the user can copy, below a sentence about it, if any.
func NewText(title, about string, text func() string, copies func()) *Viewer {
	m := NewViewer(title, func(f page.Frame) (lines []string) {
		if about != "" {
			lines = append(f.Theme.Paragraph(style.Muted, about, f.Width), "")
		}
		for line := range strings.Lines(text()) {
			line = strings.TrimSuffix(line, "\n")
			if f.Accessible {
				lines = append(lines, line)
			} else {
				lines = append(lines, style.Wrap(line, f.Width)...)
			}
		}
		return lines
	})
	m.copies = copies
	return m
}

// Add adds a control below the text.
func (m *Viewer) Add(s Switch) {
	m.toggle = &s
	m.actions[0].Actions = append([]*action.Action{key(s.Title, s.Turn, s.Key)}, m.actions[0].Actions...)
}

func (m *Viewer) declare() []*action.Action {
	copies := key("copy", action.Do(func() { m.copies() }), "y")
	copies.Hidden = func() bool { return m.copies == nil }
	return []*action.Action{
		copies,
		key("down", action.DoWith(m.scroll.by, +1), "down", "j"),
		key("up", action.DoWith(m.scroll.by, -1), "up", "k"),
		key("page down", m.scroll.pages(+1), "pgdown", "space"),
		quiet("page up", m.scroll.pages(-1), "pgup"),
		quiet("go to the top", action.Do(m.scroll.top), "g", "home"),
		quiet("go to the bottom", action.Do(m.scroll.bottom), "G", "end"),
	}
}

func (m *Viewer) shown(c *content) {
	const most = 100 // lines that are announced at once
	lines := m.lines(c.Frame)
	c.scrolled(&m.scroll, lines)
	if c.Accessible {
		said := m.scroll.window(c.Frame, lines, most)
		c.say(announce.Part{Name: "lines", Text: strings.Join(said, "\n")})
	}
	if m.toggle != nil {
		c.gap()
		turn := func(int) tea.Cmd { return m.toggle.Turn() }
		c.rows = append(c.rows, row{c.Theme.Paint(style.Accent, m.toggle.text()), turn})
		c.say(announce.Part{Name: "switch", Text: m.toggle.said()})
	}
}

// scroll is the position in lines that may not all fit.
type scroll struct {
	offset int
	// room and lines are the sizes when it was last drawn, hidden is how many lines of the room markers replaced.
	room, lines, hidden int
}

// actions declares the keys that scroll, if not all lines fit. While typing, the keys that edit text are left out; typing
// may be nil.
func (s *scroll) actions(typing func() bool) []*action.Action {
	fits := func() bool { return s.lines <= s.room }
	all := []*action.Action{
		key("more", s.pages(+1), "pgdown"),
		quiet("back", s.pages(-1), "pgup"),
		quiet("more", s.pages(+1), "ctrl+f", "ctrl+d"),
		quiet("back", s.pages(-1), "ctrl+b", "ctrl+u"),
		quiet("go to the top", action.Do(s.top), "home"),
		quiet("go to the bottom", action.Do(s.bottom), "end"),
	}
	for i, a := range all {
		a.Hidden = fits
		if i > 1 && typing != nil {
			a.Hidden = func() bool { return fits() || typing() }
		}
	}
	return all
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

// reveal scrolls until a line shows, as little as possible.
func (s *scroll) reveal(line int) {
	// A marker may replace the first and the last line.
	s.offset = min(s.offset, line-1)
	s.offset = max(s.offset, line-s.room+2)
	s.clamp()
}

func (s *scroll) clamp() { s.offset = max(0, min(s.offset, s.lines-s.room)) }

// part returns the visible lines.
func (s *scroll) part(lines []string, room int) []string {
	s.room, s.lines, s.hidden = max(1, min(room, len(lines))), len(lines), 0
	s.clamp()
	return slices.Clone(lines[s.offset:min(s.lines, s.offset+s.room)])
}

// window returns the visible lines, with markers for those above and below.
func (s *scroll) window(f page.Frame, lines []string, room int) []string {
	out := s.part(lines, room)
	s.hidden = 2
	end := s.offset + len(out)
	more := func(at int, arrow string, n int) {
		if n > 0 && s.room > 3 {
			out[at] = f.Theme.Paint(style.Muted, fmt.Sprintf("%s %s more", arrow, style.Count(n+1)))
		}
	}
	up, down := "↑", "↓ pgdn:"
	if f.Accessible {
		up, down = announce.Key("pgup")+":", announce.Key("pgdn")+":"
	}
	more(0, up, s.offset)
	more(len(out)-1, down, s.lines-end)
	return out
}
