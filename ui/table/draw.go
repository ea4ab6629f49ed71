package table

import (
	"cmp"
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
func (s *scene[R]) rows(width, height int, border string, right []string) []string {
	const lineExtra = 100 // about as many bytes as the styles of a line
	if s.table.Body != nil {
		s.table.setHeight(height)
		f := s.f
		f.Width, f.Height = width, height
		lines := s.table.Body.Draw(f)
		for i := range min(len(lines), len(right)) {
			lines[i] += border + right[i]
		}
		return lines
	}
	head := 0
	if s.titled {
		head = 1
	}
	s.table.above += head
	s.table.setHeight(height - head)
	s.f.Width = width - 1 // the last cell stays empty
	s.layout()
	after := s.spare()
	// All lines are parts of one text: a text for each would be most of a frame's allocations.
	var b strings.Builder
	b.Grow(max(0, height) * (2*max(0, width) + lineExtra))
	lines := make([]string, 0, max(0, height))
	for i := range height {
		from, row := b.Len(), s.table.offset+i-head
		lapsed := s.table.lapsed && row == s.table.cursor
		switch {
		case i < head:
			b.WriteString(s.f.Theme.Paint(style.Heading, style.Fit(s.titles(), width)))
		case row >= s.table.Len():
			b.WriteString(style.Spaces(width))
		case row == s.table.divider:
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

// titles draws the column titles, with the direction at the one that the rows are sorted by.
func (s *scene[R]) titles() string {
	var b strings.Builder
	at, space := 0, gutter
	for _, i := range s.order {
		c := s.table.Columns[i]
		at += space
		if c.Compare != nil {
			sort := func() tea.Cmd { return s.table.sort(i) }
			s.table.links = append(s.table.links, link{s.table.above - 1, at, min(at+s.table.wide[i], s.f.Width), sort})
		}
		at += s.table.wide[i]
		title := cmp.Or(s.moment(c), c.Title)
		switch {
		case s.table.want.column == i && s.table.want.reverse:
			title += "▼"
		case s.table.want.column == i:
			title += "▲"
		}
		b.WriteString(style.Spaces(space))
		fitCell(&b, title, s.table.wide[i], c.Right)
		space = s.gap
	}
	return b.String()
}

func (s *scene[R]) drawDivider(b *strings.Builder) {
	at := s.table.divider
	l := rowStyle{selected: at == s.table.cursor}
	l.held = l.selected && s.table.Held()
	l.gutter(b, s.f.Theme)
	room := max(0, s.f.Width+1-gutter)
	said := style.Cut("┄┄ "+s.d.Divider(s.table.row(at))+" ", room)
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
func (s *scene[R]) drawRow(b *strings.Builder, i, after int) {
	th, row := s.f.Theme, s.table.row(i)
	l := rowStyle{selected: i == s.table.cursor, marked: s.table.marked[s.table.Source.Key(row)]}
	l.partial = s.d.Partial != nil && s.d.Partial(row)
	l.lapsed = l.selected && s.table.lapsed
	l.held = l.selected && s.table.Held() && !l.lapsed
	if s.d.Changed != nil {
		l.change = s.d.Changed(row)
	}
	now := s.at(row)
	l.gutter(b, th)
	in, space := "", 0 // in is the open style
	for _, i := range s.order {
		c := &s.table.Columns[i]
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
		if c.Shorten != nil {
			cell = c.Shorten(cell, s.table.wide[i])
		}
		fitCell(b, cell, s.table.wide[i], c.Right)
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
