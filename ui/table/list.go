package table

import (
	"maps"
	"slices"
	"time"
)

// list is the rows of a table and the selection among them. That is held by key: rows which
// come, go or change place never move it, or what stands around it. A selected row that no
// longer matches the filter stays until the user moves.
//
// With a filter or an order of its own, a list shows an arrangement of its source, the last
// one until the next has been worked out.
type list[R any, K comparable] struct {
	Config[R, K]
	arrangement[R, K]

	want     wanted[R]
	stale    bool // the source or what is wanted changed since the arrangement was begun
	working  bool // an arrangement is being worked out
	before   *K   // what was selected before a filter hid it, until the user moves
	wish     *K   // the row to select once it is there
	wishOpen bool // and to open the detail of

	marked map[K]bool
	pivot  K   // the row that was marked last: a range begins there
	hidden int // of the marked rows, as many are not shown

	key      K // of the selected row
	some     bool
	cursor   int  // where it is among the rows shown
	offset   int  // the first row on the screen
	height   int  // rows on the screen
	arrivals int  // rows that came above the selection since it left the top
	held     bool // the selection stays with its row, even at the top
	// last is the selected row of the last frame, and read that of the last one which stood for a
	// [glance]. Both are nil for a row that was chosen.
	last, read *sight[R, K]

	changes int // how often other rows were shown than those of the source

	links []link // what can be clicked above the rows, as it was last drawn
}

func newList[R any, K comparable](c Config[R, K]) list[R, K] {
	m := list[R, K]{Config: c, want: wanted[R]{column: DefaultOrder}, marked: map[K]bool{}}
	m.rearrange()
	return m
}

// Len is the number of rows shown.
func (m *list[R, K]) Len() int {
	if m.Arranged() {
		return len(m.rows)
	}
	return m.Source.Len()
}

func (m *list[R, K]) row(i int) R {
	if m.Arranged() {
		return m.rows[i]
	}
	return m.Source.Row(i)
}

// Arranged reports whether the rows shown are filtered or sorted.
func (m *list[R, K]) Arranged() bool { return !m.arrangement.want.plain() }

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
	maps.DeleteFunc(m.marked, func(key K, _ bool) bool { return !m.Source.Has(key) })
	m.recount()
	if m.want.plain() {
		m.anchor(false)
		return
	}
	m.stale = true
}

// anchor finds the selected row again and keeps it on its line. What is above it has arrived, unless
// the rows were arranged otherwise.
func (m *list[R, K]) anchor(otherwise bool) {
	at, ok := m.find(m.key)
	switch {
	case m.Following(), otherwise && !m.Held():
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
	case !m.Arranged():
		return m.Source.Find(key)
	case key == m.sought:
		at = m.found
	default:
		at = slices.IndexFunc(m.rows, func(row R) bool { return m.Source.Key(row) == key })
	}
	return at, at >= 0
}

// step moves the selection for the user. A row that was shown only for being selected leaves.
func (m *list[R, K]) step(to int) {
	at := m.cursor
	if to == at {
		return
	}
	m.before = nil
	if m.lapsed {
		m.remove(at)
		m.changes++
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

// clamp keeps the selected row on the screen. Where nothing is on the screen, nothing is kept.
func (m *list[R, K]) clamp() {
	if m.height > 0 {
		m.offset = max(min(m.offset, m.cursor), m.cursor-m.height+1)
		m.offset = max(0, min(m.offset, m.Len()-m.height))
	}
}

func (m *list[R, K]) setHeight(rows int) {
	m.height = max(0, rows)
	m.clamp()
}

// glance is how long a row has to be on the screen for a key to be meant for it: nobody reacts
// faster, and no frame takes longer to a distant terminal.
const glance = 150 * time.Millisecond

// sight is a row that frames showed as the selected one.
type sight[R any, K comparable] struct {
	row   R
	key   K
	since time.Time
}

func (m *list[R, K]) seen() {
	row, ok := m.Selected()
	switch now := m.Session.ServiceNow(); {
	case !ok || m.Held():
		m.last, m.read = nil, nil
	case m.last == nil || m.last.key != m.key:
		if m.last != nil && now.Sub(m.last.since) >= glance {
			m.read = m.last
		}
		m.last = &sight[R, K]{row, m.key, now}
	}
}

// choose holds the selection with the row that the user sees as selected, and reports whether there
// is one, even if another one has come to the top since or it has ceased to match. Whatever moves the
// selection or acts on its row begins with it.
func (m *list[R, K]) choose() bool {
	m.StopRestoring()
	t := m.last
	if m.read != nil && m.Session.ServiceNow().Sub(t.since) < glance {
		t = m.read
	}
	if !m.Held() && t != nil && t.key != m.key {
		at, ok := m.find(t.key)
		switch {
		case ok:
			m.offset += at - m.cursor
			m.arrivals += max(0, at-m.cursor)
			m.moveTo(at)
		case !m.Arranged():
			return false // it is gone for good, and no other was meant
		default:
			m.insert(m.cursor, t.row)
			m.changes++
			m.sought, m.found, m.lapsed, m.stale = t.key, m.cursor, true, true
			m.moveTo(m.cursor)
		}
	}
	m.held = m.some
	return m.some
}

// Restoring returns the key of the row that [Model.Restore] still waits for, if there is one.
func (m *list[R, K]) Restoring() (key K, ok bool) {
	if m.wish == nil {
		return key, false
	}
	return *m.wish, true
}

// StopRestoring gives up waiting for a row: the user has gone on.
func (m *list[R, K]) StopRestoring() { m.wish = nil }

// Held reports whether the selected row is there for more than being at a top that is followed.
func (m *list[R, K]) Held() bool { return m.held || !m.Follow }

// Following reports whether the selection stays at the top while rows arrive above it.
func (m *list[R, K]) Following() bool {
	return !m.Held() && m.cursor == 0 && m.want.column == DefaultOrder && !m.want.reverse
}
