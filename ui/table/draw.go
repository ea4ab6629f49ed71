package table

import (
	"strings"
	"time"

	"pgtower/ui/style"
)

const (
	gutter = 3 // before the first column
	gap    = 2 // between columns
)

// Change is what happened to a row since the last poll: a bit for each column whose cell
// changed, or [Added].
type Change uint64

// Added is the change of a row that was not there before.
const Added Change = 1 << 63

// ListFrame is what a table is drawn into: Height lines of Width cells.
type ListFrame[R any] struct {
	Width, Height int
	Theme         *style.Theme
	Now           time.Time
	// At is the moment that a row is shown at; without it, all are shown at Now.
	At func(R) time.Time
	// Zone is that of moments which are shown as they are, such as UTC; empty where they are
	// shown as how long ago they were.
	Zone string
	// Changed says which rows are new or changed; it may be nil.
	Changed func(R) Change
	// Divider is the line between the rows of a source that is [Divided].
	Divider func(R) string
	// Partial reports whether others may be missing around a row; it may be nil.
	Partial func(R) bool
	// Beside are what stands to the right of the lines, after Border; there may be fewer
	// of them.
	Border string
	Beside []string
}

// View draws the column titles and as many rows as there is room for.
func (m *List[R, K]) View(f ListFrame[R]) []string {
	m.SetHeight(f.Height - 1)
	m.zone = f.Zone
	widths, used := m.layout(f.Width)
	// All lines are parts of one text: a text of its own for each would be most of what a
	// frame allocates.
	var b strings.Builder
	b.Grow(max(0, f.Height) * (4*max(0, f.Width) + lineExtra))
	ends := make([]int, 0, max(0, f.Height))
	for i := range f.Height {
		row := m.offset + i - 1
		switch {
		case i == 0:
			b.WriteString(f.Theme.Paint(style.Heading, style.Fit(style.Spaces(gutter)+cells(widths, m.columns, m.title), f.Width)))
		case row >= m.Len():
			b.WriteString(style.Spaces(f.Width))
		case m.lapsed && row == m.cursor:
			m.drawLapsed(&b, f, widths)
		case row == m.divider:
			m.drawDivider(&b, f)
		case used > f.Width:
			var whole strings.Builder
			m.draw(&whole, f, row, widths)
			b.WriteString(style.Cut(whole.String(), f.Width))
		default:
			m.draw(&b, f, row, widths)
			b.WriteString(style.Spaces(f.Width - used))
		}
		if i < len(f.Beside) {
			b.WriteString(f.Border)
			b.WriteString(f.Beside[i])
		}
		ends = append(ends, b.Len())
	}
	lines, drawn, from := make([]string, len(ends)), b.String(), 0
	for i, end := range ends {
		lines[i], from = drawn[from:end], end
	}
	return lines
}

// lineExtra is how many bytes the styles of a line take, about.
const lineExtra = 100

// layout gives each column its width, 0 to those that have to leave, of which that is none
// which the rows are sorted by. used is how many
// cells a line then has, which is more than width where not even the last column fits.
func (m *List[R, K]) layout(width int) (widths []int, used int) {
	widths = make([]int, len(m.columns))
	for i, c := range m.columns {
		switch {
		case c.Hidden:
		case m.zone != "" && c.Moment != "":
			widths[i] = max(c.Width, style.MomentWidth, len(m.moment(c))+1)
		default:
			widths[i] = c.Width
		}
	}
	total := func() int {
		sum := gutter
		for _, w := range widths {
			if w > 0 {
				sum += w + gap
			}
		}
		return sum - gap
	}
	for total() > width {
		leave := -1
		for i, c := range m.columns {
			if widths[i] > 0 && c.Priority > 0 && i != m.want.column && (leave < 0 || c.Priority >= m.columns[leave].Priority) {
				leave = i
			}
		}
		if leave < 0 {
			break
		}
		widths[leave] = 0
	}
	m.grow(widths, width-total())
	return widths, max(gutter, total())
}

// ColumnAt returns the column at a cell of a table of the width, if there is one.
func (m *List[R, K]) ColumnAt(x, width int) (column int, ok bool) {
	widths, _ := m.layout(width)
	at := gutter
	for i, w := range widths {
		if w == 0 {
			continue
		}
		if x >= at && x < at+w {
			return i, true
		}
		at += w + gap
	}
	return 0, false
}

// grow shares what is over among the columns that want it.
func (m *List[R, K]) grow(widths []int, spare int) {
	shares := 0
	for i, c := range m.columns {
		if widths[i] > 0 {
			shares += c.Grow
		}
	}
	for i, c := range m.columns {
		if widths[i] > 0 && c.Grow > 0 && spare > 0 {
			part := spare * c.Grow / shares
			widths[i] += part
			spare -= part
			shares -= c.Grow
		}
	}
}

// cells are texts in the columns, without a style.
func cells[R any](widths []int, columns []Column[R], of func(column int) string) string {
	var b strings.Builder
	space := 0
	for i, c := range columns {
		if widths[i] > 0 {
			b.WriteString(style.Spaces(space))
			fitCell(&b, of(i), widths[i], c.Right)
			space = gap
		}
	}
	return b.String()
}

// drawLapsed draws the selected row where it no longer matches: dimmed, and marked at its
// end as what it is.
func (m *List[R, K]) drawLapsed(b *strings.Builder, f ListFrame[R], widths []int) {
	row := m.Row(m.cursor)
	rowLine{selected: true, marked: m.IsMarked(row)}.gutter(b, f.Theme)
	dimmed := cells(widths, m.columns, func(column int) string {
		cell, _ := m.columns[column].Cell(row, f.Now)
		return cell
	})
	room := max(0, f.Width-gutter)
	dimmed = style.Cut(dimmed, room-style.Width(Lapsed)-gap)
	b.WriteString(style.Ends(f.Theme.Paint(style.Muted, dimmed), f.Theme.Paint(style.Waiting, Lapsed), room))
}

// drawDivider draws the line between the rows.
func (m *List[R, K]) drawDivider(b *strings.Builder, f ListFrame[R]) {
	rowLine{selected: m.divider == m.cursor}.gutter(b, f.Theme)
	said, room := "┄┄ "+f.Divider(m.Row(m.divider))+" ", max(0, f.Width-gutter)
	said = style.Cut(said, room)
	b.WriteString(f.Theme.Paint(style.Waiting, said+strings.Repeat("┄", room-style.Width(said))))
}

// title is a column's title, with the direction if the rows are sorted by it.
func (m *List[R, K]) title(column int) string {
	title := m.columns[column].Title
	if c := m.columns[column]; m.zone != "" && c.Moment != "" {
		title = m.moment(c)
	}
	switch {
	case m.want.column != column:
		return title
	case m.want.reverse:
		return title + "▼"
	}
	return title + "▲"
}

// moment is the title of a column of moments that are shown as they are.
func (m *List[R, K]) moment(c Column[R]) string { return c.Moment + " " + m.zone }

// rowLine is how a row is drawn.
type rowLine struct {
	selected, marked bool
	chosen           bool // selected by a person, and not for being at the top
	partial          bool // others may be missing around it
	change           Change
}

func (m *List[R, K]) draw(b *strings.Builder, f ListFrame[R], i int, widths []int) {
	th, row := f.Theme, m.Row(i)
	l := rowLine{selected: i == m.cursor, marked: m.IsMarked(row)}
	l.chosen = l.selected && m.Chosen()
	if f.Changed != nil {
		l.change = f.Changed(row)
	}
	l.partial = f.Partial != nil && f.Partial(row)
	now := f.Now
	if f.At != nil {
		now = f.At(row)
	}
	l.gutter(b, th)
	in := "" // the style that is open
	space := 0
	for i, c := range m.columns {
		if widths[i] == 0 {
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
		tone = l.tone(i, tone)
		// One look for all of the selection: an inner reset would end its background.
		if open := th.Open(tone); open != in && !l.chosen {
			if in != "" {
				b.WriteString(th.Close())
			}
			b.WriteString(open)
			in = open
		}
		fitCell(b, cell, widths[i], c.Right)
	}
	if l.chosen || in != "" {
		b.WriteString(th.Close())
	}
}

// tone is how a cell is drawn that has a tone of its own. That something failed must not be
// less striking for being new.
func (l rowLine) tone(column int, own style.Tone) style.Tone {
	switch {
	case l.change&(1<<column) != 0 && own != style.Bad:
		return style.Fresh
	case l.partial && own == style.Plain:
		return style.Muted
	}
	return own
}

// Partial marks a row that others may be missing around.
const Partial = "┊"

// gutter writes what stands before the first column: whether the row is marked, then
// whether it is selected or else new or changed, then whether others may be missing.
func (l rowLine) gutter(b *strings.Builder, th *style.Theme) {
	mark, edge := " ", " "
	if l.marked {
		mark = "●"
	}
	if l.partial {
		edge = Partial
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
