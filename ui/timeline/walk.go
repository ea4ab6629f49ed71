package timeline

import (
	"cmp"
	"slices"
	"time"

	"pgtower/models/feed"
)

// At returns the operation at a cell of a line. In a strip, that is the first one that failed there, or else the last.
func (l *Layout) At(cell, line int) (key feed.Key, ok bool) {
	for i := range l.Lanes {
		lane := &l.Lanes[i]
		if line < lane.Line || line >= lane.Line+lane.Rows {
			continue
		}
		for j := range lane.Bars {
			if b := &lane.Bars[j]; b.Row == line-lane.Line && b.first() <= cell && cell <= b.last() {
				return b.Key(), true
			}
		}
		if of := l.tasksOf(lane.ID); lane.Strip != nil && !lane.Fold {
			return l.pick(of, cell)
		}
	}
	return key, false
}

// tasksOf returns the operations in view of a lane.
func (l *Layout) tasksOf(lane string) []*Task {
	for _, of := range l.order {
		if of.id == lane {
			return of.tasks
		}
	}
	return nil
}

// pick returns the operation that represents a cell of a strip.
func (l *Layout) pick(tasks []*Task, cell int) (key feed.Key, ok bool) {
	for _, t := range tasks {
		if l.cellOf(t.start) != cell {
			continue
		}
		if key, ok = t.Key(), true; t.failed {
			break
		}
	}
	return key, ok
}

// Order returns the position of each lane with operations by its id, including the folded ones.
func (l *Layout) Order() map[string]int {
	order := make(map[string]int, len(l.order))
	for i, s := range l.order {
		order[s.id] = i
	}
	return order
}

// ShowsSelection reports whether the selected operation is on the screen: in view, and in a lane with lines of its own.
func (l *Layout) ShowsSelection() bool {
	_, ok := l.Selection()
	return ok && l.Overlaps(l.Selected)
}

// Selection returns the lane of the selected operation, if it has lines of its own.
func (l *Layout) Selection() (lane *Lane, ok bool) {
	i := slices.IndexFunc(l.Lanes, func(o Lane) bool { return !o.Fold && o.ID == l.Lane })
	if i < 0 || l.Lane == "" {
		return nil, false
	}
	return &l.Lanes[i], true
}

// Walk returns the next or previous operation in the lane of t; in a strip, the nearest one in another cell. If t is
// out of view, it returns the first or the last operation in view, in the lane of t if possible.
func (x *Index) Walk(l *Layout, t *Task, later bool) (key feed.Key, ok bool) {
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
	from, to := l.From().Add(cell).UnixNano(), l.From().Add(cell+l.Cell).UnixNano()
	lane, shown := l.Selection()
	strip := shown && lane.Strip != nil
	return x.nearest(id, later, func(o Task) bool {
		switch {
		case o.start < l.in.since:
			return false
		case strip && later:
			return o.start >= to
		case strip:
			return o.start < from
		}
		is := compareTasks(o, *t)
		return is != 0 && later == (is > 0)
	})
}

// nearest returns the first or the last operation of a lane, in view or not, of those that are accepted.
func (x *Index) nearest(lane string, first bool, accepts func(t Task) bool) (key feed.Key, ok bool) {
	var best Task
	for project, op := range x.operations {
		t, timed := NewTask(project, op)
		if !timed || !accepts(t) || x.group(project, op) != lane {
			continue
		}
		if !ok || first == (compareTasks(t, best) < 0) {
			best, key, ok = t, t.Key(), true
		}
	}
	return key, ok
}

// firstOrLast returns the first or the last of some operations.
func firstOrLast(tasks []*Task, first bool) feed.Key {
	if first {
		return tasks[0].Key()
	}
	return tasks[len(tasks)-1].Key()
}

// StepLane returns the operation in view of the next or previous lane that began nearest to t.
func (l *Layout) StepLane(t *Task, down bool) (key feed.Key, ok bool) {
	at := slices.IndexFunc(l.order, func(s *lane) bool { return s.id == l.Lane })
	switch {
	case at < 0:
		at = 0
	case down:
		at++
	default:
		at--
	}
	if at < 0 || at >= len(l.order) {
		return key, false
	}
	about := max(l.in.from, min(t.start, l.in.to-1))
	away := func(t *Task) int64 { return max(t.start-about, about-t.start) }
	return slices.MinFunc(l.order[at].tasks, func(a, b *Task) int { return cmp.Compare(away(a), away(b)) }).Key(), true
}
