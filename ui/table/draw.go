package table

import (
	"cmp"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/style"
)

// PartialMark marks a row with others that may be missing around it.
const PartialMark = "┊"

// rowsAndDetail draws the rows, and the pane if it is shown: in the lowest lines if it is below them.
func (s *scene[R]) rowsAndDetail(row R, height, below int) []string {
	p, full := s.pane, s.f.Width
	if p.held {
		row = p.row
	}
	width := p.wide - 1
	if below > 0 {
		width = full - 2*paneIndent
	}
	var lines []string
	if p.shown && (!p.held || s.list.offset == p.offset) {
		lines = s.besides(row, width)
	}
	hint := s.f.Key("details") + ": more"
	switch {
	case p.wide > 0:
		border := s.f.Theme.Paint(style.Rule, "│ ")
		return s.rows(p.left, height, border, s.inset(lines, 0, p.wide, height, hint))
	case below > 0:
		out := s.rows(full, height-below, "", nil)
		out = append(out, s.f.Theme.Paint(style.Rule, strings.Repeat("─", full)))
		return append(out, s.inset(lines, paneIndent, full, below-1, hint)...)
	}
	return s.rows(full, height, "", nil)
}

// rowsIn returns how many rows are drawn in so many lines.
func (s *scene[R]) rowsIn(lines int) int {
	if s.titled() {
		return lines - 1
	}
	return lines
}

// titled reports whether a line has the column titles.
func (s *scene[R]) titled() bool { return s.f.Height >= titlesFrom && s.body == nil }

// rows draws the column titles and the rows, each followed by the border and a line of right.
func (s *scene[R]) rows(width, height int, border string, right []string) []string {
	if s.body != nil {
		f := s.f
		f.Width, f.Height = width, height
		lines := s.body.Draw(f)
		for i := range min(len(lines), len(right)) {
			lines[i] += border + right[i]
		}
		return lines
	}
	s.layout = lay(s.config, s.list.want.column, width-1, s.f.Now) // the last cell stays empty
	s.drawn.wide = s.layout.wide
	head := height - s.rowsIn(height)
	s.drawn.above += head
	// All lines are parts of one text: a text for each would be most of a frame's allocations.
	const lineExtra = 100 // about as many bytes as the styles of a line
	var b strings.Builder
	b.Grow(max(0, height) * (2*max(0, width) + lineExtra))
	lines := make([]string, 0, max(0, height))
	for i := range height {
		from := b.Len()
		if i < head {
			b.WriteString(s.f.Theme.Paint(style.Heading, style.Fit(s.titles(), width)))
		} else {
			s.drawLine(&b, s.list.offset+i-head, width)
		}
		if i < len(right) {
			b.WriteString(border)
			b.WriteString(right[i])
		}
		lines = append(lines, b.String()[from:])
	}
	return lines
}

// drawLine writes the line of a row, or spaces if there is none.
func (s *scene[R]) drawLine(b *strings.Builder, row, width int) {
	spare := s.layout.spare()
	lapsed := s.list.lapsed && row == s.list.cursor
	switch {
	case row >= s.list.Len():
		b.WriteString(style.Spaces(width))
	case row == s.list.divider:
		s.drawDivider(b, width)
	case lapsed, spare < 0:
		var whole strings.Builder
		s.drawRow(&whole, row, max(0, spare+1))
		note := ""
		if lapsed {
			note = s.f.Theme.Paint(style.Waiting, lapsedNote)
		}
		b.WriteString(style.Ends(whole.String(), note, width))
	default:
		s.drawRow(b, row, spare+1)
	}
}

// titles draws the column titles, with the direction at the one that the rows are sorted by.
func (s *scene[R]) titles() string {
	var b strings.Builder
	cell, space := 0, gutter
	for _, i := range s.layout.order {
		c, wide := &s.config.Columns[i], s.layout.wide[i]
		cell += space
		if c.Compare != nil {
			sort := func() tea.Cmd { return s.sort(i) }
			s.link(s.drawn.above-1, cell, min(cell+wide, s.layout.width), sort)
		}
		cell += wide
		title := cmp.Or(s.layout.moment(c), c.heading(s.f.Now), c.Title)
		switch {
		case s.list.want.column == i && s.list.want.reverse:
			title += "▼"
		case s.list.want.column == i:
			title += "▲"
		}
		b.WriteString(style.Spaces(space))
		fitCell(&b, title, wide, c.Right)
		space = s.layout.gap
	}
	return b.String()
}

func (s *scene[R]) drawDivider(b *strings.Builder, width int) {
	index := s.list.divider
	l := rowStyle{selected: index == s.list.cursor}
	l.held = l.selected && s.list.Held()
	l.gutter(b, s.f.Theme)
	room := max(0, width-gutter)
	text := style.Cut("┄┄ "+s.d.Divider(s.list.row(index))+" ", room)
	line := text + strings.Repeat("┄", room-style.Width(text))
	b.WriteString(s.f.Theme.Paint(l.tone(0, style.Waiting), line))
}

type rowStyle struct {
	selected, marked bool
	held             bool // selected by the user: not only because it is at the top
	lapsed           bool // it no longer matches the filter, and is dimmed
	partial          bool // others may be missing around it
	change           Change
}

// drawRow writes a row, and a number of spaces after it.
func (s *scene[R]) drawRow(b *strings.Builder, i, spaces int) {
	th, row := s.f.Theme, s.list.row(i)
	l := rowStyle{selected: i == s.list.cursor, marked: s.list.marked[s.list.source.Key(row)]}
	l.partial = s.d.Partial != nil && s.d.Partial(row)
	l.lapsed = l.selected && s.list.lapsed
	l.held = l.selected && s.list.Held() && !l.lapsed
	if s.d.Changed != nil {
		l.change = s.d.Changed(row)
	}
	folded := s.list.folded(i)
	l.gutter(b, th)
	pen, space := pen{b: b, theme: th}, 0
	for n, column := range s.layout.order {
		// The gap belongs to the cell before it, so that a style that continues is not written again.
		b.WriteString(style.Spaces(space))
		space = s.layout.gap
		c := s.cell(row, folded, column, n == 0)
		if l.selected && c.isCut {
			s.drawn.cut = append(s.drawn.cut, c.whole)
		}
		c.draw(&pen, func(tone style.Tone) string { return th.Open(l.tone(column, tone)) })
	}
	if folded != nil && l.selected {
		s.drawn.cut = []string{s.config.Fold.Say(folded)}
	}
	if !l.held {
		pen.close()
	}
	b.WriteString(style.Spaces(spaces))
	pen.close()
}

// pen writes texts in styles, and keeps the last style open.
type pen struct {
	b     *strings.Builder
	theme *style.Theme
	in    string // the open style
}

func (p *pen) open(style string) {
	if style != p.in {
		p.close()
		p.b.WriteString(style)
		p.in = style
	}
}

func (p *pen) close() {
	if p.in != "" {
		p.b.WriteString(p.theme.Close())
	}
	p.in = ""
}

// cell is a cell of a row: its text, what stands before it in red, and what stands behind it.
type cell struct {
	before, text, behind string
	whole                string // the text before it was cut
	tone, behindTone     style.Tone
	tones                func(character rune, index int) style.Tone // of a picture; nil for text
	wide                 int
	right, isCut         bool
}

// cell returns the cell of a column, of a row or of the fold that begins with it; the first one counts the rows of a fold.
func (s *scene[R]) cell(row R, folded []R, column int, first bool) cell {
	c, now := &s.config.Columns[column], s.at(row)
	out := cell{wide: s.layout.wide[column], right: c.Right, behindTone: style.Bad}
	out.whole, out.tone = c.Cell(row, now)
	switch {
	case folded != nil:
		out.whole = c.foldedCell(out.whole, folded, now)
		if first {
			out.before = countFold(folded)
		}
	case c.Behind != nil:
		out.behind = c.Behind(row)
		if style.Width(out.whole)+style.Width(out.behind) > out.wide {
			out.behind = strings.TrimLeft(out.behind, " ")
		}
	case c.Tones != nil:
	default:
		out.behind, out.behindTone = c.beside(row, out.wide-style.Width(out.whole)), style.Muted
	}
	room := out.wide - style.Width(out.before) - style.Width(out.behind)
	out.isCut, out.text = !c.Drawn && !c.Extra && style.Width(out.whole) > room, out.whole
	if c.Shorten != nil {
		out.text = c.Shorten(out.text, room)
	}
	out.text = style.Cut(out.text, room)
	if c.Tones != nil && folded == nil && style.Width(out.text) == out.wide {
		out.tones = func(character rune, index int) style.Tone { return c.Tones(row, character, index, out.wide) }
	}
	return out
}

// draw writes the cell. tone returns the style of a tone in its row.
func (c *cell) draw(p *pen, tone func(style.Tone) string) {
	if c.tones != nil {
		for index, character := range []rune(c.text) {
			toned := c.tones(character, index)
			if toned == style.Bad && p.theme.Colourless() {
				toned = style.Heading // underlined
			}
			p.open(tone(toned))
			p.b.WriteRune(character)
		}
		return
	}
	if c.before != "" {
		p.open(tone(style.Bad))
		p.b.WriteString(c.before)
	}
	p.open(tone(c.tone))
	left := c.wide - style.Width(c.before)
	if c.behind == "" {
		fitCell(p.b, c.text, left, c.right)
		return
	}
	p.b.WriteString(c.text)
	p.open(tone(c.behindTone))
	fitCell(p.b, c.behind, left-style.Width(c.text), false)
}

// beside returns what a row has beside the text of its cell, with a space before, if there is room for all of it.
func (c *Column[R]) beside(row R, room int) string {
	if c.Beside == nil {
		return ""
	}
	text := c.Beside(row)
	if text == "" || style.Width(text)+1 > room {
		return ""
	}
	return " " + text
}

// tone returns the tone of a cell with a tone of its own. A new failure keeps it, and so does a selected warning.
func (l rowStyle) tone(column int, cell style.Tone) style.Tone {
	switch {
	case l.held && cell == style.Bad:
		return style.SelectedBad
	case l.held && cell == style.Waiting:
		return style.SelectedWaiting
	case l.held:
		return style.Selected
	case l.lapsed:
		return style.Muted
	case l.change&(1<<column) != 0 && cell != style.Bad:
		return style.Fresh
	case l.partial && cell == style.Plain:
		return style.Muted
	}
	return cell
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
	left, rest := s, style.Spaces(width-style.Width(s))
	if right {
		left, rest = rest, left
	}
	b.WriteString(left)
	b.WriteString(rest)
}
