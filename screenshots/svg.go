package main

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"strings"

	"pgtower/internal/termtest"
)

// Geometry in pixels. The font's advance is 0.6 of its size and its lines are 1.32 of it, so these
// cells have whole sizes that fit it: edges stay sharp and neighbours meet.
const (
	fontSize   = 15
	cellWidth  = 9
	cellHeight = 20
	baseline   = 15

	padding   = 14 // around the text, inside the window
	barHeight = 36 // of the window's title bar
	margin    = 24 // around the window, for its shadow
	radius    = 10 // of the window's corners
	dotRadius = 5.5
	dotGap    = 20

	fontFamily = "'JetBrains Mono', 'Noto Sans CJK JP', 'DejaVu Sans Mono', monospace"
)

// drawing is a picture in the making. Text lies above lines, lines above fills.
type drawing struct {
	screen termtest.Screen
	fills  pathSet
	blocks pathSet
	lines  lineSet
	text   bytes.Buffer
}

// drawSVG draws the screen in a window with a title. Equal screens give equal bytes.
func drawSVG(screen termtest.Screen, title string) []byte {
	d := drawing{screen: screen}
	for y := range screen.Cells {
		d.drawBackground(y)
		d.drawText(y)
	}
	d.drawCursor()

	var b bytes.Buffer
	width, height := screen.Cols*cellWidth+2*padding, screen.Rows*cellHeight+2*padding+barHeight
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="%d %d %[1]d %[2]d" font-family="%[5]s" font-size="%[6]d">`+"\n",
		width+2*margin, height+2*margin, -margin, -margin, fontFamily, fontSize)
	fmt.Fprintf(&b, "<title>%s</title>\n", html.EscapeString(title))
	drawWindow(&b, screen, title, width, height)
	fmt.Fprintf(&b, "<g transform=\"translate(%d %d)\">\n", padding, barHeight+padding)
	fmt.Fprintf(&b, "<g shape-rendering=\"crispEdges\">\n%s%s</g>\n", d.fills.String(), d.blocks.String())
	fmt.Fprintf(&b, "<g fill=\"none\">\n%s</g>\n", d.lines.String())
	b.Write(d.text.Bytes())
	b.WriteString("</g>\n</svg>\n")
	return b.Bytes()
}

// drawWindow draws what surrounds the text: shadow, title bar, three dots, a hairline.
func drawWindow(b *bytes.Buffer, s termtest.Screen, title string, width, height int) {
	bar, edge := mix(s.Fg, s.Bg, 0.07), mix(s.Fg, s.Bg, 0.18)
	b.WriteString(`<filter id="shadow" x="-10%" y="-10%" width="120%" height="120%"><feGaussianBlur stdDeviation="8"/></filter>` + "\n")
	fmt.Fprintf(b, `<rect y="6" width="%d" height="%d" rx="%d" fill-opacity="0.35" filter="url(#shadow)"/>`+"\n", width, height, radius)
	fmt.Fprintf(b, `<rect width="%d" height="%d" rx="%d" fill="%s"/>`+"\n", width, height, radius, hex(s.Bg))
	fmt.Fprintf(b, `<path d="M0 %[1]dV%[2]da%[2]d %[2]d 0 0 1 %[2]d-%[2]dH%[3]da%[2]d %[2]d 0 0 1 %[2]d %[2]dV%[1]dz" fill="%[4]s"/>`+"\n",
		barHeight, radius, width-radius, hex(bar))
	for i, dot := range []color.RGBA{{R: 0xec, G: 0x6a, B: 0x5e, A: 0xff}, {R: 0xf4, G: 0xbf, B: 0x4f, A: 0xff}, {R: 0x61, G: 0xc5, B: 0x54, A: 0xff}} {
		fmt.Fprintf(b, `<circle cx="%d" cy="%d" r="%g" fill="%s"/>`+"\n",
			padding+6+i*dotGap, barHeight/2, dotRadius, hex(mix(dot, bar, 0.85)))
	}
	fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="middle" font-size="13" fill="%s">%s</text>`+"\n",
		width/2, barHeight/2+5, hex(mix(s.Fg, bar, 0.6)), html.EscapeString(title))
	fmt.Fprintf(b, `<rect x="0.5" y="0.5" width="%d" height="%d" rx="%d" fill="none" stroke="%s"/>`+"\n",
		width-1, height-1, radius, hex(edge))
}

// drawBackground fills the runs of one line whose background is not the window's.
func (d *drawing) drawBackground(y int) {
	line := d.screen.Cells[y]
	for x := 0; x < len(line); {
		end := x + 1
		for end < len(line) && line[end].Bg == line[x].Bg {
			end++
		}
		if line[x].Bg != d.screen.Bg {
			d.fills.rect(line[x].Bg, rect{x * cellWidth, y * cellHeight, (end - x) * cellWidth, cellHeight})
		}
		x = end
	}
}

// drawText draws one line's characters: box drawing and blocks as shapes, which join whatever the
// font, plain text in runs, and each other character on its own, since a fallback font that lacks
// the grid's width would push what follows it.
func (d *drawing) drawText(y int) {
	line := d.screen.Cells[y]
	for x := 0; x < len(line); x++ {
		cell := line[x]
		switch {
		case cell.Text == "" || cell.Text == " ":
			d.decorate(cell, x, y, 1)
		case d.drawShape(cell, x, y):
		case isPlain(cell):
			run := plainRun(line[x:])
			d.writeRun(run, x, y)
			d.decorate(cell, x, y, len(run))
			x += len(run) - 1
		default:
			fmt.Fprintf(&d.text, `<text x="%g" y="%d" text-anchor="middle"%s>%s</text>`+"\n",
				float64(x*cellWidth)+float64(cell.Width*cellWidth)/2, y*cellHeight+baseline, attributes(cell), html.EscapeString(cell.Text))
			d.decorate(cell, x, y, cell.Width)
		}
	}
}

// plainRun returns the cells from the first on that are drawn as one text.
func plainRun(line []termtest.Cell) []termtest.Cell {
	end := 1
	for end < len(line) && isPlain(line[end]) && sameStyle(line[0], line[end]) {
		if mustPart(line[end-1].Text, line[end].Text) {
			break
		}
		end++
	}
	if line[end-1].Text == " " {
		end--
	}
	return line[:end]
}

// mustPart reports whether a text ends between two characters: between blanks, so that no
// renderer's idea of white space matters, and between signs, which fonts for code join to
// ligatures that terminals do not show.
func mustPart(a, b string) bool {
	const signs = `!#$%&*+-./:;<=>?@\^_|~`
	return a == " " && b == " " || strings.Contains(signs, a) && strings.Contains(signs, b)
}

func (d *drawing) writeRun(run []termtest.Cell, x, y int) {
	var text strings.Builder
	for _, cell := range run {
		text.WriteString(cell.Text)
	}
	fmt.Fprintf(&d.text, `<text x="%d" y="%d" textLength="%d" lengthAdjust="spacingAndGlyphs"%s>%s</text>`+"\n",
		x*cellWidth, y*cellHeight+baseline, len(run)*cellWidth, attributes(run[0]), html.EscapeString(text.String()))
}

// decorate draws the lines under and through so many columns.
func (d *drawing) decorate(cell termtest.Cell, x, y, cols int) {
	from, to := float64(x*cellWidth), float64((x+cols)*cellWidth)
	if cell.Underline {
		d.lines.horizontal(pen{ink(cell), lightStroke}, from, to, float64(y*cellHeight)+baseline+2.5)
	}
	if cell.Strike {
		d.lines.horizontal(pen{ink(cell), lightStroke}, from, to, float64(y*cellHeight)+midY)
	}
}

func (d *drawing) drawCursor() {
	at := d.screen.Cursor
	if d.screen.CursorVisible {
		d.blocks.rect(d.screen.Fg, rect{at.X * cellWidth, at.Y*cellHeight + 1, 2, cellHeight - 2})
	}
}

// isPlain reports whether the font surely has the character, in the grid's width.
func isPlain(cell termtest.Cell) bool {
	return cell.Width == 1 && len(cell.Text) == 1 || cell.Text == "·" || cell.Text == "…" || cell.Text == "–"
}

func sameStyle(a, b termtest.Cell) bool {
	a.Text, a.Width, a.Bg = b.Text, b.Width, b.Bg
	return a == b
}

func attributes(cell termtest.Cell) string {
	s := fmt.Sprintf(` fill="%s"`, hex(ink(cell)))
	if cell.Bold {
		s += ` font-weight="bold"`
	}
	if cell.Italic {
		s += ` font-style="italic"`
	}
	return s
}

// ink is the colour of the cell's text: faint text is halfway to its background.
func ink(cell termtest.Cell) color.RGBA {
	if cell.Faint {
		return mix(cell.Fg, cell.Bg, 0.5)
	}
	return cell.Fg
}

// mix returns share parts of a and the rest of b.
func mix(a, b color.RGBA, share float64) color.RGBA {
	part := func(a, b uint8) uint8 { return uint8(float64(a)*share + float64(b)*(1-share) + 0.5) }
	return color.RGBA{R: part(a.R, b.R), G: part(a.G, b.G), B: part(a.B, b.B), A: 0xff}
}

func hex(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
