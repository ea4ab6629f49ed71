package table

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/style"
)

// Change is what happened to a row since the last poll: a bit for each column whose cell changed, or [Added].
type Change uint64

// Added is the change of a new row.
const Added Change = 1 << 63

// PartialMark marks a row with others that may be missing around it.
const PartialMark = "┊"

const (
	gutter = 3 // cells before the first column
	gap    = 2 // cells between columns, or 1 in rows with less than narrow cells
	narrow = 60
)

// rows draws the column titles and the rows, each followed by the border and a line of right.
func (s *scene[R, K]) rows(width, height int, border string, right []string) []string {
	const lineExtra = 100 // about as many bytes as the styles of a line
	if s.Body != nil {
		s.setHeight(height)
		return s.body(width, height, border, right)
	}
	head := 0
	if s.titled {
		head = 1
	}
	s.above += head
	s.setHeight(height - head)
	s.f.Width = width - 1 // the last cell stays empty
	s.layout()
	after := s.spare()
	// All lines are parts of one text: a text for each would be most of a frame's allocations.
	var b strings.Builder
	b.Grow(max(0, height) * (4*max(0, width) + lineExtra))
	lines := make([]string, 0, max(0, height))
	for i := range height {
		from, row := b.Len(), s.offset+i-head
		lapsed := s.lapsed && row == s.cursor
		switch {
		case i < head:
			b.WriteString(s.f.Theme.Paint(style.Heading, style.Fit(s.titles(), width)))
		case row >= s.Len():
			b.WriteString(style.Spaces(width))
		case row == s.divider:
			s.drawDivider(&b)
		case lapsed, after < 0:
			var whole strings.Builder
			s.drawRow(&whole, row, max(0, after+1))
			note := ""
			if lapsed {
				note = s.f.Theme.Paint(style.Waiting, Lapsed)
			}
			b.WriteString(style.Ends(whole.String(), note, width))
		default:
			s.drawRow(&b, row, after+1)
		}
		if i < len(right) {
			b.WriteString(border)
			b.WriteString(right[i])
		}
		lines = append(lines, b.String()[from:])
	}
	return lines
}

// body draws what is in place of the rows.
func (s *scene[R, K]) body(width, height int, border string, right []string) []string {
	f := s.f
	f.Width, f.Height = width, height
	lines := s.Body.Draw(f)
	for i := range min(len(lines), len(right)) {
		lines[i] += border + right[i]
	}
	return lines
}

// moment returns the title of a column that shows times as times, or "".
func (s *scene[R, K]) moment(c Column[R]) string {
	times, title := s.Session.Times, c.Moment
	if c.Clock {
		times, title = times.Exact(), c.Title
	}
	if zone := times.Zone(s.f.Now); zone != "" && title != "" {
		return title + " " + zone
	}
	return ""
}

// layout chooses the columns that are drawn and their widths. The column that the rows are sorted by always stays: even
// that one may not fit.
func (s *scene[R, K]) layout() {
	order, extra := s.columnOrder()
	s.order, s.wide, s.gap = order, make([]int, len(s.Columns)), gap
	if s.f.Width < narrow {
		s.gap = 1
	}
	for _, i := range s.order {
		s.openColumn(i)
	}
	s.closeLead()
	for s.spare() < 0 {
		leave := -1
		for _, i := range s.order {
			c := s.Columns[i]
			most := leave < 0 || c.Priority >= s.Columns[leave].Priority
			if s.wide[i] > 0 && c.Priority > 0 && i != s.want.column && i != s.order[0] && most {
				leave = i
			}
		}
		if leave < 0 {
			break
		}
		s.wide[leave] = 0
	}
	s.addExtra(extra)
	s.grow()
	s.order = slices.DeleteFunc(s.order, func(i int) bool { return s.wide[i] == 0 })
}

// spare is how many cells of a line the columns leave, negative if they do not fit.
func (s *scene[R, K]) spare() int {
	cells := s.f.Width - gutter
	for _, w := range s.wide {
		if w > 0 {
			cells -= w + s.gap
		}
	}
	return min(cells+s.gap, s.f.Width-gutter)
}

// closeLead removes the leading column if it does not fit beside the first ones to stay.
func (s *scene[R, K]) closeLead() {
	if s.Lead == nil || s.Columns[s.order[0]].name() != s.Lead() || s.order[0] == s.want.column {
		return
	}
	lead, need := s.order[0], gutter-s.gap
	for _, i := range s.order {
		if s.wide[i] > 0 && (i == lead || s.Columns[i].Priority <= 1) {
			need += s.wide[i] + s.gap
		}
	}
	if need > s.f.Width {
		s.wide[lead] = 0
	}
}

// openColumn gives a column the width that it wants.
func (s *scene[R, K]) openColumn(i int) {
	c := s.Columns[i]
	twice := func(o int) bool { return c.Clock && s.Columns[o].Moment == c.Title && s.moment(s.Columns[o]) != "" }
	if c.Hidden || slices.ContainsFunc(s.order, twice) {
		return
	}
	if s.wide[i] = c.Width; s.moment(c) != "" {
		s.wide[i] = max(c.Width, style.MomentWidth, len(s.moment(c))+1)
	}
	if s.f.Width < narrow && c.Least > 0 {
		s.wide[i] -= c.Width - c.Least
	}
}

// addExtra opens as many of the extra columns as fit once the others have all the cells that they can use.
func (s *scene[R, K]) addExtra(extra []int) {
	if len(extra) == 0 {
		return
	}
	before, opened := slices.Clone(s.wide), false
	for _, i := range s.order {
		if s.wide[i] > 0 {
			s.wide[i] = max(s.wide[i], s.Columns[i].Full)
		}
	}
	for _, i := range extra {
		if s.openColumn(i); s.spare() < 0 {
			s.wide[i] = 0
			break
		}
		opened = opened || s.wide[i] > 0
		s.order = append(s.order, i)
	}
	if !opened {
		s.wide = before
	}
}

// grow gives the columns the cells that they want, and shares the rest among those that can use more.
func (s *scene[R, K]) grow() {
	spare, shares := s.spare(), 0
	for i, c := range s.Columns {
		if s.wide[i] > 0 {
			more := max(0, min(c.Width-s.wide[i], spare))
			s.wide[i] += more
			spare -= more
			shares += c.Grow
		}
	}
	for i, c := range s.Columns {
		if s.wide[i] > 0 && c.Grow > 0 && spare > 0 {
			part := spare * c.Grow / shares
			s.wide[i] += part
			spare -= part
			shares -= c.Grow
		}
	}
}

// titles draws the column titles, with the direction at the one that the rows are sorted by.
func (s *scene[R, K]) titles() string {
	var b strings.Builder
	at, space := 0, gutter
	for _, i := range s.order {
		c := s.Columns[i]
		at += space
		if c.Compare != nil {
			sort := func() tea.Cmd { return s.SortBy(i, i == s.want.column && !s.want.reverse) }
			s.links = append(s.links, link{s.above - 1, at, min(at+s.wide[i], s.f.Width), sort})
		}
		at += s.wide[i]
		title := cmp.Or(s.moment(c), c.Title)
		switch {
		case s.want.column == i && s.want.reverse:
			title += "▼"
		case s.want.column == i:
			title += "▲"
		}
		b.WriteString(style.Spaces(space))
		fitCell(&b, title, s.wide[i], c.Right)
		space = s.gap
	}
	return b.String()
}

func (s *scene[R, K]) drawDivider(b *strings.Builder) {
	at := s.divider
	l := rowStyle{selected: at == s.cursor}
	l.held = l.selected && s.Held()
	l.gutter(b, s.f.Theme)
	room := max(0, s.f.Width+1-gutter)
	said := style.Cut("┄┄ "+s.d.Divider(s.row(at))+" ", room)
	b.WriteString(s.f.Theme.Paint(l.tone(0, style.Waiting), said+strings.Repeat("┄", room-style.Width(said))))
}

type rowStyle struct {
	selected, marked bool
	held             bool // selected by the user: not only because it is at the top
	lapsed           bool // it no longer matches the filter, and is dimmed
	partial          bool // others may be missing around it
	change           Change
}

// drawRow writes a row, and a number of spaces after it.
func (s *scene[R, K]) drawRow(b *strings.Builder, i, after int) {
	th, row := s.f.Theme, s.row(i)
	l := rowStyle{selected: i == s.cursor, marked: s.marked[s.Source.Key(row)]}
	l.partial = s.d.Partial != nil && s.d.Partial(row)
	l.lapsed = l.selected && s.lapsed
	l.held = l.selected && s.Held() && !l.lapsed
	if s.d.Changed != nil {
		l.change = s.d.Changed(row)
	}
	now := s.at(row)
	l.gutter(b, th)
	in, space := "", 0 // in is the open style
	for _, i := range s.order {
		c := &s.Columns[i]
		// The gap belongs to the cell before it, so that a style that continues is not written again.
		b.WriteString(style.Spaces(space))
		space = s.gap
		cell, tone := c.Cell(row, now)
		if open := th.Open(l.tone(i, tone)); open != in {
			if in != "" {
				b.WriteString(th.Close())
			}
			b.WriteString(open)
			in = open
		}
		fitCell(b, cell, s.wide[i], c.Right)
	}
	if in != "" && !l.held {
		b.WriteString(th.Close())
	}
	b.WriteString(style.Spaces(after))
	if in != "" && l.held {
		b.WriteString(th.Close())
	}
}

// tone returns the tone of a cell with a tone of its own. A new failure keeps it, and so does a selected warning.
func (l rowStyle) tone(column int, own style.Tone) style.Tone {
	switch {
	case l.held && own == style.Bad:
		return style.SelectedBad
	case l.held && own == style.Waiting:
		return style.SelectedWaiting
	case l.held:
		return style.Selected
	case l.lapsed:
		return style.Muted
	case l.change&(1<<column) != 0 && own != style.Bad:
		return style.Fresh
	case l.partial && own == style.Plain:
		return style.Muted
	}
	return own
}

// gutter writes the cells before the row.
func (l rowStyle) gutter(b *strings.Builder, th *style.Theme) {
	mark, sign, edge, tone := " ", " ", " ", style.Plain
	if l.partial {
		edge, tone = PartialMark, style.Muted
	}
	if l.marked {
		mark, tone = "●", style.Accent
	}
	if l.change != 0 {
		sign, tone = "∙", style.Fresh
	}
	if l.selected {
		sign, tone = "▌", style.Accent
	}
	if l.held {
		tone = style.Selected
	}
	open := th.Open(tone)
	for _, s := range [...]string{open, mark, sign, edge} {
		b.WriteString(s)
	}
	if open != "" {
		b.WriteString(th.Close())
	}
}

// fitCell writes s as exactly width cells.
func fitCell(b *strings.Builder, s string, width int, right bool) {
	s = style.Cut(s, width)
	before, after := s, style.Spaces(width-style.Width(s))
	if right {
		before, after = after, before
	}
	b.WriteString(before)
	b.WriteString(after)
}
