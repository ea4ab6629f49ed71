package feed

import (
	"cmp"
	"iter"
	"slices"
	"sort"
	"strings"
	"sync/atomic"
	"time"

	"pgtower/models"
)

// entry is an operation with its position, which never changes: rows never jump.
type entry struct {
	// The newest version of the operation, and the time of the last request that returned it. Other goroutines read
	// both: see [Timeline.Rows].
	current atomic.Pointer[models.Operation]
	asked   atomic.Pointer[time.Time]
	at      time.Time
	rank    float64 // among those of the same time, as the service lists them: the greatest is newest
	feed    *Feed
	dropped bool      // the feed no longer has it: see [Feed.drop]
	tried   time.Time // when it was last asked for on its own, or zero
}

func (e *entry) op() *models.Operation { return e.current.Load() }

// second returns the second in which the operation began: the service's times have no fractions.
func (e *entry) second() time.Time { return e.at.Truncate(time.Second) }

// asOf returns when the operation was last confirmed, or zero if that is unknown.
func (e *entry) asOf() time.Time { return *e.asked.Load() }

// isAt reports whether there is an entry, at a time.
func (e *entry) isAt(instant time.Time) bool { return e != nil && e.at.Equal(instant) }

// confirm records that a request made at asOf returned the operation.
func (e *entry) confirm(asOf time.Time) {
	if asOf.After(e.asOf()) {
		e.asked.Store(&asOf)
	}
}

// lastAsked returns when an operation was last read, or asked for on its own in vain.
func (e *entry) lastAsked() time.Time { return later(e.asOf(), e.tried) }

// longestUnread orders operations by when they were last read or asked for, and those of one page newest first. One that
// cannot be read holds up no other.
func longestUnread(a, b *entry) int {
	return cmp.Or(a.lastAsked().Compare(b.lastAsked()), compare(a, b))
}

// rows are operations in the order of [compare], newest first.
type rows []*entry

// operations returns the operations of the rows with their projects, in the order of the rows.
func (r rows) operations() iter.Seq2[string, *models.Operation] {
	return func(yield func(string, *models.Operation) bool) {
		for _, e := range r {
			if !yield(e.feed.project, e.op()) {
				return
			}
		}
	}
}

// Len returns the number of loaded operations.
func (r rows) Len() int { return len(r) }

// At returns the operation at row i, 0 being the newest.
func (r rows) At(i int) *models.Operation { return r[i].op() }

// PlacedAt returns the time that row i is sorted by: when the operation began or, if that is impossible, when its
// neighbours did.
func (r rows) PlacedAt(i int) time.Time { return r[i].at }

// AsOf returns the time of the last request that returned the operation at row i.
func (r rows) AsOf(i int) time.Time { return r[i].asOf() }

// ProjectAt returns the project of the feed of row i. The operation's own field may differ or be empty if its record is
// damaged.
func (r rows) ProjectAt(i int) string { return r[i].feed.project }

// since returns the number of rows at a time or later.
func (r rows) since(instant time.Time) int {
	return sort.Search(len(r), func(i int) bool { return r[i].at.Before(instant) })
}

// search returns the row where e is, or would be inserted.
func (r rows) search(e *entry) int {
	i, _ := slices.BinarySearchFunc(r, e, compare)
	return i
}

func (r rows) has(e *entry) bool {
	_, found := slices.BinarySearchFunc(r, e, compare)
	return found
}

// ofTime returns row i if there is one, at a time, or nil.
func (r rows) ofTime(i int, instant time.Time) *entry {
	if i < 0 || i >= len(r) || !r[i].isAt(instant) {
		return nil
	}
	return r[i]
}

// without returns a copy of the rows without those that were dropped. newest is the first of these.
func (r rows) without(newest *entry) rows {
	first := r.search(newest)
	kept := append(make(rows, 0, len(r)), r[:first]...)
	for _, e := range r[first:] {
		if !e.dropped {
			kept = append(kept, e)
		}
	}
	return kept
}

// compare orders entries newest first. Equal times are ordered by project, then as the service lists them.
func compare(a, b *entry) int {
	if c := b.at.Compare(a.at); c != 0 {
		return c
	}
	if c := strings.Compare(b.feed.project, a.feed.project); c != 0 {
		return c
	}
	if c := cmp.Compare(b.rank, a.rank); c != 0 {
		return c
	}
	return strings.Compare(b.op().ID, a.op().ID)
}

// insert merges sorted entries into sorted rows. It moves each row at most once.
func insert(into, fresh rows) rows {
	end := len(into)
	into = append(into, fresh...)
	for k, e := range slices.Backward(fresh) {
		index := into[:end].search(e)
		copy(into[index+k+1:], into[index:end])
		into[index+k] = e
		end = index
	}
	return into
}

// mergeRuns merges sorted rows pairwise, several times faster than sorting again.
func mergeRuns(runs []rows) rows {
	switch len(runs) {
	case 0:
		return nil
	case 1:
		return slices.Clone(runs[0])
	}
	a, b := mergeRuns(runs[:len(runs)/2]), mergeRuns(runs[len(runs)/2:])
	out := make(rows, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if compare(a[0], b[0]) < 0 {
			out, a = append(out, a[0]), a[1:]
		} else {
			out, b = append(out, b[0]), b[1:]
		}
	}
	return append(append(out, a...), b...)
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
