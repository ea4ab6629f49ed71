package dialog

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/action"
	"pgtower/ui/announce"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

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
	actions := []*action.Action{
		key("more", s.pages(+1), "pgdown"),
		quiet("back", s.pages(-1), "pgup"),
		quiet("more", s.pages(+1), "ctrl+f", "ctrl+d"),
		quiet("back", s.pages(-1), "ctrl+b", "ctrl+u"),
		quiet("go to the top", action.Do(s.top), "home"),
		quiet("go to the bottom", action.Do(s.bottom), "end"),
	}
	for i, a := range actions {
		a.Hidden = fits
		if i > 1 && typing != nil {
			a.Hidden = func() bool { return fits() || typing() }
		}
	}
	return actions
}

// moves declares the keys that move through lines that are read: by a step, a page, or to the first and the last one.
func (s *scroll) moves(step func(step int), first, last string) []*action.Action {
	const beyond = 1 << 30 // more steps than there are
	return []*action.Action{
		key("down", action.DoWith(step, +1), "down", "j"),
		key("up", action.DoWith(step, -1), "up", "k"),
		key("page down", s.pages(+1), "pgdown", "space"),
		quiet("page up", s.pages(-1), "pgup"),
		quiet(first, action.DoWith(step, -beyond), "g", "home"),
		quiet(last, action.DoWith(step, +beyond), "G", "end"),
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
	hint := func(line int, arrow string, n int) {
		if n > 0 && s.room > 3 {
			out[line] = f.Theme.Paint(style.Muted, fmt.Sprintf("%s %s more", arrow, style.Count(n+1)))
		}
	}
	up, down := "↑", "↓ pgdn:"
	if f.Accessible {
		up, down = announce.Key("pgup")+":", announce.Key("pgdn")+":"
	}
	hint(0, up, s.offset)
	hint(len(out)-1, down, s.lines-end)
	return out
}
