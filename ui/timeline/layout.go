package timeline

import (
	"cmp"
	"slices"
	"time"

	"pgtower/models/feed"
)

// View is what is to be seen of an index.
type View struct {
	Cells, Lines int           // for the time, and for the lanes below each other
	To           time.Time     // where the last cell ends
	Cell         time.Duration // how much time a cell is
	Now          time.Time     // up to when everything is known, and unfinished operations last
	Since        time.Time     // operations that began before are left out; zero for none
	// Known is down to when nothing is missing; before it, operations that are not loaded may have begun. It is zero if
	// nothing is missing. KnownOf is the same for a lane, if that is known better; it may be nil.
	Known   time.Time
	KnownOf func(lane string) time.Time
	// NowOf is Now for a lane, if that is another time; it may be nil.
	NowOf    func(lane string) time.Time
	Selected *Task              // or nil
	Slow     func(t *Task) bool // reports whether an operation takes longer than usual; or nil
	// Order is the place of each lane by its id, where the lanes are to stay where they are; or nil.
	Order map[string]int
}

// From is where the first cell begins.
func (v *View) From() time.Time { return v.To.Add(-time.Duration(v.Cells) * v.Cell) }

func (v *View) nowOf(lane string) time.Time {
	if v.NowOf == nil {
		return v.Now
	}
	return v.NowOf(lane)
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
	maxRows = 8 // of a lane: with more at once, it is a strip
	crowd   = 2 // cells that a bar has at least on average, in as many as dense rows: with less, the lane is a strip
	dense   = 3
	few     = 64 // operations at most in a lane that is looked through for slow ones
)

// busy is the lanes that have operations in a time, as they were found last.
type busy struct {
	version         int
	from, to, since int64
	lanes           []sight
}

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
	from, to, since := l.bounds()
	if t := v.Selected; t != nil {
		l.Lane = x.group(t.Project, t.Op)
		if t.start >= from && t.start < to {
			l.chosen = l.cellOf(t.start)
		}
	}
	x.level(l, from, to)
	seen := x.seen(&v, from, to, since)
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
	x.all.window(from, to, since, &all)
	l.Count, l.Failed, l.Unfinished, l.Took = all.count, all.failed, all.unfinished, all.took
	l.place(seen, x)
	return l
}

// bounds are those of the operations that are seen. At the last cell that has come, they include what is ahead.
func (v *View) bounds() (from, to, since int64) {
	from, to = v.From().UnixNano(), v.To.UnixNano()
	if !v.To.Before(v.Now) {
		to += ahead
	}
	since = -open
	if !v.Since.IsZero() {
		since = v.Since.UnixNano()
	}
	return from, to, since
}

// window adds what is in a time.
func (l *lane) window(from, to, since int64, sum *tally) {
	l.carried(since, from, sum.add)
	l.each(max(from, since), to, func(_, _ int64, s *tally) bool {
		sum.merge(s)
		return true
	}, sum.add)
}

// seen returns the lanes with operations in a time, trouble first: those with failures, then those with something
// unfinished, then those with something slow; and of these the one with the latest operation.
func (x *Index) seen(v *View, from, to, since int64) []sight {
	b := &x.busy
	if b.lanes != nil && b.version == x.version && b.from == from && b.to == to && b.since == since {
		return b.lanes
	}
	*b = busy{x.version, from, to, since, make([]sight, 0, len(b.lanes))}
	for _, l := range x.lanes {
		s := sight{lane: l}
		l.carried(since, from, func(t *Task) { s.take(t) })
		l.each(max(from, since), to, func(_, last int64, sum *tally) bool {
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
		case v.Slow != nil && s.count <= few && s.any(from, to, since, v.Slow):
			s.rank = 2
		}
		b.lanes = append(b.lanes, s)
	}
	slices.SortFunc(b.lanes, func(a, b sight) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(b.latest, a.latest), cmp.Compare(a.id, b.id))
	})
	return b.lanes
}

// any reports whether one of the operations in a time is so.
func (l *lane) any(from, to, since int64, is func(t *Task) bool) (found bool) {
	visit := func(t *Task) { found = found || is(t) }
	l.carried(since, from, visit)
	l.each(max(from, since), to, func(int64, int64, *tally) bool { return false }, visit)
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

// place gives the lanes their lines: to each at least one as long as there are any, and to the first ones as many as
// they need. The last line is for those that have none.
func (l *Layout) place(seen []sight, x *Index) {
	l.order = seen
	fit := min(len(seen), l.Lines)
	if fit < len(seen) || l.Quiet > 0 {
		fit = max(0, min(len(seen), l.Lines-1))
	}
	if at := slices.IndexFunc(seen, func(s sight) bool { return s.id == l.Lane }); at >= fit && fit > 0 && l.Lane != "" {
		seen = slices.Clone(seen)
		seen[fit-1], seen[at] = seen[at], seen[fit-1] // what is selected is seen
	}
	free := l.Lines - fit
	if fit < len(seen) || l.Quiet > 0 {
		free--
	}
	line := 0
	l.heat = make([]Heat, 0, (min(fit, len(seen))+1)*l.Cells)
	for i := range seen[:fit] {
		s := &seen[i]
		out := Lane{ID: s.id, Line: line, Rows: 1, Count: s.count, Failed: s.failed, Unfinished: s.unfinished}
		out.Bars, out.Rows = l.row(s, min(maxRows, 1+max(0, free)))
		if out.Rows == 0 {
			out.Rows, out.Strip = 1, l.strip(s.lane)
		}
		free -= out.Rows - 1
		line += out.Rows
		l.Lanes = append(l.Lanes, out)
	}
	if l.Folded = len(seen) - fit; l.Folded > 0 && l.Lines > 0 {
		l.fold(line, x)
	}
	if roomy := line + len(l.Lanes) + 1; l.Folded == 0 && roomy <= l.Lines*3/4 {
		for i := range l.Lanes {
			l.Lanes[i].Line += i // a line between any two: bars below each other look like one
		}
	}
}

// fold adds the strip of the lanes that have no lines.
func (l *Layout) fold(line int, x *Index) {
	out := Lane{Fold: true, Line: line, Rows: 1, Count: l.Count, Failed: l.Failed, Unfinished: l.Unfinished}
	out.Strip = l.strip(x.all)
	for i := range l.Lanes {
		lane := &l.Lanes[i]
		out.Count -= lane.Count
		out.Failed -= lane.Failed
		out.Unfinished -= lane.Unfinished
		for j := range lane.Strip {
			out.Strip[j].Count -= lane.Strip[j].Count
			out.Strip[j].Failed -= lane.Strip[j].Failed
		}
		for j := range lane.Bars {
			h := &out.Strip[l.cellOf(lane.Bars[j].start)]
			h.Count--
			h.Failed -= number(lane.Bars[j].failed)
		}
	}
	l.Lanes = append(l.Lanes, out)
}

// row puts the operations of a lane into rows in which none touches the cells of another one. It returns no rows if
// there are too many.
func (l *Layout) row(s *sight, most int) (bars []Bar, rows int) {
	if s.count*crowd > l.Cells*min(most, dense) {
		return nil, 0
	}
	from, to, since := l.bounds()
	begin, now := len(l.bars), l.nowOf(s.id).UnixNano()
	var end [maxRows]int // of each row, the cell after its last bar
	add := func(t *Task) {
		bar := Bar{Task: *t, Selected: l.Selected != nil && t.Key() == l.Selected.Key()}
		bar.From = l.eighth(t.start - from)
		bar.To = max(bar.From+1, l.eighth(t.until(now)-from))
		if bar.From = min(bar.From, l.Cells*eighths-1); bar.To > l.Cells*eighths {
			bar.To = l.Cells * eighths
		}
		for bar.Row < most && end[bar.Row] > bar.first() {
			bar.Row++
		}
		if rows = max(rows, bar.Row+1); bar.Row < most {
			end[bar.Row] = bar.last() + 1
			l.bars = append(l.bars, bar)
		}
	}
	s.carried(since, from, add)
	s.each(max(from, since), to, func(int64, int64, *tally) bool { return false }, add)
	if rows > most {
		l.bars = l.bars[:begin]
		return nil, 0
	}
	return l.bars[begin:len(l.bars):len(l.bars)], rows
}

// eighth returns where a time after the beginning is, at least 0, in eighths of a cell.
func (l *Layout) eighth(after int64) int {
	cell := int64(l.Cell)
	whole := after / cell
	if after <= 0 {
		return 0
	} else if whole >= int64(l.Cells) {
		return l.Cells * eighths
	}
	return int(whole*eighths + after%cell*eighths/cell)
}

// strip counts the operations of a lane by the cells in which they began.
func (l *Layout) strip(of *lane) []Heat {
	from, to, since := l.bounds()
	at := len(l.heat)
	l.heat = slices.Grow(l.heat, l.Cells)[:at+l.Cells]
	strip := l.heat[at : at+l.Cells : at+l.Cells]
	clear(strip)
	cell, upTo := 0, from+int64(l.Cell)
	reach := func(at int64) *Heat { // times come in order
		for at >= upTo && cell < l.Cells-1 {
			cell++
			upTo += int64(l.Cell)
		}
		return &strip[cell]
	}
	add := func(t *Task) {
		h := reach(t.start)
		h.Count++
		h.Failed += number(t.failed)
	}
	of.carried(since, from, add)
	of.each(max(from, since), to, func(first, last int64, sum *tally) bool {
		h := reach(first)
		if last >= upTo && cell < l.Cells-1 {
			return false
		}
		h.Count += sum.count
		h.Failed += sum.failed
		return true
	}, add)
	return strip
}
