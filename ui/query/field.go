package query

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Field is something that a query can ask of rows by name. Names consist of letters and _.
type Field[R any] struct {
	name    string
	wanted  string // what can be written as a value
	visible bool
	texts   []func(R) string
	offers  func() []string // values to be proposed; may be nil
	// parse makes a condition of a value that is not empty, and the comparison that it may be.
	parse func(v value) (is test[R], than comparison, err *Error)
}

// Text is a field whose values are looked for in a text of the row, or in any of several.
func Text[R any](name string, of func(R) string, or ...func(R) string) Field[R] {
	texts := append([]func(R) string{of}, or...)
	return Field[R]{
		name: name, texts: texts, wanted: "Write what to look for after " + name + ":, without a space.",
		parse: func(v value) (test[R], comparison, *Error) { return contains(texts, v), comparison{}, nil },
	}
}

// Duration is a field that is compared with a duration. What is not known meets no comparison.
func Duration[R any](name string, of func(row R, now time.Time) (d time.Duration, known bool)) Field[R] {
	return Field[R]{
		name: name, wanted: "Write a comparison after " + name + ":, such as " + name + ":<10m.",
		parse: func(v value) (test[R], comparison, *Error) {
			c, err := parseComparison(name, v)
			return func(row R, now time.Time) bool {
				d, known := of(row, now)
				return known && c.holds(d)
			}, c, err
		},
	}
}

// Words is a field with a fixed set of words, each of which is true or false of a row.
func Words[R any](name string, words ...Word[R]) Field[R] {
	known := make([]string, len(words))
	for i, w := range words {
		known[i] = w.name
	}
	return Field[R]{
		name: name, offers: func() []string { return known },
		wanted: "Write " + list(known) + " after " + name + ":, without a space.",
		parse: func(v value) (is test[R], _ comparison, err *Error) {
			i := slices.IndexFunc(words, func(w Word[R]) bool { return strings.EqualFold(w.name, v.text) })
			if i >= 0 {
				return words[i].is, comparison{}, nil
			}
			if begun := beginning(known, v.text); len(begun) > 0 {
				return nil, comparison{}, unfinishedAt(v.at, v.size, "Write %s.", list(begun))
			}
			wrong := fmt.Sprintf("%s: does not know %.24q", name, v.text)
			return nil, comparison{}, errorAt(v.at, v.size, "%s", instead(wrong, v.text, known))
		},
	}
}

// Word is one word of a [Words] field.
type Word[R any] struct {
	name string
	is   test[R]
}

// Is makes a word.
func Is[R any](word string, is func(row R, now time.Time) bool) Word[R] { return Word[R]{word, is} }

// Visible returns the text field as one that words without a field look through too.
func (f Field[R]) Visible() Field[R] {
	f.visible = true
	return f
}

// Offering returns the text field with values to be proposed. Others can be written as well.
func (f Field[R]) Offering(values func() []string) Field[R] {
	f.offers = func() []string {
		// What a server named may not be a value as it stands.
		return slices.DeleteFunc(values(), func(s string) bool { return s == "" || strings.ContainsAny(s, " \t,\"") })
	}
	return f
}

// Name is what stands before the colon.
func (f Field[R]) Name() string { return f.name }

func contains[R any](texts []func(R) string, v value) test[R] {
	p := newPattern(v.text, !v.quoted)
	return func(row R, _ time.Time) bool {
		return slices.ContainsFunc(texts, func(text func(R) string) bool { return p.in(text(row)) })
	}
}
