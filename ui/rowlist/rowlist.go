// Package rowlist is the one live table. It is virtual: it draws the rows that are on
// the screen and no others. What the person looks at is held by identity, so that rows
// which come, go or change place never move the selection or what stands around it.
package rowlist

import (
	"slices"
	"time"

	"pgtower/ui/theme"
)

// Source is the rows of a table, in their natural order.
type Source[R any] interface {
	Len() int
	Row(i int) R
	// ID names a row, unlike all others and the same as long as the row lives.
	ID(row R) string
	// Find returns where the row of an id is.
	Find(id string) (i int, ok bool)
}

// Column is one column of a table.
type Column[R any] struct {
	Title string
	// Width is how many cells the column wants, and Grow its share of what is over.
	Width, Grow int
	// Priority decides which columns leave first where there is no room: the highest.
	// Columns of priority 0 stay.
	Priority int
	Right    bool
	// Cell is the text of the column in a row, and how it looks.
	Cell func(row R, now time.Time) (string, theme.Tone)
}

// Model is the state of a table.
type Model[R any] struct {
	columns []Column[R]
	source  Source[R]
	matches func(R) bool
	view    []int32 // rows that the filter shows; nil shows all

	id       string // of the selected row
	cursor   int    // where it is among the rows shown
	offset   int    // the first row on the screen
	height   int    // rows on the screen
	arrivals int    // rows that came above the selection since it left the top
	follow   bool
}

// New makes a table. follow lets the selection stay at the top while it is there and
// rows arrive above it, as a feed wants; otherwise it stays with its row.
func New[R any](source Source[R], columns []Column[R], follow bool) *Model[R] {
	return &Model[R]{source: source, columns: columns, follow: follow}
}

// Len is the number of rows that the filter shows.
func (m *Model[R]) Len() int {
	if m.view != nil {
		return len(m.view)
	}
	return m.source.Len()
}

// Row returns row i of those that the filter shows.
func (m *Model[R]) Row(i int) R {
	if m.view != nil {
		i = int(m.view[i])
	}
	return m.source.Row(i)
}

// Cursor is the place of the selected row among those that the filter shows.
func (m *Model[R]) Cursor() int { return m.cursor }

// Arrivals is how many rows came above the selection since it was last at the top.
func (m *Model[R]) Arrivals() int { return m.arrivals }

// Selected returns the selected row, if there is one.
func (m *Model[R]) Selected() (row R, ok bool) {
	if m.Len() == 0 {
		return row, false
	}
	return m.Row(m.cursor), true
}

// SelectedID returns the id of the selected row, or nothing.
func (m *Model[R]) SelectedID() string { return m.id }

// Columns returns the columns, whether or not there is room for them.
func (m *Model[R]) Columns() []Column[R] { return m.columns }

// Filter shows only the rows that match, or all if matches is nil.
func (m *Model[R]) Filter(matches func(R) bool) {
	m.matches = matches
	m.Refresh()
}

// Refresh takes in that the source has changed.
func (m *Model[R]) Refresh() {
	was, atTop := m.cursor, m.cursor == 0
	if m.matches == nil {
		m.view = nil
	} else {
		m.view = slices.Grow(m.view[:0], 1) // not nil: nothing matching is not everything
		for i := range m.source.Len() {
			if m.matches(m.source.Row(i)) {
				m.view = append(m.view, int32(i))
			}
		}
	}
	if m.follow && atTop {
		m.moveTo(0)
		return
	}
	at, ok := m.find(m.id)
	if !ok {
		m.moveTo(was)
		return
	}
	// The selected row keeps its line on the screen.
	m.offset += at - was
	if at > was {
		m.arrivals += at - was
	}
	m.moveTo(at)
}

// find returns the place of an id among the rows that the filter shows.
func (m *Model[R]) find(id string) (int, bool) {
	if id == "" {
		return 0, false
	}
	i, ok := m.source.Find(id)
	if !ok || m.view == nil {
		return i, ok
	}
	return slices.BinarySearch(m.view, int32(i)) //nolint:gosec // as in Refresh
}

// Select moves to the row of an id, if the filter shows it.
func (m *Model[R]) Select(id string) bool {
	at, ok := m.find(id)
	if ok {
		m.moveTo(at)
	}
	return ok
}

// moveTo selects a row, or the nearest that there is, and keeps it on the screen.
func (m *Model[R]) moveTo(row int) {
	n := m.Len()
	m.cursor = max(0, min(row, n-1))
	m.id = ""
	if n > 0 {
		m.id = m.source.ID(m.Row(m.cursor))
	}
	if m.cursor == 0 {
		m.arrivals = 0
	}
	m.clamp()
}

func (m *Model[R]) clamp() {
	m.offset = min(m.offset, m.cursor)
	m.offset = max(m.offset, m.cursor-m.height+1)
	m.offset = max(0, min(m.offset, m.Len()-m.height))
}

// SetHeight says how many rows there is room for.
func (m *Model[R]) SetHeight(rows int) {
	if m.height != rows {
		m.height = max(0, rows)
		m.clamp()
	}
}

// NearEnd says that the selection is less than a screen away from the last row.
func (m *Model[R]) NearEnd() bool { return m.cursor+max(1, m.height) >= m.Len() }
