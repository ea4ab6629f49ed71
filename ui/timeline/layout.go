package timeline

import (
	"cmp"
	"slices"
	"time"

	"pgtower/models/feed"
)

// View is what is to be seen of an index.
type View struct {
	Cells       int           // for the time
	Head, Lines int           // above the lanes (see [Layout.Draw]), and for the lanes below each other
	To          time.Time     // where the last cell ends
	Cell        time.Duration // how much time a cell is
	Now         time.Time     // up to when everything is known, and unfinished operations last
	Since       time.Time     // operations that began before are left out; zero for none
	// Known is down to when nothing is missing; before it, operations that are not loaded may have begun. It is zero if
	// nothing is missing. KnownOf returns Known and Now of a lane, where they are others; it may be nil.
	Known    time.Time
	KnownOf  func(lane string) (since, now time.Time)
	Selected *Task              // or nil
	Slow     func(t *Task) bool // reports whether an operation takes longer than usual; or nil
	// Order is the place of each lane by its id, where the lanes are to stay where they are; or nil.
	Order map[string]int
}

// From is where the first cell begins.
func (v *View) From() time.Time { return v.To.Add(-time.Duration(v.Cells) * v.Cell) }

// known returns down to when and up to when nothing is missing in a lane.
func (v *View) known(lane string) (since, now time.Time) {
	if v.KnownOf == nil {
		return v.Known, v.Now
	}
	return v.KnownOf(lane)
}

// until is up to when unfinished operations of a lane last.
func (v *View) until(lane string) int64 {
	_, now := v.known(lane)
	return now.UnixNano()
}

// cellOf returns the cell of a time, the nearest if it is outside.
func (v *View) cellOf(at int64) int {
	return max(0, min(int(floor(at-v.From().UnixNano(), int64(v.Cell))), v.Cells-1))
}

func floor(a, b int64) int64 {
	if a < 0 {
		return -((-a + b - 1) / b)
	}
	return a / b
}

// Layout is where everything of a view is.
type Layout struct {
	View

	Lane                      string // that of the selected operation, or empty
	chosen                    int    // the cell in which that begins, or -1 outside of the view
	Count, Failed, Unfinished int    // of the operations that are seen, in a bar or a strip
	Took                      feed.Durations
	Level                     []Level // how many ran at once, by cells
	Peak                      int
	Lanes                     []Lane
	Folded                    int // how many lanes with operations the last one stands for
	Quiet                     int // lanes without operations in this time

	bars  []Bar
	heat  []Heat
	order []sight // of all lanes with operations, also of those that are folded
}

// Lane is a lane on some lines: either with bars or as a strip of how many operations began in each cell.
type Lane struct {
	ID                        string
	Fold                      bool // it stands for all lanes that have no lines of their own
	Line, Rows                int
	Count, Failed, Unfinished int
	Bars                      []Bar  // in the order of their beginning, if it has bars
	Strip                     []Heat // of each cell, or nil
}

// Bar is an operation in a row of its lane, from an eighth of a cell to before another.
type Bar struct {
	Task

	Row      int
	From, To int
	Selected bool
}

// first and last are the cells that it touches.
func (b *Bar) first() int { return b.From / eighths }
func (b *Bar) last() int  { return (b.To - 1) / eighths }

// Heat is how many operations began in a cell, or before the first one, and how many of them failed.
type Heat struct{ Count, Failed int }

const (
	eighths = 8
	few     = 64 // operations at most in a lane that is looked through for slow ones
)

// busy is the lanes that have operations in a time, as they were found last.
type busy struct {
	version int
	bounds
	lanes []sight
}

// bounds are those of the operations that are seen: from and to are of the time, and since is when they began at the
// earliest.
type bounds struct{ from, to, since int64 }

// sight is a lane with what is seen of it.
type sight struct {
	*lane
	tally
	latest int64 // when its latest operation began
	rank   int
}

// Lay lays out what is to be seen. The layout is valid until the index changes.
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
	seen := x.seen(&v, b)
	l.Quiet = len(x.lanes) - len(seen)
	if v.Order != nil {
		place := func(s *sight) int {
			if at, ok := v.Order[s.id]; ok {
				return at
			}
			return len(v.Order)
		}
		seen = slices.Clone(seen)
		slices.SortStableFunc(seen, func(a, b sight) int { return cmp.Compare(place(&a), place(&b)) })
	}
	var all tally
	x.all.within(b, func(_, _ int64, s *tally) bool {
		all.merge(s)
		return true
	}, all.add)
	l.Count, l.Failed, l.Unfinished, l.Took = all.count, all.failed, all.unfinished, all.took
	l.place(seen, x)
	return l
}

// bounds are those of the view. At the last cell that has come, they include what is ahead.
func (v *View) bounds() bounds {
	b := bounds{v.From().UnixNano(), v.To.UnixNano(), -open}
	if !v.To.Before(v.Now) {
		b.to += ahead
	}
	if !v.Since.IsZero() {
		b.since = v.Since.UnixNano()
	}
	return b
}

// Sees reports whether an operation lies in the time of the view, in whole or in part.
func (v *View) Sees(t *Task) bool {
	b := v.bounds()
	return t.start >= b.since && t.start < b.to && (t.start >= b.from || t.end > b.from)
}

// Before and After mark on which side of the time of the view the selected operation lies.
const (
	Before = "◂"
	After  = "▸"
)

// Beside returns [Before] or [After], or nothing if the selected operation is seen or there is none.
func (v *View) Beside() string {
	switch t := v.Selected; {
	case t == nil || v.Sees(t):
		return ""
	case t.start < v.bounds().to:
		return Before
	}
	return After
}

// seen returns the lanes with operations in a time, trouble first: those with failures, then those with something
// unfinished, then those with something slow; and of these the one with the latest operation.
func (x *Index) seen(v *View, b bounds) []sight {
	was := &x.busy
	if was.lanes != nil && was.version == x.version && was.bounds == b {
		return was.lanes
	}
	lanes := make([]sight, 0, len(was.lanes))
	for _, l := range x.lanes {
		s := sight{lane: l}
		l.within(b, func(_, last int64, sum *tally) bool {
			s.count += sum.count
			s.failed += sum.failed
			s.unfinished += sum.unfinished
			s.latest = last
			return true
		}, s.take)
		if s.count == 0 {
			continue
		}
		switch s.rank = 3; {
		case s.failed > 0:
			s.rank = 0
		case s.unfinished > 0:
			s.rank = 1
		case v.Slow != nil && s.count <= few && s.any(b, v.Slow):
			s.rank = 2
		}
		lanes = append(lanes, s)
	}
	slices.SortFunc(lanes, func(a, b sight) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(b.latest, a.latest), cmp.Compare(a.id, b.id))
	})
	*was = busy{x.version, b, lanes}
	return lanes
}

// any reports whether one of the operations in a time is so.
func (l *lane) any(b bounds, is func(t *Task) bool) (found bool) {
	l.tasks(b, func(t *Task) { found = found || is(t) })
	return found
}

func (s *sight) take(t *Task) {
	s.count++
	s.latest = max(s.latest, t.start)
	if t.failed {
		s.failed++
	} else if t.end == open {
		s.unfinished++
	}
}
