package table

import (
	"iter"
	"time"
)

// List is the rows that a table shows, and the selected one. Pages and drawings read it; the table alone changes it.
//
// The selection is by key: rows that come, go or move never change it or its line on the screen. A selected row that no
// longer matches the filter stays until the user moves the selection.
type List[R any] struct {
	arrangement[R] // replaced when the next one is finished

	columns  []Column[R]
	folding  *Fold[R]     // or nil
	opened   map[Key]bool // a fold with one of these rows stays open
	markable func(row R) bool
	now      func() time.Time // the time for filters, in the zone of the screen
	service  func() time.Time // the time on the screen

	want    wanted[R]
	stale   bool // the source, the filter or the order changed since the last arrangement began
	working bool // an arrangement is running
	changes int  // how often other filtered or sorted rows were shown

	marked map[Key]bool
	hidden int // [List.MarkedHidden], as of the last change of the rows or removal of marks

	key          Key // of the selected row
	hasSelection bool
	cursor       int  // its index
	offset       int  // the first row on the screen
	height       int  // rows on the screen
	arrivals     int  // rows that came above the selection since it left the top
	follow       bool // the selection stays at the top while rows arrive above it, unless it is held
	held         bool // the selection stays with its row, even at the top
	pending      *Key // the row to select as soon as it is there
	unhidden     *Key // of the row that was selected before a filter hid it, until the user moves
	// previous is the selected row of the last frame. read is the one before, if it was on the screen for a [glance].
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

// FilterNumber returns a number that changes with the filter of the rows shown.
func (l *List[R]) FilterNumber() int { return l.arrangement.want.filter }

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

// Sorted returns the column that the rows are sorted by, or [DefaultOrder].
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

// Lines returns the rows of each of the first lines: a fold has several.
func (l *List[R]) Lines(n int) (lines [][]R) {
	for line := range min(n, l.Len()) {
		rows := l.folded(line)
		if rows == nil {
			rows = []R{l.row(line)}
		}
		lines = append(lines, rows)
	}
	return lines
}

// EndShown reports whether the last row is on the screen.
func (l *List[R]) EndShown() bool { return l.offset+l.height >= l.Len() }

// NearEnd reports whether the selection is less than a screen away from the last row.
func (l *List[R]) NearEnd() bool { return l.cursor+max(1, l.height) >= l.Len() }

// position is the number of the selected row among those that match, from 1; or 0 if it does not match.
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

// Held reports whether the selection stays with its row, instead of following the top.
func (l *List[R]) Held() bool { return l.held || !l.follow }

// Touched reports whether the user chose the selected row, or it was restored.
func (l *List[R]) Touched() bool { return l.held }

// Following reports whether the selection stays at the top while rows arrive above it.
func (l *List[R]) Following() bool {
	return !l.Held() && l.cursor == 0 && l.want.column == DefaultOrder && !l.want.reverse
}

// CountMarked is the number of marked rows, shown or not.
func (l *List[R]) CountMarked() int { return len(l.marked) }

// IsMarked reports whether the row of a key is marked.
func (l *List[R]) IsMarked(key Key) bool { return l.marked[key] }

// Marked returns the marked rows in the order of the source, shown or not.
func (l *List[R]) Marked() (rows []R) {
	if len(l.marked) == 0 {
		return nil
	}
	for row := range each(l.source.Freeze()) {
		if l.marked[l.source.Key(row)] {
			rows = append(rows, row)
		}
	}
	return rows
}

// MarkedHidden is the number of marked rows that the filter hides, or will hide once it has been applied.
func (l *List[R]) MarkedHidden() (n int) {
	for _, row := range l.Marked() {
		if !l.MatchesFilter(row) {
			n++
		}
	}
	return n
}
