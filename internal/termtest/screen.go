package termtest

import (
	"fmt"
	"image"
	"image/color"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// Cell is one column of one line.
type Cell struct {
	// Text is one grapheme cluster, or empty beside the first column of a wide character.
	Text string

	// Width is the width of the text in columns: 1, 2, or 0 beside the first column of a wide character.
	Width int

	// Fg and Bg are the visible colours: the terminal's own if the program chose none, and already swapped for reversed
	// text.
	Fg, Bg color.RGBA

	// Attributes of the text.
	Bold, Faint, Underline, Reverse bool
}

// Screen is the terminal's screen at one moment.
type Screen struct {
	Cols, Rows int

	// Cells has the lines from the top, each with its columns from the left.
	Cells [][]Cell

	// Fg and Bg are the terminal's own colours.
	Fg, Bg color.RGBA

	// Cursor is the cursor's column and line, if CursorVisible.
	Cursor        image.Point
	CursorVisible bool
}

// Line returns the text of one line, without trailing blanks. A line outside the screen is empty.
func (s Screen) Line(y int) string {
	if y < 0 || y >= len(s.Cells) {
		return ""
	}
	var b strings.Builder
	for _, cell := range s.Cells[y] {
		b.WriteString(cell.Text)
	}
	return strings.TrimRight(b.String(), " ")
}

// String returns the text of the screen, without trailing blanks and blank lines.
func (s Screen) String() string {
	lines := make([]string, len(s.Cells))
	for y := range s.Cells {
		lines[y] = s.Line(y)
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

// Contains reports whether each of the texts is in a line of the screen.
func (s Screen) Contains(texts ...string) bool {
	for _, text := range texts {
		if _, _, ok := s.Find(text); !ok {
			return false
		}
	}
	return true
}

// Find returns the column and line where the text first appears.
func (s Screen) Find(text string) (x, y int, ok bool) {
	for y := range s.Cells {
		index := strings.Index(s.Line(y), text)
		if index < 0 {
			continue
		}
		for x, cell := range s.Cells[y] {
			if index <= 0 && cell.Width > 0 {
				return x, y, true
			}
			index -= len(cell.Text)
		}
	}
	return 0, 0, false
}

// Cell returns the cell at a column and line, or an empty one outside the screen.
func (s Screen) Cell(x, y int) Cell {
	if y < 0 || y >= len(s.Cells) || x < 0 || x >= len(s.Cells[y]) {
		return Cell{}
	}
	return s.Cells[y][x]
}

// framed returns the screen for a failure message. Line numbers and rules show blanks and missing lines.
func (s Screen) framed() string {
	var b strings.Builder
	rule := strings.Repeat("─", s.Cols)
	fmt.Fprintf(&b, "    ╭%s╮ %d×%d\n", rule, s.Cols, s.Rows)
	for y := range s.Cells {
		fmt.Fprintf(&b, "%3d │%s\n", y, s.Line(y))
	}
	fmt.Fprintf(&b, "    ╰%s╯", rule)
	return b.String()
}

// draw copies the emulator's cells. The mutex is held.
func (d *display) draw() Screen {
	s := Screen{
		Cols: d.em.Width(), Rows: d.em.Height(),
		Fg:     d.palette.resolve(d.em.ForegroundColor(), d.palette.fg),
		Bg:     d.palette.resolve(d.em.BackgroundColor(), d.palette.bg),
		Cursor: d.em.CursorPosition(), CursorVisible: !d.noCursor,
	}
	s.Cells = make([][]Cell, s.Rows)
	for y := range s.Cells {
		line := make([]Cell, s.Cols)
		for x := range line {
			cell := d.em.CellAt(x, y)
			switch {
			case cell == nil:
				line[x] = Cell{Text: " ", Width: 1, Fg: s.Fg, Bg: s.Bg}
			case cell.Width == 0 && x > 0:
				// The emulator keeps nothing beside a wide character's first column.
				line[x] = line[x-1]
				line[x].Text, line[x].Width = "", 0
			default:
				line[x] = d.drawCell(s, cell)
			}
		}
		s.Cells[y] = line
	}
	return s
}

func (d *display) drawCell(s Screen, cell *uv.Cell) Cell {
	has := func(attr uint8) bool { return cell.Style.Attrs&attr != 0 }
	c := Cell{
		Text: cell.Content, Width: max(cell.Width, 1),
		Fg: d.palette.resolve(cell.Style.Fg, s.Fg), Bg: d.palette.resolve(cell.Style.Bg, s.Bg),
		Bold: has(uv.AttrBold), Faint: has(uv.AttrFaint), Reverse: has(uv.AttrReverse),
		Underline: cell.Style.Underline != uv.UnderlineNone,
	}
	if c.Text == "" {
		c.Text = " "
	}
	if c.Reverse {
		c.Fg, c.Bg = c.Bg, c.Fg
	}
	if has(uv.AttrConceal) {
		c.Fg = c.Bg
	}
	return c
}

// palette has the colours of the terminal's settings: its default ones and the sixteen numbered ones.
type palette struct {
	fg, bg color.RGBA
	basic  [16]uint32
}

func newPalette() palette {
	return palette{fg: rgb(0xd4d9e4), bg: rgb(0x12141c), basic: [16]uint32{
		0x2a2f3d, 0xf2777a, 0x8fcf7f, 0xe8bf6a, 0x6fa8f5, 0xc594e8, 0x67cbd2, 0xc8cfdc,
		0x727a8e, 0xff9496, 0xa9e29a, 0xf7d48a, 0x92bfff, 0xd9b1f5, 0x8be3e8, 0xf4f6fb,
	}}
}

// resolve returns the visible colour of c; nil is the terminal's own.
func (p palette) resolve(c color.Color, fallback color.RGBA) color.RGBA {
	switch c := c.(type) {
	case nil:
		return fallback
	case ansi.BasicColor:
		return rgb(p.basic[c&15])
	case ansi.IndexedColor:
		if c < 16 {
			return rgb(p.basic[c])
		}
	}
	return color.RGBAModel.Convert(c).(color.RGBA)
}

func rgb(hex uint32) color.RGBA {
	//nolint:gosec // the lowest byte of each
	return color.RGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 0xff}
}
