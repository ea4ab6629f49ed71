package operations

import (
	"slices"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/ui/style"
	"pgtower/ui/timeline"
)

// timeIndex indexes the operations of the table by time. It observes the feed or, if there is a filter or an order,
// takes the changes of the rows. A large index is built on another goroutine; until then the previous one stays.
type timeIndex struct {
	*timeline.Index // nil before the first one

	content
	rows   []*row // the indexed rows, if the feed is not observed
	number int    // the number of these rows, see [table.Model.Rows]
	next   *build // the index that is being built, or nil

	longest, lanes int    // the width of the longest name, and the number of lanes then
	known          *known // the names then
}

// content is what an index has: the operations of a feed or, if that is nil, those of filtered or sorted rows.
type content struct {
	feed    *feed.Timeline
	lanesBy string
}

// build is an index that is being built.
type build struct {
	content
	ready   *timeline.Index // nil until then
	changes []change        // of the feed since the build began
}

// change is an operation that the feed added or, if by is negative, removed.
type change struct {
	project string
	op      *models.Operation
	by      int
}

// fewRows are indexed within a few milliseconds.
const fewRows = 5000

// forget drops the index.
func (x *timeIndex) forget() {
	if x.feed != nil {
		x.feed.Observe(nil)
	}
	if x.next != nil && x.next.feed != nil {
		x.next.feed.Observe(nil)
	}
	*x = timeIndex{}
}

// update brings the index up to date with the feed or with the rows of a number. If that takes long, it returns a job
// for another goroutine; the UI's goroutine then calls done.
func (x *timeIndex) update(want content, rows []*row, number int, lane timeline.Grouping) (job func() (done func())) {
	current := x.Index != nil && x.content == want && (want.feed != nil || x.take(rows, number))
	if current || x.next != nil {
		return nil
	}
	b := &build{content: want}
	x.next = b
	if want.feed != nil {
		want.feed.Observe(func(project string, op *models.Operation, by int) {
			if b.ready != nil {
				b.ready.Count(project, op, by)
			} else {
				b.changes = append(b.changes, change{project, op, by})
			}
		})
	}
	loaded := b.changes
	b.changes = nil
	job = func() func() {
		index := timeline.NewIndex(lane)
		for _, c := range loaded {
			index.Count(c.project, c.op, c.by)
		}
		countRows(index, rows, +1)
		return func() { x.replace(b, index, rows, number) }
	}
	if len(loaded)+len(rows) > fewRows {
		return job
	}
	job()()
	return nil
}

// replace takes the index that was built, unless it was dropped meanwhile.
func (x *timeIndex) replace(b *build, index *timeline.Index, rows []*row, number int) {
	if x.next != b {
		return
	}
	for _, c := range b.changes {
		index.Count(c.project, c.op, c.by)
	}
	if x.feed != nil && b.feed == nil {
		x.feed.Observe(nil)
	}
	b.ready, b.changes = index, nil
	*x = timeIndex{Index: index, content: b.content, rows: rows, number: number}
}

// take updates the index to the rows of a number unless too many are different, and reports whether it did. Only the
// range of changed rows is compared.
func (x *timeIndex) take(rows []*row, number int) bool {
	if x.number == number {
		return true
	}
	from, was, is := 0, len(x.rows), len(rows)
	for from < min(was, is) && x.rows[from].op == rows[from].op {
		from++
	}
	for min(was, is) > from && x.rows[was-1].op == rows[is-1].op {
		was--
		is--
	}
	if max(was, is)-from > fewRows {
		return false
	}
	left, came := changes(x.rows[from:was], rows[from:is])
	x.rows, x.number = rows, number
	countRows(x.Index, left, -1)
	countRows(x.Index, came, +1)
	return true
}

// countRows adds or removes the operations of rows, from the last to the first: oldest first is the fastest.
func countRows(index *timeline.Index, rows []*row, by int) {
	for _, r := range slices.Backward(rows) {
		if r.op != nil {
			index.Count(r.project, r.op, by)
		}
	}
}

// changes returns the rows that left a list and those that came. Operations are never modified but replaced.
func changes(before, after []*row) (left, came []*row) {
	were := make(map[*models.Operation]bool, len(before))
	for _, r := range before {
		were[r.op] = true
	}
	for _, r := range after {
		if !were[r.op] {
			came = append(came, r)
		}
		were[r.op] = false
	}
	for _, r := range before {
		if were[r.op] {
			left = append(left, r)
		}
	}
	return left, came
}

// longestName returns the width of the longest name of a lane, in cells.
func (x *timeIndex) longestName(known *known, name func(lane string) string) int {
	if n, ids := x.Lanes(); n != x.lanes || known != x.known {
		x.longest, x.lanes, x.known = 0, n, known
		for id := range ids {
			x.longest = max(x.longest, style.Width(name(id)))
		}
	}
	return x.longest
}
