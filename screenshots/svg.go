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

// drawing is a screen that is being taken apart into marks.
type drawing struct {
	screen termtest.Screen
	marks  []mark
	lines  lineSet
}

// draw returns all that is drawn of the screen.
func draw(screen termtest.Screen) []mark {
	d := drawing{screen: screen}
	for y := range screen.Cells {
		d.drawBackground(y)
		d.drawText(y)
	}
	d.drawCursor()
	return append(d.marks, d.lines.marks()...)
}

// drawSVG draws the screen in a window with a title. Equal screens give equal bytes.
func drawSVG(screen termtest.Screen, title string) []byte {
	marks := append(draw(screen), heading(screen, title))
	return drawWindow(screen, title, "", func(b *bytes.Buffer, l layer) { writeMarks(b, in(l, marks)) })
}

func (d *drawing) fill(l layer, c color.RGBA, r rect) { d.marks = append(d.marks, area(l, c, r)) }

func (d *drawing) write(format string, args ...any) {
	d.marks = append(d.marks, mark{layer: texts, data: fmt.Sprintf(format, args...)})
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
			d.fill(fills, line[x].Bg, rect{x * cellWidth, y * cellHeight, (end - x) * cellWidth, cellHeight})
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
			d.write(`<text x="%g" y="%d" text-anchor="middle"%s>%s</text>`+"\n",
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
	d.write(`<text x="%d" y="%d" textLength="%d" lengthAdjust="spacingAndGlyphs"%s>%s</text>`+"\n",
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
		d.fill(blocks, d.screen.Fg, rect{at.X * cellWidth, at.Y*cellHeight + 1, 2, cellHeight - 2})
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
