package dialog

import (
	"fmt"

	tea "charm.land/bubbletea/v2"
	"github.com/dustin/go-humanize"

	"pgtower/ui/action"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// Scroll is how far a part of a dialog is scrolled that has more lines than room.
type Scroll struct {
	offset int
	// room and lines are those of the last drawing: how far it can be scrolled depends
	// on nothing else.
	room, lines int
}

// ScrollDown declares the key that shows the lines below, ScrollUp those above.
func ScrollDown() action.Action { return action.New("pgdn", "more", "pgdown", "ctrl+f", "ctrl+d") }

// ScrollUp declares the key that shows the lines above.
func ScrollUp() action.Action { return action.New("pgup", "back", "pgup", "ctrl+b", "ctrl+u") }

// Pressed scrolls by a page, or to an end, if the key is one for that, and says whether
// it was.
func (s *Scroll) Pressed(k tea.KeyPressMsg) bool {
	switch {
	case ScrollDown().Pressed(k):
		s.Page(+1)
	case ScrollUp().Pressed(k):
		s.Page(-1)
	case k.String() == "home":
		s.Top()
	case k.String() == "end":
		s.Bottom()
	default:
		return false
	}
	return true
}

// By scrolls by lines.
func (s *Scroll) By(lines int) {
	s.offset += lines
	s.clamp()
}

// Page scrolls by as many lines as the room shows.
func (s *Scroll) Page(by int) { s.By(by * max(1, s.room-2)) }

// Top scrolls to the first line.
func (s *Scroll) Top() { s.By(-s.lines) }

// Bottom scrolls to the last line.
func (s *Scroll) Bottom() { s.By(s.lines) }

// More says that not all lines are shown.
func (s *Scroll) More() bool { return s.lines > s.room }

// Reveal scrolls as little as shows a line.
func (s *Scroll) Reveal(line int) {
	// The first and the last line may be taken by what says that there are more.
	s.offset = min(s.offset, line-1)
	s.offset = max(s.offset, line-s.room+2)
	s.clamp()
}

func (s *Scroll) clamp() { s.offset = max(0, min(s.offset, s.lines-s.room)) }

// Window returns those of n lines that show in the room, the first and the last of them
// saying how many more there are.
func (s *Scroll) Window(f page.Frame, n, room int, line func(i int) string) []string {
	s.room, s.lines = max(1, room), n
	s.clamp()
	end := min(n, s.offset+s.room)
	out := make([]string, 0, s.room)
	for i := s.offset; i < end; i++ {
		out = append(out, line(i))
	}
	more := func(at int, arrow string, n int) {
		if n > 0 && s.room > 2 {
			out[at] = f.Theme.Paint(style.Muted, fmt.Sprintf("%s %s more", arrow, humanize.Comma(int64(n+1))))
		}
	}
	more(0, "↑", s.offset)
	more(len(out)-1, "↓ pgdn:", n-end)
	return out
}
