package style

import (
	"os"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"pgtower/models"
)

const ellipsis = "…"

// Width returns the width of s in cells.
func Width(s string) int {
	if ascii(s) {
		return len(s)
	}
	return ansi.StringWidth(s)
}

// PrintedWidth is Width for lines that a command prints: nothing adapts them to the terminal afterwards. tmux and GNU screen
// count the cells of each code point.
func PrintedWidth(s string) int {
	if ascii(s) {
		return len(s)
	}
	term := os.Getenv("TERM")
	if strings.HasPrefix(term, "tmux") || strings.HasPrefix(term, "screen") {
		return ansi.StringWidthWc(s)
	}
	return ansi.StringWidth(s)
}

// Sentence capitalizes the first letter of s.
func Sentence(s string) string {
	first, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return s
	}
	return string(unicode.ToUpper(first)) + s[n:]
}

// Clause returns a sentence for the middle of another one: with a small first letter, without its full stop.
func Clause(s string) string {
	first, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return s
	}
	return strings.TrimRight(string(unicode.ToLower(first))+s[n:], ".")
}

// Cut shortens s to at most width cells, with an ellipsis.
func Cut(s string, width int) string {
	switch {
	case width <= 0:
		return ""
	case len(s) <= width && ascii(s):
		return s
	}
	return ansi.Truncate(s, width, ellipsis)
}

// CutMiddle shortens s to at most width cells, with an ellipsis in its middle: for names that differ at their end.
func CutMiddle(s string, width int) string {
	const parts = 3 // the end gets one of them
	cells, end := Width(s), width/parts
	if cells <= width || end == 0 {
		return Cut(s, width)
	}
	return ansi.Truncate(s, width-end, ellipsis) + ansi.TruncateLeft(s, cells-end, "")
}

// CutHost shortens a host to at most width cells, with an ellipsis near its middle: its port and its domain stay.
func CutHost(s string, width int) string {
	cells := Width(s)
	if cells <= width || width <= 0 {
		return Cut(s, width)
	}
	end := min(width-1, width/2+1)
	return Cut(s, width-end) + ansi.TruncateLeft(s, cells-end, "")
}

// Growth returns how many more cells a text takes once each of its numbers, such as an age or a countdown, has two digits.
func Growth(s string) (cells int) {
	digit := func(i int) bool { return i >= 0 && i < len(s) && s[i] >= '0' && s[i] <= '9' }
	for i := range len(s) {
		if digit(i) && !digit(i-1) && !digit(i+1) {
			cells++
		}
	}
	return cells
}

// Fit makes s exactly width cells wide, cutting or padding at its right.
func Fit(s string, width int) string { return Ends(s, "", width) }

// Pad makes s at least width cells wide.
func Pad(s string, width int) string { return s + Spaces(width-Width(s)) }

// Ends aligns left and right in a line of width cells. Left is cut if there is not enough room.
func Ends(left, right string, width int) string {
	right = Cut(right, width)
	room := width - Width(right)
	left = Cut(left, room-min(1, len(right)))
	return left + Spaces(room-Width(left)) + right
}

// Spaces returns n spaces, or "". Up to the width of a wide screen it does not allocate.
func Spaces(n int) string {
	const ten = "          "
	const fifty = ten + ten + ten + ten + ten
	const many = fifty + fifty + fifty + fifty
	if n <= len(many) {
		return many[:max(0, n)]
	}
	return strings.Repeat(" ", n)
}

// Wrap breaks s into lines of at most width cells, at spaces if possible.
func Wrap(s string, width int) []string {
	switch {
	case width <= 0:
		return nil
	case !strings.Contains(s, "\n") && Width(s) <= width:
		return []string{s}
	}
	// Wrap lets a hyphen exceed the width.
	return strings.Split(ansi.Hardwrap(ansi.Wrap(s, width, " "), width, true), "\n")
}

// Block cuts or pads lines to exactly height lines of width cells.
func Block(lines []string, width, height int) []string {
	out := make([]string, max(0, height))
	copy(out, lines)
	for i, line := range out {
		out[i] = Fit(line, width)
	}
	return out
}

// Middle returns the position of a box centred in width by height cells.
func Middle(box string, width, height int) (x, y int) {
	return max(0, (width-lipgloss.Width(box))/2), max(0, (height-lipgloss.Height(box))/2)
}

// Overlay draws box over base with its upper left cell at x, y, which are not negative. The lines of base must be as
// wide as the screen; parts of the box outside of it are cut.
func Overlay(base []string, box string, x, y int) []string {
	out := slices.Clone(base)
	for i, line := range strings.Split(box, "\n") {
		if y+i < len(out) {
			out[y+i] = splice(out[y+i], line, x)
		}
	}
	return out
}

// splice draws piece over a line from cell x on.
func splice(line, piece string, x int) string {
	piece = ansi.Truncate(piece, max(0, ansi.StringWidth(line)-x), "")
	end := x + ansi.StringWidth(piece)
	if x == end {
		return line
	}
	// A wide character that the piece covers by half leaves one cell.
	left := ansi.Truncate(line, x, "")
	return left + Spaces(x-ansi.StringWidth(left)) + reset + piece + reset + From(line, end)
}

// From returns the part of a line from cell x on.
func From(line string, x int) string {
	width := max(0, ansi.StringWidth(line)-x)
	rest := ansi.TruncateLeft(line, x, "")
	if ansi.StringWidth(rest) > width {
		// It keeps a wide character that begins before x.
		rest = ansi.TruncateLeft(line, x+1, "")
	}
	return Spaces(width-ansi.StringWidth(rest)) + rest
}

// Plural is [models.Plural].
func Plural(n int, singular string) string { return models.Plural(n, singular) }

// Count is [models.Count].
func Count(n int) string { return models.Count(n) }

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// Spark draws values as a line of bars, the largest as high as a cell.
func Spark(values []int) string {
	bars := []rune(" ▁▂▃▄▅▆▇█")
	highest := 1
	for _, v := range values {
		highest = max(highest, v)
	}
	var b strings.Builder
	for _, v := range values {
		b.WriteRune(bars[(max(0, v)*8+highest-1)/highest])
	}
	return b.String()
}

// Bar draws a share of a whole as a bar of at most width cells. A share above 0 is always visible.
func Bar(part, whole, width int) string {
	if part <= 0 || whole <= 0 || width <= 0 {
		return ""
	}
	eighths := max(1, part*width*8/whole)
	rest := []string{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"}
	return strings.Repeat("█", eighths/8) + rest[eighths%8]
}

// Drawn returns a text as [NormalizeWidth] draws it where there is room: the text itself, unless terminals disagree about
// its characters.
func Drawn(text string) string {
	const room = 50 // more than the characters of a name can cost
	return strings.TrimRight(NormalizeWidth(text+Spaces(room)), " ")
}

// NormalizeWidth gives a line of the layout, which counts clusters, the same width in a terminal that counts the cells of
// each code point. A mark that takes cells there keeps them, at the cost of blanks that follow. If too few blanks follow before
// a border, only the first code point of such a character is kept. The same goes for families of emoji.
func NormalizeWidth(line string) string {
	if simple(line) || same(line, ansi.StringWidth(line)) && !strings.ContainsRune(line, emojiStyle) {
		return line
	}
	if out := spread(line); ansi.StringWidthWc(out) == ansi.StringWidth(line) {
		return out
	}
	out := replaced(line, firstOf)
	if same(out, ansi.StringWidth(line)) {
		return out
	}
	// The rest of one cluster joins the next.
	return replaced(line, func(_ string, width int) string { return strings.Repeat("\uFFFD", width) })
}

// spread gives each character its cells, and takes the extra ones from blanks or a rule behind it, of which one cell stays.
// A part between two borders that has too few of them is reduced, see [firstOf].
func spread(line string) string {
	var out, kept, reduced strings.Builder
	var state byte
	debt, last := 0, "" // debt is the number of cells to be taken
	for line != "" {
		cluster, width, n, next := ansi.DecodeSequence(line, state, nil)
		line, state = line[max(1, n):], next
		less := cluster
		switch {
		case width == 0: // a sequence of the terminal
		case fills(cluster):
			reduced.WriteString(cluster)
			if cluster == last && debt > 0 {
				debt--
				continue
			}
			kept.WriteString(cluster)
			last = cluster
			continue
		case isBorder(cluster):
			out.WriteString(endPart(&kept, &reduced, debt))
			debt = 0
		case joined(cluster), ansi.StringWidthWc(cluster) < width:
			cluster = firstOf(cluster, width)
			less = cluster
		default:
			debt += ansi.StringWidthWc(cluster) - width
			if !same(cluster, width) {
				less = firstOf(cluster, width)
			}
		}
		if width > 0 {
			last = cluster
		}
		kept.WriteString(cluster)
		reduced.WriteString(less)
	}
	out.WriteString(endPart(&kept, &reduced, debt))
	return out.String()
}

// endPart returns the part before a border, reduced if it has too few blanks, and empties both.
func endPart(kept, reduced *strings.Builder, debt int) string {
	text := kept.String()
	if debt > 0 {
		text = reduced.String()
	}
	kept.Reset()
	reduced.Reset()
	return text
}

// joined reports whether even terminals that count code points disagree about the cells of a character.
func joined(cluster string) bool { return strings.ContainsFunc(cluster, joins) }

func joins(r rune) bool {
	const joiner = '\u200D'
	return r == joiner || r == emojiStyle || r >= '\U0001F3FB' && r <= '\U0001F3FF' // skin tones
}

// fills reports whether a character only fills a line.
func fills(cluster string) bool { return cluster == " " || cluster == "─" }

// isBorder reports whether a character is of a box, and must stay where it is.
func isBorder(cluster string) bool {
	r, _ := utf8.DecodeRuneInString(cluster)
	return r > '─' && r <= '╿' || r == '▌'
}

// firstOf returns the first code point of a character, in as many cells as the whole.
func firstOf(cluster string, width int) string {
	_, n := utf8.DecodeRuneInString(cluster)
	return Fit(cluster[:n], width)
}

// emojiStyle turns a symbol into an emoji, a cell wider or not.
const emojiStyle = '\uFE0F'

// same reports whether all terminals give the text the width.
func same(s string, width int) bool {
	return ansi.StringWidth(s) == width && ansi.StringWidthWc(s) == width
}

// replaced replaces the clusters that are not equally wide in all terminals.
func replaced(line string, replacement func(cluster string, width int) string) string {
	var b strings.Builder
	b.Grow(len(line))
	var state byte
	for line != "" {
		cluster, width, n, next := ansi.DecodeSequence(line, state, nil)
		if width > 0 && !same(cluster, width) {
			cluster = replacement(cluster, width)
		}
		b.WriteString(cluster)
		line, state = line[max(1, n):], next
	}
	return b.String()
}

// simple reports whether no two characters can join, as in nearly every line.
func simple(s string) bool {
	return !strings.ContainsFunc(s, combines) && utf8.ValidString(s)
}

func combines(r rune) bool { return r >= 0x300 && r < 0x2010 || r >= 0x2C00 }
