package dialog

import (
	"fmt"
	"slices"

	"pgtower/ui/action"
	"pgtower/ui/announce"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// scroll is the position in lines that may not all fit.
type scroll struct {
	offset int
	// room and lines are the sizes of the last drawing; hidden is the number of lines that markers replaced.
	room, lines, hidden int
}

// actions declares the keys that scroll, if not all lines fit. While typing, the keys that edit text are left out; typing
// may be nil.
func (s *scroll) actions(typing func() bool) []*action.Action {
	more, back := action.DoWith(s.turn, +1), action.DoWith(s.turn, -1)
	actions := []*action.Action{
		key("more", more, "pgdown"),
		quiet("back", back, "pgup"),
		quiet("more", more, "ctrl+f", "ctrl+d"),
		quiet("back", back, "ctrl+b", "ctrl+u"),
		quiet("go to the top", action.Do(s.top), "home"),
		quiet("go to the bottom", action.Do(s.bottom), "end"),
	}
	for i, a := range actions {
		a.Hidden = s.fits
		if i > 1 && typing != nil {
			a.Hidden = func() bool { return s.fits() || typing() }
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
		key("page down", action.DoWith(s.turn, +1), "pgdown", "space"),
		quiet("page up", action.DoWith(s.turn, -1), "pgup"),
		quiet(first, action.DoWith(step, -beyond), "g", "home"),
		quiet(last, action.DoWith(step, +beyond), "G", "end"),
	}
}

// fits reports whether all lines fit.
func (s *scroll) fits() bool { return s.lines <= s.room }

// turn scrolls by pages.
func (s *scroll) turn(pages int) { s.by(pages * max(1, s.room-s.hidden)) }

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

// fit returns which of n lines are visible in the room.
func (s *scroll) fit(n, room int) (from, end int) {
	s.room, s.lines, s.hidden = max(1, min(room, n)), n, 0
	s.clamp()
	return s.offset, min(s.lines, s.offset+s.room)
}

// part returns the visible lines.
func (s *scroll) part(lines []string, room int) []string {
	from, end := s.fit(len(lines), room)
	return slices.Clone(lines[from:end])
}

// window returns the visible lines, with markers for those above and below.
func (s *scroll) window(f page.Frame, lines []string, room int) []string {
	return s.mark(f, s.part(lines, room))
}

// mark replaces the first and the last of the visible lines with markers, if there are more lines beyond them.
func (s *scroll) mark(f page.Frame, visible []string) []string {
	const least = 4 // lines that have room for markers
	s.hidden = 2
	if s.room < least {
		return visible
	}
	up, down := "↑", "↓ pgdn:"
	if f.Accessible {
		up, down = announce.Key("pgup")+":", announce.Key("pgdn")+":"
	}
	if s.offset > 0 {
		visible[0] = marker(f, up, s.offset)
	}
	if below := s.lines - s.offset - len(visible); below > 0 {
		visible[len(visible)-1] = marker(f, down, below)
	}
	return visible
}

// marker returns the text of a marker: the number of lines beyond it and of the line that it replaces.
func marker(f page.Frame, arrow string, beyond int) string {
	return f.Theme.Paint(style.Muted, fmt.Sprintf("%s %s more", arrow, style.Count(beyond+1)))
}
