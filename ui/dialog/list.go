package dialog

// List is the selection among rows of which there may be more than a dialog shows. The
// selected row is in the middle of those that show, unless the mouse selected it: then
// nothing moves from under the mouse.
type List struct {
	cursor  int
	pointed bool // the mouse selected the row
	first   int  // of the rows that showed then
}

// Cursor is the place of the selected row.
func (l *List) Cursor() int { return l.cursor }

// Select selects a row of n, or the nearest that there is.
func (l *List) Select(row, n int) { *l = List{cursor: max(0, min(row, n-1))} }

// Move selects another row of n.
func (l *List) Move(by, n int) { l.Select(l.cursor+by, n) }

// Window returns which of n rows show where there is room for some: those from first on,
// and before end.
func (l *List) Window(n, room int) (first, end int) {
	first = l.cursor - room/2
	if l.pointed {
		// As far as the selected row then shows: there may be less room now.
		first = max(min(l.first, l.cursor), l.cursor-room+1)
	}
	first = max(0, min(first, n-room))
	return first, min(first+room, n)
}

// Point selects the row on a line of the window, if there is one. It says whether the
// mouse points at it for the second time, which is how a row is chosen.
func (l *List) Point(line, n, room int) (again bool) {
	first, end := l.Window(n, room)
	row := first + line
	if line < 0 || row >= end {
		return false
	}
	again = l.pointed && l.cursor == row
	*l = List{cursor: row, pointed: true, first: first}
	return again
}
