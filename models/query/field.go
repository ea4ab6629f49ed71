package query

import (
	"cmp"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Field is a named property of rows for queries. Names consist of letters and _.
type Field[R any] struct {
	name    string
	wanted  string                      // describes the valid values
	visible func(word string) bool      // reports whether a word without a field also searches this one; may be nil
	texts   texts[R]                    // searched for a word
	has     test[R]                     // whether a row has a value; nil if all have one
	of      func(R) string              // a text whose values in the rows are suggested; may be nil
	offers  func(begun string) []string // other suggested values; may be nil
	bounds  string                      // the duration field that a bound of a test applies to
	// parse turns a value, which is not empty, into a condition.
	parse func(v value) (condition test[R], limit bound, err *Error)
}

type texts[R any] []func(row R, now time.Time) string

// Text is a field that searches a text of the row, or any of several.
func Text[R any](name string, get func(R) string, or ...func(R) string) Field[R] {
	var list texts[R]
	for _, text := range append([]func(R) string{get}, or...) {
		list = append(list, func(row R, _ time.Time) string { return text(row) })
	}
	f := textField(name, list)
	f.of = get
	return f
}

// TextAt is a text field that depends on the time.
func TextAt[R any](name string, get func(row R, now time.Time) string) Field[R] {
	return textField(name, texts[R]{get})
}

func textField[R any](name string, list texts[R]) Field[R] {
	return Field[R]{
		name: name, texts: list, wanted: "Write a value after " + name + ":, without a space.",
		has: func(row R, now time.Time) bool { return list[0](row, now) != "" },
		parse: func(v value) (test[R], bound, *Error) {
			if !v.quoted && strings.Contains("<>", v.text[:1]) {
				const want = "Put this in quotes: a text after %s: is searched, not compared."
				return nil, nil, errorAt(v.at, v.size, want, name)
			}
			return list.contain(v), nil, nil
		},
	}
}

// Duration is a field that is compared with a duration. An unknown one meets no comparison.
func Duration[R any](name string, get func(row R, now time.Time) (d time.Duration, known bool)) Field[R] {
	return Field[R]{
		name: name, bounds: name, offers: comparisons,
		wanted: "Write a comparison after " + name + ":, such as " + name + ":<10m.",
		has: func(row R, now time.Time) bool {
			_, found := get(row, now)
			return found
		},
		parse: func(v value) (condition test[R], limit bound, err *Error) {
			signs, than, err := parseComparison(name, v)
			if slices.Contains(signs, -1) {
				limit = always(than)
			}
			return compares(get, signs, than), limit, err
		},
	}
}

// compares returns the test whether a row's value, if it is known, compares with another one as any of the signs says.
func compares[R any, V cmp.Ordered](
	get func(row R, now time.Time) (v V, found bool), signs []int, than V,
) test[R] {
	return func(row R, now time.Time) bool {
		v, found := get(row, now)
		return found && slices.Contains(signs, cmp.Compare(v, than))
	}
}

// Number is a field that is compared with an integer. An unknown one meets no comparison.
func Number[R any](name string, get func(row R) (n int64, found bool)) Field[R] {
	advice := "Write a whole number after " + name + ":, such as " + name + ":15 or " + name + ":>15."
	number := func(row R, _ time.Time) (int64, bool) { return get(row) }
	return Field[R]{
		name: name, wanted: advice,
		of: func(row R) string {
			if n, found := get(row); found {
				return strconv.FormatInt(n, 10)
			}
			return ""
		},
		has: func(row R, _ time.Time) bool {
			_, found := get(row)
			return found
		},
		parse: func(v value) (test[R], bound, *Error) {
			_, digits, signs := splitOperator(v.text)
			than, err := strconv.ParseInt(digits, 10, 64)
			switch {
			case signs != nil && digits == "":
				return nil, nil, unfinishedAt(v.at, v.size, "%s", advice)
			case signs == nil || err != nil:
				return nil, nil, errorAt(v.at, v.size, "%s", advice)
			}
			return compares(number, signs, than), nil, nil
		},
	}
}

// Words is a field with a fixed set of words, each of which is true or false for a row.
func Words[R any](name string, words ...Word[R]) Field[R] {
	names := make([]string, len(words))
	for i, w := range words {
		names[i] = w.name
	}
	return Field[R]{
		name: name, offers: func(string) []string { return names },
		wanted: "Write " + list(names) + " after " + name + ":, without a space.",
		parse: func(v value) (test[R], bound, *Error) {
			for _, w := range words {
				if strings.EqualFold(w.name, v.text) {
					return w.is, nil, nil
				}
			}
			if begun := beginning(names, v.text); len(begun) > 0 {
				return nil, nil, unfinishedAt(v.at, v.size, "Write %s.", list(begun))
			}
			return nil, nil, errorAt(v.at, v.size, "%s", wrongName(name+": unknown value", v.text, names))
		},
	}
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
	f.of, f.offers = nil, func(string) []string { return values() }
	return f
}

// WholeInQuotes returns the text field so that a value in quotes is all of a text, ignoring the case, not a part.
func (f Field[R]) WholeInQuotes() Field[R] {
	part := f.parse
	f.parse = func(v value) (test[R], bound, *Error) {
		if !v.quoted {
			return part(v)
		}
		return f.texts.equal(v), nil, nil
	}
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

func (ts texts[R]) contain(v value) test[R] { return ts.any(newPattern(v.text).in) }

func (ts texts[R]) equal(v value) test[R] { return ts.any(newPattern(v.text).is) }

// any returns the test whether any of the texts matches.
func (ts texts[R]) any(match func(text string) bool) test[R] {
	return func(row R, now time.Time) bool {
		for _, text := range ts {
			if match(text(row, now)) {
				return true
			}
		}
		return false
	}
}
