package query_test

import (
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgtower/models/query"
)

// Any filter has errors and hints within its text, matches like itself, and has completions that begin with it.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"", "start_comp !status:failed", `branch:"a b",c`, "age:<1h30m", "took:>=5", "is:unf", `"`, `status:"é"ü`, "!!", "sttus:x",
		"age:>\xff", "is:\xff\u00a0", "age:<9223372036854775807w", "\u2003status:,", "a:b:c,d", "(a or !(b c)) or", "f(x) )(", `rank:>1 "a b`,
	} {
		f.Add(s, len(s)/2)
	}
	_, rows := sample()
	f.Fuzz(func(t *testing.T, s string, cursor int) {
		q, err := query.Parse(s, fields())
		again, errAgain := query.Parse(s, fields())
		samePlace(t, s, err, errAgain, 0)
		samePlace(t, s, q.Hint(), again.Hint(), 0)

		// A space in front moves the position of an error, and changes nothing else.
		moved, errMoved := query.Parse(" "+s, fields())
		samePlace(t, s, err, errMoved, 1)
		samePlace(t, s, q.Hint(), moved.Hint(), 1)

		for _, r := range rows {
			if got := q.Match(r, time.Time{}); got != again.Match(r, time.Time{}) || got != moved.Match(r, time.Time{}) {
				t.Fatalf("%q does not always match the same", s)
			}
		}
		typed := s[:max(0, min(cursor, len(s)))]
		for _, text := range query.Complete(typed, fields(), slices.Values([]row(nil))) {
			if !strings.HasPrefix(strings.ToLower(text), strings.ToLower(typed)) {
				t.Fatalf("%q becomes %q", typed, text)
			}
		}
	})
}

// samePlace compares the positions of an error, with and without a space in front.
func samePlace(t *testing.T, s string, e, further *query.Error, by int) {
	t.Helper()
	if (e == nil) != (further == nil) || e != nil && (further.At != e.At+by || further.Len != e.Len || further.Message != e.Message) {
		t.Fatalf("%q: %+v, then %+v", s, e, further)
	}
	if e == nil {
		return
	}
	if e.At < 0 || e.Len < 0 || e.At+e.Len > len(s) || e.Message == "" {
		t.Fatalf("%q: %+v", s, e)
	}
	if utf8.ValidString(s) && (!utf8.ValidString(s[:e.At]) || !utf8.ValidString(s[e.At+e.Len:])) {
		t.Fatalf("%q is cut within a character: %+v", s, e)
	}
}
