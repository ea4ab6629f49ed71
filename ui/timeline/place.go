package timeline

import "slices"

const (
	maxRows = 24 // of a lane with bars

	// Bars need an average of crowd cells in at most dense rows; otherwise the lane is a strip.
	crowd = 2
	dense = 8

	readable = 2 // eighths of a cell: the least average length of bars in several rows

	part  = 4 // a lane takes at most this fraction of the lines before the other lanes have theirs
	spare = 3 // with more lines than this, one line counts the quiet lanes
)

// place assigns lines to the lanes. Lanes that get none share the last line. Lanes whose bars do not fit into one row
// share the remaining lines.
func (l *Layout) place(seen []*sight, x *Index) {
	l.order = seen
	lines := l.Lines
	if len(seen) > lines || l.Quiet > 0 && lines > spare {
		lines = max(0, lines-1)
	}
	fit := l.fit(seen, lines)
	if at := slices.IndexFunc(seen, func(s *sight) bool { return s.id == l.Lane }); at >= fit && fit > 0 && l.Lane != "" {
		seen = slices.Clone(seen)
		seen[fit-1], seen[at] = seen[at], seen[fit-1] // keep the selected lane in view
	}
	line := 0
	l.heat = make([]Heat, 0, (fit+1)*l.Cells)
	for i, rows := range l.share(seen[:fit], lines) {
		s := seen[i]
		out := Lane{ID: s.id, Line: line, Rows: max(1, rows), Count: s.count, Failed: s.failed, Unfinished: s.unfinished}
		if rows > 0 {
			out.Bars = l.row(s)
		} else {
			out.Strip = l.strip(s.lane)
		}
		line += out.Rows
		l.Lanes = append(l.Lanes, out)
	}
	if l.Folded = len(seen) - fit; l.Folded > 0 && l.Lines > 0 {
		l.fold(line, x)
	}
	if roomy := line + len(l.Lanes) + 1; l.Folded == 0 && roomy <= l.Lines {
		for i := range l.Lanes {
			l.Lanes[i].Line += i // a blank line between lanes, or their bars would look like one
		}
	}
}

// fit returns how many lanes get lines of their own. The rows that the bars of earlier lanes need take precedence.
func (l *Layout) fit(seen []*sight, lines int) int {
	if len(seen) <= lines {
		return len(seen)
	}
	fit, used := 0, 0
	for used < lines {
		rows := max(1, l.rows(seen[fit], max(1, lines/part)))
		if used+rows > lines {
			break
		}
		used += rows
		fit++
	}
	return fit + lines - used
}

// share returns the number of rows for the bars of each lane, 0 for a strip. Lanes that need few rows are served first,
// then the others, each group in order.
func (l *Layout) share(lanes []*sight, lines int) []int {
	rows, free := make([]int, len(lanes)), lines-len(lanes)
	for _, most := range [...]int{max(1, lines/part), lines} {
		for i := range lanes {
			if rows[i] == 0 {
				rows[i] = l.rows(lanes[i], min(most, free+1))
				free -= max(0, rows[i]-1)
			}
		}
	}
	return rows
}

// rows returns the number of rows that the bars of a lane need. It is 0, for a strip, if that is more than most or if
// the bars are too short to read in several rows.
func (l *Layout) rows(s *sight, most int) (rows int) {
	most = min(most, maxRows)
	if s.count*crowd > l.Cells*min(most, dense) {
		return 0
	}
	length := 0
	l.pack(s, func(bar *Bar) {
		rows = max(rows, bar.Row+1)
		if length += bar.To - bar.From; bar.end == open {
			length += l.Cells*eighths - bar.To
		}
	}, most)
	if rows > most || rows > 1 && length < s.count*readable {
		return 0
	}
	return rows
}

// row returns the bars of a lane.
func (l *Layout) row(s *sight) []Bar {
	begin := len(l.bars)
	l.pack(s, func(bar *Bar) { l.bars = append(l.bars, *bar) }, maxRows)
	return l.bars[begin:len(l.bars):len(l.bars)]
}

// pack puts each operation of a lane into the first row in which it overlaps no other. It stops at the first operation
// that needs more than most rows.
func (l *Layout) pack(s *sight, take func(bar *Bar), most int) {
	b, now := l.bounds(), l.until(s.id)
	var end [maxRows]int // by row: the cell after its last bar
	var bar Bar
	full := false
	s.tasks(b, func(t *Task) {
		if full {
			return
		}
		bar = Bar{Task: *t, Selected: l.Selected != nil && t.Key() == l.Selected.Key()}
		bar.From = l.eighth(t.start - b.from)
		bar.To = max(bar.From+1, l.eighth(t.until(now)-b.from))
		if bar.From = min(bar.From, l.Cells*eighths-1); bar.To > l.Cells*eighths {
			bar.To = l.Cells * eighths
		}
		for bar.Row < most && end[bar.Row] > bar.first() {
			bar.Row++
		}
		switch full = bar.Row == most; {
		case full:
		case t.end == open:
			end[bar.Row] = l.Cells // it grows, and must not move others
		default:
			end[bar.Row] = bar.last() + 1
		}
		take(&bar)
	})
}

// eighth returns the position of a time after the start of the view, in eighths of a cell, within the view.
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

// fold adds the strip of the lanes without lines of their own.
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

// strip counts the operations of a lane by the cell in which they began.
func (l *Layout) strip(of *lane) []Heat {
	at := len(l.heat)
	l.heat = slices.Grow(l.heat, l.Cells)[:at+l.Cells]
	strip := l.heat[at : at+l.Cells : at+l.Cells]
	clear(strip)
	b := l.bounds()
	cell, upTo := 0, b.from+int64(l.Cell)
	reach := func(at int64) *Heat { // times come in order
		for at >= upTo && cell < l.Cells-1 {
			cell++
			upTo += int64(l.Cell)
		}
		return &strip[cell]
	}
	of.within(b, func(first, last int64, sum *tally) bool {
		h := reach(first)
		if last >= upTo && cell < l.Cells-1 {
			return false
		}
		h.Count += sum.count
		h.Failed += sum.failed
		return true
	}, func(t *Task) {
		h := reach(t.start)
		h.Count++
		h.Failed += number(t.failed)
	})
	return strip
}
