package timeline

import (
	"time"

	"pgtower/models/feed"
)

// Spec says what to draw of an index: a time, in cells, and until when it is known.
type Spec struct {
	Cells       int           // the width of the time
	Head, Lines int           // lines above the lanes (see [Chart.Draw]), and lines of the lanes
	To          time.Time     // the end of the last cell
	Cell        time.Duration // the time that a cell covers
	Now         time.Time     // until when operations are known: unfinished ones are drawn up to it
	Since       time.Time     // operations that began earlier are left out; zero: none
	// Counted is the time since which operations are counted, in view or not: the cells before it are only drawn. Zero counts
	// all operations in view.
	Counted time.Time
	// Known is the time since which no operation is missing, or zero if none is missing at all. KnownOf returns Known and
	// Now of a lane if they differ by lane, and Until the Now of a project. Both may be nil.
	Known    time.Time
	Complete time.Time // until when no operation is missing of all lanes together, if that is before Now; or zero
	KnownOf  func(lane string) (since, now time.Time)
	Until    func(project string) time.Time
	Selected *Task              // or nil
	Slow     func(t *Task) bool // reports whether an operation takes longer than usual; or nil
	// All is the number of lanes that there may be, with operations or not; 0 if that is not known.
	All int
	// Kept are the lanes of an earlier chart, in their order, if they must not move. Each keeps its form, even if it has no
	// operations in view. New lanes come last. Nil arranges all lanes anew.
	Kept []Form
	// Reform gives the kept lanes new forms, as for another size.
	Reform bool
}

// Form is the lines that a lane has, with bars or as a strip.
type Form struct {
	ID    string
	Rows  int
	Strip bool
	New   bool // the lane came after the arrangement
}

// From returns the start of the first cell.
func (s *Spec) From() time.Time { return s.To.Add(-time.Duration(s.Cells) * s.Cell) }

// known returns since when and until when a lane is complete.
func (s *Spec) known(lane string) (since, now time.Time) {
	if s.KnownOf == nil {
		return s.whole()
	}
	return s.KnownOf(lane)
}

// whole returns since when and until when all lanes together are complete.
func (s *Spec) whole() (since, now time.Time) {
	if s.Complete.IsZero() {
		return s.Known, s.Now
	}
	return s.Known, s.Complete
}

// until returns the time up to which unfinished operations of a project are drawn.
func (s *Spec) until(project string) int64 {
	if s.Until == nil {
		return s.Now.UnixNano()
	}
	return s.Until(project).UnixNano()
}

// cellOf returns the cell of a time, or the nearest cell if it is outside.
func (s *Spec) cellOf(instant int64) int {
	return max(0, min(int(floor(instant-s.From().UnixNano(), int64(s.Cell))), s.Cells-1))
}

func floor(a, b int64) int64 {
	if a < 0 {
		return -((-a + b - 1) / b)
	}
	return a / b
}

// Chart is the time that a spec asks for, with the position of every lane and operation.
type Chart struct {
	Spec

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
	New        bool // it came after the lanes were arranged
	More       int  // the number of operations for which its lines have no room
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

// overlap reports whether an operation is in view.
func (b *bounds) overlap(t *Task) bool {
	return t.start >= b.since && t.start < b.to && (t.start >= b.from || t.end > b.from)
}

// counts reports whether an operation is counted.
func (b *bounds) counts(t *Task) bool { return t.start >= b.counted || t.end > b.counted }

// Chart lays out what spec asks for.
func (x *Index) Chart(spec Spec) *Chart {
	view := x.find(&spec)
	c := &Chart{
		Spec: spec, Took: view.took, Level: make([]Level, spec.Cells),
		Quiet: max(spec.All, len(x.Lanes)) - len(view.lanes), chosen: -1, in: view,
	}
	if t := spec.Selected; t != nil {
		c.Lane = x.group(t.Project, t.Op)
		if t.start >= view.from && t.start < view.to {
			c.chosen = c.cellOf(t.start)
		}
	}
	c.level(view)
	lanes := view.lanes
	for _, laneOf := range lanes {
		c.merge(laneOf.Counts)
	}
	if spec.Kept == nil {
		c.arrange(view.ranked(&spec))
	} else {
		c.keep(lanes)
	}
	return c
}

// bounds returns the bounds of the view. If it shows now, they include operations of a service clock that is ahead.
func (s *Spec) bounds() bounds {
	b := bounds{from: s.From().UnixNano(), to: s.To.UnixNano(), since: -noEnd}
	b.counted = b.from
	if !s.Counted.IsZero() {
		b.counted = s.Counted.UnixNano()
	}
	if !s.To.Before(s.Now) {
		b.to += maxAhead
	}
	if !s.Since.IsZero() {
		b.since = s.Since.UnixNano()
	}
	return b
}

// Overlaps reports whether an operation overlaps the time of the view.
func (s *Spec) Overlaps(t *Task) bool {
	b := s.bounds()
	return b.overlap(t)
}

// Before and After mark the side of the view on which the selected operation lies.
const (
	Before = "◂"
	After  = "▸"
)

// Side returns [Before] or [After], or "" if the selected operation is in view or there is none.
func (s *Spec) Side() string {
	switch t := s.Selected; {
	case t == nil || s.Overlaps(t):
		return ""
	case t.start < s.bounds().to:
		return Before
	}
	return After
}
