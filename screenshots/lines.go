package main

import (
	"fmt"
	"image/color"
)

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

// marks returns the strokes once no more will come.
func (l *lineSet) marks() []mark {
	var marks []mark
	for _, p := range l.order {
		style := fmt.Sprintf(`stroke="%s" stroke-width="%g"`, hex(p.color), p.width)
		for _, s := range l.segments[p] {
			marks = append(marks, mark{lines, style, s.String()})
		}
	}
	return marks
}

// String returns the segment as a part of an SVG path.
func (s segment) String() string {
	bend := "L"
	if s.curved {
		bend = fmt.Sprintf("Q%g %g ", s.corner.x, s.corner.y)
	}
	return fmt.Sprintf("M%g %g%s%g %g", s.from.x, s.from.y, bend, s.to.x, s.to.y)
}
