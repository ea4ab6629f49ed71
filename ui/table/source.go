package table

import (
	"time"

	"pgtower/ui/style"
)

// Source is the rows of a table, in their default order. K identifies a row for as long as
// it lives.
type Source[R any, K comparable] interface {
	Rows[R]
	// Key returns the key of a row. It depends on nothing but the row.
	Key(row R) K
	// Find returns where the row of a key is.
	Find(key K) (i int, ok bool)
}

// Rows are rows, now or at some time.
type Rows[R any] interface {
	Len() int
	Row(i int) R
}

// Freezer is a source of so many rows that they are not to be copied for each key that
// changes the filter.
type Freezer[R any] interface {
	// Freeze returns the rows as they are now, to be read by another goroutine while the source
	// goes on. It costs the same however many there are. A line may be among them that belongs
	// to their order and says something of what is above and below; its place is divider, or
	// -1. No filter hides it, no other order has a place for it, and it is not counted.
	Freeze() (rows Rows[R], divider int)
}

// freeze returns the rows of a source as they are now.
func freeze[R any](source Rows[R]) (rows Rows[R], divider int) {
	if f, ok := source.(Freezer[R]); ok {
		return f.Freeze()
	}
	l := lines[R]{rows: make([]R, source.Len())}
	for i := range l.rows {
		l.rows[i] = source.Row(i)
	}
	return l, -1
}

// total is how many rows there are in all: a source may show fewer than it freezes.
func total[R any](source Rows[R]) int {
	f, ok := source.(Freezer[R])
	if !ok {
		return source.Len()
	}
	all, divider := f.Freeze()
	if divider >= 0 {
		return all.Len() - 1
	}
	return all.Len()
}

// Column is one column of a table.
type Column[R any] struct {
	Title string
	// Width is how many cells the column wants, and Grow its share of what is left over.
	Width, Grow int
	// Priority decides which columns leave first for want of room: the highest. 0 stays.
	Priority int
	// Moment is the title of a column of moments that are shown as they are, and not as ages.
	Moment string
	// Hidden leaves the column out whatever room there is.
	Hidden bool
	Right  bool
	// Head is whether the column is one of the first, which say what the row is. The selection
	// is drawn over them alone: the others are not written anew for a selection that passes.
	Head bool
	// Cell is the text of the column in a row, and how it looks.
	Cell func(row R, now time.Time) (string, style.Tone)
	// Compare orders rows by the column. A column without it cannot be sorted by.
	Compare func(a, b R, now time.Time) int
}
