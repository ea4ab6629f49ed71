package timeline

import (
	"cmp"
	"iter"
	"slices"
	"time"

	"pgtower/models/feed"
)

// At returns the operation at a cell of a line. In a strip, that is the first one that failed there, or else the last.
func (c *Chart) At(cell, line int) (key feed.Key, ok bool) {
	for i := range c.Lanes {
		lane := &c.Lanes[i]
		if line < lane.Line || line >= lane.Line+lane.Rows {
			continue
		}
		for j := range lane.Bars {
			if b := &lane.Bars[j]; b.Row == line-lane.Line && b.first() <= cell && cell <= b.last() {
				return b.Key(), true
			}
		}
		if tasks := c.tasksOf(lane.ID); lane.Strip != nil && !lane.Fold {
			return c.pick(tasks, cell)
		}
	}
	return key, false
}

// tasksOf returns the operations in view of a lane.
func (c *Chart) tasksOf(lane string) []*Task {
	for _, candidate := range c.order {
		if candidate.id == lane {
			return candidate.tasks
		}
	}
	return nil
}

// pick returns the operation that represents a cell of a strip.
func (c *Chart) pick(tasks []*Task, cell int) (key feed.Key, ok bool) {
	for _, t := range tasks {
		if c.cellOf(t.start) != cell {
			continue
		}
		key, ok = t.Key(), true
		if t.failed {
			break
		}
	}
	return key, ok
}

// ShowsSelection reports whether the selected operation is on the screen: in view, and in a lane with lines of its own.
func (c *Chart) ShowsSelection() bool {
	_, ok := c.Selection()
	return ok && c.Overlaps(c.Selected)
}

// Selection returns the lane of the selected operation, if it has lines of its own.
func (c *Chart) Selection() (lane *Lane, ok bool) {
	i := slices.IndexFunc(c.Lanes, func(o Lane) bool { return !o.Fold && o.ID == c.Lane })
	if i < 0 || c.Lane == "" {
		return nil, false
	}
	return &c.Lanes[i], true
}

// Walk returns the next or previous operation in the lane of t; in a strip, the nearest one in another cell. If t is
// out of view, it returns the first or the last operation in view, in the lane of t if possible.
func (x *Index) Walk(l *Chart, t *Task, later bool) (key feed.Key, ok bool) {
	id := x.group(t.Project, t.Op)
	if !l.Overlaps(t) {
		if tasks := l.tasksOf(id); len(tasks) > 0 {
			return firstOrLast(tasks, later), true
		}
		if n := len(l.in.tasks); n > 0 {
			return firstOrLast([]*Task{&l.in.tasks[0], &l.in.tasks[n-1]}, later), true
		}
		return key, false
	}
	cell := time.Duration(l.cellOf(t.start)) * l.Cell
	from, end := l.From().Add(cell).UnixNano(), l.From().Add(cell+l.Cell).UnixNano()
	lane, selected := l.Selection()
	begin, found := slices.BinarySearchFunc(x.tasks, *t, compareTasks)
	switch {
	case selected && lane.Strip != nil && later:
		begin = x.startingAt(end)
	case selected && lane.Strip != nil:
		begin = x.startingAt(from)
	case later && found:
		begin++
	}
	if later {
		return x.first(slices.All(x.tasks[begin:]), id)
	}
	since := min(begin, x.startingAt(l.in.since))
	return x.first(slices.Backward(x.tasks[since:begin]), id)
}

// first returns the first of some operations that is in a lane.
func (x *Index) first(tasks iter.Seq2[int, Task], lane string) (key feed.Key, ok bool) {
	for _, t := range tasks {
		if x.group(t.Project, t.Op) == lane {
			return t.Key(), true
		}
	}
	return key, false
}

// firstOrLast returns the first or the last of some operations.
func firstOrLast(tasks []*Task, first bool) feed.Key {
	if first {
		return tasks[0].Key()
	}
	return tasks[len(tasks)-1].Key()
}

// StepLane returns the operation in view of the next or previous lane with one that began nearest to t.
func (c *Chart) StepLane(t *Task, down bool) (key feed.Key, ok bool) {
	index := c.selected(c.order)
	step := -1
	if down || index < 0 {
		step = +1
	}
	about := max(c.in.from, min(t.start, c.in.to-1))
	away := func(t *Task) int64 { return max(t.start-about, about-t.start) }
	nearer := func(a, b *Task) int { return cmp.Compare(away(a), away(b)) }
	for index += step; 0 <= index && index < len(c.order); index += step {
		tasks := c.order[index].tasks
		if len(tasks) > 0 { // otherwise all ended before the view, and are only counted, see [Spec]
			return slices.MinFunc(tasks, nearer).Key(), true
		}
	}
	return key, false
}
