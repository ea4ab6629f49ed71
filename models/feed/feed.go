// Package feed keeps the operations of many projects current and in one list. Pages of the service become a [Feed] for
// each project, feeds become a [Timeline], and the [Poller] decides what to request next. The package is pure: it does
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

// Feed holds the known operations of one project: newest first, each once, with a mark wherever operations may be
// missing.
//
// It grows by pages ([Feed.Merge]). Nothing is missing within a page, nor between overlapping pages. If a page does not
// reach the rows that were already known, the feed has an edge: the operations below that row are not loaded, and the
// cursor of the edge loads them. An edge with rows below it is a gap. The edge below the last row leads to older
// history; without it, the feed has reached the end of history. If the service's paging broke, the edge stays, because
// older operations may exist.
//
// A Feed is not safe for concurrent use. Returned operations are never modified: a change replaces them.
type Feed struct {
	project  string
	timeline *Timeline // the timeline that shows the feed, or nil

	rows
	byID    map[string]*entry
	active  map[string]*entry // the operations that are not done
	edges   []edge            // newest first, each below another row
	loaded  bool
	start   *entry    // the last row of the first head page, or nil if that reached the end of history
	head    time.Time // when the newest head page was requested
	retired bool

	forgotten time.Time // older operations are kept only if unfinished; zero: all are kept
}

// entry is an operation with its position, which never changes: rows never jump.
type entry struct {
	// The newest version of the operation, and the time of the last request that returned it. Other goroutines read
	// both: see [Timeline.Rows].
	current atomic.Pointer[models.Operation]
	asked   atomic.Pointer[time.Time]
	at      time.Time
	feed    *Feed
}

func (e *entry) op() *models.Operation { return e.current.Load() }

// asOf returns when the operation was last confirmed, or zero if that is unknown.
func (e *entry) asOf() time.Time { return *e.asked.Load() }

// confirm records that a request made at asOf returned the operation.
func (e *entry) confirm(asOf time.Time) {
	if asOf.After(e.asOf()) {
		e.asked.Store(&asOf)
	}
}

// edge is a row below which the next operations are not loaded.
type edge struct {
	above  *entry
	cursor string // of the page below the row, or of the last page that led on if paging broke
	back   string // the cursor of the page that returned cursor
	last   *entry // the last row of that page: above, or a row further down after paging broke
	broken bool   // the service gave no usable cursor: only the user retries
}

func (e *edge) gap() Gap { return Gap{e.above.op().ID, e.cursor, e.broken} }

// Gap is a position in the feed where operations are missing.
type Gap struct {
	Below  string // the id of the row above the gap
	Cursor string // requests the next operations below that row
	// Broken reports whether the service's paging broke there: it gave no usable cursor, and Cursor is that of the last
	// page that led on.
	Broken bool
}

// Change is the result of a merge.
type Change struct {
	Added   []*models.Operation // the operations that were not known, newest first
	News    int                 // how many of Added, from the first, the service listed since the first head page
	Changed []Revision          // the known operations that changed
	// Gap is the gap below the page if it did not reach known rows, or nil. Merging the page of its cursor closes it or
	// moves it down.
	Gap       *Gap
	Anomalies Anomaly // deviations from the specification
}

// Revision is an operation before and after a change.
type Revision struct{ Before, After *models.Operation }

// New returns an empty feed of a project.
func New(project string) *Feed {
	return &Feed{project: project, byID: map[string]*entry{}, active: map[string]*entry{}}
}

// Loaded reports whether a head page was merged.
func (f *Feed) Loaded() bool { return f.loaded }

// AsOf returns when the newest head page was requested, or zero.
func (f *Feed) AsOf() time.Time { return f.head }

// CompleteSince is the time after which nothing is missing. It is zero if all history is loaded.
func (f *Feed) CompleteSince() time.Time {
	if len(f.edges) == 0 {
		return time.Time{}
	}
	return f.edges[0].above.at
}

// Find returns the row of an operation.
func (f *Feed) Find(id string) (row int, ok bool) {
	e, ok := f.byID[id]
	if !ok {
		return 0, false
	}
	return f.search(e), true
}

// Unfinished returns the number of loaded operations that are not done.
func (f *Feed) Unfinished() int { return len(f.active) }

// reach returns how many of the newest rows include all unfinished ones among the first most.
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

// contiguous returns the last row that is reached from the given row without a gap.
func (f *Feed) contiguous(row int) int {
	for _, e := range f.edges {
		if at := f.search(e.above); at >= row {
			return at
		}
	}
	return sort.Search(len(f.rows), func(i int) bool { return f.forgot(f.rows[i]) }) - 1
}

// forgot reports whether an operation is so old that finished ones were dropped.
func (f *Feed) forgot(e *entry) bool { return !f.forgotten.IsZero() && !e.at.After(f.forgotten) }

// forget drops the finished operations below the newest keep rows, so that a feed followed for weeks keeps a constant
// size. They do not come back. Nothing is dropped while pages after since are missing, because closing the gap needs
// the rows below; if paging broke, there is a limit to that.
func (f *Feed) forget(keep int, since time.Time) {
	const mostWithGaps = 10_000
	most := 2 * keep
	for _, e := range f.edges {
		switch {
		case f.isLast(e.above) && !e.above.at.After(since): // older history, which was not requested
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

// unknownAge is how old the state of an operation with an unknown status may be before it is read again: the status may
// be final, so that there are ever more of them.
const unknownAge = 10 * time.Minute

// unfinished returns the operations that are not done, newest first.
func (f *Feed) unfinished() []*entry { return slices.SortedFunc(maps.Values(f.active), compare) }

// overdueIDs returns the unfinished operations that the last head page did not contain, newest first. Unless they are
// read some other way, they would look unfinished forever.
func (f *Feed) overdueIDs() (ids []string) {
	for _, e := range f.unfinished() {
		op, age := e.op(), f.head.Sub(e.asOf())
		if age > 0 && (op.Status.Known() || age > unknownAge) && !models.NoID(op.ID) {
			ids = append(ids, op.ID)
		}
	}
	return ids
}

// rows are operations in the order of [compare], newest first.
type rows []*entry

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

// search returns the row where e is, or would be inserted.
func (r rows) search(e *entry) int {
	i, _ := slices.BinarySearchFunc(r, e, compare)
	return i
}

// without returns a copy of the rows without the dropped ones.
func (r rows) without(dropped map[*entry]bool) rows {
	kept := make(rows, 0, len(r)-len(dropped))
	for _, e := range r {
		if !dropped[e] {
			kept = append(kept, e)
		}
	}
	return kept
}

// compare orders entries newest first. Equal times are ordered by id, then by project, so that every poll gives the
// same order.
func compare(a, b *entry) int {
	if c := b.at.Compare(a.at); c != 0 {
		return c
	}
	if c := strings.Compare(b.op().ID, a.op().ID); c != 0 {
		return c
	}
	return strings.Compare(b.feed.project, a.feed.project)
}
