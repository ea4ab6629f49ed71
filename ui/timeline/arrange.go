package timeline

import (
	"cmp"
	"iter"
	"slices"
)

const (
	maxRows = 24 // of a lane with bars

	// Bars need an average of cellsPerBar cells in at most crowdedRows rows; otherwise the lane is a strip.
	cellsPerBar = 2
	crowdedRows = 8

	readableLength = 2 // eighths of a cell: the least average length of bars in several rows

	tallStrip = 6 // the most lines of a strip, if other lanes do not need them

	laneShare = 4 // a lane takes at most this fraction of the lines before the other lanes have theirs
	fewLines  = 3 // with more lines than this, one line counts the quiet lanes
)

// arrange assigns lines to the lanes. Lanes that get none share the last line. Lanes whose bars do not fit into one row
// share the remaining lines.
func (c *Chart) arrange(lanes []*lane) {
	c.order = lanes
	lines := c.Lines
	if len(lanes) > lines || c.Quiet > 0 && lines > fewLines {
		lines = max(0, lines-1)
	}
	fit := c.fit(lanes, lines)
	if selected := c.selected(lanes); selected >= fit && fit > 0 && c.Lane != "" {
		lanes = slices.Clone(lanes) // the order stays: at another size, other lanes have lines of their own
		lanes[fit-1], lanes[selected] = lanes[selected], lanes[fit-1]
	}
	shares := c.share(lanes[:fit], lines)
	tall := c.tall(shares)
	forms := make([]Form, fit)
	for i, rows := range shares {
		forms[i] = Form{ID: lanes[i].id, Rows: cmp.Or(rows, tall), Strip: rows == 0}
	}
	c.place(lanes, forms)
}

// place gives the first lanes their lines, and folds the others.
func (c *Chart) place(lanes []*lane, forms []Form) {
	line, fit := 0, len(forms)
	c.counts = make([]Counts, 0, (fit+1)*c.Cells)
	for i, form := range forms {
		s := lanes[i]
		out := Lane{Counts: s.Counts, ID: s.id, Line: line, Rows: form.Rows, New: form.New}
		if form.Strip {
			out.Strip = c.strip(s.tasks)
		} else {
			out.Bars, out.More = c.row(s, form.Rows)
		}
		line += out.Rows
		c.Lanes = append(c.Lanes, out)
	}
	c.Folded = len(lanes) - fit
	if c.Folded > 0 && c.Lines > 0 {
		c.fold(line, lanes[fit:])
	}
}

// keep leaves the lanes of an earlier chart where and as they are. New lanes come last, with a line each while lines are left.
func (c *Chart) keep(lanes []*lane) {
	byID := map[string]*lane{}
	for _, s := range lanes {
		byID[s.id] = s
	}
	order, forms := make([]*lane, 0, len(lanes)), slices.Clone(c.Kept)
	for _, form := range c.Kept {
		s := byID[form.ID]
		if s == nil && c.Reform {
			continue
		}
		if s == nil {
			s = &lane{id: form.ID}
			c.Quiet--
		}
		delete(byID, form.ID)
		order = append(order, s)
	}
	for _, s := range lanes {
		if byID[s.id] != nil {
			order = append(order, s)
			forms = append(forms, Form{ID: s.id, Rows: 1, Strip: c.rows(s, 1) == 0, New: true})
		}
	}
	c.Quiet, c.order = max(0, c.Quiet), order
	if c.Reform {
		c.arrange(order)
		return
	}
	lines := c.Lines
	if total(forms) > lines || c.Quiet > 0 && lines > fewLines {
		lines = max(0, lines-1)
	}
	fit := 0
	for used := 0; fit < len(forms) && used+forms[fit].Rows <= lines; fit++ {
		used += forms[fit].Rows
	}
	drawn := slices.Clone(order)
	c.showSelected(drawn, forms, fit)
	c.place(drawn, forms[:fit])
}

// showSelected keeps the lane of the selected operation in view: while it is selected, it takes the place of the last one with
// lines of its own.
func (c *Chart) showSelected(order []*lane, forms []Form, fit int) {
	selected := c.selected(order)
	if selected < fit || fit == 0 || c.Lane == "" {
		return
	}
	last := forms[fit-1]
	order[fit-1], order[selected] = order[selected], order[fit-1]
	forms[fit-1], forms[selected] = forms[selected], last
	forms[fit-1].Rows = last.Rows
}

// selected returns the index of the lane of the selected operation, or -1.
func (c *Chart) selected(lanes []*lane) int {
	return slices.IndexFunc(lanes, func(l *lane) bool { return l.id == c.Lane })
}

// total returns the number of lines of lanes.
func total(forms []Form) (lines int) {
	for _, form := range forms {
		lines += form.Rows
	}
	return lines
}

// Forms returns the lanes with their lines, including the folded ones, to be kept.
func (c *Chart) Forms() []Form {
	kept := map[string]Form{}
	for _, form := range c.Kept {
		kept[form.ID] = form
	}
	drawn := map[string]*Lane{}
	for i := range c.Lanes {
		if !c.Lanes[i].Fold {
			drawn[c.Lanes[i].ID] = &c.Lanes[i]
		}
	}
	forms := make([]Form, 0, len(c.order))
	for _, s := range c.order {
		form, wasKept := kept[s.id]
		l := drawn[s.id]
		if c.Reform {
			wasKept = false
		}
		switch {
		case !wasKept && l == nil:
			form = Form{ID: s.id, Rows: 1, Strip: true, New: c.Kept != nil && !c.Reform}
		case !wasKept:
			form = Form{ID: s.id, Rows: l.Rows, Strip: l.Strip != nil, New: l.New}
		}
		forms = append(forms, form)
	}
	return forms
}

// tall returns the number of lines of each strip: what other lanes leave.
func (c *Chart) tall(shares []int) int {
	used, strips := 1, 0
	for _, rows := range shares {
		used += rows
		strips += number(rows == 0)
	}
	return max(1, min((c.Lines-used)/max(1, strips), tallStrip))
}

// fit returns how many lanes get lines of their own. The rows that the bars of earlier lanes need take precedence.
func (c *Chart) fit(lanes []*lane, lines int) int {
	if len(lanes) <= lines {
		return len(lanes)
	}
	fit, used := 0, 0
	for used < lines {
		rows := max(1, c.rows(lanes[fit], max(1, lines/laneShare)))
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
func (c *Chart) share(lanes []*lane, lines int) []int {
	rows, free := make([]int, len(lanes)), lines-len(lanes)
	for _, limit := range [...]int{max(1, lines/laneShare), lines} {
		for i := range lanes {
			if rows[i] == 0 {
				rows[i] = c.rows(lanes[i], min(limit, free+1))
				free -= max(0, rows[i]-1)
			}
		}
	}
	return rows
}

// rows returns the number of rows that the bars of a lane need, at least 1. It is 0, for a strip, if that is more than limit
// or if the bars are too short to read in several rows.
func (c *Chart) rows(s *lane, limit int) (rows int) {
	limit = min(limit, maxRows)
	bars := len(s.tasks) // what counts may have ended before the view
	if bars*cellsPerBar > c.Cells*min(limit, crowdedRows) {
		return 0
	}
	length := 0
	for bar := range c.packed(s, limit) {
		rows = max(rows, bar.Row+1)
		length += bar.To - bar.From
		if bar.end == noEnd {
			length += c.Cells*eighths - bar.To
		}
		if bar.Row == limit {
			break
		}
	}
	if rows > limit || rows > 1 && length < bars*readableLength {
		return 0
	}
	return max(1, rows)
}

// row returns the bars of a lane in its rows, and how many operations have no room there.
func (c *Chart) row(s *lane, rows int) (bars []Bar, rest int) {
	begin := len(c.bars)
	for bar := range c.packed(s, rows) {
		if bar.Row == rows {
			rest++
		} else {
			c.bars = append(c.bars, *bar)
		}
	}
	return c.bars[begin:len(c.bars):len(c.bars)], rest
}

// packed returns the bars of a lane, each in the first row in which it overlaps no other: row limit if there is none. The next
// one overwrites a bar.
func (c *Chart) packed(s *lane, limit int) iter.Seq[*Bar] {
	return func(add func(*Bar) bool) { c.pack(s, add, limit) }
}

// pack passes the bars of [Chart.packed] to add, until that returns false.
func (c *Chart) pack(s *lane, add func(bar *Bar) bool, limit int) {
	var end [maxRows]int // by row: the cell after its last bar
	var bar Bar
	for _, t := range s.tasks {
		bar = Bar{Task: *t, Selected: c.Selected != nil && t.Key() == c.Selected.Key()}
		bar.From = c.eighth(t.start - c.in.from)
		bar.To = min(max(bar.From+1, c.eighth(t.until(c.until(t.Project))-c.in.from)), c.Cells*eighths)
		bar.From = min(bar.From, c.Cells*eighths-1)
		for bar.Row < limit && end[bar.Row] > bar.first() {
			bar.Row++
		}
		if !add(&bar) {
			return
		}
		if bar.Row == limit {
			continue
		}
		end[bar.Row] = bar.last() + 1
		if t.end == noEnd {
			end[bar.Row] = c.Cells // it grows, and must not move others
		}
	}
}

// eighth returns the position of a time after the start of the view, in eighths of a cell, within the view.
func (c *Chart) eighth(offset int64) int {
	cell := int64(c.Cell)
	whole := offset / cell
	if offset <= 0 {
		return 0
	} else if whole >= int64(c.Cells) {
		return c.Cells * eighths
	}
	return int(whole*eighths + offset%cell*eighths/cell)
}

// fold adds the strip of the lanes without lines of their own.
func (c *Chart) fold(line int, lanes []*lane) {
	out := Lane{Fold: true, Line: line, Rows: 1}
	out.Strip = c.strip(nil)
	for _, folded := range lanes {
		out.merge(folded.Counts)
		for i, n := range c.strip(folded.tasks) {
			out.Strip[i].merge(n)
		}
	}
	c.Lanes = append(c.Lanes, out)
}

// strip counts operations, in the order of their start, by the cell in which they began.
func (c *Chart) strip(tasks []*Task) []Counts {
	begin := len(c.counts)
	c.counts = slices.Grow(c.counts, c.Cells)[:begin+c.Cells]
	strip := c.counts[begin : begin+c.Cells : begin+c.Cells]
	clear(strip)
	cell, upTo := 0, c.in.from+int64(c.Cell)
	for _, t := range tasks {
		for ; t.start >= upTo && cell < c.Cells-1; cell++ {
			upTo += int64(c.Cell)
		}
		strip[cell].add(t)
	}
	return strip
}
