package timeline

import (
	"slices"

	"pgtower/models/feed"
)

// At returns the operation at a cell of a line of the lanes: of a strip the first one that failed there, or else the
// last one.
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

// pick returns the operation that stands for a cell of a strip.
func (l *Layout) pick(of *lane, cell int) (key feed.Key, ok bool) {
	from, to, since := l.bounds()
	failed := false
	visit := func(t *Task) {
		if l.cellOf(t.start) != cell || failed {
			return
		}
		key, ok, failed = t.Key(), true, t.failed
	}
	begin := from + int64(cell)*int64(l.Cell)
	if cell == 0 {
		of.carried(since, from, visit)
	}
	if end := begin + int64(l.Cell); cell < l.Cells-1 {
		to = end
	}
	of.each(max(begin, since), to, func(int64, int64, *tally) bool { return false }, visit)
	return key, ok
}

// Order returns the place of each lane with operations by its id, also of those that are folded.
func (l *Layout) Order() map[string]int {
	order := make(map[string]int, len(l.order))
	for i, s := range l.order {
		order[s.id] = i
	}
	return order
}

// Sees reports whether an operation lies in the time of the view, in whole or in part.
func (l *Layout) Sees(t *Task) bool {
	from, to, since := l.bounds()
	return t.start >= since && t.start < to && (t.start >= from || t.end > from)
}

// Selection returns the lane with the selected operation, if that is seen and has a line.
func (l *Layout) Selection() (lane *Lane, ok bool) {
	i := slices.IndexFunc(l.Lanes, func(o Lane) bool { return !o.Fold && o.ID == l.Lane })
	if i < 0 || l.Lane == "" {
		return nil, false
	}
	return &l.Lanes[i], true
}

// Walk returns the operation before or after one in its lane: in a strip, the next one in another cell. From one that is
// not seen, it goes to the first or the last one that begins in the time of the view, in its lane if there is one.
func (x *Index) Walk(l *Layout, t *Task, later bool) (key feed.Key, ok bool) {
	from, _, since := l.bounds()
	of := x.lanes[l.Lane]
	if of == nil {
		of = x.all
	}
	if !l.Sees(t) {
		if key, ok = l.enter(of, later); !ok {
			key, ok = l.enter(x.all, later)
		}
		return key, ok
	}
	var next Task
	lane, shown := l.Selection()
	switch {
	case shown && lane.Strip != nil && later:
		next, ok = of.next(from + int64(l.cellOf(t.start)+1)*int64(l.Cell))
	case shown && lane.Strip != nil:
		next, ok = of.previous(from + int64(l.cellOf(t.start))*int64(l.Cell))
	default:
		next, ok = of.beside(*t, later)
	}
	if !ok || next.start < since {
		return key, false
	}
	return next.Key(), true
}

// enter returns the first operation of a lane that begins in the time of the view, or the last one.
func (l *Layout) enter(of *lane, first bool) (key feed.Key, ok bool) {
	from, to, since := l.bounds()
	from = max(from, since)
	next, ok := of.previous(to)
	if first {
		next, ok = of.next(from)
	}
	if !ok || next.start < from || next.start >= to {
		return key, false
	}
	return next.Key(), true
}

// Cross returns the operation of the next lane, or of the one before, that began nearest to one.
func (l *Layout) Cross(t *Task, down bool) (key feed.Key, ok bool) {
	at := slices.IndexFunc(l.order, func(s sight) bool { return s.id == l.Lane })
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
	from, to, since := l.bounds()
	about := max(from, min(t.start, to-1))
	before, earlier := l.order[at].previous(about + 1)
	after, later := l.order[at].next(about)
	earlier = earlier && before.start >= since
	if later && (!earlier || after.start-about < about-before.start) {
		return after.Key(), true
	}
	return before.Key(), earlier
}
