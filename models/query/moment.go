package query

import (
	"regexp"
	"strings"
	"time"

	"pgtower/models"
	"pgtower/models/moment"
)

// Date is a field with a time of the row, searched in the format of the screen: 2026-11-20 09:14, Nov 20, today. Only
// words that can be part of a time search it.
func Date[R any](name string, get func(R) time.Time) Field[R] {
	f := TextAt(name, func(row R, now time.Time) string { return searchedTime(get(row), now) })
	f.visible = dated.MatchString
	return f
}

// searchedTime returns the text by which a time is found, in the formats of the screen, or "" if it is unknown.
func searchedTime(t, now time.Time) string {
	if t.IsZero() {
		return ""
	}
	s := t.In(now.Location()).Format(time.DateTime + " Jan 02 15:04")
	if strings.HasPrefix(s, now.Format(time.DateOnly)) {
		s += " today"
	}
	return s
}

var dated = regexp.MustCompile(
	`^(?i:today|[0-9]+[-:][0-9: -]*|(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec) [0-9: ]+)$`)

// Before is the field before:, met by rows that are earlier than a time.
func Before[R any](get func(R) time.Time) Field[R] { return momentField("before", get, true) }

// After is the field after:, met by rows that are not earlier than a time. age is the field of their age, for
// [Query.UpperBound].
func After[R any](get func(R) time.Time, age string) Field[R] {
	f := momentField("after", get, false)
	f.bounds = age
	return f
}

func momentField[R any](name string, get func(R) time.Time, earlier bool) Field[R] {
	advice := "Write a time for " + name + ":, such as 3h, 14:32, yesterday or 2026-11-20 09:00."
	f := Field[R]{
		name: name, wanted: advice,
		has:   func(row R, _ time.Time) bool { return !get(row).IsZero() },
		parse: func(v value) (condition[R], *Error) { return parseMoment(advice, v, get, earlier) },
	}
	return f.Offering(moment.Words).Moving()
}

// parseMoment returns the condition that the time of a row is earlier than a time that the user gives or, if not earlier, that
// it is not. advice is the error for another value.
func parseMoment[R any](
	advice string, v value, get func(R) time.Time, earlier bool,
) (out condition[R], err *Error) {
	given, ok := moment.Parse(v.text)
	switch {
	case ok:
	case momentBegins(v.text):
		return out, unfinishedAt(v.at, v.size, "%s", advice)
	default:
		return out, errorAt(v.at, v.size, "%s", advice)
	}
	if !earlier {
		out.limit = since(given)
	}
	out.holds = func(row R, now time.Time) bool { return precedes(get(row), given, now, earlier) }
	return out, nil
}

// precedes reports whether a time is known, and is before another one or, if not earlier, is not. A row with a time is part of
// an answer, so the service's clock is known.
func precedes(t time.Time, given moment.Time, now time.Time, earlier bool) bool {
	return !t.IsZero() && t.Before(given.At(moment.ByService(now))) == earlier
}

// momentBegins reports whether a text can be the beginning of a time.
func momentBegins(text string) bool {
	_, rest := models.CutDuration(text)
	duration := rest != "" && number.FindString(rest) == rest
	return duration || momentBegun.MatchString(text) || len(beginning(moment.Words(), text)) > 0
}

var momentBegun = regexp.MustCompile(`^[0-9][0-9:TZtz+. -]*$`)
