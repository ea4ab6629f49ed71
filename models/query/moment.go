package query

import (
	"regexp"
	"strings"
	"time"

	"pgtower/models"
)

// Date is a field with a time of the row, searched in the format of the screen: 2026-11-20 09:14, Nov 20, today. Only
// words that can be part of a time search it.
func Date[R any](name string, of func(R) time.Time) Field[R] {
	f := TextAt(name, func(row R, now time.Time) string {
		t := of(row).In(now.Location())
		if t.IsZero() {
			return ""
		}
		s := t.Format(time.DateTime + " Jan 02 15:04")
		if strings.HasPrefix(s, now.Format(time.DateOnly)) {
			s += " today"
		}
		return s
	})
	f.visible = dated.MatchString
	return f
}

var dated = regexp.MustCompile(
	`^(?i:today|[0-9]+[-:][0-9: -]*|(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec) [0-9: ]+)$`)

// Before is the field before:, met by rows that are earlier than a time.
func Before[R any](of func(R) time.Time) Field[R] { return moment("before", of, true) }

// After is the field after:, met by rows that are not earlier than a time. age is the field of their age, for
// [Query.UpperBound].
func After[R any](of func(R) time.Time, age string) Field[R] {
	f := moment("after", of, false)
	f.bounds = age
	return f
}

func moment[R any](name string, of func(R) time.Time, before bool) Field[R] {
	wanted := "Write a time for " + name + ":, such as 14:32, 2026-11-20 or 2026-11-20 09:00."
	return Field[R]{
		name: name, wanted: wanted, offers: func(string) []string { return days() },
		has: func(row R, _ time.Time) bool { return !of(row).IsZero() },
		parse: func(v value) (is test[R], most bound, err *Error) {
			at := parseMoment(v.text)
			switch {
			case at != nil:
			case momentBegun.MatchString(v.text), len(beginning(days(), v.text)) > 0:
				return nil, nil, unfinishedAt(v.at, v.size, "%s", wanted)
			default:
				return nil, nil, errorAt(v.at, v.size, "%s", wanted)
			}
			if !before {
				most = since(at)
			}
			return precedes(of, at, before), most, nil
		},
	}
}

// precedes returns the test whether a row's time is known, and is before another one or, if not before, is not.
func precedes[R any](of func(R) time.Time, at func(now time.Time) time.Time, before bool) test[R] {
	return func(row R, now time.Time) bool {
		t := of(row)
		return !t.IsZero() && t.Before(at(now)) == before
	}
}

var momentBegun = regexp.MustCompile(`^[0-9][0-9:TZ+ -]*$`)

// Moment parses a time as after: does, or a duration before now. It is not ok for other texts.
func Moment(text string) (at func(now time.Time) time.Time, ok bool) {
	if d, _ := models.ParseDuration(text); d > 0 {
		return func(now time.Time) time.Time { return now.Add(-d) }, true
	}
	at = parseMoment(text)
	return at, at != nil
}

// days are the words for days, by how many days ago they are.
func days() []string { return []string{"today", "yesterday"} }

// parseMoment parses a time, which may be relative to the current day. It is nil for other texts.
func parseMoment(s string) func(now time.Time) time.Time {
	on := func(now, clock time.Time, days int) time.Time {
		return time.Date(now.Year(), now.Month(), now.Day()+days,
			clock.Hour(), clock.Minute(), clock.Second(), 0, now.Location())
	}
	for ago, word := range days() {
		if strings.EqualFold(s, word) {
			return func(now time.Time) time.Time { return on(now, time.Time{}, -ago) }
		}
	}
	for _, layout := range []string{"15:04", time.TimeOnly} {
		if clock, err := time.Parse(layout, s); err == nil {
			// A time of day in the future is yesterday's.
			return func(now time.Time) time.Time {
				if at := on(now, clock, 0); !at.After(now) {
					return at
				}
				return on(now, clock, -1)
			}
		}
	}
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return func(time.Time) time.Time { return t }
	}
	for _, layout := range []string{time.DateOnly, "2006-01-02 15:04", time.DateTime} {
		if t, err := time.Parse(layout, strings.Replace(s, "T", " ", 1)); err == nil {
			return func(now time.Time) time.Time {
				return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, now.Location())
			}
		}
	}
	return nil
}
