package table

import "slices"

// Fold draws neighbours that are alike in one line. Functions are required.
type Fold[R any] struct {
	By   func(row R) string    // rows with the same text are alike; those with "" are not
	When func() bool           // reports whether rows are folded in the present view
	Say  func(rows []R) string // what folded rows have in common, and since when
}

// leastFold is the least number of rows in a fold.
const leastFold = 3

// folds are the lines of an arrangement in which neighbours are folded.
type folds struct {
	lines  []int        // the index of the first row of each line, then the number of rows; nil if nothing is folded
	opened map[Key]bool // a fold with one of these rows stays open
}

// first returns the index of the first row of a line.
func (f *folds) first(line int) int {
	if f.lines == nil {
		return line
	}
	return f.lines[min(line, len(f.lines)-1)]
}

// lineOf returns the line of a row.
func (f *folds) lineOf(row int) int {
	if f.lines == nil || row < 0 {
		return row
	}
	line, isFirst := slices.BinarySearch(f.lines, row)
	if isFirst {
		return line
	}
	return line - 1
}
