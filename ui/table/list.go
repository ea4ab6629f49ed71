package table

import (
	"iter"
	"maps"
	"time"
)

// list is the rows of a table and the selected one. The selection is by key: rows that come, go or move never change it
// or its line on the screen. A selected row that no longer matches the filter stays until the user moves.
type list[R any] struct {
	Config[R]
	arrangement[R] // the last one until the next one is finished

	want     wanted[R]
	stale    bool // the source or what is wanted changed since the last arrangement began
	working  bool // an arrangement is running
	changes  int  // how often other rows were shown than those of the source
	before   *Key // what was selected before a filter hid it, until the user moves
	wish     *Key // the row to select as soon as it is there
	wishOpen bool // its details are then opened

	marked map[Key]bool
	hidden int // [list.MarkedHidden] when other rows were last shown or marks removed

	key      Key // of the selected row
	some     bool
	cursor   int  // its index
	offset   int  // the first row on the screen
	height   int  // rows on the screen
	arrivals int  // rows that came above the selection since it left the top
	held     bool // the selection stays with its row, even at the top
	// last is the selected row of the last frame, and read the one that was on the screen for a [glance] before. Both
	// are nil while the selection is held.
	last, read *sight[R]
}

func newList[R any](c Config[R]) list[R] {
	m := list[R]{Config: c, want: wanted[R]{column: DefaultOrder}, marked: map[Key]bool{}}
	m.rearrange()
	return m
}

// Rows returns the rows that are filtered or sorted, with a number that changes with them.
func (m *list[R]) Rows() (rows []R, number int) { return m.rows, m.changes }

// Filtered reports whether there is a filter.
func (m *list[R]) Filtered() bool { return m.want.matches != nil }

// MatchesFilter reports whether a row matches the filter, if there is one.
func (m *list[R]) MatchesFilter(row R) bool { return !m.Filtered() || m.want.matches(row, m.now()) }

// Sorted returns what the rows are sorted by.
func (m *list[R]) Sorted() (column int, reverse bool) { return m.want.column, m.want.reverse }

// Settled reports whether the rows shown are up to date with the filter, the order and the source.
func (m *list[R]) Settled() bool { return !m.stale && !m.working }

// now returns the time for filters, in the zone of the screen.
func (m *list[R]) now() time.Time { return m.Session.Times.In(m.Session.ServiceNow()) }

// Cursor is the index of the selected row among those shown.
func (m *list[R]) Cursor() int { return m.cursor }

// Arrivals is the number of rows that came above the selection since it was last at the top.
func (m *list[R]) Arrivals() int { return m.arrivals }

// Selected returns the selected row, if there is one.
func (m *list[R]) Selected() (row R, ok bool) {
	if m.cursor >= m.Len() {
		return row, false
	}
	return m.row(m.cursor), true
}

// Visible returns the rows on the screen.
func (m *list[R]) Visible() iter.Seq[R] {
	return func(yield func(R) bool) {
		for i := m.offset; i < min(m.offset+m.height, m.Len()); i++ {
			if !yield(m.row(i)) {
				return
			}
		}
	}
}

// EndShown reports whether the last row is on the screen.
func (m *list[R]) EndShown() bool { return m.offset+m.height >= m.Len() }

// NearEnd reports whether the selection is less than a screen away from the last row.
func (m *list[R]) NearEnd() bool { return m.cursor+max(1, m.height) >= m.Len() }

// refresh takes in a changed source. Rows that are no longer in it lose their marks.
func (m *list[R]) refresh() {
	maps.DeleteFunc(m.marked, func(key Key, _ bool) bool { return !m.Source.Has(key) })
	m.hidden = m.MarkedHidden()
	m.stale = !m.want.plain()
	if !m.stale {
		m.anchor(false)
	}
}

// anchor finds the selected row again and keeps it on its line. Rows above it have arrived, unless they were
// rearranged.
func (m *list[R]) anchor(rearranged bool) {
	at, ok := m.find(m.key)
	switch {
	case m.Following(), rearranged && (m.want.top || !m.Held()):
		at = 0
		if m.divider == 0 && m.Len() > 1 {
			at = 1 // the first row, not what stands above it
		}
	case !ok || !m.some:
		at = m.cursor
	}
	if rearranged {
		m.last, m.read = nil, nil
	} else {
		m.arrivals += max(0, at-m.cursor)
	}
	m.offset += at - m.cursor
	m.moveTo(at)
}

// step moves the selection for the user. A row that was shown only because it was selected goes away.
func (m *list[R]) step(to int) {
	at := m.cursor
	if to == at {
		return
	}
	m.before, m.want.top = nil, false
	if m.lapsed {
		m.dropLapsed()
		m.changes++
		if to > at {
			to--
		}
	}
	m.moveTo(to)
	m.held = m.some
}

// moveTo selects the row at an index, or the nearest one, and keeps it on the screen.
func (m *list[R]) moveTo(row int) {
	n := m.Len()
	m.cursor = max(0, min(row, n-1))
	m.some = n > 0
	if m.some {
		m.key = m.Source.Key(m.row(m.cursor))
	}
	m.arrivals = min(m.arrivals, m.cursor)
	m.setHeight(m.height)
}

// setHeight sets the number of rows on the screen, and keeps the selected one among them.
func (m *list[R]) setHeight(rows int) {
	m.height = max(0, rows)
	if m.height > 0 {
		m.offset = max(min(m.offset, m.cursor), m.cursor-m.height+1)
		m.offset = max(0, min(m.offset, m.Len()-m.height))
	}
}

// place is the number of the selected row among those that match, from 1, or 0 if it does not.
func (m *list[R]) place() int {
	switch {
	case m.lapsed, m.cursor == m.divider:
		return 0
	case m.divider >= 0 && m.divider < m.cursor:
		return m.cursor
	}
	return m.cursor + 1
}

// glance is how long a row must be on the screen for a key press to be meant for it: nobody reacts faster, and no frame
// takes longer to a distant terminal.
const glance = 150 * time.Millisecond

// sight is a row that frames showed as the selected one.
type sight[R any] struct {
	row   R
	key   Key
	since time.Time
}

// seen records what a frame shows as the selected row.
func (m *list[R]) seen() {
	row, ok := m.Selected()
	switch now := m.Session.ServiceNow(); {
	case !ok || m.Held():
		m.last, m.read = nil, nil
	case m.last == nil || m.last.key != m.key:
		if m.last != nil && now.Sub(m.last.since) >= glance {
			m.read = m.last
		}
		m.last = &sight[R]{row, m.key, now}
	}
}

// choose holds the row that the user sees as selected, even if another one has come to the top since or it no longer
// matches, and reports whether there is one. Call it before moving the selection or acting on its row.
func (m *list[R]) choose() bool {
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
		case !m.Arranged(), !m.Source.Has(t.key):
			return false // it is gone for good, and no other was meant
		default:
			at = m.cursor
			m.insert(at, t.row, t.key)
			m.changes++
			m.stale = true
		}
		m.moveTo(at)
	}
	m.held = m.some
	return m.some
}

// Restoring returns the key of the row that [Model.Restore] still waits for, if there is one.
func (m *list[R]) Restoring() (key Key, ok bool) {
	if m.wish == nil {
		return key, false
	}
	return *m.wish, true
}

// StopRestoring stops waiting for a row: the user has gone on.
func (m *list[R]) StopRestoring() { m.wish = nil }

// Held reports whether the selection stays with its row: it is not at the top that is followed.
func (m *list[R]) Held() bool { return m.held || !m.Follow }

// Touched reports whether the user chose the selected row, or it was restored.
func (m *list[R]) Touched() bool { return m.held }

// Following reports whether the selection stays at the top while rows arrive above it.
func (m *list[R]) Following() bool {
	return !m.Held() && m.cursor == 0 && m.want.column == DefaultOrder && !m.want.reverse
}
