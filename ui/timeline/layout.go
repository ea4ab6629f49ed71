package timeline

import (
	"cmp"
	"slices"
	"time"

	"pgtower/models/feed"
)

// View is the part of an index to show.
type View struct {
	Cells       int           // the width of the time
	Head, Lines int           // lines above the lanes (see [Layout.Draw]), and lines of the lanes
	To          time.Time     // the end of the last cell
	Cell        time.Duration // the time that a cell covers
	Now         time.Time     // until when operations are known: unfinished ones are drawn up to it
	Since       time.Time     // operations that began earlier are left out; zero: none
	// Known is the time since which no operation is missing, or zero if none is missing at all. KnownOf returns Known and
	// Now of a lane if they differ by lane; it may be nil.
	Known    time.Time
	KnownOf  func(lane string) (since, now time.Time)
	Selected *Task              // or nil
	Slow     func(t *Task) bool // reports whether an operation takes longer than usual; or nil
	// Order is the position of each lane by its id if lanes must not move, or nil.
	Order map[string]int
}

// From returns the start of the first cell.
func (v *View) From() time.Time { return v.To.Add(-time.Duration(v.Cells) * v.Cell) }

// known returns since when and until when a lane is complete.
func (v *View) known(lane string) (since, now time.Time) {
	if v.KnownOf == nil {
		return v.Known, v.Now
	}
	return v.KnownOf(lane)
}

// until returns the time up to which unfinished operations of a lane are drawn.
func (v *View) until(lane string) int64 {
	_, now := v.known(lane)
	return now.UnixNano()
}

// cellOf returns the cell of a time, or the nearest cell if it is outside.
func (v *View) cellOf(at int64) int {
	return max(0, min(int(floor(at-v.From().UnixNano(), int64(v.Cell))), v.Cells-1))
}

// MiddleOf returns the middle of the cell of a time.
func (v *View) MiddleOf(t time.Time) time.Time {
	return v.From().Add(time.Duration(v.cellOf(t.UnixNano()))*v.Cell + v.Cell/2)
}

func floor(a, b int64) int64 {
	if a < 0 {
		return -((-a + b - 1) / b)
	}
	return a / b
}

// Layout is a view with the position of every lane and operation.
type Layout struct {
	View

	Counts // of the operations in view
	Took   feed.Durations
	Lane   string  // the lane of the selected operation, or empty
	Level  []Level // how many ran at once, by cell
	Peak   int
	Lanes  []Lane
	Folded int // the number of lanes with operations that share the last line
	Quiet  int // lanes without operations in this time

	chosen int // the cell in which the selected operation begins, or -1 outside of the view
	bars   []Bar
	counts []Counts      // of all strips
	order  []*laneInView // all lanes with operations, including the folded ones
}

// Lane is a lane on some lines: with bars, or as a strip with the counts of the operations that began in each cell.
type Lane struct {
	Counts

	ID         string
	Fold       bool // it is the sum of all lanes without lines of their own
	Line, Rows int
	Bars       []Bar    // in the order of their start, if it has bars
	Strip      []Counts // by cell, or nil. The first cell includes the operations that began earlier
}

// Bar is an operation in a row of its lane. From and To are in eighths of a cell; To is exclusive.
type Bar struct {
	Task

	Row      int
	From, To int
	Selected bool
}

// first and last return the first and last cell of the bar.
func (b *Bar) first() int { return b.From / eighths }
func (b *Bar) last() int  { return (b.To - 1) / eighths }

const (
	eighths    = 8
	slowSearch = 64 // the most operations of a lane that are searched for slow ones
)

// laneCache caches the lanes with operations in a time.
type laneCache struct {
	version int
	bounds
	lanes []*laneInView
}

// bounds are the time of the view, from and to, and the earliest start of an operation in it, since.
type bounds struct{ from, to, since int64 }

// laneInView is a lane with the counts of its operations in view.
type laneInView struct {
	*lane
	Counts

	latest int64 // when its latest operation began
	rank   int
}

// Lay lays out a view. The layout is valid until the index changes.
func (x *Index) Lay(v View) *Layout {
	l := &Layout{View: v, Level: make([]Level, v.Cells), chosen: -1}
	b := l.bounds()
	if t := v.Selected; t != nil {
		l.Lane = x.group(t.Project, t.Op)
		if t.start >= b.from && t.start < b.to {
			l.chosen = l.cellOf(t.start)
		}
	}
	x.level(l, b)
	lanes := x.lanesInView(&v, b)
	l.Quiet = len(x.lanes) - len(lanes)
	if v.Order != nil {
		place := func(s *laneInView) int {
			if at, ok := v.Order[s.id]; ok {
				return at
			}
			return len(v.Order)
		}
		lanes = slices.Clone(lanes)
		slices.SortStableFunc(lanes, func(a, b *laneInView) int { return cmp.Compare(place(a), place(b)) })
	}
	var all tally
	x.all.within(b, func(_, _ int64, sum *tally) bool {
		all.merge(sum.Counts, +1)
		all.took.Merge(&sum.took)
		return true
	}, all.add)
	l.Counts, l.Took = all.Counts, all.took
	l.arrange(lanes, x)
	return l
}

// bounds returns the bounds of the view. If it shows now, they include operations of a service clock that is ahead.
func (v *View) bounds() bounds {
	b := bounds{v.From().UnixNano(), v.To.UnixNano(), -noEnd}
	if !v.To.Before(v.Now) {
		b.to += maxAhead
	}
	if !v.Since.IsZero() {
		b.since = v.Since.UnixNano()
	}
	return b
}

// Overlaps reports whether an operation overlaps the time of the view.
func (v *View) Overlaps(t *Task) bool {
	b := v.bounds()
	return t.start >= b.since && t.start < b.to && (t.start >= b.from || t.end > b.from)
}

// Before and After mark the side of the view on which the selected operation lies.
const (
	Before = "◂"
	After  = "▸"
)

// Side returns [Before] or [After], or "" if the selected operation is in view or there is none.
func (v *View) Side() string {
	switch t := v.Selected; {
	case t == nil || v.Overlaps(t):
		return ""
	case t.start < v.bounds().to:
		return Before
	}
	return After
}

// lanesInView returns the lanes with operations in view: first those with failures, then with unfinished operations, then
// with slow ones; within each group, the lane with the latest operation first.
func (x *Index) lanesInView(v *View, b bounds) []*laneInView {
	was := &x.cache
	if was.lanes != nil && was.version == x.version && was.bounds == b {
		return was.lanes
	}
	lanes := make([]*laneInView, 0, len(was.lanes))
	for _, l := range x.lanes {
		s := &laneInView{lane: l}
		l.within(b, func(_, last int64, sum *tally) bool {
			s.merge(sum.Counts, +1)
			s.latest = last
			return true
		}, func(t *Task) {
			s.add(t, +1)
			s.latest = max(s.latest, t.start)
		})
		if s.Count == 0 {
			continue
		}
		switch s.rank = 3; {
		case s.Failed > 0:
			s.rank = 0
		case s.Unfinished > 0:
			s.rank = 1
		case v.Slow != nil && s.Count <= slowSearch && s.has(b, v.Slow):
			s.rank = 2
		}
		lanes = append(lanes, s)
	}
	slices.SortFunc(lanes, func(a, b *laneInView) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(b.latest, a.latest), cmp.Compare(a.id, b.id))
	})
	*was = laneCache{x.version, b, lanes}
	return lanes
}

// has reports whether is holds for one of the operations in view.
func (l *lane) has(b bounds, is func(t *Task) bool) (found bool) {
	l.tasks(b, func(t *Task) { found = found || is(t) })
	return found
}
