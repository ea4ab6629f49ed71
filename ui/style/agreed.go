package style

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// NormalizeWidth makes a line as wide in a terminal that counts the cells of each character as
// in one that counts those of what is drawn as one. Everything here is laid out for the
// latter. In the former, families of emoji and joined letters of some scripts take more
// cells, which would push whatever follows to the right: there, the first character of
// them stands for the whole.
func NormalizeWidth(line string) string {
	if simple(line) || same(line, ansi.StringWidth(line)) && !strings.ContainsRune(line, emojiStyle) {
		return line
	}
	width := ansi.StringWidth(line)
	out := replaced(line, first)
	if !same(out, width) {
		// What was left of one goes together with the next.
		out = replaced(line, func(_ string, width int) string { return strings.Repeat("\uFFFD", width) })
	}
	return out
}

// emojiStyle makes an emoji of a symbol: a cell wider, or not.
const emojiStyle = '\uFE0F'

// same says that all terminals give the text the width.
func same(s string, width int) bool {
	return ansi.StringWidth(s) == width && ansi.StringWidthWc(s) == width
}

// replaced puts others in the place of what is drawn as one character and has no width
// that all terminals give it.
func replaced(line string, by func(one string, width int) string) string {
	var b strings.Builder
	b.Grow(len(line))
	var state byte
	for line != "" {
		one, width, n, next := ansi.DecodeSequence(line, state, nil)
		if width > 0 && !same(one, width) {
			one = by(one, width)
		}
		b.WriteString(one)
		line, state = line[max(1, n):], next
	}
	return b.String()
}

// first is the first character of one that is made of several, in as many cells.
func first(one string, width int) string {
	_, n := utf8.DecodeRuneInString(one)
	return Fit(one[:n], width)
}

// simple says that all characters stand alone: ASCII, Latin, and the symbols that the
// screen is drawn with. It is what nearly every line is.
func simple(s string) bool {
	for _, r := range s {
		if r < 0x300 || r >= 0x2010 && r < 0x2C00 {
			continue
		}
		return false
	}
	return utf8.ValidString(s)
}
