package models

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	replacement = '\uFFFD'
	joiner      = '\u200D'
	// maxMarks is how many combining marks one character may carry. Living scripts
	// need three or four; more would paint over the rows above and below.
	maxMarks = 4
)

// Clean makes a string from outside safe to show: what could act on a terminal or
// hide in it (ESC, C0 and C1 controls, line breaks, tabs, bidirectional overrides,
// zero-width and private characters, invalid UTF-8) becomes U+FFFD, so that it is
// seen and does nothing. The result is one line and valid UTF-8. Printable ASCII
// comes back as it is, without an allocation.
func Clean(s string) string {
	i := 0
	for i < len(s) && s[i] >= ' ' && s[i] <= '~' {
		i++
	}
	if i == len(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	b.WriteString(s[:i])
	c := cleaner{out: &b, base: i > 0}
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			c.write(replacement)
		} else {
			c.rune(r)
		}
		i += n
	}
	return b.String()
}

// cleaner carries what the verdict on a character needs to know of those before it.
type cleaner struct {
	out    *strings.Builder
	base   bool // there is a character that a mark or a joiner may attach to
	joined bool // the last character was a joiner
	marks  int  // combining marks since the base
}

func (c *cleaner) write(r rune) {
	c.out.WriteRune(r)
	c.base, c.joined, c.marks = true, false, 0
}

func (c *cleaner) rune(r rune) {
	switch {
	case r == joiner:
		// Emoji families are joined by it; on its own it is invisible.
		if !c.base || c.joined {
			c.write(replacement)
			return
		}
		c.out.WriteRune(r)
		c.joined = true
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Mc):
		c.mark(r)
	case unicode.Is(unicode.Zs, r):
		c.write(' ')
	case !unicode.IsPrint(r) || invisible(r):
		c.write(replacement)
	default:
		c.write(r)
	}
}

// mark keeps a combining mark or variation selector if it has a base of its own:
// without one it would attach to the border left of the cell.
func (c *cleaner) mark(r rune) {
	switch {
	case !c.base:
		c.write(replacement)
	case c.marks < maxMarks:
		c.out.WriteRune(r)
		c.marks++
		c.joined = false
	case c.marks == maxMarks:
		c.out.WriteRune(replacement)
		c.marks++
	}
}

// invisible names the letters and symbols that Unicode calls printable and that
// show nothing: the Hangul fillers and the blank Braille pattern.
func invisible(r rune) bool {
	switch r {
	case '\u115F', '\u1160', '\u3164', '\uFFA0', '\u2800':
		return true
	}
	return false
}
