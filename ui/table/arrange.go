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
	missing func(rows iter.Seq[R], now time.Time) string // see [query.Query.MissingField]; may be nil
	column  int
	reverse bool
	top     bool // the user sorted: the first row is selected, whichever it is

	number, filter int // number counts the changes, and filter those of the filter
}

// plain reports whether the source is wanted as it is.
func (w wanted[R]) plain() bool { return w.matches == nil && w.column == DefaultOrder && !w.reverse }

// arrangement is the rows that are shown: those of the source as it is, or rows that were filtered and sorted on
// another goroutine.
type arrangement[R any] struct {
	source Source[R]
	want   wanted[R]
	sought Key  // the key of the row that was selected at the start
	keep   bool // that row stays even if it does not match

	rows    []R    // unless the source is wanted as it is
	divider int    // the index of the divider, or -1
	found   int    // the index of the row sought, or -1
	lapsed  bool   // that row stays and does not match: it is the selected one
	near    int    // the index next to it if it was left out, or 0 in another order
	missing string // what the filter asks for and no row has, if none matches
}

// Len is the number of rows shown.
func (a *arrangement[R]) Len() int {
	if a.Arranged() {
		return len(a.rows)
	}
	return a.source.Len()
}

func (a *arrangement[R]) row(i int) R {
	if a.Arranged() {
		return a.rows[i]
	}
	return a.source.Row(i)
}

// Arranged reports whether the rows shown are filtered or sorted.
func (a *arrangement[R]) Arranged() bool { return !a.want.plain() }

// find returns the index of a key among the rows shown.
func (a *arrangement[R]) find(key Key) (at int, ok bool) {
	switch {
	case !a.Arranged():
		return a.source.Find(key)
	case key != a.sought:
		at = index(a.rows, a.source, key)
	default:
		at = a.found
	}
	return at, at >= 0
}

func index[R any](rows []R, of Rows[R], key Key) int {
	return slices.IndexFunc(rows, func(row R) bool { return of.Key(row) == key })
}

// Matches is the number of rows shown that match.
func (a *arrangement[R]) Matches() int {
	n := a.Len()
	if a.lapsed {
		n--
	}
	if a.divider >= 0 {
		n--
	}
	return n
}

// Matching returns the rows shown now that match, in their order. If these are [arrangement.Arranged], another goroutine
// may read them.
func (a *arrangement[R]) Matching() iter.Seq[R] {
	shown := *a
	return func(yield func(R) bool) {
		for i := range shown.Len() {
			if skip := shown.lapsed && i == shown.found || i == shown.divider; !skip && !yield(shown.row(i)) {
				return
			}
		}
	}
}

// insert keeps a row that does not match. As does dropLapsed, it makes new rows: others may be reading the old ones.
func (a *arrangement[R]) insert(at int, row R, key Key) {
	a.rows = slices.Concat(a.rows[:at], []R{row}, a.rows[at:])
	a.sought, a.found, a.lapsed = key, at, true
	if a.divider >= at {
		a.divider++
	}
}

// dropLapsed removes the row that does not match.
func (a *arrangement[R]) dropLapsed() {
	a.rows = slices.Concat(a.rows[:a.found], a.rows[a.found+1:])
	if a.divider > a.found {
		a.divider--
	}
	a.found, a.lapsed = -1, false
	a.dropLoneDivider()
}

func (a *arrangement[R]) dropLoneDivider() {
	if a.divider >= 0 && len(a.rows) == 1 {
		a.rows, a.divider = nil, -1
	}
}

// filterBy shows the rows that match, or all if matches is nil. It runs matches on another goroutine.
func (m *list[R]) filterBy(matches func(row R, now time.Time) bool) {
	if m.want.matches == nil && matches != nil && m.some && m.cursor > 0 {
		m.before = new(m.key)
	}
	m.want.matches, m.want.top = matches, false
	m.want.filter++
	if matches == nil && m.before != nil {
		m.key, m.some, m.before = *m.before, true, nil
	}
	m.rearrange()
}

func (m *list[R]) rearrange() {
	m.StopRestoring()
	m.changes++
	m.want.number++
	m.stale = !m.want.plain()
	if !m.stale {
		m.arrangement = arrangement[R]{source: m.Source, want: m.want, divider: -1}
		m.hidden = m.MarkedHidden()
		m.anchor(true)
	}
}

// begin returns the work of arranging the rows, or nil if there is none or it is already running.
func (m *list[R]) begin() func() arrangement[R] {
	if !m.stale || m.working {
		return nil
	}
	m.working, m.stale = true, false
	a := arrangement[R]{source: m.Source, want: m.want, sought: m.key, keep: m.keeps()}
	all, divider := m.Source.Freeze()
	columns, now := m.Columns, m.now()
	return func() arrangement[R] {
		a.pick(all, divider, now)
		if len(a.rows) == 0 && a.want.missing != nil {
			a.missing = a.want.missing(each(all, divider), now)
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
		a.found = index(a.rows, all, a.sought)
		return a
	}
}

// pick takes the rows that match, the divider between them, and the row to keep.
func (a *arrangement[R]) pick(all Rows[R], divider int, now time.Time) {
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
		sought := all.Key(row) == a.sought
		if sought {
			a.near = at
		}
		matches := a.want.matches == nil || a.want.matches(row, now)
		if matches || sought && a.keep {
			a.rows = append(a.rows, row)
			a.lapsed = a.lapsed || !matches
		}
	}
	a.dropLoneDivider()
}

// each returns the rows without the divider.
func each[R any](all Rows[R], divider int) iter.Seq[R] {
	return func(yield func(R) bool) {
		for i := range all.Len() {
			if i != divider && !yield(all.Row(i)) {
				return
			}
		}
	}
}

// keeps reports whether the selected row stays even if it does not match.
func (m *list[R]) keeps() bool {
	return m.some && m.Held() && m.want.filter == m.arrangement.want.filter
}

// take shows a finished arrangement, unless other rows are wanted by now.
func (m *list[R]) take(a arrangement[R]) {
	m.working = false
	if a.want.number != m.want.number {
		return
	}
	if a.sought != m.key || a.keep != m.keeps() { // the user has gone on
		if a.lapsed {
			a.dropLapsed()
		}
		a.sought, a.found = m.key, index(a.rows, a.source, m.key)
		if a.found < 0 && m.keeps() {
			m.stale = true
			return
		}
	}
	rearranged := a.want.number != m.arrangement.want.number
	m.arrangement = a
	m.changes++
	m.hidden = m.MarkedHidden()
	if rearranged && a.found < 0 && m.Held() {
		m.moveTo(a.near)
		return
	}
	m.anchor(rearranged)
}
