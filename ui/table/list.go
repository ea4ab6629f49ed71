package table

import (
	"iter"
	"maps"
	"time"
)

// List is the rows that a table shows, and the selected one. Pages and drawings read it; the table alone changes it.
//
// The selection is by key: rows that come, go or move never change it or its line on the screen. A selected row that no
// longer matches the filter stays until the user moves.
type List[R any] struct {
	arrangement[R] // the last one until the next one is finished

	columns  []Column[R]
	folding  *Fold[R]     // or nil
	opened   map[Key]bool // a fold with one of these rows stays open
	markable func(row R) bool
	now      func() time.Time // the time for filters, in the zone of the screen
	service  func() time.Time // the time on the screen

	want    wanted[R]
	stale   bool // the source or what is wanted changed since the last arrangement began
	working bool // an arrangement is running
	changes int  // how often other rows were shown than those of the source

	marked map[Key]bool
	hidden int // [List.MarkedHidden] when other rows were last shown or marks removed

	key          Key // of the selected row
	hasSelection bool
	cursor       int  // its index
	offset       int  // the first row on the screen
	height       int  // rows on the screen
	arrivals     int  // rows that came above the selection since it left the top
	follow       bool // the selection stays at the top while rows arrive above it, unless it is held
	held         bool // it stays with its row, even at the top
	pending      *Key // the row to select as soon as it is there
	unhidden     *Key // what was selected before a filter hid it, until the user moves
	// previous is the selected row of the last frame, and read the one that was on the screen for a [glance] before.
	// Both are nil while the selection is held.
	previous, read *sight[R]
}

// sight is a row that frames showed as the selected one.
type sight[R any] struct {
	row   R
	key   Key
	since time.Time
}

func newList[R any](c *Config[R]) List[R] {
	s, clock := c.Session, c.Now
	if clock == nil {
		clock = s.ServiceNow
	}
	l := List[R]{
		arrangement: arrangement[R]{source: c.Source}, want: wanted[R]{column: DefaultOrder},
		columns: c.Columns, folding: c.Fold, markable: c.Markable, marked: map[Key]bool{}, follow: c.Follow,
		now: func() time.Time { return s.Times.In(clock()) }, service: s.ServiceNow,
	}
	l.rearrange()
	return l
}

// Rows returns the rows that are filtered or sorted, with a number that changes with them.
func (l *List[R]) Rows() (rows []R, number int) { return l.rows, l.changes }

// total is the number of rows of the source.
func (l *List[R]) total() int {
	rows, divider := l.source.Freeze()
	if divider >= 0 {
		return rows.Len() - 1
	}
	return rows.Len()
}

// Filtered reports whether there is a filter.
func (l *List[R]) Filtered() bool { return l.want.matches != nil }

// MatchesFilter reports whether a row matches the filter, if there is one.
func (l *List[R]) MatchesFilter(row R) bool { return !l.Filtered() || l.want.matches(row, l.now()) }

// Sorted returns what the rows are sorted by.
func (l *List[R]) Sorted() (column int, reverse bool) { return l.want.column, l.want.reverse }

// UpToDate reports whether the rows shown follow the filter, the order and the source.
func (l *List[R]) UpToDate() bool { return !l.stale && !l.working }

// Cursor is the index of the selected row among those shown.
func (l *List[R]) Cursor() int { return l.cursor }

// Arrivals is the number of rows that came above the selection since it was last at the top.
func (l *List[R]) Arrivals() int { return l.arrivals }

// Selected returns the selected row, if there is one.
func (l *List[R]) Selected() (row R, ok bool) {
	if l.cursor >= l.Len() {
		return row, false
	}
	return l.row(l.cursor), true
}

// Visible returns the rows on the screen.
func (l *List[R]) Visible() iter.Seq[R] {
	return func(yield func(R) bool) {
		for i := l.offset; i < min(l.offset+l.height, l.Len()); i++ {
			if !yield(l.row(i)) {
				return
			}
		}
	}
}

// EndShown reports whether the last row is on the screen.
func (l *List[R]) EndShown() bool { return l.offset+l.height >= l.Len() }

// NearEnd reports whether the selection is less than a screen away from the last row.
func (l *List[R]) NearEnd() bool { return l.cursor+max(1, l.height) >= l.Len() }

// position is the number of the selected row among those that match, from 1, or 0 if it does not.
func (l *List[R]) position() int {
	switch {
	case l.lapsed && l.cursor == l.lineOf(l.anchorAt), l.first(l.cursor) == l.divider:
		return 0
	case l.divider >= 0 && l.divider < l.first(l.cursor):
		return l.first(l.cursor)
	}
	return l.first(l.cursor) + 1
}

// Restoring returns the key of the row that [Model.Restore] still waits for, if there is one.
func (l *List[R]) Restoring() (key Key, ok bool) {
	if l.pending == nil {
		return key, false
	}
	return *l.pending, true
}

// Held reports whether the selection stays with its row: it is not at the top that is followed.
func (l *List[R]) Held() bool { return l.held || !l.follow }

// Touched reports whether the user chose the selected row, or it was restored.
func (l *List[R]) Touched() bool { return l.held }

// Following reports whether the selection stays at the top while rows arrive above it.
func (l *List[R]) Following() bool {
	return !l.Held() && l.cursor == 0 && l.want.column == DefaultOrder && !l.want.reverse
}

// refresh takes in a changed source. Rows that are no longer in it lose their marks.
func (l *List[R]) refresh() {
	maps.DeleteFunc(l.marked, func(key Key, _ bool) bool { return !l.source.Has(key) })
	l.hidden = l.MarkedHidden()
	l.stale = !l.want.plain()
	if !l.stale {
		l.keepLine(false)
	}
}

// keepLine finds the selected row again and keeps it on its line. Rows above it have arrived, unless they were rearranged.
func (l *List[R]) keepLine(rearranged bool) {
	line, ok := l.find(l.key)
	switch {
	case l.Following(), rearranged && (l.want.top || !l.Held()):
		line = 0
		if l.divider == 0 && l.Len() > 1 {
			line = 1 // the first row, not what stands above it
		}
	case !ok || !l.hasSelection:
		line = l.cursor
	}
	if rearranged {
		l.previous, l.read = nil, nil
	} else {
		l.arrivals += max(0, line-l.cursor)
	}
	l.offset += line - l.cursor
	l.moveTo(line)
}

// filterBy shows the rows that match, or all if matches is nil. It runs matches on another goroutine.
func (l *List[R]) filterBy(matches func(row R, now time.Time) bool) {
	if l.want.matches == nil && matches != nil && l.hasSelection && l.cursor > 0 {
		l.unhidden = new(l.key)
	}
	l.want.matches, l.want.top = matches, false
	l.want.filter++
	if matches == nil && l.unhidden != nil {
		l.key, l.hasSelection, l.unhidden = *l.unhidden, true, nil
	}
	l.rearrange()
}

func (l *List[R]) rearrange() {
	l.stopRestoring()
	l.changes++
	l.want.number++
	clear(l.opened)
	l.stale = !l.want.plain()
	if !l.stale {
		l.arrangement = arrangement[R]{source: l.source, want: l.want, divider: -1}
		l.hidden = l.MarkedHidden()
		l.keepLine(true)
	}
}

// arranging returns the work of arranging the rows, or nil if there is none or it is already running.
func (l *List[R]) arranging() func() arrangement[R] {
	if !l.stale || l.working {
		return nil
	}
	l.working, l.stale = true, false
	a := arrangement[R]{source: l.source, want: l.want, anchor: l.key, keep: l.keeps()}
	rows, divider := l.source.Freeze()
	columns, now, value := l.columns, l.now(), l.foldBy()
	a.opened = maps.Clone(l.opened)
	return func() arrangement[R] {
		a.pick(rows, divider, now)
		a.order(columns, now)
		a.anchorAt = index(a.rows, rows, a.anchor)
		a.fold(value)
		return a
	}
}

// keeps reports whether the selected row stays even if it does not match.
func (l *List[R]) keeps() bool {
	return l.hasSelection && l.Held() && l.want.filter == l.arrangement.want.filter
}

// takeRows shows a finished arrangement, unless other rows are wanted by now.
func (l *List[R]) takeRows(a arrangement[R]) {
	l.working = false
	if a.want.number != l.want.number {
		return
	}
	if a.anchor != l.key || a.keep != l.keeps() { // the user has gone on
		if a.lapsed {
			a.dropLapsed()
		}
		a.anchor, a.anchorAt = l.key, index(a.rows, a.source, l.key)
		if a.anchorAt < 0 && l.keeps() {
			l.stale = true
			return
		}
	}
	rearranged, alone := a.want.number != l.arrangement.want.number, l.hasSelection && l.Touched() && !l.onFold()
	l.arrangement = a
	if line, ok := l.find(l.key); ok && alone && l.folded(line) != nil {
		l.keepOpen(l.key) // a row that the user chose is never folded
	}
	l.changes++
	l.hidden = l.MarkedHidden()
	if rearranged && a.anchorAt < 0 && l.Held() {
		l.moveTo(l.lineOf(a.nearest))
		return
	}
	l.keepLine(rearranged)
}
