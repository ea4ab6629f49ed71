package table

import (
	"slices"
	"time"

	"pgtower/ui/style"
)

// Source is the rows of a table, in their natural order. K names a row, unlike all
// others and the same as long as the row lives.
type Source[R any, K comparable] interface {
	Len() int
	Row(i int) R
	// Key names a row. It depends on nothing but the row.
	Key(row R) K
	// Find returns where the row of a key is.
	Find(key K) (i int, ok bool)
}

// copied are rows that were copied.
type copied[R any] []R

func (c copied[R]) Len() int    { return len(c) }
func (c copied[R]) Row(i int) R { return c[i] }

// freeze returns the rows of a source as they are now.
func freeze[R any, K comparable](source Source[R, K]) Rows[R] {
	if f, ok := source.(Freezer[R]); ok {
		return f.Freeze()
	}
	rows := make(copied[R], source.Len())
	for i := range rows {
		rows[i] = source.Row(i)
	}
	return rows
}

// Rows are rows as they were at some time.
type Rows[R any] interface {
	Len() int
	Row(i int) R
}

// Freezer is a source of so many rows that they are not to be copied for each key that
// changes the filter.
type Freezer[R any] interface {
	// Freeze returns the rows as they are now, to be read by another goroutine while the
	// source goes on. It costs the same however many there are.
	Freeze() Rows[R]
}

// Divided are rows with a line among them that belongs to their order, and says something
// of what is above and below. No filter hides it, no other order has a place for it, and it
// is not counted.
type Divided interface {
	// Divider returns where the line is, or -1.
	Divider() int
}

func dividerOf[R any](rows Rows[R]) int {
	if d, ok := rows.(Divided); ok {
		return d.Divider()
	}
	return -1
}

// Column is one column of a table.
type Column[R any] struct {
	Title string
	// Width is how many cells the column wants, and Grow its share of what is over.
	Width, Grow int
	// Priority decides which columns leave first where there is no room: the highest.
	// Columns of priority 0 stay.
	Priority int
	// Moment is the title of a column of moments where they are shown as they are, and not as
	// how long ago they were. It is empty for all others.
	Moment string
	// Hidden leaves the column out whatever room there is.
	Hidden bool
	Right  bool
	// Head is whether the column is one of the first, which say what the row is. The
	// selection is drawn over them alone: what is told of the row keeps its look, and is not
	// written anew for a selection that passes.
	Head bool
	// Cell is the text of the column in a row, and how it looks.
	Cell func(row R, now time.Time) (string, style.Tone)
	// Compare orders rows by the column. A column without it cannot be sorted by.
	Compare func(a, b R, now time.Time) int
}

// List is the one live table. It is virtual: it draws the rows that are on
// the screen and no others. What the person looks at is held by identity, so that rows
// which come, go or change place never move the selection or what stands around it. A
// selected row that no longer matches the filter stays until the user moves.
//
// Without filter and order a table shows its source as it is. With one of them it shows
// an arrangement of the source, which is worked out away from the UI's goroutine: see
// [List.Arrange]. Until a new arrangement is there, the last one stays.
type List[R any, K comparable] struct {
	columns []Column[R]
	source  Source[R, K]
	follow  bool
	moves   moves

	arranged  bool // rows stand for the source
	rows      []R
	divider   int // where the line is among them, or -1
	sought    K   // the key that was selected when they were arranged
	found     int // and where its row is, or -1
	want      filtering[R]
	number    int  // of the newest arrangement that was asked for
	stale     bool // the source or what is wanted changed since
	otherwise bool // what is wanted did
	anew      bool // another filter is wanted than the rows shown are of
	working   bool // an arrangement is being worked out
	before    *K   // what was selected before a filter hid it, until the person moves

	key      K // of the selected row
	some     bool
	cursor   int    // where it is among the rows shown
	offset   int    // the first row on the screen
	height   int    // rows on the screen
	zone     string // see [Frame]
	arrivals int    // rows that came above the selection since it left the top
	held     bool   // the selection stays with its row, even at the top
	lapsed   bool   // the selected row no longer matches the filter, and is shown all the same
	// last is the selected row of the last frame, and read that of the last frame which
	// was on the screen for long enough to be read. Both are nil for a row that was chosen.
	last, read *sight[R, K]

	marked map[K]struct{} // nil until a row is marked
	pivot  *K             // the row that was marked last, if any: a range begins there
	hidden int            // of the marked rows, as many are not shown
}

// NewList makes a table. follow lets the selection stay at the top while it is there and
// rows arrive above it, as a feed wants; otherwise it stays with its row.
func NewList[R any, K comparable](source Source[R, K], columns []Column[R], follow bool) *List[R, K] {
	m := &List[R, K]{source: source, columns: columns, follow: follow, moves: moveKeys(), divider: -1}
	m.want.column = DefaultOrder
	m.moveTo(0)
	return m
}

// Len is the number of rows shown.
func (m *List[R, K]) Len() int {
	if m.arranged {
		return len(m.rows)
	}
	return m.source.Len()
}

// Row returns row i of those shown.
func (m *List[R, K]) Row(i int) R {
	if m.arranged {
		return m.rows[i]
	}
	return m.source.Row(i)
}

// Cursor is the place of the selected row among those shown.
func (m *List[R, K]) Cursor() int { return m.cursor }

// Arrivals is how many rows came above the selection since it was last at the top.
func (m *List[R, K]) Arrivals() int { return m.arrivals }

// Selected returns the selected row, if there is one.
func (m *List[R, K]) Selected() (row R, ok bool) {
	if m.cursor >= m.Len() {
		return row, false
	}
	return m.Row(m.cursor), true
}

// SelectedKey returns the key of the selected row, if there is one.
func (m *List[R, K]) SelectedKey() (key K, ok bool) { return m.key, m.some }

// Columns returns the columns, whether or not there is room for them.
func (m *List[R, K]) Columns() []Column[R] { return m.columns }

// Total is the number of rows that there are, of which a filter shows some.
func (m *List[R, K]) Total() int {
	f, ok := m.source.(Freezer[R])
	if !ok {
		return m.source.Len()
	}
	all := f.Freeze()
	if dividerOf(all) >= 0 {
		return all.Len() - 1
	}
	return all.Len()
}

// without takes a row out of arranged rows, and returns where the line is then, see [lineOf].
func without[R any](rows []R, at, divider int) ([]R, int) {
	if divider > at {
		divider--
	}
	return lineOf(slices.Delete(rows, at, at+1), divider)
}

// lineOf leaves the line out where it would be alone.
func lineOf[R any](rows []R, divider int) ([]R, int) {
	if divider >= 0 && len(rows) == 1 {
		return nil, -1
	}
	return rows, divider
}

// Refresh takes in that the source has changed.
func (m *List[R, K]) Refresh() {
	m.prune()
	if m.want.plain() {
		m.anchor()
		return
	}
	m.stale = true
}

// anchor finds the selected row again and keeps it on its line of the screen.
func (m *List[R, K]) anchor() {
	at, ok := m.find(m.key)
	switch {
	case m.Following():
		m.moveTo(0)
	case !ok || !m.some:
		m.moveTo(m.cursor)
	default:
		m.slideTo(at)
	}
}

// slideTo selects a row that rows came or went above of, on the line where the selection is.
func (m *List[R, K]) slideTo(at int) {
	m.offset += at - m.cursor
	m.arrivals += max(0, at-m.cursor)
	m.moveTo(at)
}

// find returns the place of a key among the rows shown.
func (m *List[R, K]) find(key K) (int, bool) {
	if !m.arranged {
		return m.source.Find(key)
	}
	if key == m.sought {
		return m.found, m.found >= 0
	}
	return indexOf(m.rows, m.source, key)
}

func indexOf[R any, K comparable](rows []R, source Source[R, K], key K) (int, bool) {
	i := slices.IndexFunc(rows, func(r R) bool { return source.Key(r) == key })
	return i, i >= 0
}

// Select moves to the row of a key, if it is shown.
func (m *List[R, K]) Select(key K) bool {
	at, ok := m.find(key)
	if ok && at != m.cursor {
		m.step(at)
	}
	return ok
}

// moveTo selects a row, or the nearest that there is, and keeps it on the screen.
func (m *List[R, K]) moveTo(row int) {
	n := m.Len()
	m.cursor = max(0, min(row, n-1))
	if m.some = n > 0; m.some {
		m.key = m.source.Key(m.Row(m.cursor))
	}
	m.arrivals = min(m.arrivals, m.cursor)
	m.clamp()
}

func (m *List[R, K]) clamp() {
	if m.height == 0 {
		return // nothing is on the screen that could be kept there
	}
	m.offset = min(m.offset, m.cursor)
	m.offset = max(m.offset, m.cursor-m.height+1)
	m.offset = max(0, min(m.offset, m.Len()-m.height))
}

// SetHeight says how many rows there is room for.
func (m *List[R, K]) SetHeight(rows int) {
	if m.height != rows {
		m.height = max(0, rows)
		m.clamp()
	}
}

// Arranged says that the rows are not those of the source as they are.
func (m *List[R, K]) Arranged() bool { return m.arranged }

// Offset is the place of the first row on the screen.
func (m *List[R, K]) Offset() int { return m.offset }

// Visible returns the rows that are on the screen.
func (m *List[R, K]) Visible() []R {
	rows := make([]R, 0, m.height)
	for i := m.offset; i < min(m.offset+m.height, m.Len()); i++ {
		rows = append(rows, m.Row(i))
	}
	return rows
}

// EndShown says that the last row is on the screen.
func (m *List[R, K]) EndShown() bool { return m.offset+m.height >= m.Len() }

// NearEnd says that the selection is less than a screen away from the last row.
func (m *List[R, K]) NearEnd() bool { return m.cursor+max(1, m.height) >= m.Len() }
