package timeline

import (
	"strings"

	"pgtower/ui/style"
)

// barStyle is how a bar is drawn: a coloured block with edges at eighths of a cell, or dashes if the operation waits or
// was never done. Without colours, each status has a pattern.
type barStyle struct {
	inside, left, right string // the styles of the inside and of the edges
	fill                string // repeated after the text
	mark                string // before the sign, if there is room
	whole               bool   // the edges are at whole cells, without styles of their own
}

func (p *painter) barStyle(tone style.Tone) barStyle {
	th := p.Theme
	plain := barStyle{inside: th.Open(tone), whole: true}
	switch {
	case tone == style.Good && th.Colourless():
		plain.inside, plain.fill = th.Open(style.Heading), " " // underlined
	case tone == style.Active && th.Colourless():
		plain.fill = "▒"
	case tone == style.Bad && th.Colourless():
		plain.inside, plain.fill = th.Reversed(tone), " "
	case tone == style.Good:
		edge := style.DoneEdge
		return barStyle{th.Open(style.Done), th.Reversed(edge), th.Open(edge), " ", "", false}
	case tone == style.Active, tone == style.Bad:
		return barStyle{th.Reversed(tone), th.Reversed(tone), th.Open(tone), " ", "", false}
	default:
		plain.fill = "╌"
	}
	return plain
}

// bar draws an operation: the sign of its status, and its name if there is room.
func (p *painter) bar(b *Bar) {
	sign, tone := p.Status(&b.Task)
	look := p.barStyle(tone)
	switch {
	case b.Selected && tone == style.Bad: // a failure stays one
		look = barStyle{inside: p.Theme.Reversed(style.Bad), fill: " ", mark: "▸", whole: true}
	case b.Selected:
		look = barStyle{inside: p.Theme.Open(style.Focused), fill: " ", whole: true}
	}
	first, last := b.first(), b.last()
	left, right := b.From%eighths, b.To%eighths
	if look.whole {
		left, right = 0, 0
	}
	if first == last && (left > 0 || right > 0 || b.To-b.From < eighths) {
		p.shortBar(b, look, sign, tone)
		return
	}
	room := last - first + 1 - number(left > 0) - number(right > 0)
	switch {
	case left == 0:
	case room == 0 && tone != style.Good: // the sign is in place of an edge
		p.put(p.Theme.Open(tone), sign)
	default:
		p.put(look.left, widths[left])
	}
	if room > 1 && look.mark != "" {
		p.put(look.inside, look.mark)
		room--
	}
	if room > 0 {
		p.put(look.inside, p.inside(b, sign, look.fill, room))
	}
	if right > 0 {
		p.put(look.right, widths[right])
	}
}

// shortBar draws an operation shorter than a cell: to scale if it finished, else as the sign of its status.
func (p *painter) shortBar(b *Bar, look barStyle, sign string, tone style.Tone) {
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
		p.put(p.Theme.Reversed(style.DoneEdge), widths[eighths-wide])
	default:
		p.put(p.Theme.Open(style.DoneEdge), widths[wide])
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
		text += " " + style.Cut(p.Text(&b.Task), room-len("x ")-margin)
		if fill != " " {
			text += " "
		}
	}
	return text + strings.Repeat(fill, max(0, room-style.Width(text)))
}

func number(condition bool) int {
	if condition {
		return 1
	}
	return 0
}
