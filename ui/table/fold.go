package table

import (
	"maps"
	"slices"
	"sort"
	"strconv"
	"time"
)

// Fold draws neighbours that are alike in one line. Functions are required.
type Fold[R any] struct {
	By   func(row R) string    // rows of one text are alike; those of "" are not
	When func() bool           // reports whether rows are folded in the present view
	Say  func(rows []R) string // what is alike in folded rows, and since when
}

// leastFold is the least number of rows in a fold.
const leastFold = 3

// folds are the lines of an arrangement in which neighbours are folded.
type folds struct {
	lines  []int        // the index of the first row of each line, or nil if nothing is folded
	opened map[Key]bool // a fold with one of these rows stays open
}

// fold folds the rows by a text. A fold does not cross the divider, and has neither the row of the anchor if that is kept for
// itself, nor one that does not match.
func (a *arrangement[R]) fold(value func(row R) string) {
	a.lines = nil
	if value == nil {
		return
	}
	lines, folded := make([]int, 0, len(a.rows)), false
	for i := 0; i < len(a.rows); {
		end := a.endOfRun(i, value)
		if end-i < leastFold || a.staysOpen(i, end) {
			for ; i < end; i++ {
				lines = append(lines, i)
			}
			continue
		}
		lines, folded = append(lines, i), true
		i = end
	}
	if folded {
		a.lines = lines
	}
}

// endOfRun returns the index after the last of the rows that are like one.
func (a *arrangement[R]) endOfRun(i int, value func(row R) string) int {
	end := i + 1
	if i == a.divider || value(a.rows[i]) == "" {
		return end
	}
	for text := value(a.rows[i]); end < len(a.rows) && end != a.divider && value(a.rows[end]) == text; end++ {
	}
	return end
}

// staysOpen reports whether a run has a row that keeps it open.
func (a *arrangement[R]) staysOpen(from, end int) bool {
	if a.lapsed && from <= a.anchorAt && a.anchorAt < end {
		return true
	}
	if len(a.opened) == 0 {
		return false
	}
	return slices.ContainsFunc(a.rows[from:end], func(row R) bool { return a.opened[a.source.Key(row)] })
}

// first returns the index of the first row of a line.
func (a *arrangement[R]) first(line int) int {
	switch {
	case a.lines == nil:
		return line
	case line >= len(a.lines):
		return len(a.rows)
	}
	return a.lines[line]
}

// lineOf returns the line of a row.
func (a *arrangement[R]) lineOf(row int) int {
	if a.lines == nil || row < 0 {
		return row
	}
	return sort.Search(len(a.lines), func(line int) bool { return a.lines[line] > row }) - 1
}

// folded returns the rows of a line if they are folded, or nil.
func (a *arrangement[R]) folded(line int) []R {
	if a.lines == nil || line >= len(a.lines) {
		return nil
	}
	rows := a.rows[a.first(line):a.first(line+1)]
	if len(rows) < leastFold {
		return nil
	}
	return rows
}

// size is the number of rows, folded or not.
func (a *arrangement[R]) size() int {
	if a.lines == nil {
		return a.Len()
	}
	return len(a.rows)
}

// rowAt returns a row by its index, folded or not.
func (a *arrangement[R]) rowAt(i int) R {
	if a.Arranged() {
		return a.rows[i]
	}
	return a.source.Row(i)
}

// foldBy returns by what the rows are folded in the present view, or nil.
func (l *List[R]) foldBy() func(row R) string {
	if l.folding == nil || !l.folding.When() {
		return nil
	}
	return l.folding.By
}

// keepOpen keeps the run of a row open: the user chose it for itself.
func (l *List[R]) keepOpen(key Key) {
	if l.opened == nil {
		l.opened = map[Key]bool{}
	}
	l.opened[key] = true
	l.arrangement.opened = maps.Clone(l.opened)
	l.fold(l.foldBy())
}

// unfold opens the fold of the selected line, and selects its first row.
func (l *List[R]) unfold() {
	l.keepOpen(l.key)
	l.held, l.changes = true, l.changes+1
	line, _ := l.find(l.key)
	l.moveTo(line)
}

// hidesInFold reports whether the row of a key at a line is folded, and not the first one.
func (l *List[R]) hidesInFold(line int, key Key) bool {
	rows := l.folded(line)
	return rows != nil && l.source.Key(rows[0]) != key
}

// onFold reports whether the selected line is a fold.
func (l *List[R]) onFold() bool { return l.folded(l.cursor) != nil }

// openFold opens the fold that the user saw as selected, and reports whether there was one.
func (m *Model[R]) openFold() bool {
	if !m.list.choose() || !m.list.onFold() {
		return false
	}
	m.list.unfold()
	return true
}

// countFold stands before the first cell of a fold.
func countFold[R any](rows []R) string {
	if rows == nil {
		return ""
	}
	return strconv.Itoa(len(rows)) + " × "
}

// foldedCell returns the cell of a fold: that of the first row, or how many different ones there are.
func (c *Column[R]) foldedCell(first string, rows []R, now time.Time) string {
	if c.Many == "" {
		return first
	}
	values := map[string]bool{}
	for _, row := range rows {
		cell, _ := c.Cell(row, now)
		values[cell] = true
	}
	if len(values) == 1 {
		return first
	}
	return strconv.Itoa(len(values)) + " " + c.Many
}
