// Package feed keeps the operations of many projects current and in one list. Pages of the service become a [Feed] for
// each project, feeds become a [Timeline], and the [Poller] decides what to request next. The package is pure: it does
// no I/O, reads no clock and knows no terminal.
package feed

import (
	"math"
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
//
// It has many methods because each page moves rows, edges and seams together: apart, none of them would be right.
type Feed struct {
	project  string
	timeline *Timeline // the timeline that shows the feed, or nil
	fleet    counter   // what counts its operations, or nil

	rows
	byID      map[string]*entry
	active    map[string]*entry // the operations that are not done
	failed    retries           // those that failed and may be tried again
	skew      time.Duration     // how far the service's clock is ahead
	edges     []edge            // newest first, each below another row
	loaded    bool
	start     *entry    // the last row of the first head page, or nil if that had all of history
	head      time.Time // when the newest head page was requested
	retired   bool
	seams     []seam // newest first
	forgotten forgotten

	// given is the newest row with operations below it that were given back, or nil. lost is the newest row that was given
	// back and that no cursor leads to, or nil. sought reports whether the next newest page is to find it.
	given, lost *entry
	sought      bool
	kept        *holding // with the other feeds of a poller
	marks       int      // the bytes of edges and seams in it
}

// edge is a row below which the next operations are not loaded.
type edge struct {
	above  *entry
	cursor string // of the page below the row, or of the last page that led on if paging broke
	back   string // the cursor of the page that returned cursor
	last   *entry // the last row of that page: above, or a row further down after paging broke
	broken bool   // the service gave no usable cursor: only the user retries
	again  bool   // the pages of the cursor begin above the row, and are followed down to it
	// top is the newest second of the known rows around the edge, or zero. Only in older seconds are they known to be
	// complete.
	top     time.Time
	found   time.Time // when the page was requested that first left the gap; zero: operations were given back
	strayed int       // operations of the pages that stayed in one second, see [Feed.stray]
	run     int       // operations of the pages that led here, from the newest page on
}

// mostJoined is how many operations are loaded to close a gap, or by pages that stay in one second.
const mostJoined = 10_000

// endless reports whether a gap may have no end: the pages that led to it have very many operations. A range without a bound
// does not go on there.
func (f *Feed) endless(e *edge) bool { return e.run >= mostJoined && !f.isLast(e.above) }

func (e *edge) isOld(now time.Time, than time.Duration) bool {
	return now.Before(e.found) || now.Sub(e.found) > than
}

// gapSince returns the gap below the last row, if operations are missing there that began at a time or later, or nil. What was
// given back is no gap.
func (f *Feed) gapSince(since time.Time) *Gap {
	e := f.end()
	if e == nil || e.broken || e.found.IsZero() || e.above.second().Before(since.Truncate(time.Second)) {
		return nil
	}
	gap := e.gap()
	return &gap
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
	Added []*models.Operation // the operations that were not known, newest first
	// News are those of Added that began or ended since the service first answered, and those that came after the first
	// page of their project.
	News    []*models.Operation
	Changed []Revision // the known operations that changed
	// Gap is the gap below the page if it did not reach known rows, or nil. Merging the page of its cursor closes it or
	// moves it down.
	Gap       *Gap
	Anomalies Anomaly // deviations from the specification
}

// Revision is an operation before and after a change.
type Revision struct{ Before, After *models.Operation }

// New returns an empty feed of a project.
func New(project string) *Feed {
	return &Feed{
		project: project, byID: map[string]*entry{}, active: map[string]*entry{}, failed: newRetries(), kept: &holding{},
	}
}

// counter counts the operations of feeds, such as a [Fleet].
type counter interface {
	change(project string, c Change)
	forget(project string, dropped rows)
}

// Loaded reports whether a head page was merged.
func (f *Feed) Loaded() bool { return f.loaded }

// AsOf returns when the newest head page was requested, or zero.
func (f *Feed) AsOf() time.Time { return f.head }

// CompleteSince returns the time after which nothing is missing, or zero if all history is loaded.
func (f *Feed) CompleteSince() time.Time {
	if e := f.stop(); e != nil {
		return e.at
	}
	return time.Time{}
}

// stop returns the newest row below which operations are missing, or that is missing itself, or nil.
func (f *Feed) stop() *entry {
	stop := f.lost
	if len(f.edges) > 0 && (stop == nil || compare(f.edges[0].above, stop) < 0) {
		stop = f.edges[0].above
	}
	return stop
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

// newest returns the number of operations of the newest second: a page must reach below them to be joined.
func (f *Feed) newest() int {
	if len(f.rows) == 0 {
		return 0
	}
	return f.since(f.rows[0].second())
}

// lists reports whether the service must list some operation: one is known that began in the last day, and is not so new that a copy
// of the service's data may lack it.
func (f *Feed) lists(now time.Time) bool {
	for _, e := range f.rows[:min(len(f.rows), mostNew)] {
		age := now.Add(f.skew).Sub(e.at)
		if MaxRun < age {
			return age < 24*time.Hour
		}
	}
	return false
}

const mostNew = 100 // rows that are looked at for one that is not too new

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
		if line := f.search(e.above); line >= row {
			return line
		}
	}
	if f.forgotten.boundary == nil {
		return len(f.rows) - 1
	}
	return f.search(f.forgotten.boundary) - 1
}

// top returns the newest row from which the given row is reached without a gap.
func (f *Feed) top(row int) (top int) {
	for _, e := range f.edges {
		if line := f.search(e.above); line < row {
			top = line + 1
		}
	}
	return top
}

// seam is a row where a page of the service ended. A feed can be cut there, because the cursor leads on.
type seam struct {
	above  *entry
	cursor string
	back   string // of the page that ends with the row
}

// forgotten is what a feed dropped for good: the operations that began before the boundary's second, except those that are
// still rows, and the operations with these ids. The ids are of that second, and of rows below it without a readable time.
type forgotten struct {
	boundary *entry // the first row that was not kept for certain, or nil
	ids      map[string]struct{}
}

// has reports whether an operation was known and dropped.
func (g *forgotten) has(e *entry) bool {
	_, dropped := g.ids[e.op().ID]
	return dropped || g.allOf(e.second())
}

// allOf reports whether the finished operations of a second were dropped, all of them.
func (g *forgotten) allOf(second time.Time) bool {
	return g.boundary != nil && second.Before(g.boundary.second())
}

// endSecond forgets all of the boundary's second, also what was not read.
func (g *forgotten) endSecond(f *Feed) {
	end := &entry{at: g.boundary.second().Add(time.Second), rank: math.Inf(-1), feed: f}
	end.current.Store(&models.Operation{})
	*g = forgotten{boundary: end, ids: map[string]struct{}{}}
}
