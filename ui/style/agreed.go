package style

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// NormalizeWidth makes a line as wide in a terminal that counts the cells of each character as
// in one that counts those of what is drawn as one. Everything is laid out for the latter. In
// the former, families of emoji and joined letters of some scripts would push what follows to
// the right: their first character stands for the whole.
func NormalizeWidth(line string) string {
	if simple(line) || same(line, ansi.StringWidth(line)) && !strings.ContainsRune(line, emojiStyle) {
		return line
	}
	out := replaced(line, func(one string, width int) string {
		_, n := utf8.DecodeRuneInString(one)
		return Fit(one[:n], width)
	})
	if same(out, ansi.StringWidth(line)) {
		return out
	}
	// What was left of one goes together with the next.
	return replaced(line, func(_ string, width int) string { return strings.Repeat("\uFFFD", width) })
}

// emojiStyle makes an emoji of a symbol: a cell wider, or not.
const emojiStyle = '\uFE0F'

// same reports whether all terminals give the text the width.
func same(s string, width int) bool {
	return ansi.StringWidth(s) == width && ansi.StringWidthWc(s) == width
}

// replaced replaces what is drawn as one character and is not as wide in all terminals.
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

// simple reports whether all characters stand alone: ASCII, Latin, and the symbols that the
// screen is drawn with. Nearly every line is so.
func simple(s string) bool {
	combines := func(r rune) bool { return r >= 0x300 && r < 0x2010 || r >= 0x2C00 }
	return !strings.ContainsFunc(s, combines) && utf8.ValidString(s)
}
