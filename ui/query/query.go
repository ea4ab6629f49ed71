// Package query is the language in which the user says which rows of a table to show:
// words to look for, and conditions on fields.
//
// A query is a list of terms with spaces between them, and a row has to match every one:
//
//	stcomp               a word, looked for in every visible text
//	"start comp"         a phrase, looked for exactly as it is written
//	status:failed        a text field, looked through like a word
//	branch:main,"a b"    any of several values
//	took:>=1h30m         a duration: <, <=, > or >=, and the units ms s m h d w
//	is:failed            one of the words that a field knows
//	!is:failed !temp     what rows must not match
//
// A word matches a text that contains it, or whose words it abbreviates: cut into pieces, each piece is the beginning
// of the next word of the text. So stcomp finds start_compute, ca finds check_availability and brbit finds
// br-bitter-sound-247814. The words of a text end at _ - . : / and spaces, and where letters meet digits; such a
// separator may be typed between two pieces as well (st_comp). Quotes turn abbreviation off. Case never matters.
//
// The last term is one that the user may still be typing. While it can become right, it is no error but has a
// [Query.Hint]. A value that can't be tested yet hides no row, and an open quote counts as closed at the end.
package query

import (
	"fmt"
	"slices"
	"time"
)

// Query is a parsed query over rows of type R. The zero Query shows every row.
type Query[R any] struct {
	terms []term[R]
	hint  *Error
}

// term is one condition, met by any of its tests.
type term[R any] struct {
	not   bool
	any   []test[R]
	field string     // that is asked, or empty
	than  comparison // of the last test, where that compares a duration
}

type test[R any] func(row R, now time.Time) bool

// Empty reports whether the query lets every row through.
func (q Query[R]) Empty() bool { return len(q.terms) == 0 }

// Match reports whether a row is to be shown at a time, from which ages are counted.
func (q Query[R]) Match(row R, now time.Time) bool {
	for i := range q.terms {
		if q.terms[i].met(row, now) == q.terms[i].not {
			return false
		}
	}
	return true
}

// Below returns a bound that a duration field does not exceed in any row that matches, if the query
// has one in a term of a single value that is not negated.
func (q Query[R]) Below(field string) (bound time.Duration, ok bool) {
	for _, t := range q.terms {
		if t.field == field && !t.not && len(t.any) == 1 && t.than.less && (!ok || t.than.than < bound) {
			bound, ok = t.than.than, true
		}
	}
	return bound, ok
}

// Hint says what the last term still needs and where, or is nil. The rest of the query works.
func (q Query[R]) Hint() *Error { return q.hint }

func (t *term[R]) met(row R, now time.Time) bool {
	return slices.ContainsFunc(t.any, func(is test[R]) bool { return is(row, now) })
}

// Error is what is wrong with a query, and where.
type Error struct {
	At, Len    int    // the place in the input, in bytes between characters; Len is 0 where something is missing
	Message    string // one sentence that says what to write instead
	unfinished bool   // more typing can put it right
}

// Error is the message.
func (e *Error) Error() string { return e.Message }

func errorAt(at, length int, format string, args ...any) *Error {
	return &Error{At: at, Len: length, Message: fmt.Sprintf(format, args...)}
}

func unfinishedAt(at, length int, format string, args ...any) *Error {
	e := errorAt(at, length, format, args...)
	e.unfinished = true
	return e
}
