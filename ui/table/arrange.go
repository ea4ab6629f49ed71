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
	column  int
	reverse bool
}

// plain reports whether the source is wanted as it is.
func (w wanted[R]) plain() bool { return w.matches == nil && w.column == DefaultOrder && !w.reverse }

// arrangement is work on the rows: what to do, and what came of it.
type arrangement[R any, K comparable] struct {
	of        *list[R, K]
	number    int
	otherwise bool // other rows or another order than before were asked for
	sought    K    // the key of the row that was selected when it was asked for
	keep      bool // that row stays although it does not match

	lines  lines[R]
	lapsed bool // that row stays, and does not match
	// found is where that row is, or -1. near is where the next one after it is if it was left
	// out, or the first one where the order is another.
	found, near int
}

// filterBy asks for the rows that match, or for all if matches is nil. matches must not
// depend on anything that changes.
func (m *list[R, K]) filterBy(matches func(row R, now time.Time) bool) {
	if m.want.matches == nil && matches != nil && m.some && m.cursor > 0 {
		m.before = new(m.key)
	}
	m.want.matches, m.anew = matches, true
	if matches == nil && m.before != nil {
		m.key, m.some, m.before = *m.before, true, nil
	}
	m.rearrange()
}

// sortBy asks for the order of a column, or for that of the source if it is [DefaultOrder].
func (m *list[R, K]) sortBy(column int, reverse bool) {
	m.want.column, m.want.reverse = column, reverse
	m.rearrange()
}

func (m *list[R, K]) rearrange() {
	m.Forget()
	m.number++ // what is being worked out is no longer wanted
	if m.want.plain() {
		m.arranged, m.stale, m.anew, m.lapsed, m.lines = false, false, false, false, lines[R]{divider: -1}
		m.recount()
		m.anchor(true)
		return
	}
	m.stale, m.otherwise = true, true
}

// Filtered reports whether a filter decides which rows are shown.
func (m *list[R, K]) Filtered() bool { return m.want.matches != nil }

// Wanted reports whether a row is one that the filter shows, if there is one.
func (m *list[R, K]) Wanted(row R) bool {
	return m.want.matches == nil || m.want.matches(row, m.Session.ServiceNow())
}

// Sorted returns what the rows are sorted by.
func (m *list[R, K]) Sorted() (column int, reverse bool) { return m.want.column, m.want.reverse }

// Settled reports whether the rows shown are those that were asked for.
func (m *list[R, K]) Settled() bool { return !m.stale && !m.working }

// begin returns the work of arranging the rows as wanted, or nil if there is none or some is
// under way: after [list.take] it is time to ask for the next. It reads nothing that changes.
func (m *list[R, K]) begin() func() arrangement[R, K] {
	if !m.stale || m.working {
		return nil
	}
	m.working, m.stale = true, false
	a := arrangement[R, K]{
		of: m, number: m.number, otherwise: m.otherwise, sought: m.key, keep: m.some && m.Chosen() && !m.anew,
	}
	all, divider := freeze[R](m.Source)
	want, config, now := m.want, m.Config, m.Session.ServiceNow()
	return func() arrangement[R, K] {
		a.pick(all, divider, want, config.Source.Key, now)
		if want.column != DefaultOrder {
			compare := config.Columns[want.column].Compare
			slices.SortStableFunc(a.lines.rows, func(x, y R) int { return compare(x, y, now) })
			a.near = 0
		}
		if want.reverse {
			slices.Reverse(a.lines.rows)
			if a.lines.divider >= 0 {
				a.lines.divider = len(a.lines.rows) - 1 - a.lines.divider
			}
			a.near = 0
		}
		a.found = config.indexOf(a.lines.rows, a.sought)
		return a
	}
}

// pick takes the rows that match, the divider between them, and the row to be kept.
func (a *arrangement[R, K]) pick(all Rows[R], divider int, want wanted[R], key func(R) K, now time.Time) {
	if want.matches == nil {
		a.lines.rows = make([]R, 0, all.Len())
	}
	a.lines.divider = -1
	for i := range all.Len() {
		if i == divider {
			if want.column == DefaultOrder {
				a.lines.divider, a.lines.rows = len(a.lines.rows), append(a.lines.rows, all.Row(i))
			}
			continue
		}
		row := all.Row(i)
		is := key(row) == a.sought
		if is {
			a.near = len(a.lines.rows)
		}
		matches := want.matches == nil || want.matches(row, now)
		if matches || is && a.keep {
			a.lines.rows = append(a.lines.rows, row)
			a.lapsed = a.lapsed || !matches
		}
	}
	a.lines.tidy()
}

// take shows a finished arrangement, unless rows are wanted otherwise by now.
func (m *list[R, K]) take(a arrangement[R, K]) {
	m.working = false
	if a.number != m.number {
		return
	}
	moved := m.key != a.sought
	if a.lapsed && (moved || !m.Chosen()) {
		a.lines.remove(a.found)
		a.found, a.lapsed = -1, false
	}
	if moved {
		a.found = m.indexOf(a.lines.rows, m.key)
	}
	if a.found < 0 && m.some && m.Chosen() && !m.anew && (moved || !a.keep) {
		m.stale = true // the row was chosen too late to be kept
		return
	}
	m.arranged, m.lines, m.otherwise, m.anew, m.lapsed = true, a.lines, false, false, a.lapsed
	m.sought, m.found = m.key, a.found
	m.recount()
	if a.otherwise && a.found < 0 && !moved && m.Chosen() {
		m.moveTo(a.near)
		return
	}
	m.anchor(a.otherwise)
}

// Matches is the number of rows that match, of those that are shown.
func (m *list[R, K]) Matches() int {
	n := m.Len()
	if m.lapsed {
		n--
	}
	if m.lines.divider >= 0 {
		n--
	}
	return n
}

// Matching returns the rows that match, of those that are shown, in their order.
func (m *list[R, K]) Matching() iter.Seq[R] {
	return func(yield func(R) bool) {
		for i := range m.Len() {
			if skip := m.lapsed && i == m.cursor || i == m.lines.divider; !skip && !yield(m.row(i)) {
				return
			}
		}
	}
}

// place is where the selected row is among those that match, from 1, or 0 if it is none.
func (m *list[R, K]) place() int {
	switch divider := m.lines.divider; {
	case m.lapsed, m.cursor == divider:
		return 0
	case divider >= 0 && divider < m.cursor:
		return m.cursor
	}
	return m.cursor + 1
}
