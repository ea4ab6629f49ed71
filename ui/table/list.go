package table

import (
	"maps"
	"slices"
)

// list is the rows of a table and the selection among them. That is held by key: rows which
// come, go or change place never move it, or what stands around it. A selected row that no
// longer matches the filter stays until the user moves.
//
// With a filter or an order of its own, a list shows an arrangement of its source, which is
// worked out away from the UI's goroutine: see [list.begin]. Until it is there, the last stays.
type list[R any, K comparable] struct {
	Config[R, K]

	arranged  bool // lines stand for the source
	lines     lines[R]
	sought    K   // the key that was selected when they were arranged
	found     int // and where its row is, or -1
	want      wanted[R]
	number    int  // of the newest arrangement that was asked for
	stale     bool // the source or what is wanted changed since
	otherwise bool // what is wanted did
	anew      bool // another filter is wanted than the rows shown are of
	working   bool // an arrangement is being worked out
	before    *K   // what was selected before a filter hid it, until the user moves
	wish      *K   // the row to select once it is there
	wishOpen  bool // and to open the detail of

	marked map[K]bool
	pivot  *K  // the row that was marked last, if any: a range begins there
	hidden int // of the marked rows, as many are not shown

	key      K // of the selected row
	some     bool
	cursor   int  // where it is among the rows shown
	offset   int  // the first row on the screen
	height   int  // rows on the screen
	arrivals int  // rows that came above the selection since it left the top
	held     bool // the selection stays with its row, even at the top
	lapsed   bool // the selected row no longer matches the filter, and is shown all the same
	// last is the selected row of the last frame, and read that of the last frame which
	// was on the screen for long enough to be read. Both are nil for a row that was chosen.
	last, read *sight[R, K]

	links []link // what can be clicked above the rows, as it was last drawn
}

// lines are arranged rows, and where the divider is among them, or -1.
type lines[R any] struct {
	rows    []R
	divider int
}

func (l lines[R]) Len() int    { return len(l.rows) }
func (l lines[R]) Row(i int) R { return l.rows[i] }

// insert puts a row at a place, remove takes the one there away.
func (l *lines[R]) insert(at int, row R) {
	l.rows = slices.Insert(l.rows, at, row)
	if l.divider >= at {
		l.divider++
	}
}

func (l *lines[R]) remove(at int) {
	l.rows = slices.Delete(l.rows, at, at+1)
	if l.divider > at {
		l.divider--
	}
	l.tidy()
}

// tidy leaves the divider out where it would be alone.
func (l *lines[R]) tidy() {
	if l.divider >= 0 && len(l.rows) == 1 {
		*l = lines[R]{divider: -1}
	}
}

func newList[R any, K comparable](c Config[R, K]) list[R, K] {
	m := list[R, K]{Config: c, lines: lines[R]{divider: -1}, marked: map[K]bool{}}
	m.want.column = DefaultOrder
	m.moveTo(0)
	return m
}

// Len is the number of rows shown.
func (m *list[R, K]) Len() int {
	if m.arranged {
		return len(m.lines.rows)
	}
	return m.Source.Len()
}

// row returns row i of those shown.
func (m *list[R, K]) row(i int) R {
	if m.arranged {
		return m.lines.rows[i]
	}
	return m.Source.Row(i)
}

// Arranged reports whether the rows shown are filtered or sorted.
func (m *list[R, K]) Arranged() bool { return m.arranged }

// Cursor is the place of the selected row among those shown.
func (m *list[R, K]) Cursor() int { return m.cursor }

// Arrivals is how many rows came above the selection since it was last at the top.
func (m *list[R, K]) Arrivals() int { return m.arrivals }

// Selected returns the selected row, if there is one.
func (m *list[R, K]) Selected() (row R, ok bool) {
	if m.cursor >= m.Len() {
		return row, false
	}
	return m.row(m.cursor), true
}

// SelectedKey returns the key of the selected row, if there is one.
func (m *list[R, K]) SelectedKey() (key K, ok bool) { return m.key, m.some }

// Visible returns the rows that are on the screen.
func (m *list[R, K]) Visible() []R {
	rows := make([]R, 0, m.height)
	for i := m.offset; i < min(m.offset+m.height, m.Len()); i++ {
		rows = append(rows, m.row(i))
	}
	return rows
}

// EndShown reports whether the last row is on the screen.
func (m *list[R, K]) EndShown() bool { return m.offset+m.height >= m.Len() }

// NearEnd reports whether the selection is less than a screen away from the last row.
func (m *list[R, K]) NearEnd() bool { return m.cursor+max(1, m.height) >= m.Len() }

// refresh takes in a changed source. Rows that are no longer in it lose their marks.
func (m *list[R, K]) refresh() {
	maps.DeleteFunc(m.marked, func(key K, _ bool) bool {
		_, ok := m.Source.Find(key)
		return !ok
	})
	m.recount()
	if m.want.plain() {
		m.anchor(false)
		return
	}
	m.stale = true
}

// anchor finds the selected row again and keeps it on its line of the screen. What is above
// it has arrived, unless the rows were arranged otherwise.
func (m *list[R, K]) anchor(otherwise bool) {
	at, ok := m.find(m.key)
	switch {
	case m.Following(), otherwise && !m.Chosen():
		at = 0
	case !ok || !m.some:
		at = m.cursor
	}
	m.offset += at - m.cursor
	if otherwise {
		m.last, m.read = nil, nil
		m.moveTo(at)
		return
	}
	m.arrivals += max(0, at-m.cursor)
	m.moveTo(at)
}

// find returns the place of a key among the rows shown.
func (m *list[R, K]) find(key K) (at int, ok bool) {
	switch {
	case !m.arranged:
		return m.Source.Find(key)
	case key == m.sought:
		at = m.found
	default:
		at = m.indexOf(m.lines.rows, key)
	}
	return at, at >= 0
}

func (c *Config[R, K]) indexOf(rows []R, key K) int {
	return slices.IndexFunc(rows, func(r R) bool { return c.Source.Key(r) == key })
}

// selectKey moves to the row of a key, and reports whether it is shown.
func (m *list[R, K]) selectKey(key K) bool {
	at, ok := m.find(key)
	if ok && at != m.cursor {
		m.step(at)
	}
	return ok
}

// selectLine selects the row on a line of the screen, and reports whether there is one.
func (m *list[R, K]) selectLine(line int) bool {
	if line >= m.height || m.offset+line >= m.Len() || !m.choose() {
		return false
	}
	if row := m.offset + line; row != m.cursor {
		m.step(row)
	}
	return true
}

// step moves the selection for the user. A row that was shown only because it was selected
// leaves.
func (m *list[R, K]) step(to int) {
	m.before = nil
	if at := m.cursor; m.lapsed {
		m.lines.remove(at)
		m.found, m.lapsed = -1, false
		m.recount()
		if to > at {
			to--
		}
	}
	m.moveTo(to)
	m.held = m.some
}

// moveTo selects a row, or the nearest that there is, and keeps it on the screen.
func (m *list[R, K]) moveTo(row int) {
	n := m.Len()
	m.cursor = max(0, min(row, n-1))
	if m.some = n > 0; m.some {
		m.key = m.Source.Key(m.row(m.cursor))
	}
	m.arrivals = min(m.arrivals, m.cursor)
	m.clamp()
}

func (m *list[R, K]) clamp() {
	if m.height > 0 { // else nothing is on the screen that could be kept there
		m.offset = max(min(m.offset, m.cursor), m.cursor-m.height+1)
		m.offset = max(0, min(m.offset, m.Len()-m.height))
	}
}

// setHeight says how many rows there is room for.
func (m *list[R, K]) setHeight(rows int) {
	if m.height != rows {
		m.height = max(0, rows)
		m.clamp()
	}
}
