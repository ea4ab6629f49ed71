package query

import (
	"slices"
	"strings"
	"time"
)

// Field is something that a query can ask of rows by name. Names consist of letters and _.
type Field[R any] struct {
	name     string
	visible  bool
	texts    []func(R) string
	duration func(R, time.Time) (time.Duration, bool)
	words    []Word[R]
	offers   func() []string // values of a text; may be nil
}

// Text is a field whose values are looked for in a text of the row. Where a row shows a
// value in several ways, a match in any of the texts counts.
func Text[R any](name string, of func(R) string, or ...func(R) string) Field[R] {
	return Field[R]{name: name, texts: append([]func(R) string{of}, or...)}
}

// Duration is a field that is compared with a duration. Rows for which it is not known
// meet no comparison.
func Duration[R any](name string, of func(row R, now time.Time) (d time.Duration, known bool)) Field[R] {
	return Field[R]{name: name, duration: of}
}

// Words is a field with a fixed set of words, each of which is true or false of a row.
func Words[R any](name string, words ...Word[R]) Field[R] {
	return Field[R]{name: name, words: words}
}

// Word is one word of a [Words] field.
type Word[R any] struct {
	name string
	is   test[R]
}

// Is makes a word.
func Is[R any](word string, is func(row R, now time.Time) bool) Word[R] {
	return Word[R]{word, is}
}

// Visible returns the text field as one that words without a field look through too.
func (f Field[R]) Visible() Field[R] {
	f.visible = true
	return f
}

// Offering returns the text field with values to be proposed, which may change. Others can
// be written as well.
func (f Field[R]) Offering(values func() []string) Field[R] {
	f.offers = values
	return f
}

// Name is what stands before the colon.
func (f Field[R]) Name() string { return f.name }

// test makes a condition of one value, and returns the comparison that it is, if it is one.
func (f Field[R]) test(v value) (is test[R], than comparison, err *Error) {
	switch {
	case v.text == "" && v.quoted:
		return nil, than, v.vacant()
	case v.text == "":
		return nil, than, unfinishedAt(v.at, 0, "%s", f.ask())
	case f.duration != nil:
		return f.compared(v)
	case f.texts == nil:
		is, err = f.word(v)
		return is, than, err
	}
	return contains(f.texts, v), than, nil
}

// ask says what can be written as a value.
func (f Field[R]) ask() string {
	switch {
	case f.duration != nil:
		return "Write a comparison after " + f.name + ":, such as " + f.name + ":<10m."
	case f.texts == nil:
		return "Write " + list(f.known()) + " after " + f.name + ":, without a space."
	}
	return "Write what to look for after " + f.name + ":, without a space."
}

func (f Field[R]) compared(v value) (test[R], comparison, *Error) {
	c, err := parseComparison(f.name, v)
	if err != nil {
		return nil, c, err
	}
	of := f.duration
	return func(row R, now time.Time) bool {
		d, known := of(row, now)
		return known && c.holds(d)
	}, c, nil
}

func (f Field[R]) word(v value) (test[R], *Error) {
	for _, w := range f.words {
		if strings.EqualFold(w.name, v.text) {
			return w.is, nil
		}
	}
	if begun := beginning(f.known(), v.text); len(begun) > 0 {
		return nil, unfinishedAt(v.at, v.size, "Write %s.", list(begun))
	}
	return nil, errorAt(v.at, v.size, "%s", instead(f.name+": does not know "+quote(v.text), v.text, f.known()))
}

// proposals are the values that are known, or offered.
func (f Field[R]) proposals() []string {
	if f.offers == nil {
		return f.known()
	}
	// What a server named may not be a value as it stands.
	return slices.DeleteFunc(f.offers(), func(s string) bool { return s == "" || strings.ContainsAny(s, " \t,\"") })
}

func (f Field[R]) known() []string {
	names := make([]string, len(f.words))
	for i, w := range f.words {
		names[i] = w.name
	}
	return names
}

// contains tests whether any of the texts has the value.
func contains[R any](texts []func(R) string, v value) test[R] {
	p := newPattern(v.text, !v.quoted)
	return func(row R, _ time.Time) bool {
		for _, text := range texts {
			if p.in(text(row)) {
				return true
			}
		}
		return false
	}
}
