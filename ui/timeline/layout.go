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
	// Counted is the time since which operations are counted, of all lanes and of each: the cells before it are only
	// drawn. Zero: all in view are.
	Counted time.Time
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
	in     *inView
	bars   []Bar
	counts []Counts // of all strips
	order  []*lane  // all lanes with operations, including the folded ones
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

// bounds are the time of the view, from and to; the earliest start of an operation in it, since; and the time since
// which operations count.
type bounds struct{ from, to, since, counted int64 }

// overlap reports whether an operation is in view, and counts whether it counts as well.
func (b *bounds) overlap(t *Task) bool {
	return t.start >= b.since && t.start < b.to && (t.start >= b.from || t.end > b.from)
}

func (b *bounds) counts(t *Task) bool { return t.start >= b.counted || t.end > b.counted }

// Lay lays out a view.
func (x *Index) Lay(v View) *Layout {
	in := x.find(&v)
	l := &Layout{View: v, Took: in.took, Level: make([]Level, v.Cells), chosen: -1, in: in, Quiet: len(x.Lanes) - len(in.lanes)}
	if t := v.Selected; t != nil {
		l.Lane = x.group(t.Project, t.Op)
		if t.start >= in.from && t.start < in.to {
			l.chosen = l.cellOf(t.start)
		}
	}
	l.level(in)
	lanes := in.lanes
	for _, of := range lanes {
		l.merge(of.Counts)
	}
	if v.Order != nil {
		place := func(s *lane) int {
			if at, ok := v.Order[s.id]; ok {
				return at
			}
			return len(v.Order)
		}
		lanes = slices.Clone(lanes)
		slices.SortStableFunc(lanes, func(a, b *lane) int { return cmp.Compare(place(a), place(b)) })
	}
	l.arrange(lanes)
	return l
}

// bounds returns the bounds of the view. If it shows now, they include operations of a service clock that is ahead.
func (v *View) bounds() bounds {
	b := bounds{from: v.From().UnixNano(), to: v.To.UnixNano(), since: -noEnd}
	if b.counted = b.from; v.Counted.After(v.From()) {
		b.counted = v.Counted.UnixNano()
	}
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
	return b.overlap(t)
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
