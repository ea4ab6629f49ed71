package timeline

import (
	"slices"

	"pgtower/models/feed"
)

// At returns the operation at a cell of a line. In a strip, that is the first one that failed there, or else the last.
func (x *Index) At(l *Layout, cell, line int) (key feed.Key, ok bool) {
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
		if of := x.lanes[lane.ID]; lane.Strip != nil && of != nil {
			return l.pick(of, cell)
		}
	}
	return key, false
}

// pick returns the operation that represents a cell of a strip.
func (l *Layout) pick(of *lane, cell int) (key feed.Key, ok bool) {
	b, failed := l.bounds(), false
	begin := b.from + int64(cell)*int64(l.Cell)
	if cell < l.Cells-1 {
		b.to = begin + int64(l.Cell)
	}
	if cell > 0 { // earlier operations that still run are in the first cell
		b.from, b.since = begin, max(begin, b.since)
	}
	of.tasks(b, func(t *Task) {
		if !failed {
			key, ok, failed = t.Key(), true, t.failed
		}
	})
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
	b := l.bounds()
	of := x.lanes[l.Lane]
	if of == nil {
		of = x.all
	}
	if !l.Overlaps(t) {
		if key, ok = l.firstOrLast(of, later); !ok {
			key, ok = l.firstOrLast(x.all, later)
		}
		return key, ok
	}
	var next Task
	lane, shown := l.Selection()
	switch {
	case shown && lane.Strip != nil && later:
		next, ok = of.next(b.from + int64(l.cellOf(t.start)+1)*int64(l.Cell))
	case shown && lane.Strip != nil:
		next, ok = of.previous(b.from + int64(l.cellOf(t.start))*int64(l.Cell))
	default:
		next, ok = of.neighbour(*t, later)
	}
	if !ok || next.start < b.since {
		return key, false
	}
	return next.Key(), true
}

// firstOrLast returns the first or the last operation of a lane in view.
func (l *Layout) firstOrLast(of *lane, first bool) (key feed.Key, ok bool) {
	of.tasks(l.bounds(), func(t *Task) {
		if !ok || !first {
			key, ok = t.Key(), true
		}
	})
	return key, ok
}

// StepLane returns the operation in view of the next or previous lane that began nearest to t.
func (l *Layout) StepLane(t *Task, down bool) (key feed.Key, ok bool) {
	at := slices.IndexFunc(l.order, func(s *laneInView) bool { return s.id == l.Lane })
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
	of, b := l.order[at], l.bounds()
	about := max(b.from, min(t.start, b.to-1))
	before, earlier := of.previous(about + 1)
	after, later := of.next(about)
	earlier, later = earlier && l.Overlaps(&before), later && l.Overlaps(&after)
	switch {
	case later && (!earlier || after.start-about < about-before.start):
		return after.Key(), true
	case earlier:
		return before.Key(), true
	}
	return l.firstOrLast(of.lane, true) // it began before the view
}
