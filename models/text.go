package models

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"github.com/dustin/go-humanize"
)

const (
	replacement = '\uFFFD'
	joiner      = '\u200D'
	emojiStyle  = '\uFE0F'
	maxMarks    = 4  // combining marks of a character: living scripts need three or four
	maxCluster  = 12 // code points of a character: the longest emoji have ten
)

// Clean makes an untrusted string safe to show: whatever could act on a terminal or hide in it (controls, line breaks,
// tabs, bidirectional overrides, zero-width and private characters, invalid UTF-8) becomes U+FFFD. The result is one
// line of valid UTF-8. Printable ASCII is returned unchanged, without an allocation.
func Clean(s string) string {
	i := strings.IndexFunc(s, isUnusual)
	if i < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	b.WriteString(s[:i])
	c := cleaner{out: &b}
	if i > 0 {
		c.base = rune(s[i-1])
	}
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			c.write(replacement)
		} else {
			c.rune(r)
		}
		i += n
	}
	c.end()
	return bounded(b.String())
}

// isUnusual reports whether a character is not printable ASCII.
func isUnusual(r rune) bool { return r < ' ' || r > '~' }

// Shorten cuts a text to at most that many bytes, between two characters, and adds an ellipsis.
func Shorten(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit] + "…"
}

// spreadsheetText returns a cell that spreadsheets do not evaluate as a formula: an apostrophe is added to what looks
// like one, as OWASP recommends. Depending on its language, a spreadsheet may use another separator than the file, and
// divide the cell. So the text after any separator counts as well, also behind blanks and quotes.
func spreadsheetText(cell string) string {
	if !strings.ContainsAny(cell, formulas) {
		return cell
	}
	var b strings.Builder
	begins := true // a cell, for some separator
	for i, r := range cell {
		if begins && strings.ContainsRune(formulas, r) {
			b.WriteByte('\'')
		}
		divides := strings.ContainsRune(",;|\t\r\n", r)
		begins = divides || begins && (r == ' ' || r == '"' && i > 0)
		b.WriteRune(r)
	}
	return b.String()
}

const formulas = "=+-@\t\r\n＝＋－＠" // the characters that they begin with

// cleaner holds the context of the next character.
type cleaner struct {
	out     *strings.Builder
	base    rune // what a mark would attach to, or 0
	marks   int  // on the base
	pending bool // a joiner waits for the next character
}

func (c *cleaner) rune(r rune) {
	switch {
	case r == joiner && !c.pending && joins(c.base):
		c.pending = true
	case r == emojiStyle && !emojis(c.base), (attaches(r) || unicode.Is(unicode.Mc, r)) && !joins(c.base):
		c.write(replacement)
	case !unicode.IsPrint(r) && !unicode.Is(unicode.Zs, r) || misleading(r):
		c.write(replacement)
	case unicode.IsMark(r) || attaches(r):
		c.mark(r)
	case unicode.Is(unicode.Zs, r):
		c.write(' ')
	default:
		c.write(r)
	}
}

func (c *cleaner) write(r rune) {
	if c.pending && joins(r) {
		c.out.WriteRune(joiner)
		c.pending = false
	}
	c.end()
	c.out.WriteRune(r)
	c.base, c.marks = r, 0
}

// end replaces a joiner that joins nothing.
func (c *cleaner) end() {
	if c.pending {
		c.out.WriteRune(replacement)
		c.base, c.marks, c.pending = replacement, 0, false
	}
}

// mark keeps a combining mark if it has a base: without one it would attach to the border left of the cell.
func (c *cleaner) mark(r rune) {
	c.end()
	switch {
	case c.base == 0:
		c.write(replacement)
	case c.marks < maxMarks:
		c.out.WriteRune(r)
		c.marks++
	case c.marks == maxMarks:
		c.out.WriteRune(replacement)
		c.marks++
	}
}

// joins reports whether a joiner is useful next to r, as in emoji families and Indic scripts. Elsewhere it only hides.
func joins(r rune) bool { return r > unicode.MaxASCII && r != replacement }

// emojis reports whether r may have an emoji style, which is wider. Terminals disagree about keycaps.
func emojis(r rune) bool {
	return joins(r) && (r == 'ℹ' || unicode.IsSymbol(r) || unicode.In(r, unicode.Po, unicode.Pd))
}

// attaches reports whether r is not a mark, but joins the previous character: vowels of Thai and Lao, voicing of
// half-width kana, skin tones. It never joins ASCII, which terminals draw at once.
func attaches(r rune) bool {
	return strings.ContainsRune("\u0E33\u0EB3\uFF9E\uFF9F", r) || '\U0001F3FB' <= r && r <= '\U0001F3FF'
}

// misleading reports whether r is printable in Unicode, but shows nothing (fillers, the blank Braille pattern, inherent
// vowels) or joins the next character, such as a border.
func misleading(r rune) bool {
	const nothing = "\u034F\u115F\u1160\u17B4\u17B5\u2800\u3164\uFFA0\U00016FE4\U0001D159"
	const together = "\u0D4E\U000111C2\U000111C3\U0001193F\U00011941\U00011A3A\U00011D46\U00011F02"
	return strings.ContainsRune(nothing+together, r) || '\U00011A84' <= r && r <= '\U00011A89'
}

// bounded replaces clusters that take the space of one character and have no end.
func bounded(s string) string {
	if utf8.RuneCountInString(s) <= maxCluster {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for clusters := graphemes.FromString(s); clusters.Next(); {
		if utf8.RuneCountInString(clusters.Value()) > maxCluster {
			b.WriteRune(replacement)
		} else {
			b.WriteString(clusters.Value())
		}
	}
	return b.String()
}

// Plural returns a number with its noun: 1 key, 1,204 keys.
func Plural(n int, singular string) string {
	if n == 1 {
		return "1 " + singular
	}
	return Count(n) + " " + singular + "s"
}

// Count formats a number: 1,204.
func Count(n int) string { return humanize.Comma(int64(n)) }
