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
	// Freeze returns the rows as they are now, to be read by another goroutine while the
	// source goes on. It costs the same however many there are.
	Freeze() Rows[R]
}

// Divided are rows with a line among them that belongs to their order, and says something
// of what is above and below. No filter hides it, no other order has a place for it, and it
// is not counted.
type Divided interface {
	// Divider returns where the line is, or -1.
	Divider() int
}

func dividerOf[R any](rows Rows[R]) int {
	if d, ok := rows.(Divided); ok {
		return d.Divider()
	}
	return -1
}

// copied are rows that were copied.
type copied[R any] []R

func (c copied[R]) Len() int    { return len(c) }
func (c copied[R]) Row(i int) R { return c[i] }

// freeze returns the rows of a source as they are now.
func freeze[R any](source Rows[R]) Rows[R] {
	if f, ok := source.(Freezer[R]); ok {
		return f.Freeze()
	}
	rows := make(copied[R], source.Len())
	for i := range rows {
		rows[i] = source.Row(i)
	}
	return rows
}

// total is the number of rows that there are in all.
func total[R any](source Rows[R]) int {
	if f, ok := source.(Freezer[R]); ok {
		source = f.Freeze()
	}
	if dividerOf(source) >= 0 {
		return source.Len() - 1
	}
	return source.Len()
}

// Column is one column of a table.
type Column[R any] struct {
	Title string
	// Width is how many cells the column wants, and Grow its share of what is left over.
	Width, Grow int
	// Priority decides which columns leave first where there is no room: the highest.
	// Columns of priority 0 stay.
	Priority int
	// Moment is the title of a column of moments where they are shown as they are, and not as
	// how long ago they were. It is empty for all others.
	Moment string
	// Hidden leaves the column out whatever room there is.
	Hidden bool
	Right  bool
	// Head is whether the column is one of the first, which say what the row is. The
	// selection is drawn over them alone: what is told of the row keeps its look, and is not
	// written anew for a selection that passes.
	Head bool
	// Cell is the text of the column in a row, and how it looks.
	Cell func(row R, now time.Time) (string, style.Tone)
	// Compare orders rows by the column. A column without it cannot be sorted by.
	Compare func(a, b R, now time.Time) int
}
