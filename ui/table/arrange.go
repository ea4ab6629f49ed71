package table

import (
	"iter"
	"slices"
	"time"
)

// DefaultOrder stands for the order of the source, in place of a column.
const DefaultOrder = -1

// wanted is which rows are wanted, and in which order.
type wanted[R any] struct {
	matches func(row R, now time.Time) bool
	// lacking returns what the filter asks of rows and none of them has, or nothing; it may be nil.
	lacking        func(rows iter.Seq[R], now time.Time) string
	column         int
	reverse        bool
	number, filter int // number counts the wishes, and filter those for another filter
}

// plain reports whether the source is wanted as it is.
func (w wanted[R]) plain() bool { return w.matches == nil && w.column == DefaultOrder && !w.reverse }

// arrangement is the rows as they were wanted. It is worked out away from the UI's goroutine, and
// reads nothing that changes. Where the source is wanted as it is, it has no rows.
type arrangement[R any, K comparable] struct {
	of     *list[R, K]
	want   wanted[R]
	sought K    // the key of the row that was selected when it was asked for
	keep   bool // it stays although it does not match

	rows    []R
	divider int    // where the line is among them, or -1
	lapsed  bool   // the row sought stays, and does not match
	found   int    // where it is, or -1
	near    int    // where the next one is if it was left out, or the first one in another order
	lacking string // what is asked for and no row has, if none matches
}

// insert puts a row at a place, remove takes the one there away.
func (a *arrangement[R, K]) insert(at int, row R) {
	a.rows = slices.Insert(a.rows, at, row)
	if a.divider >= at {
		a.divider++
	}
}

func (a *arrangement[R, K]) remove(at int) {
	a.rows = slices.Delete(a.rows, at, at+1)
	if a.divider > at {
		a.divider--
	}
	a.tidy()
}

// tidy leaves the divider out where it would be alone.
func (a *arrangement[R, K]) tidy() {
	if a.divider >= 0 && len(a.rows) == 1 {
		a.rows, a.divider = nil, -1
	}
}

// filterBy asks for the rows that match, or for all if matches is nil. matches reads nothing that changes.
func (m *list[R, K]) filterBy(matches func(row R, now time.Time) bool) {
	if m.want.matches == nil && matches != nil && m.some && m.cursor > 0 {
		m.before = new(m.key)
	}
	m.want.matches = matches
	m.want.filter++
	if matches == nil && m.before != nil {
		m.key, m.some, m.before = *m.before, true, nil
	}
	m.rearrange()
}

func (m *list[R, K]) rearrange() {
	m.StopRestoring()
	m.changes++
	m.want.number++
	if m.stale = !m.want.plain(); !m.stale {
		m.arrangement = arrangement[R, K]{want: m.want, divider: -1}
		m.recount()
		m.anchor(true)
	}
}

// Rows returns the rows that are filtered or sorted, with a number that is another one once they are others.
func (m *list[R, K]) Rows() (rows []R, number int) { return m.rows, m.changes }

// Filtered reports whether a filter decides which rows are shown.
func (m *list[R, K]) Filtered() bool { return m.want.matches != nil }

// MatchesFilter reports whether a row is one that the filter shows, if there is one.
func (m *list[R, K]) MatchesFilter(row R) bool {
	return m.want.matches == nil || m.want.matches(row, m.now())
}

// Sorted returns what the rows are sorted by.
func (m *list[R, K]) Sorted() (column int, reverse bool) { return m.want.column, m.want.reverse }

// Settled reports whether the rows shown are those that were asked for.
func (m *list[R, K]) Settled() bool { return !m.stale && !m.working }

// begin returns the work of arranging the rows, or nil if there is none or some is under way.
func (m *list[R, K]) begin() func() arrangement[R, K] {
	if !m.stale || m.working {
		return nil
	}
	m.working, m.stale = true, false
	a := arrangement[R, K]{of: m, want: m.want, sought: m.key, keep: m.keeps()}
	all, divider := m.Source.Freeze()
	columns, now := m.Columns, m.now()
	return func() arrangement[R, K] {
		a.pick(all, divider, now)
		if len(a.rows) == 0 && a.want.lacking != nil {
			a.lacking = a.want.lacking(each(all, divider), now)
		}
		if a.want.column != DefaultOrder {
			compare := columns[a.want.column].Compare
			slices.SortStableFunc(a.rows, func(x, y R) int { return compare(x, y, now) })
			a.near = 0
		}
		if a.want.reverse {
			slices.Reverse(a.rows)
			if a.divider >= 0 {
				a.divider = len(a.rows) - 1 - a.divider
			}
			a.near = 0
		}
		a.found = slices.IndexFunc(a.rows, func(row R) bool { return all.Key(row) == a.sought })
		return a
	}
}

// each goes through rows without the divider.
func each[R any, K comparable](all Rows[R, K], divider int) iter.Seq[R] {
	return func(yield func(R) bool) {
		for i := range all.Len() {
			if i != divider && !yield(all.Row(i)) {
				return
			}
		}
	}
}

// now is the time at which rows are looked at by a filter, in the zone of the screen.
func (m *list[R, K]) now() time.Time { return m.Session.Times.In(m.Session.ServiceNow()) }

// pick takes the rows that match, the divider between them, and the row to be kept.
func (a *arrangement[R, K]) pick(all Rows[R, K], divider int, now time.Time) {
	if a.want.matches == nil {
		a.rows = make([]R, 0, all.Len())
	}
	a.divider = -1
	for i := range all.Len() {
		row, at := all.Row(i), len(a.rows)
		if i == divider {
			if a.want.column == DefaultOrder {
				a.divider, a.rows = at, append(a.rows, row)
			}
			continue
		}
		is := all.Key(row) == a.sought
		if is {
			a.near = at
		}
		matches := a.want.matches == nil || a.want.matches(row, now)
		if matches || is && a.keep {
			a.rows = append(a.rows, row)
			a.lapsed = a.lapsed || !matches
		}
	}
	a.tidy()
}

// keeps reports whether the selected row stays although it does not match.
func (m *list[R, K]) keeps() bool {
	return m.some && m.Held() && m.want.filter == m.arrangement.want.filter
}

// take shows a finished arrangement, unless rows are wanted otherwise by now.
func (m *list[R, K]) take(a arrangement[R, K]) {
	m.working = false
	if a.want.number != m.want.number {
		return
	}
	if a.sought != m.key || a.keep != m.keeps() { // the user has gone on
		if a.lapsed {
			a.remove(a.found)
		}
		a.sought, a.lapsed = m.key, false
		a.found = slices.IndexFunc(a.rows, func(row R) bool { return m.Source.Key(row) == a.sought })
		if a.found < 0 && m.keeps() {
			m.stale = true
			return
		}
	}
	otherwise := a.want.number != m.arrangement.want.number
	m.arrangement = a
	m.changes++
	m.recount()
	if otherwise && a.found < 0 && m.Held() {
		m.moveTo(a.near)
		return
	}
	m.anchor(otherwise)
}

// Matches is the number of rows that match, of those that are shown.
func (m *list[R, K]) Matches() int {
	n := m.Len()
	if m.lapsed {
		n--
	}
	if m.divider >= 0 {
		n--
	}
	return n
}

// Matching returns the rows that match, of those that are shown, in their order.
func (m *list[R, K]) Matching() iter.Seq[R] {
	return func(yield func(R) bool) {
		for i := range m.Len() {
			if skip := m.lapsed && i == m.cursor || i == m.divider; !skip && !yield(m.row(i)) {
				return
			}
		}
	}
}

// place is where the selected row is among those that match, from 1, or 0 if it is none.
func (m *list[R, K]) place() int {
	switch divider := m.divider; {
	case m.lapsed, m.cursor == divider:
		return 0
	case divider >= 0 && divider < m.cursor:
		return m.cursor
	}
	return m.cursor + 1
}
