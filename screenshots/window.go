package main

import (
	"bytes"
	"fmt"
	"html"
	"image/color"

	"pgtower/internal/termtest"
)

// drawWindow draws a window around the screen's size: shadow, title bar, three dots, a hairline.
// What is in it is written layer by layer; the style is CSS, or empty.
func drawWindow(s termtest.Screen, title, style string, write func(*bytes.Buffer, layer)) []byte {
	var b bytes.Buffer
	width, height := windowSize(s)
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="%d %d %[1]d %[2]d" font-family="%[5]s" font-size="%[6]d">`+"\n",
		width+2*margin, height+2*margin, -margin, -margin, fontFamily, fontSize)
	fmt.Fprintf(&b, "<title>%s</title>\n", html.EscapeString(title))
	if style != "" {
		fmt.Fprintf(&b, "<style>\n%s</style>\n", style)
	}
	drawFrame(&b, s)
	write(&b, headings)
	fmt.Fprintf(&b, `<rect x="0.5" y="0.5" width="%d" height="%d" rx="%d" fill="none" stroke="%s"/>`+"\n",
		width-1, height-1, radius, hex(mix(s.Fg, s.Bg, 0.18)))
	fmt.Fprintf(&b, "<g transform=\"translate(%d %d)\">\n", padding, barHeight+padding)
	b.WriteString("<g shape-rendering=\"crispEdges\">\n")
	write(&b, fills)
	write(&b, blocks)
	b.WriteString("</g>\n<g fill=\"none\">\n")
	write(&b, lines)
	b.WriteString("</g>\n")
	write(&b, texts)
	b.WriteString("</g>\n</svg>\n")
	return b.Bytes()
}

func windowSize(s termtest.Screen) (width, height int) {
	return s.Cols*cellWidth + 2*padding, s.Rows*cellHeight + 2*padding + barHeight
}

// bar is the colour of the title bar.
func bar(s termtest.Screen) color.RGBA { return mix(s.Fg, s.Bg, 0.07) }

func drawFrame(b *bytes.Buffer, s termtest.Screen) {
	width, height := windowSize(s)
	b.WriteString(`<filter id="shadow" x="-10%" y="-10%" width="120%" height="120%"><feGaussianBlur stdDeviation="8"/></filter>` + "\n")
	fmt.Fprintf(b, `<rect y="6" width="%d" height="%d" rx="%d" fill-opacity="0.35" filter="url(#shadow)"/>`+"\n", width, height, radius)
	fmt.Fprintf(b, `<rect width="%d" height="%d" rx="%d" fill="%s"/>`+"\n", width, height, radius, hex(s.Bg))
	fmt.Fprintf(b, `<path d="M0 %[1]dV%[2]da%[2]d %[2]d 0 0 1 %[2]d-%[2]dH%[3]da%[2]d %[2]d 0 0 1 %[2]d %[2]dV%[1]dz" fill="%[4]s"/>`+"\n",
		barHeight, radius, width-radius, hex(bar(s)))
	for i, dot := range []color.RGBA{{R: 0xec, G: 0x6a, B: 0x5e, A: 0xff}, {R: 0xf4, G: 0xbf, B: 0x4f, A: 0xff}, {R: 0x61, G: 0xc5, B: 0x54, A: 0xff}} {
		fmt.Fprintf(b, `<circle cx="%d" cy="%d" r="%g" fill="%s"/>`+"\n",
			padding+6+i*dotGap, barHeight/2, dotRadius, hex(mix(dot, bar(s), 0.85)))
	}
}

// heading is the window's title.
func heading(s termtest.Screen, title string) mark {
	width, _ := windowSize(s)
	return mark{layer: headings, data: fmt.Sprintf(`<text x="%d" y="%d" text-anchor="middle" font-size="13" fill="%s">%s</text>`+"\n",
		width/2, barHeight/2+5, hex(mix(s.Fg, bar(s), 0.6)), html.EscapeString(title))}
}

// caption is what was pressed, at the right of the title bar.
func caption(s termtest.Screen, pressed string) mark {
	width, _ := windowSize(s)
	return mark{layer: headings, data: fmt.Sprintf(`<text x="%d" y="%d" text-anchor="end" font-size="13" font-weight="bold" fill="%s">%s</text>`+"\n",
		width-padding, barHeight/2+5, hex(s.Fg), html.EscapeString(pressed))}
}
