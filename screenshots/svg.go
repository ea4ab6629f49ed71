// Package screenshots draws a terminal's screen as SVG: the pictures of this folder, some of which move. Its tests run the
// program and compare its screens below the header with the pictures. PGTOWER_UPDATE=1 go test ./screenshots updates them.
package screenshots

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"strings"
	"unicode/utf8"

	"pgtower/internal/termtest"
)

// Geometry in pixels. The font's advance is 0.6 of its size and its lines are 1.32 of it. With this size, cells have whole
// pixels: edges stay sharp and neighbours meet.
const (
	fontSize   = 15
	cellWidth  = 9
	cellHeight = 20
	baseline   = 15
	// Where box-drawing lines cross, at half pixels to be sharp.
	midX, midY = cellWidth / 2.0, cellHeight/2.0 + 0.5

	padding   = 14 // around the text, inside the window
	barHeight = 36 // of the window's title bar
	margin    = 24 // around the window, for its shadow
	radius    = 10 // of the window's corners

	fontFamily = "'JetBrains Mono', 'Noto Sans CJK JP', 'DejaVu Sans Mono', monospace"
)

// layer is the position in the drawing order: a later layer is above an earlier one.
type layer int

const (
	fills  layer = iota // backgrounds of cells
	blocks              // block characters
	lines               // box drawing, and lines under text
	texts
	headings // of the title bar
)

// mark is one part of a drawing. Marks of one layer and style share an SVG element; a text has its own element and no
// style.
type mark struct {
	layer       layer
	style, data string
}

// drawing collects the marks of a screen.
type drawing struct {
	screen termtest.Screen
	marks  []mark
}

// draw returns the marks of a window with the screen, its title and the pressed keys.
func draw(screen termtest.Screen, title, pressed string) []mark {
	d := drawing{screen: screen}
	for y := range screen.Cells {
		d.background(y)
		d.line(y)
	}
	if cursor := screen.Cursor; screen.CursorVisible {
		d.fill(blocks, screen.Fg, cursor.X*cellWidth, cursor.Y*cellHeight+1, 2, cellHeight-2)
	}
	width, _ := windowSize(screen)
	d.heading(width/2, `text-anchor="middle" font-size="13"`, mix(screen.Fg, barColor(screen), 0.6), title)
	if pressed != "" {
		d.heading(width-padding, `text-anchor="end" font-size="13" font-weight="bold"`, screen.Fg, pressed)
	}
	return d.marks
}

func (d *drawing) add(l layer, style, format string, args ...any) {
	d.marks = append(d.marks, mark{l, style, fmt.Sprintf(format, args...)})
}

func (d *drawing) heading(x int, style string, c color.RGBA, text string) {
	const y = barHeight/2 + 5
	d.add(headings, "", `<text x="%d" y="%d" %s fill="%s">%s</text>`+"\n", x, y, style, hex(c), html.EscapeString(text))
}

func (d *drawing) fill(l layer, c color.RGBA, x, y, w, h int) {
	d.add(l, fmt.Sprintf(`fill="%s"`, hex(c)), "M%d %dh%dv%dh%dz", x, y, w, h, -w)
}

func (d *drawing) stroke(c color.RGBA, format string, args ...any) {
	// Square ends reach into the next cell, so that no seam shows when the picture is scaled.
	d.add(lines, fmt.Sprintf(`stroke="%s" stroke-linecap="square"`, hex(c)), format, args...)
}

// run returns the number of cells from x on for which like(first, next) is true.
func run(line []termtest.Cell, x int, like func(a, b termtest.Cell) bool) int {
	n := 1
	for x+n < len(line) && like(line[x], line[x+n]) {
		n++
	}
	return n
}

// background fills the runs of one line whose background differs from the window's.
func (d *drawing) background(y int) {
	line := d.screen.Cells[y]
	for x, n := 0, 0; x < len(line); x += n {
		n = run(line, x, sameBackground)
		if line[x].Bg != d.screen.Bg {
			d.fill(fills, line[x].Bg, x*cellWidth, y*cellHeight, n*cellWidth, cellHeight)
		}
	}
}

// line draws one line's characters. Box drawing and blocks are shapes, which join in every font. Plain text is drawn in runs.
// Every other character is drawn on its own, because a fallback font of another width would move the text after it.
func (d *drawing) line(y int) {
	line := d.screen.Cells[y]
	for x, n := 0, 0; x < len(line); x += n {
		cell := line[x]
		left, top := x*cellWidth, y*cellHeight
		n = 1
		switch {
		case cell.Text == "" || cell.Text == " ":
		case cell.Text == "─":
			n = run(line, x, sameText)
			d.stroke(ink(cell), "M%d %gh%d", left, float64(top)+midY, n*cellWidth)
		case d.shape(cell, left, top):
		case isPlain(cell):
			n = plainRun(line[x:])
			d.text(line[x:x+n], left, top)
		default:
			middle := float64(left) + float64(cell.Width*cellWidth)/2
			d.add(texts, "", `<text x="%g" y="%d" text-anchor="middle"%s>%s</text>`+"\n",
				middle, top+baseline, attributes(cell), html.EscapeString(cell.Text))
		}
		if cell.Underline {
			d.stroke(ink(cell), "M%d %gh%d", left, float64(top)+baseline+2.5, n*cellWidth)
		}
	}
}

// plainRun returns how many cells from the first on are drawn as one text.
func plainRun(line []termtest.Cell) int {
	n := 1
	for n < len(line) && isPlain(line[n]) && sameStyle(line[0], line[n]) && !apart(line[n-1].Text, line[n].Text) {
		n++
	}
	if line[n-1].Text == " " {
		n--
	}
	return n
}

// apart reports whether a text ends between two characters. It ends between blanks, which renderers treat differently, and
// between signs, which code fonts join to ligatures that terminals do not show.
func apart(a, b string) bool {
	const signs = `!#$%&*+-./:;<=>?@\^_|~`
	return a == " " && b == " " || strings.Contains(signs, a) && strings.Contains(signs, b)
}

func (d *drawing) text(run []termtest.Cell, left, top int) {
	var text strings.Builder
	for _, cell := range run {
		text.WriteString(cell.Text)
	}
	const format = `<text x="%d" y="%d" textLength="%d" lengthAdjust="spacingAndGlyphs"%s>%s</text>` + "\n"
	width, style := len(run)*cellWidth, attributes(run[0])
	d.add(texts, "", format, left, top+baseline, width, style, html.EscapeString(text.String()))
}

// shape draws box-drawing and block characters as shapes, and reports whether the cell contains one.
func (d *drawing) shape(cell termtest.Cell, left, top int) bool {
	const w, h = cellWidth, cellHeight
	r, size := utf8.DecodeRuneInString(cell.Text)
	if size != len(cell.Text) || r < '─' || r > '▟' {
		return false
	}
	fill := func(x, y, w, h int) { d.fill(blocks, ink(cell), left+x, top+y, w, h) }
	x, y := float64(left)+midX, float64(top)+midY
	corner := func(side, end int) { d.corner(ink(cell), x, y, float64(side), float64(end)) }
	switch {
	case r == '│':
		d.stroke(ink(cell), "M%g %dv%d", x, top, h)
	case r == '╭':
		corner(left+w, top+h)
	case r == '╮':
		corner(left, top+h)
	case r == '╰':
		corner(left+w, top)
	case r == '╯':
		corner(left, top)
	case r >= '▁' && r <= '█':
		part := eighths(r-'▁'+1, h)
		fill(0, h-part, w, part)
	case r >= '▉' && r <= '▏':
		fill(0, 0, eighths('▏'-r+1, w), h)
	case r >= '░' && r <= '▓':
		cell.Fg = mix(ink(cell), cell.Bg, float64(r-'░'+1)/4)
		cell.Faint = false
		fill(0, 0, w, h)
	case r == '▕':
		fill(w-1, 0, 1, h)
	default:
		return false
	}
	return true
}

// eighths returns n eighths of a size, rounded.
func eighths(n rune, size int) int { return (int(n)*size + 4) / 8 }

// corner draws a rounded corner around the middle of a cell, of half a cell's width: to the side, and to an end above or
// below.
func (d *drawing) corner(c color.RGBA, x, y, side, end float64) {
	near := y + midX
	if end < y {
		near = y - midX
	}
	d.stroke(c, "M%g %gV%gQ%g %g %g %[5]g", x, end, near, x, y, side)
}

// isPlain reports whether the font certainly has the character, in the grid's width.
func isPlain(cell termtest.Cell) bool {
	return cell.Width == 1 && (len(cell.Text) == 1 || strings.Contains("·…–", cell.Text))
}

func sameStyle(a, b termtest.Cell) bool {
	a.Text, a.Width, a.Bg = b.Text, b.Width, b.Bg
	return a == b
}

func sameBackground(a, b termtest.Cell) bool { return a.Bg == b.Bg }

func sameText(a, b termtest.Cell) bool { return a.Text == b.Text && sameStyle(a, b) }

func attributes(cell termtest.Cell) string {
	s := fmt.Sprintf(` fill="%s"`, hex(ink(cell)))
	if cell.Bold {
		s += ` font-weight="bold"`
	}
	return s
}

// ink returns the colour of the cell's text. Faint text is halfway to its background.
func ink(cell termtest.Cell) color.RGBA {
	if cell.Faint {
		return mix(cell.Fg, cell.Bg, 0.5)
	}
	return cell.Fg
}

// mix returns a mixture of two colours with a share of a.
func mix(a, b color.RGBA, share float64) color.RGBA {
	part := func(a, b uint8) uint8 { return uint8(float64(a)*share + float64(b)*(1-share) + 0.5) }
	return color.RGBA{R: part(a.R, b.R), G: part(a.G, b.G), B: part(a.B, b.B), A: 0xff}
}

func hex(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

func windowSize(s termtest.Screen) (width, height int) {
	return s.Cols*cellWidth + 2*padding, s.Rows*cellHeight + 2*padding + barHeight
}

func barColor(s termtest.Screen) color.RGBA { return mix(s.Fg, s.Bg, 0.07) }

// window draws a window of the screen's size: shadow, title bar, three dots, a hairline. write writes its contents
// layer by layer; the style is CSS, or empty.
func window(s termtest.Screen, title, style string, write func(*bytes.Buffer, layer)) []byte {
	var b bytes.Buffer
	width, height := windowSize(s)
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" `+
		`viewBox="%d %d %[1]d %[2]d" font-family="%[5]s" font-size="%[6]d">`+"\n",
		width+2*margin, height+2*margin, -margin, -margin, fontFamily, fontSize)
	fmt.Fprintf(&b, "<title>%s</title>\n", html.EscapeString(title))
	if style != "" {
		fmt.Fprintf(&b, "<style>\n%s</style>\n", style)
	}
	b.WriteString(`<filter id="shadow" x="-10%" y="-10%" width="120%" height="120%">` +
		`<feGaussianBlur stdDeviation="8"/></filter>` + "\n")
	size := fmt.Sprintf(`width="%d" height="%d" rx="%d"`, width, height, radius)
	fmt.Fprintf(&b, `<rect y="6" %s fill-opacity="0.35" filter="url(#shadow)"/>`+"\n", size)
	fmt.Fprintf(&b, `<rect %s fill="%s"/>`+"\n", size, hex(s.Bg))
	fmt.Fprintf(&b, `<path d="M0 %[1]dV%[2]da%[2]d %[2]d 0 0 1 %[2]d-%[2]dH%[3]d`+
		`a%[2]d %[2]d 0 0 1 %[2]d %[2]dV%[1]dz" fill="%[4]s"/>`+"\n",
		barHeight, radius, width-radius, hex(barColor(s)))
	for i, dot := range []color.RGBA{
		{0xec, 0x6a, 0x5e, 0xff}, {0xf4, 0xbf, 0x4f, 0xff}, {0x61, 0xc5, 0x54, 0xff},
	} {
		fmt.Fprintf(&b, `<circle cx="%d" cy="%d" r="5.5" fill="%s"/>`+"\n",
			padding+6+i*20, barHeight/2, hex(mix(dot, barColor(s), 0.85)))
	}
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

// writeMarks writes the marks of one layer as SVG elements, in the order of the first use of their styles.
func writeMarks(b *bytes.Buffer, l layer, marks []mark) {
	var order []string
	paths := map[string]string{}
	for _, m := range marks {
		switch {
		case m.layer != l:
			continue
		case m.style == "":
			b.WriteString(m.data)
			continue
		case paths[m.style] == "":
			order = append(order, m.style)
		}
		paths[m.style] += m.data
	}
	for _, style := range order {
		fmt.Fprintf(b, `<path %s d="%s"/>`+"\n", style, paths[style])
	}
}
