package table

import (
	"iter"
	"slices"
	"time"
)

// wanted is the filter and the order of the rows.
type wanted[R any] struct {
	matches func(row R, now time.Time) bool
	missing func(rows iter.Seq[R], now time.Time) string // see [query.Query.MissingField]; may be nil
	column  int
	reverse bool
	top     bool // the user sorted: the selection goes to the first row

	number, filter int // how often anything here was changed, and how often the filter was
}

// plain reports whether there is neither a filter nor an order.
func (w wanted[R]) plain() bool { return w.matches == nil && w.column == DefaultOrder && !w.reverse }

// arrangement is the rows that are shown: those of the source, or copies that another goroutine filtered and sorted.
type arrangement[R any] struct {
	folds

	source Source[R]
	want   wanted[R]
	anchor Key  // of the row that was selected when the arrangement began
	keep   bool // the anchor stays even if it does not match

	rows     []R    // filtered and sorted; nil if the source is shown
	divider  int    // the index of the divider, or -1
	anchorAt int    // the index of the anchor, or -1
	lapsed   bool   // the anchor does not match, but stays
	nearest  int    // the index where the anchor would be if it was left out, or 0 in another order
	missing  string // the field that the filter needs and no row has, if none matches
}

// Len is the number of lines shown: a fold is one line.
func (a *arrangement[R]) Len() int {
	if a.lines != nil {
		return len(a.lines) - 1
	}
	return a.size()
}

// row returns the row of a line, or the first one of a fold.
func (a *arrangement[R]) row(line int) R { return a.rowAt(a.first(line)) }

// Arranged reports whether the rows shown are filtered or sorted.
func (a *arrangement[R]) Arranged() bool { return !a.want.plain() }

// find returns the line of a key.
func (a *arrangement[R]) find(key Key) (line int, ok bool) {
	switch {
	case !a.Arranged():
		return a.source.Find(key)
	case key != a.anchor:
		line = index(a.rows, a.source, key)
	default:
		line = a.anchorAt
	}
	return a.lineOf(line), line >= 0
}

func index[R any](rows []R, source Rows[R], key Key) int {
	return slices.IndexFunc(rows, func(row R) bool { return source.Key(row) == key })
}

// Matches is the number of rows shown that match.
func (a *arrangement[R]) Matches() int {
	n := a.size()
	if a.lapsed {
		n--
	}
	if a.divider >= 0 {
		n--
	}
	return n
}

// Matching returns the rows shown now that match, in their order. If these are [arrangement.Arranged], another goroutine
// may read them.
func (a *arrangement[R]) Matching() iter.Seq[R] {
	copied := *a
	return func(yield func(R) bool) {
		for i := range copied.size() {
			skip := copied.lapsed && i == copied.anchorAt || i == copied.divider
			if !skip && !yield(copied.rowAt(i)) {
				return
			}
		}
	}
}

// insert shows a row that does not match, at a line. Like dropLapsed, it copies the rows, as another goroutine may be reading
// them. The caller folds the rows again.
func (a *arrangement[R]) insert(line int, row R, key Key) {
	index := a.first(line)
	a.rows = slices.Concat(a.rows[:index], []R{row}, a.rows[index:])
	a.anchor, a.anchorAt, a.lapsed, a.lines = key, index, true, nil
	if a.divider >= index {
		a.divider++
	}
}

// dropLapsed removes the row that does not match. The caller folds the rows again.
func (a *arrangement[R]) dropLapsed() {
	a.rows, a.lines = slices.Concat(a.rows[:a.anchorAt], a.rows[a.anchorAt+1:]), nil
	if a.divider > a.anchorAt {
		a.divider--
	}
	a.anchorAt, a.lapsed = -1, false
	a.dropLoneDivider()
}

func (a *arrangement[R]) dropLoneDivider() {
	if a.divider >= 0 && len(a.rows) == 1 {
		a.rows, a.divider = nil, -1
	}
}

// arrange returns the arrangement with the rows that match, in the order that is wanted. Neighbours with the same text are
// folded, unless alike is nil.
func (a arrangement[R]) arrange(rows Rows[R], divider int, columns []Column[R], alike func(R) string, now time.Time) arrangement[R] {
	a.pick(rows, divider, now)
	a.order(columns, now)
	a.anchorAt = index(a.rows, rows, a.anchor)
	a.fold(alike)
	return a
}

// order sorts and reverses the rows.
func (a *arrangement[R]) order(columns []Column[R], now time.Time) {
	if a.want.column != DefaultOrder {
		compare := columns[a.want.column].Compare
		slices.SortStableFunc(a.rows, func(x, y R) int { return compare(x, y, now) })
		a.nearest = 0
	}
	if a.want.reverse {
		slices.Reverse(a.rows)
		a.nearest = 0
		if a.divider >= 0 {
			a.divider = len(a.rows) - 1 - a.divider
		}
	}
}

// pick copies the rows that match, the divider between them, and the anchor if it is kept.
func (a *arrangement[R]) pick(rows Rows[R], divider int, now time.Time) {
	if a.want.matches == nil {
		a.rows = make([]R, 0, rows.Len())
	}
	a.divider = -1
	for i := range rows.Len() {
		row, length := rows.Row(i), len(a.rows)
		if i == divider {
			if a.want.column == DefaultOrder {
				a.divider, a.rows = length, append(a.rows, row)
			}
			continue
		}
		anchor := rows.Key(row) == a.anchor
		if anchor {
			a.nearest = length
		}
		matches := a.want.matches == nil || a.want.matches(row, now)
		if matches || anchor && a.keep {
			a.rows = append(a.rows, row)
			a.lapsed = a.lapsed || !matches
		}
	}
	a.dropLoneDivider()
	if len(a.rows) == 0 && a.want.missing != nil {
		a.missing = a.want.missing(each(rows, divider), now)
	}
}

// fold folds neighbours with the same text; none if alike is nil. A fold does not cross the divider. It contains neither a row
// that keeps its run open, nor the selected row if that does not match.
func (a *arrangement[R]) fold(alike func(row R) string) {
	a.lines = nil
	if alike == nil {
		return
	}
	lines, folded := make([]int, 0, len(a.rows)), false
	for i := 0; i < len(a.rows); {
		end := a.endOfRun(i, alike)
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
		a.lines = append(lines, len(a.rows))
	}
}

// endOfRun returns the index after the last of the rows that are like the one at i.
func (a *arrangement[R]) endOfRun(i int, alike func(row R) string) int {
	end := i + 1
	if i == a.divider || alike(a.rows[i]) == "" {
		return end
	}
	for text := alike(a.rows[i]); end < len(a.rows) && end != a.divider && alike(a.rows[end]) == text; end++ {
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

// folded returns the rows of a line if they are folded, or nil.
func (a *arrangement[R]) folded(line int) []R {
	if a.lines == nil {
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
	if a.Arranged() {
		return len(a.rows)
	}
	return a.source.Len()
}

// rowAt returns a row by its index, folded or not.
func (a *arrangement[R]) rowAt(i int) R {
	if a.Arranged() {
		return a.rows[i]
	}
	return a.source.Row(i)
}
