// Package query is the language in which the user says which rows of a table to show:
// words to look for, and conditions on fields.
//
// A query is a list of terms with spaces between them, and a row has to match every one, or those of another list after
// an or:
//
//	stcomp               a word, looked for in every visible text
//	"start comp"         a phrase, looked for exactly as it is written
//	status:failed        a text field, looked through like a word
//	branch:main,"a b"    any of several values
//	took:>=1h30m         a duration: <, <=, > or >=, and the units ms s m h d w
//	is:failed            one of the words that a field knows
//	!is:failed !temp     what rows must not match
//	stcomp or is:slow    either of two; or binds weaker than a space
//	!(a or b) is:slow    parentheses
//	after:14:32          a moment: a clock time, a date, or both
//
// A word matches a text that contains it, or whose words it abbreviates: cut into pieces, each piece is the beginning
// of the next word of the text. So stcomp finds start_compute, ca finds check_availability and brbit finds
// br-bitter-sound-247814. The words of a text end at _ - . : / and spaces, and where letters meet digits; such a
// separator may be typed between two pieces as well (st_comp). Quotes turn abbreviation off, and a space in them also
// stands for an underscore. Case never matters.
//
// The last term is one that the user may still be typing. While it can become right, it is no error but has a
// [Query.Hint]. A value that can't be tested yet hides no row, and an open quote counts as closed at the end.
package query

import (
	"fmt"
	"iter"
	"slices"
	"time"
)

// Query is a parsed query over rows of type R. The zero Query shows every row.
type Query[R any] struct {
	any  []terms[R] // none of them is empty
	hint *Error
}

// terms have to be met all.
type terms[R any] []term[R]

// term is one condition, met by any of its tests.
type term[R any] struct {
	not   bool
	any   []test[R]
	field *Field[R] // that is asked, or nil
	group *Query[R] // in parentheses, or nil
	bound bound     // of the last test
}

type test[R any] func(row R, now time.Time) bool

// bound is what a duration does not exceed in any row that passes a test. It is nil where there is none.
type bound func(now time.Time) time.Duration

// Empty reports whether the query lets every row through.
func (q Query[R]) Empty() bool { return len(q.any) == 0 }

// Match reports whether a row is to be shown at a time, from which ages are counted. Moments are of its zone.
func (q Query[R]) Match(row R, now time.Time) bool {
	for i := range q.any {
		if q.any[i].met(row, now) {
			return true
		}
	}
	return q.Empty()
}

func (all terms[R]) met(row R, now time.Time) bool {
	for i := range all {
		if all[i].met(row, now) == all[i].not {
			return false
		}
	}
	return true
}

// Below returns a bound that a duration field does not exceed in any row that matches at a time, if the query
// has one in terms of a single value that are not negated.
func (q Query[R]) Below(field string, now time.Time) (most time.Duration, ok bool) {
	for _, all := range q.any {
		one, bounded := all.below(field, now)
		if !bounded {
			return 0, false
		}
		most, ok = max(most, one), true
	}
	return most, ok
}

func (all terms[R]) below(field string, now time.Time) (least time.Duration, ok bool) {
	for _, t := range all {
		var one time.Duration
		bounded := false
		switch {
		case t.not:
		case t.group != nil:
			one, bounded = t.group.Below(field, now)
		case t.field != nil && t.field.bounds == field && len(t.any) == 1 && t.bound != nil:
			one, bounded = t.bound(now), true
		}
		if bounded && (!ok || one < least) {
			least, ok = one, true
		}
	}
	return least, ok
}

// Lacking returns the name of a field that the query asks for and no row has a value of, or nothing.
func (q Query[R]) Lacking(rows iter.Seq[R], now time.Time) string {
	for _, all := range q.any {
		for _, t := range all {
			lacking := ""
			switch {
			case t.group != nil:
				lacking = t.group.Lacking(rows, now)
			case t.field != nil && t.field.lackedBy(rows, now):
				lacking = t.field.name
			}
			if lacking != "" {
				return lacking
			}
		}
	}
	return ""
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
