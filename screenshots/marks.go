package main

import (
	"bytes"
	"fmt"
	"image/color"
)

// rect is a rectangle in pixels.
type rect struct{ x, y, w, h int }

// layer is what is drawn together: a later layer lies above an earlier one. Within a layer
// nothing overlaps.
type layer int

const (
	fills  layer = iota // backgrounds of cells
	blocks              // block characters
	lines               // box drawing, and lines under and through text
	texts
	headings // what the title bar says
	layers
)

// mark is one thing that is drawn. Those of one layer and style share an SVG element, of which
// each holds a part; a text is an element of its own and has no style.
type mark struct {
	layer       layer
	style, data string
}

// area is a filled rectangle.
func area(l layer, c color.RGBA, r rect) mark {
	return mark{l, fmt.Sprintf(`fill="%s"`, hex(c)), fmt.Sprintf("M%d %dh%dv%dh%dz", r.x, r.y, r.w, r.h, -r.w)}
}

// in returns the marks of a layer.
func in(l layer, marks []mark) []mark {
	var some []mark
	for _, m := range marks {
		if m.layer == l {
			some = append(some, m)
		}
	}
	return some
}

// writeMarks writes the marks of one layer as SVG elements, in the order of the first use of their
// styles.
func writeMarks(b *bytes.Buffer, marks []mark) {
	var order []string
	paths := map[string]string{}
	for _, m := range marks {
		if m.style == "" {
			b.WriteString(m.data)
			continue
		}
		if paths[m.style] == "" {
			order = append(order, m.style)
		}
		paths[m.style] += m.data
	}
	for _, style := range order {
		fmt.Fprintf(b, `<path %s d="%s"/>`+"\n", style, paths[style])
	}
}
