package main

import (
	"fmt"
	"image/color"
	"strings"
)

// rect is a rectangle in pixels.
type rect struct{ x, y, w, h int }

// pathSet gathers filled shapes, one path a colour, in the order of their first use.
type pathSet struct {
	order []color.RGBA
	paths map[color.RGBA]*strings.Builder
}

func (p *pathSet) rect(c color.RGBA, r rect) {
	if p.paths == nil {
		p.paths = map[color.RGBA]*strings.Builder{}
	}
	if p.paths[c] == nil {
		p.paths[c] = &strings.Builder{}
		p.order = append(p.order, c)
	}
	fmt.Fprintf(p.paths[c], "M%d %dh%dv%dh%dz", r.x, r.y, r.w, r.h, -r.w)
}

// String returns the SVG elements.
func (p *pathSet) String() string {
	var b strings.Builder
	for _, c := range p.order {
		fmt.Fprintf(&b, `<path fill="%s" d="%s"/>`+"\n", hex(c), p.paths[c])
	}
	return b.String()
}

// pen is what a line is drawn with.
type pen struct {
	color color.RGBA
	width float64
}

type point struct{ x, y float64 }

// segment is a line, bent around its corner where curved.
type segment struct {
	from, to, corner point
	curved           bool
}

// lineSet gathers strokes. A line that goes on where another ended becomes one with it: two that
// merely touch would show a seam where the picture is scaled.
type lineSet struct {
	order    []pen
	segments map[pen][]segment
	ends     map[lineEnd]int
}

// lineEnd is where a straight line of a pen and direction can be continued.
type lineEnd struct {
	pen      pen
	at       point
	vertical bool
}

func (l *lineSet) horizontal(p pen, from, to, y float64) {
	l.straight(p, point{from, y}, point{to, y}, false)
}

func (l *lineSet) vertical(p pen, x, from, to float64) {
	l.straight(p, point{x, from}, point{x, to}, true)
}

func (l *lineSet) straight(p pen, from, to point, vertical bool) {
	i, ok := l.ends[lineEnd{p, from, vertical}]
	if ok {
		delete(l.ends, lineEnd{p, from, vertical})
		l.segments[p][i].to = to
	} else {
		i = l.add(p, segment{from: from, to: to})
	}
	l.ends[lineEnd{p, to, vertical}] = i
}

func (l *lineSet) curve(p pen, from, corner, to point) {
	l.add(p, segment{from: from, corner: corner, to: to, curved: true})
}

func (l *lineSet) add(p pen, s segment) int {
	if l.segments == nil {
		l.segments = map[pen][]segment{}
		l.ends = map[lineEnd]int{}
	}
	if l.segments[p] == nil {
		l.order = append(l.order, p)
	}
	l.segments[p] = append(l.segments[p], s)
	return len(l.segments[p]) - 1
}

// String returns the SVG elements.
func (l *lineSet) String() string {
	var b strings.Builder
	for _, p := range l.order {
		fmt.Fprintf(&b, `<path stroke="%s" stroke-width="%g" d="`, hex(p.color), p.width)
		for _, s := range l.segments[p] {
			fmt.Fprintf(&b, "M%g %g", s.from.x, s.from.y)
			if s.curved {
				fmt.Fprintf(&b, "Q%g %g ", s.corner.x, s.corner.y)
			} else {
				b.WriteByte('L')
			}
			fmt.Fprintf(&b, "%g %g", s.to.x, s.to.y)
		}
		b.WriteString("\"/>\n")
	}
	return b.String()
}
