package table

import (
	"slices"
	"time"
)

// DefaultOrder stands for the order of the source, in place of a column.
const DefaultOrder = -1

// filtering is which rows are wanted, and in which order.
type filtering[R any] struct {
	matches func(row R, now time.Time) bool
	column  int
	reverse bool
}

// plain says that the source is wanted as it is.
func (a filtering[R]) plain() bool { return a.matches == nil && a.column == DefaultOrder && !a.reverse }

// Filtered is a finished arrangement, to be handed to [List.Take].
type Filtered[R any] struct {
	of        any // the model that it is for
	number    int
	otherwise bool // other rows or another order than before were asked for
	rows      []R
	divider   int // where the line is among them, or -1
	// found is where the row is that was selected when it was asked for, or -1: to look for
	// it is work that follows the number of rows as well.
	found  int
	sought any // the key of that row
	// near is where the row is that comes next after the selected one, if that was left
	// out: the first one, where the order is another.
	near int
	// keep is whether the selected row was to stay although it does not match, and lapsed
	// whether it did so.
	keep, lapsed bool
}

// Filter asks for the rows that match, or for all if matches is nil. matches must not
// depend on anything that changes.
func (m *List[R, K]) Filter(matches func(row R, now time.Time) bool) {
	if m.want.matches == nil && matches != nil && m.some && m.cursor > 0 {
		before := m.key
		m.before = &before
	}
	m.want.matches, m.anew = matches, true
	if matches == nil && m.before != nil {
		m.key, m.before = *m.before, nil
		m.some = true
	}
	m.rearrange()
}

// Filtered says that not all rows are wanted.
func (m *List[R, K]) Filtered() bool { return m.want.matches != nil }

// Wanted says that a row is one that the filter shows, if there is one.
func (m *List[R, K]) Wanted(row R, now time.Time) bool {
	return m.want.matches == nil || m.want.matches(row, now)
}

// Sort asks for the order of a column, or for that of the source if it is [DefaultOrder].
func (m *List[R, K]) Sort(column int, reverse bool) {
	m.want.column, m.want.reverse = column, reverse
	m.rearrange()
}

// Sorted returns what the rows are sorted by.
func (m *List[R, K]) Sorted() (column int, reverse bool) { return m.want.column, m.want.reverse }

func (m *List[R, K]) rearrange() {
	m.number++ // what is being worked out is no longer wanted
	if m.want.plain() {
		m.arranged, m.stale, m.anew, m.lapsed, m.rows, m.divider = false, false, false, false, nil, -1
		m.recount()
		m.reanchor()
		return
	}
	m.stale, m.otherwise = true, true
}

// reanchor finds the selected row after rows were arranged otherwise, on its line of the
// screen where that is possible. What is above it then has not arrived.
func (m *List[R, K]) reanchor() {
	at, ok := m.find(m.key)
	m.last, m.read = nil, nil
	switch {
	case !m.Chosen():
		at = 0
	case !ok || !m.some:
		at = m.cursor
	}
	m.offset += at - m.cursor
	m.moveTo(at)
}

// Arrange returns the work of arranging the rows as wanted, or nil if there is none or
// some is under way: there is one at a time, and after [List.Take] it is time to ask for
// the next. The work reads nothing that changes and belongs in a command.
func (m *List[R, K]) Arrange(now time.Time) func() Filtered[R] {
	if !m.stale || m.working {
		return nil
	}
	m.working = true
	want, otherwise := m.want, m.otherwise
	m.stale = false
	number := m.number
	var compare func(a, b R, now time.Time) int
	if want.column != DefaultOrder {
		compare = m.columns[want.column].Compare
	}
	all, source, sought := freeze(m.source), m.source, m.key
	keep := m.some && m.Chosen() && !m.anew
	return func() Filtered[R] {
		rows, divider, near, lapsed := want.pick(all, now, keep, func(row R) bool { return source.Key(row) == sought })
		if compare != nil {
			slices.SortStableFunc(rows, func(a, b R) int { return compare(a, b, now) })
		}
		if want.reverse {
			slices.Reverse(rows)
			if divider >= 0 {
				divider = len(rows) - 1 - divider
			}
		}
		if compare != nil || want.reverse {
			near = 0
		}
		found, _ := indexOf(rows, source, sought)
		return Filtered[R]{m, number, otherwise, rows, divider, found, sought, near, keep, lapsed}
	}
}

// pick returns the rows that match with the line between them, if there are any, and how
// many of them come before the one that is sought. With keep, that one is among them in any
// case, and lapsed if it does not match.
func (a filtering[R]) pick(
	all Rows[R], now time.Time, keep bool, sought func(R) bool,
) (rows []R, divider, near int, lapsed bool) {
	if a.matches == nil {
		rows = make([]R, 0, all.Len())
	}
	line := dividerOf(all)
	divider = -1
	for i := range all.Len() {
		if i == line {
			if a.column == DefaultOrder {
				divider, rows = len(rows), append(rows, all.Row(i))
			}
			continue
		}
		row := all.Row(i)
		is := sought(row)
		if is {
			near = len(rows)
		}
		matches := a.matches == nil || a.matches(row, now)
		if matches || is && keep {
			rows = append(rows, row)
			lapsed = lapsed || !matches
		}
	}
	rows, divider = lineOf(rows, divider)
	return rows, divider, near, lapsed
}

// Take shows a finished arrangement, unless it is another table's or rows are wanted
// otherwise by now.
func (m *List[R, K]) Take(a Filtered[R]) {
	if a.of != any(m) {
		return
	}
	m.working = false
	if a.number != m.number {
		return
	}
	moved := m.key != a.sought.(K)
	if a.lapsed && (moved || !m.Chosen()) {
		a.rows, a.divider = without(a.rows, a.found, a.divider)
		a.found, a.lapsed = -1, false
	}
	if moved {
		a.found, _ = indexOf(a.rows, m.source, m.key)
	}
	if a.found < 0 && m.some && m.Chosen() && !m.anew && (moved || !a.keep) {
		m.stale = true // the row was chosen too late to be kept
		return
	}
	m.arranged, m.rows, m.divider, m.otherwise, m.anew, m.lapsed = true, a.rows, a.divider, false, false, a.lapsed
	m.sought, m.found = m.key, a.found
	m.recount()
	switch {
	case a.otherwise && a.found < 0 && !moved && m.Chosen():
		m.moveTo(a.near)
	case a.otherwise:
		m.reanchor()
	default:
		m.anchor()
	}
}
