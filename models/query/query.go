// Package query implements the filter language of tables: words to search for, and conditions on fields.
//
// A query is a list of terms with spaces between them. A row has to match all of them, or all terms of another list
// after an or:
//
//	compute              a word, searched for in every visible text
//	"start comp"         a phrase, searched for exactly
//	status:failed        a text field, searched like a word
//	branch:main,"a b"    any of several values
//	took:>=1h30m         a duration: <, <=, > or >=, and the units ms s m h d w
//	is:failed            one of the field's fixed words
//	!is:failed !temp     what rows must not match
//	compute or is:slow   either of two; a space binds stronger than or
//	!(a or b) is:slow    parentheses
//	after:14:32          a time as in [moment]
//
// A word matches a text that contains it. A space in quotes also matches an underscore. Case is ignored.
//
// The last term may be incomplete. While more typing can make it valid, it is no error but has a [Query.Hint]. A value
// that cannot be tested yet hides no row, and an open quote ends at the end of the query.
package query

import (
	"fmt"
	"iter"
	"slices"
	"time"

	"pgtower/models/moment"
)

// Query is a parsed query over rows of type R. The zero Query matches every row.
type Query[R any] struct {
	any  []terms[R] // alternatives, none of them empty
	hint *Error
}

// terms must all be met.
type terms[R any] []term[R]

// term is one condition, met by any of its tests.
type term[R any] struct {
	not   bool
	moves bool // see [Query.Moves]
	any   []test[R]
	field *Field[R] // the tested field, or nil
	group *Query[R] // in parentheses, or nil
	bound bound     // of the last test
}

type test[R any] func(row R, now time.Time) bool

// condition is the test of a value in a query, and the bound that it implies, or nil.
type condition[R any] struct {
	holds test[R]
	limit bound
}

// bound is the maximum duration of the rows that pass a test, or nil.
type bound func(now moment.Now) time.Duration

func always(d time.Duration) bound { return func(moment.Now) time.Duration { return d } }

// since returns the bound of the age of rows that are not earlier than a time.
func since(given moment.Time) bound {
	return func(now moment.Now) time.Duration { return max(0, now.Time().Sub(given.At(now))) }
}

// add adds an alternative, unless it is empty.
func (q *Query[R]) add(alternative terms[R]) {
	if len(alternative) > 0 {
		q.any = append(q.any, alternative)
	}
}

// Empty reports whether the query matches every row.
func (q Query[R]) Empty() bool { return len(q.any) == 0 }

// Match reports whether a row matches at a time, in its time zone.
func (q Query[R]) Match(row R, now time.Time) bool {
	for i := range q.any {
		if q.any[i].met(row, now) {
			return true
		}
	}
	return q.Empty()
}

func (ts terms[R]) met(row R, now time.Time) bool {
	for i := range ts {
		if ts[i].met(row, now) == ts[i].not {
			return false
		}
	}
	return true
}

// MayMatch reports whether a row may match, if only its fields with these names are known.
func (q Query[R]) MayMatch(row R, now time.Time, fields ...string) bool {
	met, _ := q.outcomes(row, now, fields)
	return met
}

// outcomes reports whether the query may be met, and whether it may not be.
func (q Query[R]) outcomes(row R, now time.Time, fields []string) (met, unmet bool) {
	met, unmet = q.Empty(), !q.Empty()
	for _, terms := range q.any {
		oneMet, oneUnmet := terms.outcomes(row, now, fields)
		met, unmet = met || oneMet, unmet && oneUnmet
	}
	return met, unmet
}

func (ts terms[R]) outcomes(row R, now time.Time, fields []string) (met, unmet bool) {
	met = true
	for i := range ts {
		oneMet, oneUnmet := ts[i].outcomes(row, now, fields)
		met, unmet = met && oneMet, unmet || oneUnmet
	}
	return met, unmet
}

func (t *term[R]) outcomes(row R, now time.Time, fields []string) (met, unmet bool) {
	met, unmet = true, true
	switch {
	case t.group != nil:
		met, unmet = t.group.outcomes(row, now, fields)
	case t.field != nil && slices.Contains(fields, t.field.name):
		met = t.met(row, now)
		unmet = !met
	}
	if t.not {
		return unmet, met
	}
	return met, unmet
}

// UpperBound returns an upper limit of a duration field in all matching rows, if a single value that is not negated implies
// one.
func (q Query[R]) UpperBound(field string, now moment.Now) (limit time.Duration, ok bool) {
	for _, alternative := range q.any {
		bound, bounded := alternative.below(field, now)
		if !bounded {
			return 0, false
		}
		limit, ok = max(limit, bound), true
	}
	return limit, ok
}

func (ts terms[R]) below(field string, now moment.Now) (least time.Duration, ok bool) {
	for _, t := range ts {
		var bound time.Duration
		bounded := false
		switch {
		case t.not:
		case t.group != nil:
			bound, bounded = t.group.UpperBound(field, now)
		case t.field != nil && t.field.bounds == field && len(t.any) == 1 && t.bound != nil:
			bound, bounded = t.bound(now), true
		}
		if bounded && (!ok || bound < least) {
			least, ok = bound, true
		}
	}
	return least, ok
}

// Uses reports whether the query tests a field.
func (q Query[R]) Uses(field string) bool {
	return q.has(func(t *term[R]) bool {
		return t.field != nil && t.field.name == field || t.group != nil && t.group.Uses(field)
	})
}

// Searches reports whether the query has a word without a field, which is searched for in several.
func (q Query[R]) Searches() bool {
	return q.has(func(t *term[R]) bool { return t.field == nil && t.group == nil || t.group != nil && t.group.Searches() })
}

// Moves reports whether a row that does not change any more may pass at one time, and not at another one.
func (q Query[R]) Moves() bool { return q.has(func(t *term[R]) bool { return t.moves }) }

func (q Query[R]) has(property func(*term[R]) bool) bool {
	for _, alternative := range q.any {
		for i := range alternative {
			if property(&alternative[i]) {
				return true
			}
		}
	}
	return false
}

// MissingField returns the name of a field in the query without a value in any row, or "".
func (q Query[R]) MissingField(rows iter.Seq[R], now time.Time) string {
	for _, alternative := range q.any {
		for _, t := range alternative {
			lacking := ""
			switch {
			case t.group != nil:
				lacking = t.group.MissingField(rows, now)
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

// Hint returns what the last term still needs and where, or nil. The rest of the query works.
func (q Query[R]) Hint() *Error { return q.hint }

func (t *term[R]) met(row R, now time.Time) bool {
	return slices.ContainsFunc(t.any, func(condition test[R]) bool { return condition(row, now) })
}

// Error is a syntax error and its position. It repeats no text of the input, which may be an API key.
type Error struct {
	At, Len    int    // the position in the input, in bytes between characters; Len is 0 if something is missing
	Message    string // one sentence with what to write instead
	unfinished bool   // more typing can fix it
}

// Error returns the position and the message, for where the input is not shown above it.
func (e *Error) Error() string { return fmt.Sprintf("column %d: %s", e.At+1, e.Message) }

func errorAt(position, length int, format string, args ...any) *Error {
	return &Error{At: position, Len: length, Message: fmt.Sprintf(format, args...)}
}

func unfinishedAt(position, length int, format string, args ...any) *Error {
	e := errorAt(position, length, format, args...)
	e.unfinished = true
	return e
}
