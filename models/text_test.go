package models

import (
	"encoding/csv"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Text of every script stays; what acts on a terminal or hides is replaced. A clean text stays as it is.
func TestClean(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ in, want string }{
		"empty":                 {"", ""},
		"ASCII":                 {"br-bitter-sound-247814 ~!", "br-bitter-sound-247814 ~!"},
		"accents":               {"crème brûlée", "crème brûlée"},
		"accent as a mark":      {"cre\u0300me", "cre\u0300me"},
		"CJK":                   {"東京データ", "東京データ"},
		"Hangul":                {"서울", "서울"},
		"right to left":         {"שלום", "שלום"},
		"Devanagari":            {"हिन्दी", "हिन्दी"},
		"Thai":                  {"น้ำ", "น้ำ"},
		"half-width kana":       {"ｶﾞ", "ｶﾞ"},
		"emoji family":          {"👩\u200D👩\u200D👧\u200D👦", "👩\u200D👩\u200D👧\u200D👦"},
		"skin tone":             {"👍🏽", "👍🏽"},
		"emoji style":           {"❤\uFE0F ℹ\uFE0F ‼\uFE0F", "❤\uFE0F ℹ\uFE0F ‼\uFE0F"},
		"keycap":                {"1\uFE0F\u20E3", "1\uFFFD\u20E3"},
		"flags":                 {"🇯🇵🇩🇪", "🇯🇵🇩🇪"},
		"the longest emoji":     {"👩🏻\u200D❤\uFE0F\u200D💋\u200D👨🏽", "👩🏻\u200D❤\uFE0F\u200D💋\u200D👨🏽"},
		"ESC":                   {"a\x1b[31mb", "a�[31mb"},
		"OSC":                   {"\x1b]0;title\a", "�]0;title�"},
		"DCS":                   {"\x1bPq\x1b\\", "�Pq�\\"},
		"C0":                    {"a\x00b\bc\x7f", "a�b�c�"},
		"C1":                    {"\u009b31m\u009d0;x\u009c\u0085", "�31m�0;x��"},
		"C1 as bytes":           {"\x9b31m\x90", "�31m�"},
		"invalid UTF-8":         {"a\xffb\xe2\x82", "a�b��"},
		"a surrogate's bytes":   {"\xed\xa0\x80", "���"},
		"newline":               {"a\nb\r\nc", "a�b��c"},
		"tab":                   {"a\tb", "a�b"},
		"line separators":       {"a\u2028b\u2029", "a�b�"},
		"no-break space":        {"a\u00A0b\u3000c", "a b c"},
		"BOM":                   {"\uFEFFa", "�a"},
		"bidi overrides":        {"\u202Eexe\u202C", "�exe�"},
		"bidi isolates":         {"\u2066a\u2069\u200F\u061C", "�a���"},
		"zero width":            {"a\u200Bb\u200Cc\u2060d\u00AD", "a�b�c�d�"},
		"tags":                  {"🏴\U000E0067\U000E007F", "🏴��"},
		"private use":           {"\uE000\U000F0000", "��"},
		"unassigned":            {"\u0378\U000E0FFF", "��"},
		"Hangul fillers":        {"\u115F\u1160\u3164\uFFA0", "����"},
		"blank Braille":         {"a\u2800b", "a�b"},
		"grapheme joiner":       {"a\u034Fb", "a�b"},
		"mark first":            {"\u0301a", "�a"},
		"skin tone first":       {"🏽", "�"},
		"Thai vowel first":      {"\u0E33", "�"},
		"emoji style on text":   {"a\uFE0F", "a�"},
		"vowel on ASCII":        {"A\u0903", "A\uFFFD"},
		"joiner first":          {"\u200Da", "�a"},
		"joiner last":           {"👩\u200D", "👩�"},
		"joiner in ASCII":       {"a\u200Db", "a�b"},
		"joiners":               {"👩\u200D\u200D👧", "👩��👧"},
		"stack of marks":        {"a" + strings.Repeat("\u0301", 50) + "b", "a\u0301\u0301\u0301\u0301�b"},
		"endless emoji":         {strings.Repeat("👩\u200D", 500) + "👧", "�"},
		"endless conjunct":      {"क" + strings.Repeat("\u094Dक", 500), "�"},
		"endless Hangul":        {strings.Repeat("\u1100", 500), "�"},
		"letter that goes with": {"a\u0D4E", "a�"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := Clean(c.in); got != c.want {
				t.Errorf("%+q became %+q, want %+q", c.in, got, c.want)
			}
			if got := Clean(c.want); got != c.want {
				t.Errorf("%+q is clean and became %+q", c.want, got)
			}
		})
	}
}

// A clean text is one line of valid UTF-8 that takes the same cells everywhere, and few code points in each.
func FuzzClean(f *testing.F) {
	for _, s := range []string{
		"plain", "a\x1b]0;x\x07", "\u009d0;x\u009c", "\u202Eexe", "👩\u200D👩\u200D👧", "🇯🇵🇩", "e\u0301\u0301\u0301\u0301\u0301\u200D\u0301",
		"\u0301", "東京", "กำ", "ｶﾞ", "👍🏽🏽", "\u1100\u1161\u11A8\u11A8", "क\u094D\u200Dक", "\xff\xed\xa0\x80", "1\uFE0F\u20E3", "\u00A0\u3000",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Clean(s)
		if !utf8.ValidString(got) {
			t.Errorf("%+q became %+q, which is not UTF-8", s, got)
		}
		if again := Clean(got); again != got {
			t.Errorf("%+q became %+q, and that %+q", s, got, again)
		}
		for _, r := range got {
			if acts(r) {
				t.Errorf("%+q became %+q, with %U in it", s, got, r)
			}
		}
		width := ansi.StringWidth(got)
		for _, beside := range []string{"|", " ", "│", "▶", "é", "京"} {
			w := ansi.StringWidth(beside)
			if left, right := ansi.StringWidth(beside+got), ansi.StringWidth(got+beside); left != width+w || right != width+w {
				t.Errorf("%+q became %+q: %d cells, and beside %s %d and %d", s, got, width, beside, left-w, right-w)
			}
		}
		if n := utf8.RuneCountInString(got); n > 12*width {
			t.Errorf("%+q became %+q: %d code points in %d cells", s, got, n, width)
		}
	})
}

// acts reports whether a character must not reach a terminal.
func acts(r rune) bool {
	const joiner = '\u200D'
	return r != joiner && unicode.In(r, unicode.C, unicode.Zl, unicode.Zp)
}

// Printable ASCII is returned unchanged, without an allocation.
func TestCleanASCIIAllocatesNothing(t *testing.T) { //nolint:paralleltest // counts allocations
	var ascii strings.Builder
	for c := byte(' '); c <= '~'; c++ {
		ascii.WriteByte(c)
	}
	s := ascii.String()
	if n := testing.AllocsPerRun(100, func() {
		if Clean(s) != s {
			t.Error("changed")
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// A spreadsheet divides a file at the separator of its own language, and may ignore blanks around it.
func TestCellIsNoFormulaInAnyPart(t *testing.T) {
	t.Parallel()
	texts := []string{""}
	for range 5 {
		for _, text := range texts {
			for _, next := range []string{";", ",", `"`, " ", "=", "x"} {
				texts = append(texts, text+next)
			}
		}
	}
	for _, text := range texts {
		var file strings.Builder
		w := csv.NewWriter(&file)
		if err := w.WriteAll([][]string{{"id", spreadsheetText(text), spreadsheetText(text)}}); err != nil {
			t.Fatal(err)
		}
		for _, separator := range ",;" {
			r := csv.NewReader(strings.NewReader(file.String()))
			r.Comma, r.LazyQuotes = separator, true
			cells, err := r.Read()
			if err != nil || slices.ContainsFunc(cells, isFormula) {
				t.Fatalf("%q, divided at %c: %q, %v", text, separator, cells, err)
			}
		}
	}
}

func isFormula(cell string) bool { return strings.HasPrefix(strings.TrimLeft(cell, " "), "=") }
