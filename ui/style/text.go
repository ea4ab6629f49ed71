package style

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

const ellipsis = "…"

// Width is the number of cells that s takes.
func Width(s string) int {
	if ascii(s) {
		return len(s)
	}
	return ansi.StringWidth(s)
}

// Sentence makes s begin with a capital letter.
func Sentence(s string) string {
	first, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return s
	}
	return string(unicode.ToUpper(first)) + s[n:]
}

// Cut shortens s to at most width cells; what was cut shows as an ellipsis.
func Cut(s string, width int) string {
	switch {
	case width <= 0:
		return ""
	case len(s) <= width && ascii(s):
		return s
	}
	return ansi.Truncate(s, width, ellipsis)
}

// Fit makes s exactly width cells wide, cutting or padding at its right.
func Fit(s string, width int) string {
	s = Cut(s, width)
	return s + Spaces(width-Width(s))
}

// FitRight makes s exactly width cells wide, padding at its left.
func FitRight(s string, width int) string {
	s = Cut(s, width)
	return Spaces(width-Width(s)) + s
}

// Ends puts left and right at the two ends of a line of width cells. Where both do not
// fit, left is cut; where right alone does not, right is.
func Ends(left, right string, width int) string {
	right = Cut(right, width)
	room := width - Width(right)
	if right != "" {
		room--
	}
	left = Cut(left, room)
	return left + Spaces(width-Width(left)-Width(right)) + right
}

// Spaces returns n spaces, none if n is negative. Up to the width of a wide screen it copies none.
func Spaces(n int) string {
	const ten = "          "
	const fifty = ten + ten + ten + ten + ten
	const many = fifty + fifty + fifty + fifty
	if n <= len(many) {
		return many[:max(0, n)]
	}
	return strings.Repeat(" ", n)
}

// Wrap breaks s into lines of at most width cells, at spaces where there are any.
func Wrap(s string, width int) []string {
	if width <= 0 {
		return nil
	}
	if !strings.Contains(s, "\n") && Width(s) <= width {
		return []string{s}
	}
	lines := strings.Split(ansi.Wrap(s, width, " "), "\n")
	for _, line := range lines {
		if Width(line) > width {
			// It lets a hyphen stand beyond the edge.
			return strings.Split(ansi.Hardwrap(strings.Join(lines, "\n"), width, true), "\n")
		}
	}
	return lines
}

// Block makes lines exactly height lines of width cells.
func Block(lines []string, width, height int) []string {
	out := make([]string, max(0, height))
	copy(out, lines)
	for i, line := range out {
		out[i] = Fit(line, width)
	}
	return out
}

// Center lays a box over the middle of base.
func Center(base []string, box string) []string {
	if len(base) == 0 {
		return base
	}
	x, y := Middle(box, ansi.StringWidth(base[0]), len(base))
	return Overlay(base, box, x, y)
}

// Middle is where a box begins that stands in the middle of width by height cells.
func Middle(box string, width, height int) (x, y int) {
	first, _, _ := strings.Cut(box, "\n")
	return max(0, (width-ansi.StringWidth(first))/2), max(0, (height-strings.Count(box, "\n")-1)/2)
}

// Overlay lays the lines of box over those of base, its left upper cell at x, y. The lines of
// base must be as wide as the screen; what of the box lies outside is cut.
func Overlay(base []string, box string, x, y int) []string {
	out := slices.Clone(base)
	for i, line := range strings.Split(box, "\n") {
		if row := y + i; row >= 0 && row < len(out) {
			out[row] = splice(out[row], line, x)
		}
	}
	return out
}

// splice lays piece over a line, beginning at cell x.
func splice(line, piece string, x int) string {
	total := ansi.StringWidth(line)
	if x < 0 {
		piece, x = From(piece, -x), 0
	}
	piece = ansi.Truncate(piece, max(0, total-x), "")
	end := x + ansi.StringWidth(piece)
	if x >= end {
		return line
	}
	// A wide character that the piece covers by half leaves one cell.
	left := ansi.Truncate(line, x, "")
	left += Spaces(x - ansi.StringWidth(left))
	return left + "\x1b[m" + piece + "\x1b[m" + From(line, end)
}

// From is what stands in a line from cell x on.
func From(line string, x int) string {
	x = max(0, x)
	width := max(0, ansi.StringWidth(line)-x)
	rest := ansi.TruncateLeft(line, x, "")
	if ansi.StringWidth(rest) > width {
		// It keeps a wide character that begins before x.
		rest = ansi.TruncateLeft(line, x+1, "")
	}
	return Spaces(width-ansi.StringWidth(rest)) + rest
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}
