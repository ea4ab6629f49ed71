// Package feed keeps the operations of many projects current and in one list. Pages of the service become a [Feed] for
// each project, feeds become a [Timeline], and the [Poller] decides what to ask for next. The package is pure: it does
// no I/O, reads no clock and knows no terminal.
package feed

import (
	"maps"
	"slices"
	"sort"
	"strings"
	"sync/atomic"
	"time"

	"pgtower/models"
)

// Feed holds the known operations of one project: newest first, each once, with every place marked where operations may
// be missing.
//
// It grows by pages ([Feed.Merge]). Nothing is missing between the operations of a page, nor between those of pages
// that overlap. Where a page did not reach the rows that were known before, the feed has an edge: the operations
// below that row are not loaded, and the cursor of the edge loads them. An edge with rows below it is a gap. The edge
// below the last row leads to older history; a feed without it has reached the end of history. Where the service's
// paging broke, the edge stays, because older operations may exist.
//
// A Feed is not safe for concurrent use. The operations that it returns are never written to: a change replaces them.
type Feed struct {
	project  string
	timeline *Timeline // that shows the feed, or nil; it learns of every change

	rows
	byID    map[string]*entry
	active  map[string]*entry // the operations that are not done
	edges   []edge            // newest first, each below another row
	loaded  bool
	head    time.Time // when the newest head page was asked for
	retired bool

	forgotten time.Time // from there on down only unfinished operations are kept; zero if all are
}

// entry is an operation and its place. The place never changes, so that a row never jumps.
type entry struct {
	// The newest version of the operation, and when the last request was made that returned it. Both are read from other
	// goroutines as well: see [Timeline.Rows].
	current atomic.Pointer[models.Operation]
	asked   atomic.Pointer[time.Time]
	at      time.Time
	feed    *Feed
}

func (e *entry) op() *models.Operation { return e.current.Load() }

// asOf is the time at which the operation was last known to be as it is. It is zero if that is unknown.
func (e *entry) asOf() time.Time { return *e.asked.Load() }

// confirm notes that a request made at asOf returned the operation.
func (e *entry) confirm(asOf time.Time) {
	if asOf.After(e.asOf()) {
		e.asked.Store(&asOf)
	}
}

// edge is a row below which the next operations are not loaded.
type edge struct {
	above  *entry
	cursor string // of the page below the row, or of the last page that led on if paging broke
	back   string // the cursor of the page that gave the cursor
	last   *entry // the last row of that page: above, or a row further down after paging broke
	broken bool   // the service gave no cursor that leads on: only the user tries again
}

func (e *edge) gap() Gap { return Gap{e.above.op().ID, e.cursor, e.broken} }

// Gap is a place inside the feed where operations are missing.
type Gap struct {
	Below  string // the id of the row above the gap
	Cursor string // asks for the next operations below that row
	// Broken reports whether the service's paging broke there: it gave no cursor that leads on, and Cursor is that of
	// the last page that did.
	Broken bool
}

// Change is what a merge did to the feed.
type Change struct {
	Added   []*models.Operation // the operations that were not known, newest first
	Changed []Revision          // the operations that were known and are different now
	// Gap is the gap below the page if it did not reach what was known, or nil. Merging the page of its cursor closes
	// it or moves it down.
	Gap       *Gap
	Anomalies Anomaly // what the specification does not foresee
}

// Revision is an operation before and after a change.
type Revision struct{ Before, After *models.Operation }

// New returns the feed of a project, of which nothing is known yet.
func New(project string) *Feed {
	return &Feed{project: project, byID: map[string]*entry{}, active: map[string]*entry{}}
}

// Loaded reports whether a head page was merged.
func (f *Feed) Loaded() bool { return f.loaded }

// AsOf is when the newest head page was asked for, or zero.
func (f *Feed) AsOf() time.Time { return f.head }

// Find returns the row of an operation.
func (f *Feed) Find(id string) (row int, ok bool) {
	e, ok := f.byID[id]
	if !ok {
		return 0, false
	}
	return f.search(e), true
}

// Unfinished is the number of loaded operations that are not done.
func (f *Feed) Unfinished() int { return len(f.active) }

// reach returns how many of the newest operations contain all unfinished ones, apart from those below the first most.
func (f *Feed) reach(most int) int {
	reach := 0
	for _, e := range f.active {
		if row := f.search(e); row < most {
			reach = max(reach, row+1)
		}
	}
	return reach
}

// end returns the edge below the last row, or nil.
func (f *Feed) end() *edge {
	if n := len(f.edges); n > 0 && f.isLast(f.edges[n-1].above) {
		return &f.edges[n-1]
	}
	return nil
}

func (f *Feed) isLast(e *entry) bool { return e == f.rows[len(f.rows)-1] }

// contiguous returns the last row that has nothing missing between itself and the given row.
func (f *Feed) contiguous(row int) int {
	for _, e := range f.edges {
		if at := f.search(e.above); at >= row {
			return at
		}
	}
	return sort.Search(len(f.rows), func(i int) bool { return f.forgot(f.rows[i]) }) - 1
}

// forgot reports whether an operation lies where finished ones were dropped.
func (f *Feed) forgot(e *entry) bool { return !f.forgotten.IsZero() && !e.at.After(f.forgotten) }

// forget drops the finished operations below the newest keep rows, so that the memory of a feed that is followed for
// weeks stays flat. They are not taken in again. While pages after since are missing, nothing is dropped, because what
// joins them has to find the rows below; where paging broke, that has a bound.
func (f *Feed) forget(keep int, since time.Time) {
	const mostWithGaps = 10_000
	most := 2 * keep
	for _, e := range f.edges {
		switch {
		case f.isLast(e.above) && !e.above.at.After(since): // older history, which nobody wants
		case e.broken:
			most = max(most, mostWithGaps)
		default:
			return
		}
	}
	if len(f.rows) <= most {
		return
	}
	f.forgotten = f.rows[keep].at
	dropped := map[*entry]bool{}
	for _, e := range f.rows[keep:] {
		if e.op().Done() {
			dropped[e] = true
			delete(f.byID, e.op().ID)
		}
	}
	f.edges = slices.DeleteFunc(f.edges, func(e edge) bool { return f.search(e.above) >= keep-1 })
	f.rows = f.without(dropped)
	if f.timeline != nil {
		f.timeline.forget(f, dropped)
	}
}

// unfinished returns the operations that are not done, newest first.
func (f *Feed) unfinished() []*entry { return slices.SortedFunc(maps.Values(f.active), compare) }

// overdueIDs returns the unfinished operations that the last head page did not contain, newest first. They have to be
// read some other way, or they would look unfinished forever.
func (f *Feed) overdueIDs() (ids []string) {
	for _, e := range f.unfinished() {
		if id := e.op().ID; e.asOf().Before(f.head) && !models.NoID(id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// rows are operations in the order of [compare]: newest first.
type rows []*entry

// Len is the number of loaded operations.
func (r rows) Len() int { return len(r) }

// At returns the operation at row i, 0 being the newest.
func (r rows) At(i int) *models.Operation { return r[i].op() }

// PlacedAt is the time by which row i has its place: when the operation began or, where that cannot be, when those
// beside it did.
func (r rows) PlacedAt(i int) time.Time { return r[i].at }

// AsOf is when the last request was made that returned the operation at row i.
func (r rows) AsOf(i int) time.Time { return r[i].asOf() }

// ProjectAt returns the project of the feed that row i came from. The operation's own field may be different or empty,
// if its record is damaged.
func (r rows) ProjectAt(i int) string { return r[i].feed.project }

// search returns the row where e is, or would be inserted.
func (r rows) search(e *entry) int {
	i, _ := slices.BinarySearchFunc(r, e, compare)
	return i
}

// without returns the rows but for some, in a slice of its own.
func (r rows) without(dropped map[*entry]bool) rows {
	kept := make(rows, 0, len(r)-len(dropped))
	for _, e := range r {
		if !dropped[e] {
			kept = append(kept, e)
		}
	}
	return kept
}

// compare orders entries newest first. The id decides between equal times, then the project, so that the order is the
// same at every poll.
func compare(a, b *entry) int {
	if c := b.at.Compare(a.at); c != 0 {
		return c
	}
	if c := strings.Compare(b.op().ID, a.op().ID); c != 0 {
		return c
	}
	return strings.Compare(b.feed.project, a.feed.project)
}
