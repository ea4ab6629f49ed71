// Package timeline draws operations over time, in a lane for each project, branch, endpoint or action. A lane has a bar
// from the start of each operation to its end or, if there are too many, the number that began in each cell. The
// package is pure: it reads no clock, sends no requests, and knows no page.
package timeline

import (
	"cmp"
	"iter"
	"maps"
	"math"
	"strings"
	"time"

	"pgtower/models"
	"pgtower/models/feed"
)

// Task is an operation with its place in time, in nanoseconds since 1970.
type Task struct {
	Op      *models.Operation
	Project string

	start, end int64
	failed     bool
}

// noEnd is the end of an unfinished operation; maxAhead is how far the service's clock may be ahead of the local one.
const noEnd, maxAhead = math.MaxInt64, int64(24 * time.Hour)

// Key names the operation.
func (t *Task) Key() feed.Key { return feed.Key{Project: t.Project, ID: t.Op.ID} }

// Start returns when the operation began or, if that is unknown, when it was last updated.
func (t *Task) Start() time.Time { return time.Unix(0, t.start) }

// until returns when the operation ended, or now.
func (t *Task) until(now int64) int64 {
	if t.end == noEnd {
		return max(t.start, now)
	}
	return t.end
}

// NewTask returns the place of an operation in time. It is not ok for an operation without a time.
func NewTask(project string, op *models.Operation) (t Task, ok bool) {
	at := op.CreatedAt
	if at.IsZero() {
		at = op.UpdatedAt
	}
	if at.IsZero() || at.Year() < 1700 || at.Year() > 2200 { // out of range in nanoseconds
		return Task{}, false
	}
	t = Task{op, project, at.UnixNano(), noEnd, op.Status.Failed()}
	if op.Done() {
		t.end = t.start
		if u := op.UpdatedAt; u.After(at) && u.Year() <= 2200 {
			t.end = u.UnixNano()
		}
	}
	return t, true
}

// Counts counts operations.
type Counts struct{ Count, Failed, Unfinished int }

// add adds an operation, or removes it if by is negative.
func (c *Counts) add(t *Task, by int) {
	c.Count += by
	switch {
	case t.failed:
		c.Failed += by
	case t.end == noEnd:
		c.Unfinished += by
	}
}

// merge adds other counts, or removes them if by is negative.
func (c *Counts) merge(o Counts, by int) {
	c.Count += by * o.Count
	c.Failed += by * o.Failed
	c.Unfinished += by * o.Unfinished
}

// tally summarizes many tasks.
type tally struct {
	Counts

	last int64 // the latest end
	took feed.Durations
}

func (y *tally) add(t *Task) {
	y.Counts.add(t, +1)
	y.last = max(y.last, t.end)
	if t.Op.Status != models.StatusFinished {
		return
	}
	if took := t.Op.Took(time.Time{}); took.Known && took.Value >= 0 {
		y.took.Add(took.Value)
	}
}

// lane is the tasks that belong together.
type lane struct {
	id string
	series[Task, tally]
}

func newLane(id string) *lane {
	return &lane{id, series[Task, tally]{
		at: func(t *Task) int64 { return t.start },
		compare: func(a, b Task) int {
			byID := cmp.Or(strings.Compare(a.Op.ID, b.Op.ID), strings.Compare(a.Project, b.Project))
			return cmp.Or(cmp.Compare(a.start, b.start), byID)
		},
		sum: func(tasks []Task) (sum tally) {
			for i := range tasks {
				sum.add(&tasks[i])
			}
			return sum
		},
	}}
}

// ongoing visits the operations that began between since and from and still ran at from.
func (l *lane) ongoing(since, from int64, visit func(t *Task)) {
	for _, b := range l.blocks {
		if l.first(b) >= from {
			return
		}
		if l.total(b).last <= from || l.last(b) < since {
			continue
		}
		for i := range b.items {
			if t := &b.items[i]; t.start >= since && t.start < from && t.end > from {
				visit(t)
			}
		}
	}
}

// within visits the operations in view: first those that began before it, one by one, then the others
// as [series.each] does.
func (l *lane) within(b bounds, whole func(first, last int64, sum *tally) bool, one func(t *Task)) {
	l.ongoing(b.since, b.from, one)
	l.each(max(b.from, b.since), b.to, whole, one)
}

// tasks visits each operation in view, in the order of their start.
func (l *lane) tasks(b bounds, one func(t *Task)) {
	l.within(b, func(int64, int64, *tally) bool { return false }, one)
}

// Index finds operations by time. Adding or removing an operation changes one block of each series, however many
// operations there are.
type Index struct {
	Timeless int // the number of operations without a time, which are not shown

	group   Grouping
	lanes   map[string]*lane
	all     *lane
	edges   series[edge, runningChange]
	version int
	cache   laneCache
}

// Grouping returns the id of the lane of an operation.
type Grouping func(project string, op *models.Operation) string

// NewIndex returns an empty index with a lane for each value of group.
func NewIndex(group Grouping) *Index {
	return &Index{group: group, lanes: map[string]*lane{}, all: newLane(""), edges: newEdges()}
}

func number(is bool) int {
	if is {
		return 1
	}
	return 0
}

// Count adds an operation, or removes it if by is negative. The record removed must be the one added.
func (x *Index) Count(project string, op *models.Operation, by int) {
	x.version++
	t, ok := NewTask(project, op)
	if !ok {
		x.Timeless += by
		return
	}
	id := x.group(project, op)
	l := x.lanes[id]
	if l == nil {
		l = newLane(id)
		x.lanes[id] = l
	}
	begin, end := edge{t.start, +1, false}, edge{max(t.end, t.start+1), -1, t.failed}
	if by > 0 {
		l.insert(t)
		x.all.insert(t)
		x.edges.insert(begin)
	} else {
		l.remove(t)
		x.all.remove(t)
		x.edges.remove(begin)
	}
	switch {
	case t.end == noEnd:
	case by > 0:
		x.edges.insert(end)
	default:
		x.edges.remove(end)
	}
	if len(l.blocks) == 0 {
		delete(x.lanes, id)
	}
}

// Lanes returns the number of lanes, and their ids in no particular order.
func (x *Index) Lanes() (n int, ids iter.Seq[string]) { return len(x.lanes), maps.Keys(x.lanes) }
