package table

import (
	"time"

	"pgtower/ui/style"
)

// Source is the rows of a table, in their default order.
type Source[R any, K comparable] interface {
	Rows[R, K]
	// Find returns where the row of a key is.
	Find(key K) (i int, ok bool)
	// Has reports whether there is a row of the key, shown or not.
	Has(key K) bool
	// Freeze returns all rows as they are now, to be read by another goroutine; they may be more than
	// the source shows. It costs the same however many there are. At divider, unless that is -1, is a
	// line that belongs to their order: no filter hides it, and it is not counted.
	Freeze() (rows Rows[R, K], divider int)
}

// Rows are rows, now or at some time.
type Rows[R any, K comparable] interface {
	Len() int
	Row(i int) R
	// Key returns what identifies a row for as long as it lives.
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
	Moment      string // the title of a column of moments that are shown as they are, and not as ages
	Width, Grow int    // how many cells the column wants, and its share of what is left over
	Least       int    // how many it has at least where the rows are narrow: as many as it wants, if 0
	Priority    int    // columns of the highest leave first for want of room; those of 0 stay
	Hidden      bool   // leaves the column out whatever room there is
	Right       bool
	Clock       bool // the column always shows moments as they are; it leaves where a Moment of its Title does, too
	// Extra columns come by themselves where there is room for them once all others have Full cells.
	Extra bool
	Full  int
	// Cell is the text of the column in a row, and how it looks.
	Cell func(row R, now time.Time) (string, style.Tone)
	// Compare orders rows by the column; a column without it cannot be sorted by.
	Compare func(a, b R, now time.Time) int
}

// Index is the rows of a list that is read as a whole, in the order of the service. It is a [Source].
type Index[R any, K comparable] struct {
	All    []R
	Shared map[K]bool // the ids that more than one row has

	id    func(*R) K
	place map[K]int
	odd   map[*R]K // keys of the rows whose id does not tell them apart
}

// NewIndex gives a row without an id, or with that of a row above, the key that odd makes for its place.
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

// Key returns the key of a row: its id, unless that does not tell it apart.
func (x *Index[R, K]) Key(row *R) K {
	if key, ok := x.odd[row]; ok {
		return key
	}
	return x.id(row)
}

// Find returns where the row of a key is.
func (x *Index[R, K]) Find(key K) (i int, ok bool) {
	i, ok = x.place[key]
	return i, ok
}

// Has reports whether there is a row of the key.
func (x *Index[R, K]) Has(key K) bool {
	_, ok := x.place[key]
	return ok
}

// Freeze returns the rows: what is read anew is another index.
func (x *Index[R, K]) Freeze() (rows Rows[*R, K], divider int) {
	frozen := *x
	return &frozen, -1
}
