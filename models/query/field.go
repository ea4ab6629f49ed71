package query

import (
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Field is a named property of rows for queries. Names consist of letters and _.
type Field[R any] struct {
	name     string
	wanted   string                               // describes the valid values
	visible  func(word string) bool               // reports whether a word without a field also searches this one; may be nil
	texts    texts[R]                             // searched for a word
	has      test[R]                              // whether a row has a value; nil if all have one
	suggests func(R) string                       // a text whose values in the rows are suggested; may be nil
	offers   func(begun string) []string          // other suggested values; may be nil
	bounds   string                               // the duration field that a bound of a test applies to
	whole    bool                                 // a value in quotes is all of a text
	moving   bool                                 // the time decides, even of a row that does not change any more
	parse    func(v value) (condition[R], *Error) // of a value that is not empty
}

type texts[R any] []func(row R, now time.Time) string

// Text is a field that searches a text of the row, or any of several.
func Text[R any](name string, get func(R) string, or ...func(R) string) Field[R] {
	var list texts[R]
	for _, text := range append([]func(R) string{get}, or...) {
		list = append(list, func(row R, _ time.Time) string { return text(row) })
	}
	f := textField(name, list)
	f.suggests = get
	return f
}

// TextAt is a text field that depends on the time.
func TextAt[R any](name string, get func(row R, now time.Time) string) Field[R] {
	return textField(name, texts[R]{get}).Moving()
}

func textField[R any](name string, list texts[R]) Field[R] {
	f := Field[R]{
		name: name, texts: list, has: list.given, wanted: "Write a value after " + name + ":, without a space.",
	}
	f.parse = f.parseText
	return f
}

// parseText returns the condition that a text of the field contains a value.
func (f Field[R]) parseText(v value) (condition[R], *Error) {
	if !v.quoted && strings.Contains("<>", v.text[:1]) {
		const want = "Put this in quotes: a text after %s: is searched, not compared."
		return condition[R]{}, errorAt(v.at, v.size, want, f.name)
	}
	return f.texts.contain(v), nil
}

// Duration is a field that is compared with a duration. An unknown one meets no comparison.
func Duration[R any](name string, get func(row R, now time.Time) (d time.Duration, known bool)) Field[R] {
	return Field[R]{
		name: name, bounds: name, offers: comparisons,
		wanted: "Write a comparison after " + name + ":, such as " + name + ":<10m.",
		has:    func(row R, now time.Time) bool { return isKnown(get(row, now)) },
		parse:  func(v value) (condition[R], *Error) { return parseDuration(name, v, get) },
	}
}

func isKnown[V any](_ V, known bool) bool { return known }

// parseDuration returns the condition that the duration of a row meets a comparison.
func parseDuration[R any](
	name string, v value, get func(R, time.Time) (time.Duration, bool),
) (out condition[R], err *Error) {
	c, err := parseComparison(name, v)
	if slices.Contains(c.signs, -1) {
		out.limit = always(c.than)
	}
	out.holds = func(row R, now time.Time) bool { return c.holds(get(row, now)) }
	return out, err
}

// Number is a field that is compared with an integer. An unknown one meets no comparison.
func Number[R any](name string, get func(row R) (n int64, found bool)) Field[R] {
	advice := "Write a whole number after " + name + ":, such as " + name + ":15 or " + name + ":>15."
	return Field[R]{
		name: name, wanted: advice,
		suggests: func(row R) string { return numberText(get(row)) },
		has:      func(row R, _ time.Time) bool { return isKnown(get(row)) },
		parse:    func(v value) (condition[R], *Error) { return parseNumber(advice, v, get) },
	}
}

// numberText returns a number as a text, or "" if it is unknown.
func numberText(n int64, known bool) string {
	if !known {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

// parseNumber returns the condition of a comparison with the number of a row. advice is the error for another value.
func parseNumber[R any](advice string, v value, get func(R) (int64, bool)) (condition[R], *Error) {
	_, digits, signs := splitOperator(v.text)
	than, err := strconv.ParseInt(digits, 10, 64)
	switch {
	case signs != nil && digits == "":
		return condition[R]{}, unfinishedAt(v.at, v.size, "%s", advice)
	case signs == nil || err != nil:
		return condition[R]{}, errorAt(v.at, v.size, "%s", advice)
	}
	c := comparison[int64]{signs, than}
	return condition[R]{holds: func(row R, _ time.Time) bool { return c.holds(get(row)) }}, nil
}

// Words is a field with a fixed set of words, each of which is true or false for a row.
func Words[R any](name string, words ...Word[R]) Field[R] {
	names := make([]string, len(words))
	for i, w := range words {
		names[i] = w.name
	}
	f := Field[R]{name: name, wanted: "Write " + list(names) + " after " + name + ":, without a space."}
	f.parse = func(v value) (condition[R], *Error) { return parseWord(name, names, words, v) }
	return f.Offering(func() []string { return names })
}

// parseWord returns the condition of one of the words of a field. names are those of the words.
func parseWord[R any](field string, names []string, words []Word[R], v value) (condition[R], *Error) {
	for _, w := range words {
		if strings.EqualFold(w.name, v.text) {
			return condition[R]{holds: w.is}, nil
		}
	}
	if begun := beginning(names, v.text); len(begun) > 0 {
		return condition[R]{}, unfinishedAt(v.at, v.size, "Write %s.", list(begun))
	}
	return condition[R]{}, errorAt(v.at, v.size, "%s", wrongName(field+": unknown value", v.text, names))
}

// Word is one word of a [Words] field.
type Word[R any] struct {
	name string
	is   test[R]
}

// Is returns a word and its test.
func Is[R any](word string, holds func(row R, now time.Time) bool) Word[R] {
	return Word[R]{word, holds}
}

// Visible returns the text field so that words without a field search it too.
func (f Field[R]) Visible() Field[R] { return f.VisibleFrom(0) }

// VisibleFrom is Visible for words of at least that many characters: shorter ones are in most ids by chance.
func (f Field[R]) VisibleFrom(characters int) Field[R] {
	f.visible = func(word string) bool { return utf8.RuneCountInString(word) >= characters }
	return f
}

// Offering returns the text field with suggested values instead of those of the first rows.
func (f Field[R]) Offering(values func() []string) Field[R] {
	f.suggests, f.offers = nil, func(string) []string { return values() }
	return f
}

// WholeInQuotes returns the text field so that a value in quotes must be the whole of a text, ignoring the case.
func (f Field[R]) WholeInQuotes() Field[R] {
	f.whole = true
	return f
}

// Moving marks a field whose value depends on the time, such as an age, see [Query.Moves].
func (f Field[R]) Moving() Field[R] {
	f.moving = true
	return f
}

// Name returns the name before the colon.
func (f Field[R]) Name() string { return f.name }

func (f *Field[R]) lackedBy(rows iter.Seq[R], now time.Time) bool {
	if f.has == nil {
		return false
	}
	for row := range rows {
		if f.has(row, now) {
			return false
		}
	}
	return true
}

func (ts texts[R]) contain(v value) condition[R] { return ts.any(newPattern(v.text).in) }

func (ts texts[R]) equal(v value) condition[R] { return ts.any(newPattern(v.text).is) }

// given reports whether a row has the first text.
func (ts texts[R]) given(row R, now time.Time) bool { return ts[0](row, now) != "" }

// any returns the condition that any of the texts matches.
func (ts texts[R]) any(match func(text string) bool) condition[R] {
	return condition[R]{holds: func(row R, now time.Time) bool { return ts.matches(row, now, match) }}
}

func (ts texts[R]) matches(row R, now time.Time, match func(text string) bool) bool {
	for _, text := range ts {
		if match(text(row, now)) {
			return true
		}
	}
	return false
}
