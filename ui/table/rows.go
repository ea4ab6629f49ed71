package table

import (
	"cmp"
	"strings"

	"pgtower/ui/action"
	"pgtower/ui/style"
)

// rowsIn returns how many rows are drawn in a number of lines.
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
	// All lines share one text. A text for each would make most of a frame's allocations.
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

// drawLine writes a line of the list, or spaces if there is none.
func (s *scene[R]) drawLine(b *strings.Builder, line, width int) {
	spare := s.layout.spare()
	lapsed := s.list.lapsed && line == s.list.cursor
	switch {
	case line >= s.list.Len():
		b.WriteString(style.Spaces(width))
	case line == s.list.lineOf(s.list.divider):
		s.drawDivider(b, line, width)
	case lapsed, spare < 0:
		var whole strings.Builder
		s.drawRow(&whole, line, max(0, spare+1))
		note := ""
		if lapsed {
			note = s.f.Theme.Paint(style.Waiting, lapsedNote)
		}
		b.WriteString(style.Ends(whole.String(), note, width))
	default:
		s.drawRow(b, line, spare+1)
	}
}

// titles draws the column titles, with an arrow at the column that the rows are sorted by.
func (s *scene[R]) titles() string {
	var b strings.Builder
	cell, space := 0, gutter
	for _, i := range s.layout.order {
		c, wide := &s.config.Columns[i], s.layout.wide[i]
		cell += space
		if c.Compare != nil {
			s.link(s.drawn.above-1, cell, min(cell+wide, s.layout.width), action.With(s.sort, i))
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

func (s *scene[R]) drawDivider(b *strings.Builder, line, width int) {
	l := rowStyle{selected: line == s.list.cursor}
	l.held = l.selected && s.list.Held()
	l.gutter(b, s.f.Theme)
	room := max(0, width-gutter)
	text := style.Cut("┄┄ "+s.d.Divider(s.list.row(line))+" ", room)
	text += strings.Repeat("┄", room-style.Width(text))
	b.WriteString(s.f.Theme.Paint(l.tone(0, style.Waiting), text))
}

// drawRow writes the row or the fold of a line, and a number of spaces after it.
func (s *scene[R]) drawRow(b *strings.Builder, line, spaces int) {
	th, row := s.f.Theme, s.list.row(line)
	l := rowStyle{selected: line == s.list.cursor, marked: s.list.marked[s.list.source.Key(row)]}
	l.partial = s.d.Partial != nil && s.d.Partial(row)
	l.lapsed = l.selected && s.list.lapsed
	l.held = l.selected && s.list.Held() && !l.lapsed
	if s.d.Changed != nil {
		l.change = s.d.Changed(row)
	}
	folded := s.foldLine(line)
	l.gutter(b, th)
	pen, space, wide := pen{b: b, theme: th, row: l}, 0, s.widths(row, folded)
	for n, column := range s.layout.order {
		// The gap has the style of the cell before it: a style that continues is not written again.
		b.WriteString(style.Spaces(space))
		space = s.layout.gap
		c := s.cell(row, folded, column, wide, n == 0)
		if l.selected && c.isCut {
			s.drawn.cut = append(s.drawn.cut, c.whole)
		}
		c.draw(&pen)
	}
	if folded != nil && l.selected {
		s.drawn.cut = []string{s.config.Fold.Say(folded.rows)}
	}
	if !l.held {
		pen.close()
	}
	b.WriteString(style.Spaces(spaces))
	pen.close()
}
