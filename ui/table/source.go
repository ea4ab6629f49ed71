package table

import (
	"time"

	"pgtower/ui/style"
)

// Source is the rows of a table, in their default order.
type Source[R any, K comparable] interface {
	Rows[R, K]
	// Find returns the index of a key.
	Find(key K) (i int, ok bool)
	// Has reports whether there is a row of the key, shown or not.
	Has(key K) bool
	// Freeze returns all rows as they are now, for another goroutine, in constant time. They may be more than the source
	// shows. divider is the index of a line that belongs to their order, or -1: no filter hides it, and it is not counted.
	Freeze() (rows Rows[R, K], divider int)
}

// Rows are rows at some time.
type Rows[R any, K comparable] interface {
	Len() int
	Row(i int) R
	// Key returns the identity of a row, which never changes.
	Key(row R) K
}

func (c *Config[R, K]) total() int {
	all, divider := c.Source.Freeze()
	if divider >= 0 {
		return all.Len() - 1
	}
	return all.Len()
}

// Column is one column of a table.
type Column[R any] struct {
	Title       string
	Moment      string      // the title when times are shown as times and not as ages; "" for other columns
	Width, Grow int         // the wanted number of cells, and the share of what is left over
	Least       int         // the number of cells in narrow rows: Width if 0
	Priority    int         // if there is no room, the columns with the highest priority leave first; those of 0 stay
	Hidden      func() bool // reports whether the column is left out at any width; nil for never
	Right       bool        // aligns the cells
	Clock       bool        // always shows times as times; hidden if another column with its Title as Moment does, too
	Extra       bool        // shown if there is room for it once all others have Full cells
	Full        int
	Cell        func(row R, now time.Time) (string, style.Tone)
	Shorten     func(text string, width int) string // fits a text of Cell; nil cuts its end
	Compare     func(a, b R, now time.Time) int     // orders rows by the column; nil if they cannot be sorted by it
}

func (c *Column[R]) hidden() bool { return c.Hidden != nil && c.Hidden() }

// Index is a [Source] of rows that are read as a whole, in the order of the service.
type Index[R any, K comparable] struct {
	All    []R
	Shared map[K]bool // the ids of several rows

	id    func(*R) K
	place map[K]int
	odd   map[*R]K // the keys of rows without a unique id
}

// NewIndex returns the index of rows. odd returns the key of the row at i if it has no id, or that of a row above.
func NewIndex[R any, K comparable](all []R, id func(*R) K, odd func(i int) K) Index[R, K] {
	var none K
	x := Index[R, K]{All: all, Shared: map[K]bool{}, id: id, place: make(map[K]int, len(all)), odd: map[*R]K{}}
	for i := range all {
		key := id(&all[i])
		_, twice := x.place[key]
		if twice {
			x.Shared[key] = true
		}
		if twice || key == none {
			key = odd(i)
			x.odd[&all[i]] = key
		}
		x.place[key] = i
	}
	return x
}

// Len returns the number of rows.
func (x *Index[R, K]) Len() int { return len(x.All) }

// Row returns a row.
func (x *Index[R, K]) Row(i int) *R { return &x.All[i] }

// Key returns the key of a row: its id if that is unique.
func (x *Index[R, K]) Key(row *R) K {
	if key, ok := x.odd[row]; ok {
		return key
	}
	return x.id(row)
}

// Find returns the index of a key.
func (x *Index[R, K]) Find(key K) (i int, ok bool) {
	i, ok = x.place[key]
	return i, ok
}

// Has reports whether there is a row of the key.
func (x *Index[R, K]) Has(key K) bool {
	_, ok := x.place[key]
	return ok
}

// Freeze returns the rows, which never change.
func (x *Index[R, K]) Freeze() (rows Rows[*R, K], divider int) {
	frozen := *x
	return &frozen, -1
}
