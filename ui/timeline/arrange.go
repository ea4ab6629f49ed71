package timeline

import (
	"cmp"
	"slices"
)

const (
	maxRows = 24 // of a lane with bars

	// Bars need an average of cellsPerBar cells in at most crowdedRows rows; otherwise the lane is a strip.
	cellsPerBar = 2
	crowdedRows = 8

	readableLength = 2 // eighths of a cell: the least average length of bars in several rows

	tallStrip = 6 // the most lines of a strip, if other lanes need them not

	laneShare = 4 // a lane takes at most this fraction of the lines before the other lanes have theirs
	fewLines  = 3 // with more lines than this, one line counts the quiet lanes
)

// arrange assigns lines to the lanes. Lanes that get none share the last line. Lanes whose bars do not fit into one row
// share the remaining lines.
func (l *Layout) arrange(lanes []*lane) {
	l.order = lanes
	lines := l.Lines
	if len(lanes) > lines || l.Quiet > 0 && lines > fewLines {
		lines = max(0, lines-1)
	}
	fit := l.fit(lanes, lines)
	at := slices.IndexFunc(lanes, func(s *lane) bool { return s.id == l.Lane })
	if at >= fit && fit > 0 && l.Lane != "" {
		lanes = slices.Clone(lanes)
		lanes[fit-1], lanes[at] = lanes[at], lanes[fit-1] // keep the selected lane in view
	}
	line := 0
	l.counts = make([]Counts, 0, (fit+1)*l.Cells)
	shares := l.share(lanes[:fit], lines)
	tall := l.tall(shares)
	for i, rows := range shares {
		s := lanes[i]
		out := Lane{Counts: s.Counts, ID: s.id, Line: line, Rows: cmp.Or(rows, tall)}
		if rows > 0 {
			out.Bars = l.row(s)
		} else {
			out.Strip = l.strip(s.tasks)
		}
		line += out.Rows
		l.Lanes = append(l.Lanes, out)
	}
	if l.Folded = len(lanes) - fit; l.Folded > 0 && l.Lines > 0 {
		l.fold(line, lanes[fit:])
	}
	if roomy := line + len(l.Lanes) + 1; l.Folded == 0 && roomy <= l.Lines {
		for i := range l.Lanes {
			l.Lanes[i].Line += i // a blank line between lanes, or their bars would look like one
		}
	}
}

// tall returns the number of lines of each strip: what other lanes leave, with a blank line between lanes.
func (l *Layout) tall(shares []int) int {
	used, strips := len(shares)+1, 0
	for _, rows := range shares {
		used += rows
		strips += number(rows == 0)
	}
	return max(1, min((l.Lines-used)/max(1, strips), tallStrip))
}

// fit returns how many lanes get lines of their own. The rows that the bars of earlier lanes need take precedence.
func (l *Layout) fit(lanes []*lane, lines int) int {
	if len(lanes) <= lines {
		return len(lanes)
	}
	fit, used := 0, 0
	for used < lines {
		rows := max(1, l.rows(lanes[fit], max(1, lines/laneShare)))
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
func (l *Layout) share(lanes []*lane, lines int) []int {
	rows, free := make([]int, len(lanes)), lines-len(lanes)
	for _, most := range [...]int{max(1, lines/laneShare), lines} {
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
func (l *Layout) rows(s *lane, most int) (rows int) {
	most = min(most, maxRows)
	if s.Count*cellsPerBar > l.Cells*min(most, crowdedRows) {
		return 0
	}
	length := 0
	l.pack(s, func(bar *Bar) {
		rows = max(rows, bar.Row+1)
		if length += bar.To - bar.From; bar.end == noEnd {
			length += l.Cells*eighths - bar.To
		}
	}, most)
	if rows > most || rows > 1 && length < s.Count*readableLength {
		return 0
	}
	return rows
}

// row returns the bars of a lane.
func (l *Layout) row(s *lane) []Bar {
	begin := len(l.bars)
	l.pack(s, func(bar *Bar) { l.bars = append(l.bars, *bar) }, maxRows)
	return l.bars[begin:len(l.bars):len(l.bars)]
}

// pack puts each operation of a lane into the first row in which it overlaps no other. It stops at the first operation
// that needs more than most rows.
func (l *Layout) pack(s *lane, take func(bar *Bar), most int) {
	now := l.until(s.id)
	var end [maxRows]int // by row: the cell after its last bar
	var bar Bar
	for _, t := range s.tasks {
		bar = Bar{Task: *t, Selected: l.Selected != nil && t.Key() == l.Selected.Key()}
		bar.From = l.eighth(t.start - l.in.from)
		bar.To = max(bar.From+1, l.eighth(t.until(now)-l.in.from))
		if bar.From = min(bar.From, l.Cells*eighths-1); bar.To > l.Cells*eighths {
			bar.To = l.Cells * eighths
		}
		for bar.Row < most && end[bar.Row] > bar.first() {
			bar.Row++
		}
		if take(&bar); bar.Row == most {
			return
		}
		if end[bar.Row] = bar.last() + 1; t.end == noEnd {
			end[bar.Row] = l.Cells // it grows, and must not move others
		}
	}
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
func (l *Layout) fold(line int, lanes []*lane) {
	out := Lane{Fold: true, Line: line, Rows: 1}
	out.Strip = l.strip(nil)
	for _, of := range lanes {
		out.merge(of.Counts)
		for i, c := range l.strip(of.tasks) {
			out.Strip[i].merge(c)
		}
	}
	l.Lanes = append(l.Lanes, out)
}

// strip counts operations, in the order of their start, by the cell in which they began.
func (l *Layout) strip(tasks []*Task) []Counts {
	at := len(l.counts)
	l.counts = slices.Grow(l.counts, l.Cells)[:at+l.Cells]
	strip := l.counts[at : at+l.Cells : at+l.Cells]
	clear(strip)
	cell, upTo := 0, l.in.from+int64(l.Cell)
	for _, t := range tasks {
		for ; t.start >= upTo && cell < l.Cells-1; cell++ {
			upTo += int64(l.Cell)
		}
		strip[cell].add(t)
	}
	return strip
}
