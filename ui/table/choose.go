package table

import (
	"iter"
	"slices"
	"time"
)

// Lapsed is how a row is marked that no longer matches the filter.
const Lapsed = "no longer matches"

// glance is how long a row has to be on the screen for a key to be meant for it: what is
// pressed sooner was meant for the row before. It is shorter than anybody reacts, and
// longer than a frame takes to a distant terminal and a key back.
const glance = 150 * time.Millisecond

// sight is a row that frames showed as the selected one.
type sight[R any, K comparable] struct {
	row   R
	key   K
	since time.Time
}

// Shown notes that the rows are on the screen as they are now.
func (m *List[R, K]) Shown(now time.Time) {
	row, ok := m.Selected()
	switch {
	case !ok || m.Chosen():
		m.last, m.read = nil, nil
	case m.last == nil || m.last.key != m.key:
		if m.last != nil && now.Sub(m.last.since) >= glance {
			m.read = m.last
		}
		m.last = &sight[R, K]{row, m.key, now}
	}
}

// target is the row that a key of now is meant for, as far as it is known.
func (m *List[R, K]) target(now time.Time) *sight[R, K] {
	if m.last != nil && now.Sub(m.last.since) < glance && m.read != nil {
		return m.read
	}
	return m.last
}

// Choose holds the selection with the row that the user sees as selected, and reports
// whether there is one. Where the selection follows the top, that is the row that was
// there when the key was pressed, even if another one has come since, or if it has ceased
// to match. Whatever moves the selection or acts on its row begins with it.
func (m *List[R, K]) Choose(now time.Time) bool {
	if t := m.target(now); !m.Chosen() && t != nil && t.key != m.key {
		at, ok := m.find(t.key)
		switch {
		case ok:
			m.slideTo(at)
		case !m.arranged:
			return false // it is gone for good, and no other was meant
		default:
			m.rows = slices.Insert(m.rows, m.cursor, t.row)
			if m.divider >= m.cursor {
				m.divider++
			}
			m.sought, m.found, m.lapsed, m.stale = t.key, m.cursor, true, true
			m.moveTo(m.cursor)
		}
	}
	m.held = m.some
	return m.some
}

// step moves the selection for the user. A row that was shown only because it was
// selected leaves.
func (m *List[R, K]) step(to int) {
	m.before = nil
	if at := m.cursor; m.lapsed {
		m.rows, m.divider = without(m.rows, at, m.divider)
		m.found, m.lapsed = -1, false
		m.recount()
		if to > at {
			to--
		}
	}
	m.moveTo(to)
	m.held = m.some
}

// Hold keeps the selection with its row even where it would follow the top, or lets it
// follow.
func (m *List[R, K]) Hold(on bool) { m.held = on }

// Chosen reports whether the selected row was chosen, as it is in every table that does
// not follow the top. One that was not gives way to the top of another order.
func (m *List[R, K]) Chosen() bool { return m.held || !m.follow }

// Following reports whether the selection stays at the top while rows arrive above it.
func (m *List[R, K]) Following() bool {
	return !m.Chosen() && m.cursor == 0 && m.want.column == DefaultOrder && !m.want.reverse
}

// Lapsed reports whether the selected row no longer matches the filter, and is shown only
// until the user moves.
func (m *List[R, K]) Lapsed() bool { return m.lapsed }

// Matches is the number of rows that match, of those that are shown.
func (m *List[R, K]) Matches() int {
	n := m.Len()
	if m.lapsed {
		n--
	}
	if m.divider >= 0 {
		n--
	}
	return n
}

// Place is where the selected row is among those that match, 1 for the first, and 0 if it
// does not match or is the line between them.
func (m *List[R, K]) Place() int {
	switch {
	case m.lapsed, m.cursor == m.divider:
		return 0
	case m.divider >= 0 && m.divider < m.cursor:
		return m.cursor
	}
	return m.cursor + 1
}

// Matching returns the rows that match, of those that are shown, in their order.
func (m *List[R, K]) Matching() iter.Seq[R] {
	return func(yield func(R) bool) {
		for i := range m.Len() {
			if m.lapsed && i == m.cursor || i == m.divider {
				continue
			}
			if !yield(m.Row(i)) {
				return
			}
		}
	}
}
