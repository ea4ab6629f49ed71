// Package timeline draws operations over time, in a lane for each project, branch, endpoint or action. A lane has a bar
// from the start of each operation to its end or, if there are too many, the number that began in each cell. The
// package is pure: it reads no clock, sends no requests, and knows no page.
package timeline

import (
	"cmp"
	"iter"
	"math"
	"slices"
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

// span returns the end of the time in which the operation ran, which is never empty.
func (t *Task) span(now int64) int64 { return max(t.until(now), t.start+1) }

// Seconds since 1970, around 1700 and 2200: other times are out of range in nanoseconds.
const earliest, latestEnd = -8520336000, 7289654399

// NewTask returns the place of an operation in time. It is not ok for an operation without a time.
func NewTask(project string, op *models.Operation) (t Task, ok bool) {
	begin := op.CreatedAt
	if begin.IsZero() {
		begin = op.UpdatedAt
	}
	if s := begin.Unix(); s < earliest || s > latestEnd {
		return Task{}, false
	}
	t = Task{op, project, begin.UnixNano(), noEnd, op.Status.Failed()}
	if op.Done() {
		t.end = t.start
		if u := op.UpdatedAt; u.After(begin) && u.Unix() <= latestEnd {
			t.end = u.UnixNano()
		}
	}
	return t, true
}

// compareTasks orders operations by their start.
func compareTasks(a, b Task) int {
	if a.start != b.start {
		return cmp.Compare(a.start, b.start)
	}
	return cmp.Or(strings.Compare(a.Op.ID, b.Op.ID), strings.Compare(a.Project, b.Project))
}

// Counts counts operations.
type Counts struct{ Count, Failed, Unfinished int }

func (c *Counts) add(t *Task) {
	c.Count++
	switch {
	case t.failed:
		c.Failed++
	case t.end == noEnd:
		c.Unfinished++
	}
}

func (c *Counts) merge(o Counts) {
	c.Count += o.Count
	c.Failed += o.Failed
	c.Unfinished += o.Unfinished
}

// Index finds the operations of a time, and remembers what it found for the last one. When the operations change, make another
// index. It reads nothing but its own copy: it can be made on any goroutine.
type Index struct {
	Lanes    map[string]string // the ids of all lanes, with the project of one of their operations
	Timeless int               // the number of operations without a time, which are not shown

	group Grouping
	tasks []Task  // in the order of their start
	ends  []int64 // the latest end of each part of the tasks
	last  *inView
}

// partSize is the number of operations of a part. A search passes over a part that ended too early.
const partSize = 256

// Grouping returns the id of the lane of an operation.
type Grouping func(project string, op *models.Operation) string

// Operations are operations with their projects, the newest first for the most part.
type Operations = iter.Seq2[string, *models.Operation]

// NewIndex returns an index of operations, with a lane for each value of group.
func NewIndex(group Grouping, operations Operations) *Index {
	x := &Index{Lanes: map[string]string{}, group: group}
	for project, op := range operations {
		t, ok := NewTask(project, op)
		if !ok {
			x.Timeless++
			continue
		}
		x.tasks = append(x.tasks, t)
		x.Lanes[group(project, op)] = project
	}
	slices.Reverse(x.tasks) // nearly in order: sorting is cheap then
	slices.SortFunc(x.tasks, compareTasks)
	for part := range slices.Chunk(x.tasks, partSize) {
		end := int64(math.MinInt64)
		for i := range part {
			end = max(end, part[i].end)
		}
		x.ends = append(x.ends, end)
	}
	return x
}

// startingAt returns the index of the first operation that began at a time or later.
func (x *Index) startingAt(begin int64) int {
	i, _ := slices.BinarySearchFunc(x.tasks, begin, func(t Task, begin int64) int { return cmp.Compare(t.start, begin) })
	return i
}

// reaching returns the operations that began between since and begun, and ended after ended. Few operations run for long: most
// parts are passed over.
func (x *Index) reaching(since, begun, ended int64) (tasks []*Task) {
	end := x.startingAt(begun)
	for i := x.startingAt(since); i < end; {
		part := i / partSize
		if x.ends[part] <= ended {
			i = (part + 1) * partSize
			continue
		}
		if t := &x.tasks[i]; t.end > ended {
			tasks = append(tasks, t)
		}
		i++
	}
	return tasks
}

// inView are the operations of a time.
type inView struct {
	bounds

	tasks []Task  // in the order of their start
	ends  []int64 // in order, of the tasks that ended in it
	lanes []*lane // those with operations that count
	took  feed.Durations
}

// lane is the operations in view that belong together.
type lane struct {
	Counts // of those that count

	id     string
	tasks  []*Task // in the order of their start
	latest int64   // when the latest one began
	rank   int
}

// Search finds what a chart of spec needs, so that drawing it is cheap.
func (x *Index) Search(spec *Spec) { x.find(spec) }

// find returns the operations in view.
func (x *Index) find(spec *Spec) *inView {
	b := spec.bounds()
	if x.last != nil && x.last.bounds == b {
		return x.last
	}
	found := &inView{bounds: b}
	x.last = found
	for _, t := range x.reaching(b.since, b.from, b.from) {
		found.tasks = append(found.tasks, *t)
	}
	found.tasks = append(found.tasks, x.tasks[x.startingAt(max(b.from, b.since)):x.startingAt(b.to)]...)
	lanes := map[string]*lane{}
	for _, t := range x.before(&b) {
		found.count(x.laneOf(t, lanes), t)
	}
	for i := range found.tasks {
		t := &found.tasks[i]
		l := x.laneOf(t, lanes)
		l.tasks = append(l.tasks, t)
		if end := t.span(noEnd); end < b.to {
			found.ends = append(found.ends, end)
		}
		if b.counts(t) {
			found.count(l, t)
			l.latest = t.start
		}
	}
	slices.Sort(found.ends)
	for _, l := range lanes {
		if l.Count > 0 {
			found.lanes = append(found.lanes, l)
		}
	}
	slices.SortFunc(found.lanes, byLatest)
	return found
}

// laneOf returns the lane of an operation among lanes, to which it adds a missing one.
func (x *Index) laneOf(t *Task, lanes map[string]*lane) *lane {
	id := x.group(t.Project, t.Op)
	if lanes[id] == nil {
		lanes[id] = &lane{id: id}
	}
	return lanes[id]
}

// byLatest orders lanes by their latest operation, the newest first.
func byLatest(a, b *lane) int {
	return cmp.Or(cmp.Compare(b.latest, a.latest), cmp.Compare(a.id, b.id))
}

// ranked returns the lanes in the order of importance: first those with failures, then with unfinished operations, then with
// slow ones; within each group, the lane with the latest operation first.
func (v *inView) ranked(spec *Spec) []*lane {
	lanes := slices.Clone(v.lanes)
	for _, l := range lanes {
		l.rank = v.importance(l, spec)
	}
	slices.SortStableFunc(lanes, func(a, b *lane) int { return cmp.Compare(a.rank, b.rank) })
	return lanes
}

// before returns the operations that count although they ended before the view.
func (x *Index) before(b *bounds) (tasks []*Task) {
	tasks = x.reaching(b.since, min(b.from, b.counted), b.counted)
	for i := x.startingAt(max(b.counted, b.since)); i < len(x.tasks) && x.tasks[i].start < b.from; i++ {
		tasks = append(tasks, &x.tasks[i])
	}
	return slices.DeleteFunc(tasks, b.overlap)
}

// count counts an operation, and how long it took.
func (v *inView) count(l *lane, t *Task) {
	l.add(t)
	took := t.Op.Took(time.Time{})
	if t.Op.Status == models.StatusFinished && took.Known && took.Value >= 0 {
		v.took.Add(took.Value)
	}
}

// importance returns the rank of a lane, see [inView.ranked]: the lowest is the most important one. Only what counts decides: how
// much more is in view depends on the width.
func (v *inView) importance(l *lane, spec *Spec) int {
	slow := func(t *Task) bool { return v.counts(t) && spec.Slow(t) }
	switch {
	case l.Failed > 0:
		return 0
	case l.Unfinished > 0:
		return 1
	case spec.Slow != nil && l.Count <= slowSearch && slices.ContainsFunc(l.tasks, slow):
		return 2
	}
	return 3
}
