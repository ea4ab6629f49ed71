package table

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/page"
)

// rest is how long the keys that move have to be still for the detail beside the table to
// follow them again.
const rest = 100 * time.Millisecond

// pane is the detail beside the table. It follows the selection at once; but while keys
// come quickly one after another it keeps its row, and follows when they rest. Nobody
// reads what passes by, and drawing it costs more than the rest of the frame.
//
// Where the rows themselves are scrolled, it is empty until then: a terminal scrolls
// whole lines, and what stands beside the rows would have to be written anew, with them.
type pane[R any] struct {
	alarm  page.Alarm
	moving bool // keys may still come
	held   bool
	row    R   // that it keeps while it is held
	offset int // of the rows when it was held
}

// passing says that nobody has chosen a row, of a table in which others come to the top.
// Whatever has just begun is no row that somebody reads about: the table has the whole
// screen, and what a poll brings moves its lines as they are.
func (m *Model[R, K]) passing() bool { return !m.list.Chosen() }

// rested says that the keys of a table have come to rest.
type rested struct{ of any }

// movedFrom notes that a key moved the selection away from a row, when the first row on
// the screen was the one at offset.
func (m *Model[R, K]) movedFrom(was R, offset int) tea.Cmd {
	if m.pane.moving && !m.pane.held {
		m.pane.held, m.pane.row, m.pane.offset = true, was, offset
	}
	m.pane.moving = true
	return m.pane.alarm.Set(m.Session, m.Page, rest, rested{m})
}

// tookRest lets the detail follow.
func (m *Model[R, K]) tookRest(msg rested) {
	if msg.of == any(m) {
		m.pane.moving, m.pane.held = false, false
	}
}

// Owns says that a message is what the table's own work has brought, which no other table
// has a use for.
func (m *Model[R, K]) Owns(msg tea.Msg) bool {
	if r, ok := msg.(rested); ok {
		return r.of == any(m)
	}
	_, ok := msg.(Filtered[R])
	return ok
}

// beside is the row whose detail stands beside the table, if there is one now.
func (m *Model[R, K]) beside(selected R) (row R, ok bool) {
	switch {
	case !m.pane.held:
		return selected, true
	case m.list.Offset() != m.pane.offset:
		return row, false
	}
	return m.pane.row, true
}
