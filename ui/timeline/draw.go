package timeline

import (
	"cmp"
	"strings"
	"time"

	"pgtower/ui/style"
)

// UnknownMark fills time in which operations may be missing.
const UnknownMark = "╱"

// Style has the styles and texts for drawing a layout.
type Style struct {
	Theme *style.Theme
	Times style.Times
	Label int       // cells left of the time
	Axis  string    // the label of the axis
	Now   time.Time // the position of the vertical line, if it is in view
	// Name returns the name of a lane, Status the sign and tone of an operation, and Text the text on its bar.
	Name   func(lane string) string
	Status func(t *Task) (sign string, tone style.Tone)
	Text   func(t *Task) string
}

// Draw draws Head and Lines lines, as wide as the label and the cells. The head has the axis and, if it has two lines,
// the number of operations that ran at once.
func (c *Chart) Draw(s Style) []string {
	const styled = 6 // bytes of a cell, roughly
	p := painter{Chart: c, Style: s, background: make([]background, c.Cells)}
	p.b.Grow((c.Lines + c.Head) * (s.Label + c.Cells) * styled)
	p.prepare()
	p.setKnown(c.whole())
	if c.Head > 1 {
		p.level()
		p.endLine()
	}
	if c.Head > 0 {
		p.axis()
		p.endLine()
	}
	for i := range c.Lanes {
		lane := &c.Lanes[i]
		p.setKnown(c.whole())
		if !lane.Fold {
			p.setKnown(c.known(lane.ID))
		}
		for row := range lane.Rows {
			p.lane(lane, row)
			p.endLine()
		}
	}
	p.setKnown(c.whole())
	if c.Quiet > 0 && c.Folded == 0 && len(p.lines) < c.Lines+c.Head {
		p.label(label{name: style.Count(c.Quiet) + " quiet"})
		p.blank(0, c.Cells)
		p.endLine()
	}
	for len(p.lines) < c.Lines+c.Head {
		p.put("", style.Spaces(p.Label+c.Cells))
		p.endLine()
	}
	return p.lines
}

// background is the text of a cell, in a style, without an operation.
type background struct{ open, text string }

const narrow = 19 // cells: below, labels are shortened

type painter struct {
	*Chart
	Style

	b          strings.Builder // all lines are parts of one text
	lines      []string
	ended      int    // where the last line ends in the text
	open       string // the style that is open
	background []background
	knownFrom  int // the cell since which the feed is complete: earlier ones are hatched
	knownTo    int // the cell of the last known state: later ones are hatched
	nowCell    int // the cell of now, or Cells
	marks      []tick
	highest    int // the most operations in a cell of a strip
}

// put writes text in a style, and keeps the style open.
func (p *painter) put(open, text string) {
	if open != p.open {
		if p.open != "" {
			p.b.WriteString(p.Theme.Close())
		}
		p.b.WriteString(open)
		p.open = open
	}
	p.b.WriteString(text)
}

// endLine ends a line.
func (p *painter) endLine() {
	p.put("", "")
	p.lines = append(p.lines, p.b.String()[p.ended:])
	p.ended = p.b.Len()
}

// prepare prepares the parts that all lines share: the axis labels, the line of now, and the scale of strips.
func (p *painter) prepare() {
	for i := range p.background {
		p.background[i] = background{"", " "}
	}
	p.marks, p.nowCell = p.ticks(p.Times), p.Cells
	if p.live() {
		p.nowCell = p.cellOf(p.Now.UnixNano())
		p.background[p.nowCell] = background{p.Theme.Open(style.Accent), "│"}
	}
	for _, m := range p.marks {
		if m.cell < p.nowCell {
			p.background[m.cell] = background{p.Theme.Open(style.Rule), "┊"}
		}
	}
	for i := range p.Lanes {
		if l := &p.Lanes[i]; !l.Fold {
			p.highest = max(p.highest, highest(l.Strip))
		}
	}
}

// highest returns the most operations in a cell of a strip.
func highest(strip []Counts) (highest int) {
	for _, c := range strip {
		highest = max(highest, c.Count)
	}
	return highest
}

// setKnown sets since when and until when the following lines are complete.
func (p *painter) setKnown(since, now time.Time) {
	p.knownTo = p.cellOf(now.UnixNano())
	p.knownFrom = -1
	switch {
	case since.IsZero(), !p.From().Before(since):
	case since.Before(p.To):
		p.knownFrom = p.cellOf(since.UnixNano())
	default:
		p.knownFrom = p.Cells
	}
}

// live reports whether now is in the view.
func (p *painter) live() bool {
	return p.Cells > 0 && !p.Now.IsZero() && !p.Now.Before(p.From()) && p.Now.Before(p.To)
}

// blank draws cells without an operation: hatched where operations may be missing.
func (p *painter) blank(from, end int) {
	for i := from; i < end; i++ {
		switch {
		case i < p.knownFrom, i > p.knownTo && i < p.nowCell:
			p.put(p.Theme.Open(style.Rule), UnknownMark)
		case i == p.knownFrom:
			p.put(p.Theme.Open(style.Waiting), "▏")
		default:
			p.put(p.background[i].open, p.background[i].text)
		}
	}
}

// label is the text left of a line: a sign, a name, and a number at its end.
type label struct {
	sign         string
	tone         style.Tone // of the sign
	name, number string
	lane         bool // it names a lane
	selected     bool
	side         string // the side on which the selected operation is out of view
}

// room returns the cells for the name of a label.
func (p *painter) room(l label) int {
	const edges = 5 // cells between its parts
	return p.Label - edges - style.Width(l.number)
}

func (p *painter) label(l label) {
	room := p.room(l)
	name, tone, number := style.Cut(l.name, room), style.Muted, style.Muted
	if l.lane {
		name, tone = style.CutMiddle(l.name, room), style.Plain
	}
	if l.selected {
		tone, number = style.Selected, style.Selected
		p.put(p.Theme.Open(style.Accent), "▌")
	} else {
		p.put("", " ")
	}
	name += style.Spaces(room - style.Width(name))
	p.put(p.Theme.Open(l.tone), cmp.Or(l.sign, " "))
	p.put(p.Theme.Open(tone), " "+name+" ")
	p.put(p.Theme.Open(number), l.number)
	p.put(p.Theme.Open(style.Waiting), cmp.Or(l.side, " "))
}

// level draws the number of operations that ran at once.
func (p *painter) level() {
	name, number := "at once", "peak "+style.Count(p.Peak)
	if p.Label < narrow {
		name, number = "peak", style.Count(p.Peak)
	}
	p.label(label{name: name, number: number})
	for i, level := range p.Level {
		switch {
		case level.Failed > 0:
			p.put(p.Theme.Open(style.Bad), p.height(level.Peak, p.Peak, true))
		case level.Peak > 0:
			p.put(p.Theme.Open(style.Active), p.height(level.Peak, p.Peak, false))
		default:
			p.blank(i, i+1)
		}
	}
}

// height returns a bar for n, scaled to highest. Without colours, a sign marks failures.
func (p *painter) height(n, highest int, failed bool) string {
	if failed && p.Theme.Colourless() {
		return "✗"
	}
	return heights[(max(1, n)*eighths+max(1, highest)-1)/max(1, highest)]
}

var (
	heights = [...]string{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█", "█"}
	widths  = [...]string{" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"}
)

func (p *painter) axis() {
	p.label(label{name: p.Axis})
	muted, cell, end, now := p.Theme.Open(style.Muted), 0, p.Cells, ""
	if p.live() && p.nowCell > len("now") {
		now = "now"
		end = p.nowCell - len(now)
	}
	for _, m := range p.marks {
		if w := len(m.label); m.cell >= cell && m.cell+w <= end {
			p.put("", style.Spaces(m.cell-cell))
			p.put(muted, m.label)
			cell = m.cell + w
		}
	}
	if now != "" {
		p.put("", style.Spaces(p.nowCell+1-len(now)-cell))
		p.put(p.Theme.Open(style.Accent), now)
		cell = p.nowCell + 1
	}
	p.put("", style.Spaces(p.Cells-cell))
}

// lane draws a row of a lane.
func (p *painter) lane(l *Lane, row int) {
	selected := !l.Fold && l.ID == p.Lane && p.Lane != ""
	switch {
	case row == 0:
		p.label(p.labelOf(l, selected))
	case selected:
		p.put(p.Theme.Open(style.Accent), "▌")
		p.put("", style.Spaces(p.Label-1))
	default:
		p.put("", style.Spaces(p.Label))
	}
	if l.Strip != nil {
		p.strip(l, row, selected)
		return
	}
	cell := 0
	for i := range l.Bars {
		if b := &l.Bars[i]; b.Row == row {
			p.blank(cell, b.first())
			p.bar(b)
			cell = b.last() + 1
		}
	}
	p.blank(cell, p.Cells)
}

func (p *painter) labelOf(l *Lane, selected bool) label {
	out := label{name: p.Name(l.ID), number: style.Count(l.Count), lane: true, selected: selected}
	switch {
	case l.Failed > 0:
		out.sign, out.tone = "✗", style.Bad
	case l.Unfinished > 0:
		out.sign, out.tone = "◐", style.Active
	case l.New:
		out.sign, out.tone = "+", style.Fresh
	}
	if l.More > 0 {
		out.number += " +" + style.Count(l.More)
	}
	if selected {
		out.side = p.Side()
	}
	if l.Fold {
		out.name, out.lane = "+"+style.Plural(p.Folded, "lane"), false
		if whole := out.name + ", " + style.Count(p.Quiet) + " quiet"; p.Quiet > 0 && style.Width(whole) <= p.room(out) {
			out.name = whole
		}
	}
	return out
}

// strip draws a row of a strip. Failures are at its bottom.
func (p *painter) strip(l *Lane, row int, selected bool) {
	most, chosen := p.highest, -1
	if l.Fold {
		most = highest(l.Strip)
	}
	if selected {
		chosen = p.chosen
	}
	below := (l.Rows - 1 - row) * eighths
	for i, c := range l.Strip {
		height, failed := scaled(c.Count, most, l.Rows)-below, scaled(c.Failed, most, l.Rows)-below
		block := heights[max(0, min(height, eighths))]
		if failed > 0 && p.Theme.Colourless() {
			block = "✗"
		}
		switch {
		case height <= 0:
			p.blank(i, i+1)
		case i == chosen && failed > 0:
			p.put(p.Theme.Reversed(style.Bad), "✗")
		case i == chosen:
			p.put(p.Theme.Open(style.Focused), block)
		case failed > 0:
			p.put(p.Theme.Open(style.Bad), block)
		default:
			p.put(p.Theme.Open(style.DoneEdge), block)
		}
	}
}

// scaled returns the height of n in eighths of a line, if highest is this many lines.
func scaled(n, highest, lines int) int {
	return (n*eighths*lines + highest - 1) / max(1, highest)
}
