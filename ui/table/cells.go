package table

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"pgtower/ui/style"
)

// PartialMark marks a row if rows around it may be missing.
const PartialMark = "┊"

type rowStyle struct {
	selected, marked bool
	held             bool // selected by the user, not just because it is at the top
	lapsed           bool // it no longer matches the filter, and is dimmed
	partial          bool // rows around it may be missing
	change           Change
}

// pen writes the texts of a row in its styles. It keeps the last style open, which may continue in the next text.
type pen struct {
	b     *strings.Builder
	theme *style.Theme
	row   rowStyle
	in    string // the open style
}

// open opens the style in which the row shows a tone in a column.
func (p *pen) open(column int, tone style.Tone) {
	if open := p.theme.Open(p.row.tone(column, tone)); open != p.in {
		p.close()
		p.b.WriteString(open)
		p.in = open
	}
}

func (p *pen) close() {
	if p.in != "" {
		p.b.WriteString(p.theme.Close())
	}
	p.in = ""
}

// cell is a cell of a row: its text, a red text before it, and one behind it.
type cell struct {
	before, text, behind string
	whole                string // the text before it was cut
	tone, behindTone     style.Tone
	tones                func(character rune, index int) style.Tone // of a picture; nil for text
	column, wide         int
	right, isCut         bool
}

// widths returns the width of each column in the line of a row. In that of a fold, a cell has what it lacks from those behind it
// that leave cells free, the nearest first. The first cell is served last, so that its text cuts no number.
func (s *scene[R]) widths(row R, folded *foldLine[R]) []int {
	wide, order := s.layout.wide, s.layout.order
	if folded == nil {
		return wide
	}
	wide = slices.Clone(wide)
	need := make([]int, len(order))
	for n, column := range slices.Backward(order) {
		c := s.cell(row, folded, column, wide, n == 0)
		need[n] = style.Width(c.before) + style.Width(c.whole)
		lacking := max(0, need[n]-c.wide)
		if lacking > 0 {
			lacking += gap - s.layout.gap // what moves is not below its title, and stands apart
		}
		for behind := n + 1; behind < len(order); behind++ {
			free := min(lacking, max(0, wide[order[behind]]-need[behind]))
			wide[order[behind]] -= free
			wide[column] += free
			lacking -= free
		}
	}
	return wide
}

// cell returns the cell of a row, or of the fold that begins with the row, where columns are so wide. The first cell of a fold
// has the number of its rows.
func (s *scene[R]) cell(row R, folded *foldLine[R], column int, wide []int, first bool) cell {
	c, now := &s.config.Columns[column], s.at(row)
	out := cell{column: column, wide: wide[column], right: c.Right, behindTone: style.Bad}
	out.whole, out.tone = c.Cell(row, now)
	switch {
	case folded != nil && first:
		out.before = countFold(folded.rows)
	case folded != nil:
		out.whole = folded.texts[column]
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
	out.isCut, out.text = !c.Drawn && (!c.Extra || first) && style.Width(out.whole) > room, out.whole
	if c.Shorten != nil {
		out.text = c.Shorten(out.text, room)
	}
	out.text = style.Cut(out.text, room)
	if c.Tones != nil && folded == nil && style.Width(out.text) == out.wide {
		out.tones = func(character rune, index int) style.Tone { return c.Tones(row, character, index, out.wide) }
	}
	return out
}

func (c *cell) draw(p *pen) {
	if c.tones != nil {
		for index, character := range []rune(c.text) {
			toned := c.tones(character, index)
			if toned == style.Bad && p.theme.Colourless() {
				toned = style.Heading // underlined
			}
			p.open(c.column, toned)
			p.b.WriteRune(character)
		}
		return
	}
	if c.before != "" {
		p.open(c.column, style.Bad)
		p.b.WriteString(c.before)
	}
	p.open(c.column, c.tone)
	left := c.wide - style.Width(c.before)
	if c.behind == "" {
		fitCell(p.b, c.text, left, c.right)
		return
	}
	p.b.WriteString(c.text)
	p.open(c.column, c.behindTone)
	fitCell(p.b, c.behind, left-style.Width(c.text), false)
}

// tone returns the tone in which the row shows a cell. New failures and selected warnings stay recognizable.
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

// gutter writes the cells before the first column.
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

// countFold returns what stands before the first cell of a fold.
func countFold[R any](rows []R) string {
	if rows == nil {
		return ""
	}
	return strconv.Itoa(len(rows)) + " × "
}

// foldLine is the rows of a fold that is drawn, and the text of each column. A fold can have any number of rows: they are read once.
type foldLine[R any] struct {
	rows  []R
	texts []string
}

// foldLine returns the fold in a line, or nil if that has a single row.
func (s *scene[R]) foldLine(line int) *foldLine[R] {
	rows := s.list.folded(line)
	if rows == nil {
		return nil
	}
	f := &foldLine[R]{rows, make([]string, len(s.config.Columns))}
	for _, column := range s.layout.order[1:] {
		f.texts[column] = s.config.Columns[column].foldedCell(rows, s.at(rows[0]))
	}
	return f
}

// foldedCell returns the cell of a fold: what all rows have, the time of the first one, or the number of different cells.
func (c *Column[R]) foldedCell(rows []R, now time.Time) string {
	first, _ := c.Cell(rows[0], now)
	if c.Moment != "" || c.Clock {
		return first
	}
	values := map[string]bool{first: true}
	for _, row := range rows[1:] {
		cell, _ := c.Cell(row, now)
		values[cell] = true
		if len(values) > 1 && c.Many == "" {
			return ""
		}
	}
	if len(values) == 1 {
		return first
	}
	return strconv.Itoa(len(values)) + " " + c.Many
}
