package timeline

import (
	"strings"

	"pgtower/models"
	"pgtower/ui/style"
)

// brush is the fill of a bar: a coloured block with edges at eighths of a cell, or dashes if the operation waits or was
// never done. Without colours, each status has a pattern.
type brush struct {
	inside, edge, turned string // the styles of the inside, of the right edge, and of the left edge
	fill                 string // repeated after the text
	whole                bool   // its edges are at whole cells
}

func (p *painter) brush(tone style.Tone) brush {
	th := p.Theme
	plain := brush{inside: th.Open(tone), edge: th.Open(tone), turned: th.Open(tone), whole: true}
	switch {
	case tone == style.Good && th.Colourless():
		plain.inside, plain.fill = th.Open(style.Heading), " " // underlined
	case tone == style.Active && th.Colourless():
		plain.fill = "▒"
	case tone == style.Bad && th.Colourless():
		plain.inside, plain.fill = th.Reversed(tone), " "
	case tone == style.Good:
		return brush{inside: th.Open(style.Done), edge: th.Open(style.DoneEdge), turned: th.Reversed(style.DoneEdge), fill: " "}
	case tone == style.Active, tone == style.Bad:
		return brush{inside: th.Reversed(tone), edge: th.Open(tone), turned: th.Reversed(tone), fill: " "}
	default:
		plain.fill = "╌"
	}
	return plain
}

// bar draws an operation: the sign of its status, and its name if there is room.
func (p *painter) bar(b *Bar) {
	sign, tone := p.Status(&b.Task)
	look := p.brush(tone)
	if b.Selected {
		open := p.Theme.Open(style.Focused)
		look = brush{inside: open, edge: open, turned: open, fill: " ", whole: true}
	}
	first, last := b.first(), b.last()
	left, right := b.From%eighths, b.To%eighths
	if look.whole {
		left, right = 0, 0
	}
	if first == last && (left > 0 || right > 0 || b.To-b.From < eighths) {
		p.sliver(b, look, sign, tone)
		return
	}
	room := last - first + 1 - number(left > 0) - number(right > 0)
	if room == 0 { // only the two edges
		if tone != style.Good {
			p.put(p.Theme.Open(tone), sign)
		} else {
			p.put(look.turned, widths[left])
		}
		p.put(look.edge, widths[right])
		return
	}
	if left > 0 {
		p.put(look.turned, widths[left])
	}
	p.put(look.inside, p.inside(b, sign, look.fill, room))
	if right > 0 {
		p.put(look.edge, widths[right])
	}
}

// sliver draws an operation shorter than a cell: to scale if it finished, else as the sign of its status.
func (p *painter) sliver(b *Bar, look brush, sign string, tone style.Tone) {
	const least = 2
	left, wide := b.From%eighths, max(least, b.To-b.From)
	switch {
	case look.whole, tone != style.Good:
		open := p.Theme.Open(tone)
		if b.Selected {
			open = look.inside
		}
		p.put(open, sign)
	case left > eighths-left-wide:
		p.put(p.Theme.Reversed(style.Good), widths[eighths-wide])
	default:
		p.put(p.Theme.Open(style.Good), widths[wide])
	}
}

// inside returns the text of a bar of room cells: at least the sign.
func (p *painter) inside(b *Bar, sign, fill string, room int) string {
	const named = 9 // cells needed to show a part of the name
	text, margin := sign, 1
	if fill != " " {
		margin = 3 // with some of the fill
	}
	if room >= named {
		if text += " " + style.Cut(p.Text(&b.Task), room-len("x ")-margin); fill != " " {
			text += " "
		}
	}
	return text + strings.Repeat(fill, max(0, room-style.Width(text)))
}

// Retried returns the number of failed attempts as shown on a bar, or "".
func Retried(op *models.Operation) string {
	if op.FailuresCount == 0 {
		return ""
	}
	return " ×" + style.Count(int(op.FailuresCount))
}
