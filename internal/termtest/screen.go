package termtest

import (
	"fmt"
	"image"
	"image/color"
	"strings"
)

// Cell is one column of one line.
type Cell struct {
	// Text is one character as a person counts them, or empty in the columns that a wide
	// character covers beside its first.
	Text string

	// Width is the columns that the text covers: 1, 2, or 0 beside a wide character's first.
	Width int

	// Fg and Bg are the colours as they are seen: the terminal's own where the program chose
	// none, and already swapped for reversed text.
	Fg, Bg color.RGBA

	// Attributes of the text.
	Bold, Faint, Italic, Underline, Strike, Reverse bool
}

// Screen is what the terminal showed at one moment.
type Screen struct {
	Cols, Rows int

	// Cells holds the lines from the top, and in each its columns from the left.
	Cells [][]Cell

	// Fg and Bg are the terminal's own colours.
	Fg, Bg color.RGBA

	// Cursor is the cursor's column and line, where CursorVisible.
	Cursor        image.Point
	CursorVisible bool
}

// Line returns the text of one line, without the blanks at its end. A line outside the screen is
// empty.
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

// String returns the text of the screen, without blanks at the end of lines and blank lines at
// the end of the screen.
func (s Screen) String() string {
	lines := make([]string, len(s.Cells))
	for y := range s.Cells {
		lines[y] = s.Line(y)
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

// Contains reports whether a line of the screen contains the text.
func (s Screen) Contains(text string) bool {
	_, _, ok := s.Find(text)
	return ok
}

// Find returns the column and line where the text first appears.
func (s Screen) Find(text string) (x, y int, ok bool) {
	for y := range s.Cells {
		at := strings.Index(s.Line(y), text)
		if at < 0 {
			continue
		}
		for x, cell := range s.Cells[y] {
			if at <= 0 && cell.Width > 0 {
				return x, y, true
			}
			at -= len(cell.Text)
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

// framed is the screen as an error message shows it: numbered lines between rules, because
// blanks and missing lines are often what went wrong.
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
