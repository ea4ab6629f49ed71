package table

import (
	"cmp"
	"strings"

	"pgtower/ui/style"
)

// Change is what happened to a row since the last poll: a bit for each column whose cell
// changed, or [Added].
type Change uint64

// Added is the change of a row that was not there before.
const Added Change = 1 << 63

// PartialMark marks a row that others may be missing around.
const PartialMark = "┊"

const (
	gutter = 3 // cells before the first column
	gap    = 2 // cells between columns
)

// beside are the lines to the right of the rows, each after the border; there may be fewer.
type beside struct {
	border string
	lines  []string
}

// lineExtra is how many bytes the styles of a line take, about.
const lineExtra = 100

// rows draws the column titles and as many rows as there is room for.
func (s *scene[R, K]) rows(width, height int, right beside) []string {
	s.setHeight(height - 1)
	s.f.Width = width
	used := s.layout()
	// All lines are parts of one text: a text of its own for each would be most of what a
	// frame allocates.
	var b strings.Builder
	b.Grow(max(0, height) * (4*max(0, width) + lineExtra))
	lines := make([]string, 0, max(0, height))
	for i := range height {
		from, row := b.Len(), s.offset+i-1
		switch {
		case i == 0:
			b.WriteString(s.f.Theme.Paint(style.Heading, style.Fit(s.titles(), width)))
		case row >= s.Len():
			b.WriteString(style.Spaces(width))
		case s.lapsed && row == s.cursor:
			b.WriteString(style.Ends(s.wholeRow(row), s.f.Theme.Paint(style.Waiting, Lapsed), width))
		case row == s.lines.divider:
			s.divider(&b)
		case used > width:
			b.WriteString(style.Cut(s.wholeRow(row), width))
		default:
			s.drawRow(&b, row)
			b.WriteString(style.Spaces(width - used))
		}
		if i < len(right.lines) {
			b.WriteString(right.border)
			b.WriteString(right.lines[i])
		}
		lines = append(lines, b.String()[from:])
	}
	return lines
}

// wholeRow is a row that may be too long.
func (s *scene[R, K]) wholeRow(i int) string {
	var b strings.Builder
	s.drawRow(&b, i)
	return b.String()
}

// moment returns the title of a column of moments that are shown as they are, or nothing.
func (s *scene[R, K]) moment(c Column[R]) string {
	if zone := s.Session.Times.Zone(s.f.Now); zone != "" && c.Moment != "" {
		return c.Moment + " " + zone
	}
	return ""
}

// layout gives each column its width, 0 to those that have to leave; the column sorted by never
// does. used is how many cells a line then has: too many, if not even the last column fits.
func (s *scene[R, K]) layout() (used int) {
	widths := make([]int, len(s.Columns))
	s.wide, used = widths, gutter-gap
	for i, c := range s.Columns {
		if c.Hidden {
			continue
		}
		if widths[i] = c.Width; s.moment(c) != "" {
			widths[i] = max(c.Width, style.MomentWidth, len(s.moment(c))+1)
		}
		used += widths[i] + gap
	}
	for used > s.f.Width {
		leave := -1
		for i, c := range s.Columns {
			if widths[i] > 0 && c.Priority > 0 && i != s.want.column && (leave < 0 || c.Priority >= s.Columns[leave].Priority) {
				leave = i
			}
		}
		if leave < 0 {
			break
		}
		used -= widths[leave] + gap
		widths[leave] = 0
	}
	used += s.grow(s.f.Width - used)
	return max(gutter, used)
}

// grow shares what is left over among the columns that want it, and returns what they took.
func (s *scene[R, K]) grow(spare int) (taken int) {
	shares := 0
	for i, c := range s.Columns {
		if s.wide[i] > 0 {
			shares += c.Grow
		}
	}
	for i, c := range s.Columns {
		if s.wide[i] > 0 && c.Grow > 0 && spare > taken {
			part := (spare - taken) * c.Grow / shares
			s.wide[i] += part
			taken += part
			shares -= c.Grow
		}
	}
	return taken
}

// titles are those of the columns, with the direction at the one that the rows are sorted by.
func (s *scene[R, K]) titles() string {
	var b strings.Builder
	at, space := 0, gutter
	for i, c := range s.Columns {
		if s.wide[i] == 0 {
			continue
		}
		at += space
		if c.Compare != nil {
			s.links = append(s.links, link{line: 1, from: at, to: min(at+s.wide[i], s.f.Width), column: i})
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
		space = gap
	}
	return b.String()
}

// divider draws the line between the rows.
func (s *scene[R, K]) divider(b *strings.Builder) {
	at := s.lines.divider
	look{selected: at == s.cursor}.gutter(b, s.f.Theme)
	room := max(0, s.f.Width-gutter)
	said := style.Cut("┄┄ "+s.d.Divider(s.row(at))+" ", room)
	b.WriteString(s.f.Theme.Paint(style.Waiting, said+strings.Repeat("┄", room-style.Width(said))))
}

// look is how a row is drawn.
type look struct {
	selected, marked bool
	chosen           bool // selected by the user, and not for being at the top
	lapsed           bool // it no longer matches the filter, and is dimmed
	partial          bool // others may be missing around it
	change           Change
}

func (s *scene[R, K]) drawRow(b *strings.Builder, i int) {
	th, row := s.f.Theme, s.row(i)
	l := look{selected: i == s.cursor, marked: s.marked[s.Source.Key(row)], partial: s.d.Partial != nil && s.d.Partial(row)}
	l.lapsed = l.selected && s.lapsed
	l.chosen = l.selected && s.Chosen() && !l.lapsed
	if s.d.Changed != nil {
		l.change = s.d.Changed(row)
	}
	now := s.at(row)
	l.gutter(b, th)
	in := "" // the style that is open
	space := 0
	for i, c := range s.Columns {
		if s.wide[i] == 0 {
			continue
		}
		if l.chosen && !c.Head {
			b.WriteString(th.Close())
			l.chosen = false
		}
		// The gap belongs to the cell before it: a style that goes on is not written again.
		b.WriteString(style.Spaces(space))
		space = gap
		cell, tone := c.Cell(row, now)
		// One look for all of the selection: an inner reset would end its background.
		if open := th.Open(l.tone(i, tone)); open != in && !l.chosen {
			if in != "" {
				b.WriteString(th.Close())
			}
			b.WriteString(open)
			in = open
		}
		fitCell(b, cell, s.wide[i], c.Right)
	}
	if l.chosen || in != "" {
		b.WriteString(th.Close())
	}
}

// tone is how a cell is drawn that has a tone of its own. A failure keeps it when it is new.
func (l look) tone(column int, own style.Tone) style.Tone {
	switch {
	case l.lapsed:
		return style.Muted
	case l.change&(1<<column) != 0 && own != style.Bad:
		return style.Fresh
	case l.partial && own == style.Plain:
		return style.Muted
	}
	return own
}

// gutter writes whether the row is marked, whether it is selected or else new or changed, and
// whether others may be missing around it.
func (l look) gutter(b *strings.Builder, th *style.Theme) {
	mark, edge := " ", " "
	if l.marked {
		mark = "●"
	}
	if l.partial {
		edge = PartialMark
	}
	switch {
	case l.chosen:
		b.WriteString(th.Open(style.Selected))
		b.WriteString(mark + "▌" + edge)
	case l.selected:
		b.WriteString(th.Paint(style.Accent, mark+"▌"+edge))
	case l.change != 0:
		b.WriteString(th.Paint(style.Fresh, mark+"∙"+edge))
	case l.marked:
		b.WriteString(th.Paint(style.Accent, mark+" "+edge))
	case l.partial:
		b.WriteString(th.Paint(style.Muted, mark+" "+edge))
	default:
		b.WriteString(style.Spaces(gutter))
	}
}

// fitCell writes s as exactly width cells.
func fitCell(b *strings.Builder, s string, width int, right bool) {
	s = style.Cut(s, width)
	padding := style.Spaces(width - style.Width(s))
	if right {
		b.WriteString(padding)
	}
	b.WriteString(s)
	if !right {
		b.WriteString(padding)
	}
}
