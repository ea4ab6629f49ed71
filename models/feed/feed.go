// Package feed turns the pages of an operations list into one feed, and decides what to
// ask for next. It is pure: it does no I/O, reads no clock and knows no terminal.
package feed

import (
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"pgtower/models"
)

// Feed is what is known of the operations of one project: newest first, each once,
// with every place marked where operations may be missing.
//
// It grows by pages ([Feed.Merge]). A page is contiguous: between its first and its
// last operation there is nothing else. So is what pages that overlap have brought
// together. Where a page did not reach what was known before, the feed has an edge:
// a row below which the next ones are not loaded, with the cursor that loads them. An
// edge with known rows below it is a gap; the edge below the last row is where older
// history goes on. A feed without that last edge has reached the end of history. Where
// the service's paging broke, the edge stays, and with it that older ones may exist.
//
// A Feed is not safe for use from several goroutines. The operations it hands out
// are never written again: a change replaces them.
type Feed struct {
	rows   []*entry
	byID   map[string]*entry
	counts map[models.Status]int
	edges  []edge // newest first; each below another row
	loaded bool
	head   time.Time // when the newest head page was asked for
	active map[string]*entry
	// project is whose operations these are, set by the timeline that the feed is in.
	project string
}

// entry is an operation at its place. The place is settled when the operation is
// first seen, so that a row never jumps.
type entry struct {
	// What was heard of the operation, and when the request was made that it was last heard
	// of by. Other goroutines read them as well: see [Timeline.Rows].
	heard atomic.Pointer[models.Operation]
	asked atomic.Pointer[time.Time]
	at    time.Time
	feed  *Feed // where it came from
}

// op is what was last heard of the operation.
func (e *entry) op() *models.Operation { return e.heard.Load() }

func (e *entry) hear(op *models.Operation) { e.heard.Store(op) }

// asOf is when the operation was last heard of: it was so then or later. It is zero where
// the time is not known any more.
func (e *entry) asOf() time.Time { return *e.asked.Load() }

// confirm notes that a request of that time told of the operation.
func (e *entry) confirm(asOf time.Time) {
	if asOf.After(e.asOf()) {
		e.asked.Store(&asOf)
	}
}

// edge marks that below a row the next operations are not loaded.
type edge struct {
	above  *entry
	cursor string // of the page below the row, or of the last one that led on if paging broke
	back   string // the cursor of the page that gave the cursor
	last   *entry // the last row of that page: above, or on the way to it after paging broke
	broken bool   // the service gave no cursor that leads on: nothing asks again by itself
}

// Gap is a place inside the feed where operations are missing.
type Gap struct {
	// Below is the id of the row above the gap.
	Below string
	// Cursor asks for the operations that come next below that row.
	Cursor string
	// Broken has the service's paging broken there: it gave no cursor that leads on, and
	// Cursor is that of the last page that did.
	Broken bool
}

func (e *edge) gap() Gap { return Gap{e.above.op().ID, e.cursor, e.broken} }

// Change is what a merge did to the feed.
type Change struct {
	// Added are the operations that were not known, newest first.
	Added []*models.Operation
	// Changed are the operations that were known and are different now.
	Changed []Revision
	// Gap is the gap that the page left because it did not reach what was known,
	// or nil. Merging the page of its cursor closes it or moves it down.
	Gap *Gap
	// Odd is what was not as the specification says.
	Anomalies Anomaly
}

// Revision is an operation before and after a change.
type Revision struct{ Before, After *models.Operation }

// New returns a feed that knows nothing yet.
func New() *Feed {
	return &Feed{
		byID:   map[string]*entry{},
		counts: map[models.Status]int{},
		active: map[string]*entry{},
	}
}

// Loaded says that at least the head page has come.
func (f *Feed) Loaded() bool { return f.loaded }

// AsOf is when the newest head page was asked for, zero where none has come.
func (f *Feed) AsOf() time.Time { return f.head }

// Len is the number of operations that are loaded.
func (f *Feed) Len() int { return len(f.rows) }

// At returns the operation at row i, 0 being the newest.
func (f *Feed) At(i int) *models.Operation { return f.rows[i].op() }

// Find returns the row of an operation.
func (f *Feed) Find(id string) (row int, ok bool) {
	e, ok := f.byID[id]
	if !ok {
		return 0, false
	}
	return f.search(e), true
}

// Count is the number of loaded operations with the status, gone ones left out.
func (f *Feed) Count(s models.Status) int { return f.counts[s] }

// Statuses returns the statuses that occur, in no particular order.
func (f *Feed) Statuses() []models.Status {
	var out []models.Status
	for s, n := range f.counts {
		if n > 0 {
			out = append(out, s)
		}
	}
	return out
}

// Unfinished is the number of loaded operations that are not done.
func (f *Feed) Unfinished() int { return len(f.active) }

// Reach is how many of the newest operations have to be asked for to hear of those that
// are not done, as far as no more than most of them are.
func (f *Feed) Reach(most int) int {
	reach := 0
	for _, e := range f.active {
		if row := f.search(e); row < most {
			reach = max(reach, row+1)
		}
	}
	return reach
}

// Ended says that the oldest operation that the service still has is loaded.
func (f *Feed) Ended() bool { return f.loaded && f.front() == nil && f.broken() == nil }

// Older returns the cursor of the page below the last row, and whether there is one.
func (f *Feed) Older() (cursor string, ok bool) {
	if f.front() == nil {
		return "", false
	}
	return f.edges[len(f.edges)-1].cursor, true
}

// front returns the last row if older ones are still to come, otherwise nil.
func (f *Feed) front() *entry {
	if e := f.end(); e != nil && !e.broken {
		return e.above
	}
	return nil
}

// broken returns the edge below the last row if the service's paging broke there, or nil.
func (f *Feed) broken() *edge {
	if e := f.end(); e != nil && e.broken {
		return e
	}
	return nil
}

// end returns the edge below the last row, or nil.
func (f *Feed) end() *edge {
	if n := len(f.edges); n > 0 && f.isLast(f.edges[n-1].above) {
		return &f.edges[n-1]
	}
	return nil
}

// Gaps returns the places where operations are missing, newest first.
func (f *Feed) Gaps() []Gap {
	var out []Gap
	for _, e := range f.edges {
		if !f.isLast(e.above) {
			out = append(out, e.gap())
		}
	}
	return out
}

// contiguous returns the last row of those below a row that nothing is missing between.
func (f *Feed) contiguous(row int) int {
	for _, e := range f.edges {
		if at := f.search(e.above); at >= row {
			return at
		}
	}
	return len(f.rows) - 1
}

// overdueIDs returns the unfinished operations about which the last head page said
// nothing, newest first. They have to be read some other way, or they would look
// unfinished for ever.
func (f *Feed) overdueIDs() []string {
	return f.activeIDs(func(e *entry) bool { return e.asOf().Before(f.head) && !models.NoID(e.op().ID) })
}

// unfinished returns the operations that are not done, newest first.
func (f *Feed) unfinished() []string {
	return f.activeIDs(func(*entry) bool { return true })
}

func (f *Feed) activeIDs(pass func(*entry) bool) []string {
	var found []*entry
	for _, e := range f.active {
		if pass(e) {
			found = append(found, e)
		}
	}
	slices.SortFunc(found, compare)
	ids := make([]string, len(found))
	for i, e := range found {
		ids[i] = e.op().ID
	}
	return ids
}

// Update takes in an operation that was read on its own (section 4.6). One that the
// feed does not have is ignored: its place among the others is not known.
func (f *Feed) Update(op models.Operation, asOf time.Time) Change {
	e, ok := f.byID[op.ID]
	if !ok {
		return Change{}
	}
	var c Change
	if op.Damage != "" {
		c.Anomalies = AnomalyRecord
	}
	f.revise(e, op, asOf, &c)
	return c
}

// Vanish marks an operation that the service no longer knows.
func (f *Feed) Vanish(id string, asOf time.Time) Change {
	e, ok := f.byID[id]
	if !ok || e.op().Gone || asOf.Before(e.asOf()) {
		return Change{}
	}
	op := *e.op()
	op.Gone = true
	return Change{Changed: []Revision{f.replace(e, op, asOf)}}
}

// Revive takes back that unfinished operations are gone: the project is there again, and
// whether they are, the service is asked anew.
func (f *Feed) Revive() (c Change) {
	for _, e := range f.rows {
		if op := *e.op(); op.Gone {
			op.Gone = false
			e.asked.Store(&time.Time{})
			c.Changed = append(c.Changed, f.replace(e, op, time.Time{}))
		}
	}
	return c
}

func (f *Feed) isLast(e *entry) bool { return e == f.rows[len(f.rows)-1] }

// search returns the row where e is, or would be inserted.
func (f *Feed) search(e *entry) int {
	i, _ := slices.BinarySearchFunc(f.rows, e, compare)
	return i
}

// compare orders entries newest first; the id decides between equal times, then the
// project, so that the order is total and the same at every poll.
func compare(a, b *entry) int {
	if c := b.at.Compare(a.at); c != 0 {
		return c
	}
	if c := strings.Compare(b.op().ID, a.op().ID); c != 0 {
		return c
	}
	return strings.Compare(b.feed.project, a.feed.project)
}
