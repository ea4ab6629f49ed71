package dialog

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/action"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// scroll is how far a part of a dialog is scrolled that has more lines than room.
type scroll struct {
	offset int
	// room and lines are those of the last drawing: how far it can be scrolled depends
	// on nothing else.
	room, lines int
}

// actions declares the keys that scroll, while there is something to scroll: where the user
// types, those that edit no text.
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
		{Title: "to the top", Keys: []string{"home"}, Run: action.Do(s.top)},
		{Title: "to the bottom", Keys: []string{"end"}, Run: action.Do(s.bottom)},
	}
}

// pages returns what scrolls by pages.
func (s *scroll) pages(n int) func() tea.Cmd {
	return action.Do(func() { s.by(n * max(1, s.room-2)) })
}

// by scrolls by lines.
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

// window returns the lines that show in the room, the first and the last of them
// saying how many more there are.
func (s *scroll) window(f page.Frame, lines []string, room int) []string {
	s.room, s.lines = max(1, min(room, len(lines))), len(lines)
	s.clamp()
	end := min(s.lines, s.offset+s.room)
	out := append([]string(nil), lines[s.offset:end]...)
	more := func(at int, arrow string, n int) {
		if n > 0 && s.room > 2 {
			out[at] = f.Theme.Paint(style.Muted, fmt.Sprintf("%s %s more", arrow, style.Count(n+1)))
		}
	}
	more(0, "↑", s.offset)
	more(len(out)-1, "↓ pgdn:", s.lines-end)
	return out
}
