package table

import (
	"fmt"
	"iter"

	"pgtower/models/feed"
)

// Key identifies a row, and never changes. Only operations, and what stands between them, have a project.
type Key = feed.Key

// DefaultOrder stands for the order of the source, in place of a column.
const DefaultOrder = -1

// Source is the rows of a table, in their default order.
type Source[R any] interface {
	Rows[R]
	// Find returns the index of a key.
	Find(key Key) (i int, ok bool)
	// Has reports whether there is a row of the key, shown or not.
	Has(key Key) bool
	// Freeze returns all rows as they are now, for another goroutine, in constant time. There may be more than the source shows.
	// divider is the index of a line between them, or -1: no filter hides it, and it is not counted.
	Freeze() (rows Rows[R], divider int)
}

// Rows are the rows at one time.
type Rows[R any] interface {
	Len() int
	Row(i int) R
	Key(row R) Key
}

// each returns the rows without the divider.
func each[R any](rows Rows[R], divider int) iter.Seq[R] {
	return func(yield func(R) bool) {
		for i := range rows.Len() {
			if i != divider && !yield(rows.Row(i)) {
				return
			}
		}
	}
}

// Index is a [Source] of rows that are read as a whole, in the order of the service. Their keys have no project.
type Index[R any] struct {
	All []R

	id     func(*R) string
	at     map[string]int  // the indexes of the rows by the ID of their key
	shared map[string]bool // the ids of several rows
	odd    map[*R]string   // the IDs of the keys of rows without a unique id
}

// NewIndex returns the index of rows. id returns the id of a row, or "" if it has none.
func NewIndex[R any](rows []R, id func(*R) string) Index[R] {
	x := Index[R]{
		All: rows, id: id, at: make(map[string]int, len(rows)), shared: map[string]bool{},
		odd: map[*R]string{},
	}
	for i := range rows {
		key := id(&rows[i])
		_, twice := x.at[key]
		if twice {
			x.shared[key] = true
		}
		if twice || key == "" {
			key = fmt.Sprintf("%s\x00%d", key, len(x.odd)) // no id has a control character
			x.odd[&rows[i]] = key
		}
		x.at[key] = i
	}
	return x
}

// Shared reports whether several rows have the id of a row, which may be a copy.
func (x *Index[R]) Shared(row *R) bool { return x.shared[x.id(row)] }

// Len returns the number of rows.
func (x *Index[R]) Len() int { return len(x.All) }

// Row returns a row.
func (x *Index[R]) Row(i int) *R { return &x.All[i] }

// Key returns the key of a row: its id if that is unique.
func (x *Index[R]) Key(row *R) Key {
	if odd, ok := x.odd[row]; ok {
		return Key{ID: odd}
	}
	return Key{ID: x.id(row)}
}

// Find returns the index of a key.
func (x *Index[R]) Find(key Key) (i int, ok bool) {
	i, ok = x.at[key.ID]
	return i, ok
}

// Has reports whether there is a row of the key.
func (x *Index[R]) Has(key Key) bool {
	_, ok := x.Find(key)
	return ok
}

// Freeze returns the rows, which never change.
func (x *Index[R]) Freeze() (rows Rows[*R], divider int) {
	frozen := *x
	return &frozen, -1
}
