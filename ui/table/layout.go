package table

import (
	"slices"

	"pgtower/ui/style"
)

// layout chooses the columns that are drawn and their widths. The column that the rows are sorted by always stays: even
// that one may not fit.
//
// If there is no room, the least important columns leave, then those that grow shrink, then others leave. Only then do
// the columns shrink that do not grow.
func (s *scene[R]) layout() {
	order, extra := s.table.columnOrder()
	s.order, s.table.wide, s.gap = order, make([]int, len(s.table.Columns)), gap
	if s.f.Width < narrow || s.led() > 0 && s.f.Width < roomy {
		s.gap = 1
	}
	for _, i := range s.order {
		s.openColumn(i)
	}
	s.closeLead()
	s.leave(3)
	s.shrink(true)
	s.leave(2)
	s.shrink(false)
	s.leave(1)
	s.addExtra(extra)
	s.grow()
	s.order = slices.DeleteFunc(s.order, func(i int) bool { return s.table.wide[i] == 0 })
}

// From ledFrom cells on, a leading column has its room; up to roomy, it takes cells from the gaps.
const ledFrom, roomy = 78, 100

// led returns the number of cells that the leading column is to have, or 0 if none leads.
func (s *scene[R]) led() int {
	if s.table.Lead == nil || len(s.order) == 0 || s.f.Width < ledFrom {
		return 0
	}
	c := &s.table.Columns[s.order[0]]
	if c.name() != s.table.Lead() || s.order[0] == s.table.want.column {
		return 0
	}
	return c.Led
}

// spare is how many cells of a line the columns leave, negative if they do not fit.
func (s *scene[R]) spare() int {
	cells := s.f.Width - gutter
	for _, w := range s.table.wide {
		if w > 0 {
			cells -= w + s.gap
		}
	}
	return min(cells+s.gap, s.f.Width-gutter)
}

// openColumn gives a column the width that it wants.
func (s *scene[R]) openColumn(i int) {
	c := s.table.Columns[i]
	twice := func(o int) bool {
		return c.Clock && s.table.Columns[o].Moment == c.Title && s.moment(s.table.Columns[o]) != ""
	}
	if c.hidden() || slices.ContainsFunc(s.order, twice) {
		return
	}
	s.table.wide[i] = c.Width
	if i == s.order[0] {
		s.table.wide[i] = max(c.Width, s.led())
	}
	if s.moment(c) != "" {
		s.table.wide[i] = max(c.Width, style.MomentWidth, len(s.moment(c))+1)
	}
}

// moment returns the title of a column that shows times as times, or "".
func (s *scene[R]) moment(c Column[R]) string {
	times, title := s.table.Session.Times, c.Moment
	if c.Clock {
		times, title = times.Exact(), c.Title
	}
	if zone := times.Zone(s.f.Now); zone != "" && title != "" {
		return title + " " + zone
	}
	return ""
}

// least is the least width of an open column. A time is never cut.
func (s *scene[R]) least(i int) int {
	if i == s.order[0] && s.led() > 0 {
		return s.table.wide[i]
	}
	if c := s.table.Columns[i]; c.Least > 0 && s.moment(c) == "" {
		return min(c.Least, s.table.wide[i])
	}
	return s.table.wide[i]
}

// closeLead removes the leading column if it does not fit beside the first ones to stay.
func (s *scene[R]) closeLead() {
	if s.table.Lead == nil || s.table.Columns[s.order[0]].name() != s.table.Lead() || s.order[0] == s.table.want.column {
		return
	}
	lead, need := s.order[0], gutter-s.gap
	for _, i := range s.order {
		width := s.table.wide[i]
		if s.table.Columns[i].Grow > 0 || s.led() > 0 {
			width = s.least(i)
		}
		if width > 0 && (i == lead || s.table.Columns[i].Priority <= 1) {
			need += width + s.gap
		}
	}
	if need > s.f.Width {
		s.table.wide[lead] = 0
	}
}

// leave closes columns of at least a priority until the others fit.
func (s *scene[R]) leave(priority int) {
	for s.spare() < 0 {
		leaves := -1
		for _, i := range s.order {
			c := s.table.Columns[i]
			most := c.Priority >= priority && (leaves < 0 || c.Priority >= s.table.Columns[leaves].Priority)
			if s.table.wide[i] > 0 && i != s.table.want.column && i != s.order[0] && most {
				leaves = i
			}
		}
		if leaves < 0 {
			return
		}
		s.table.wide[leaves] = 0
	}
}

// shrink gives all columns, or those that grow, their least width if they do not fit.
func (s *scene[R]) shrink(growing bool) {
	if s.spare() >= 0 {
		return
	}
	for _, i := range s.order {
		if !growing || s.table.Columns[i].Grow > 0 {
			s.table.wide[i] = s.least(i)
		}
	}
}

// addExtra opens as many of the extra columns as fit once the others have all the cells that they can use.
func (s *scene[R]) addExtra(extra []int) {
	if len(extra) == 0 {
		return
	}
	before, opened := slices.Clone(s.table.wide), false
	for _, i := range s.order {
		if s.table.wide[i] > 0 {
			s.table.wide[i] = max(s.table.wide[i], s.table.Columns[i].Full)
		}
	}
	for _, i := range extra {
		s.openColumn(i)
		if s.spare() < 0 {
			s.table.wide[i] = 0
			break
		}
		opened = opened || s.table.wide[i] > 0
		s.order = append(s.order, i)
	}
	if !opened {
		s.table.wide = before
	}
}

// grow gives the columns that shrank the cells that they want, a cell each in turn, and shares the rest among those that
// can use more.
func (s *scene[R]) grow() {
	spare, shares := s.spare(), 0
	for again := true; again; {
		again = false
		for _, i := range s.order {
			if s.table.wide[i] > 0 && s.table.wide[i] < s.table.Columns[i].Width && spare > 0 {
				s.table.wide[i]++
				spare--
				again = true
			}
		}
	}
	for i, c := range s.table.Columns {
		if s.table.wide[i] > 0 {
			shares += c.Grow
		}
	}
	for i, c := range s.table.Columns {
		if s.table.wide[i] > 0 && c.Grow > 0 && spare > 0 {
			part := spare * c.Grow / shares
			s.table.wide[i] += part
			spare -= part
			shares -= c.Grow
		}
	}
}
