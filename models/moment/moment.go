// Package moment has the times that a user gives: in flags, filters, commands and reports, with the same words everywhere.
//
//	90s, 3h, 7d               so long before now
//	09:00, 14:32:05           the latest time with this clock time that is not after now
//	today, yesterday          the start of that day
//	2026-11-20                the start of that day
//	2026-11-20 09:00          a clock time of that day, with seconds or without, also with a T instead of the space
//	2026-11-20T09:00:00Z      a time with its own zone, as in RFC 3339
//
// What has no zone of its own is in the user's zone. In the hour that comes twice when clocks go back, a clock time is the
// latest one that is not after now. A clock time that clocks skip when they go forward is the moment at which they do.
package moment

import (
	"strings"
	"time"

	"pgtower/models"
)

// Now is the present by the service's clock, in the user's zone. Only an answer of the service tells that clock, so there
// is no present before: the zero Now is none.
type Now struct {
	time     time.Time
	answered bool
	own      bool // by this computer's clock
}

// ByService returns the present by the service's clock. The caller has an answer that told the clock.
func ByService(now time.Time) Now { return Now{time: now, answered: true} }

// ByComputer returns the present by this computer's clock, for a service whose answers have no date that can be read.
// The caller has an answer.
func ByComputer(now time.Time) Now { return Now{time: now, answered: true, own: true} }

// Time returns the present as a time.
func (n Now) Time() time.Time { return n.time }

// IsZero reports whether there is no present: nothing answered yet.
func (n Now) IsZero() bool { return !n.answered }

// Own reports whether the present is by this computer's clock.
func (n Now) Own() bool { return n.own }

// Note returns what the reader of a span must know of its clock, or "".
func (n Now) Note() string {
	if n.own {
		return "by this computer's clock: the service sent no readable date"
	}
	return ""
}

// Time is a time as a user gives it. It is a time only once the service's clock is known: see [Time.At]. The zero Time is
// none.
type Time struct {
	text string
	kind kind
	back time.Duration // before now
	days int           // before the current day
	wall time.Time     // the date and the clock time, as if in UTC; or a time with its own zone
}

type kind int

const (
	none     kind = iota
	ago           // a duration before now
	day           // the start of a day before now, or of the current one
	clock         // a clock time
	date          // the start of a date
	dateTime      // a clock time of a date
	exact         // a time with its own zone
)

// Words are the words for days, by how many days ago they are.
func Words() []string { return []string{"today", "yesterday"} }

// Parse parses a time as a user writes it. It is not ok for other texts.
func Parse(text string) (t Time, ok bool) {
	t = parse(text)
	t.text = text
	return t, t.kind != none
}

// Ago returns the time a duration before now.
func Ago(d time.Duration) Time { return Time{text: d.String(), kind: ago, back: d} }

func parse(text string) Time {
	if d, _ := models.ParseDuration(text); d > 0 {
		return Time{kind: ago, back: d}
	}
	for days, word := range Words() {
		if strings.EqualFold(text, word) {
			return Time{kind: day, days: days}
		}
	}
	upper := strings.ToUpper(text) // of the T and the Z, which RFC 3339 allows in lower case
	if t, err := time.Parse(time.RFC3339, upper); err == nil {
		return Time{kind: exact, wall: t}
	}
	spaced := strings.Replace(upper, "T", " ", 1)
	for _, form := range []struct {
		kind   kind
		layout string
	}{
		{clock, "15:04"},
		{clock, time.TimeOnly},
		{date, time.DateOnly},
		{dateTime, "2006-01-02 15:04"},
		{dateTime, time.DateTime},
	} {
		if wall, err := time.Parse(form.layout, spaced); err == nil {
			return Time{kind: form.kind, wall: wall}
		}
	}
	return Time{}
}

// Length returns the duration of a time that is a duration before now.
func (t Time) Length() (d time.Duration, ok bool) { return t.back, t.kind == ago }

// String returns the text that the user wrote.
func (t Time) String() string { return t.text }

// IsZero reports whether no time was given.
func (t Time) IsZero() bool { return t.kind == none }

// At returns the time by the service's clock. It panics without a time, and without a present: a time that is evaluated
// before the service answered would silently be about another span.
func (t Time) At(now Now) time.Time {
	if t.IsZero() || now.IsZero() {
		panic("moment: a time is evaluated before there is one, or before the service's clock is known")
	}
	zone := now.time.Location()
	switch t.kind {
	case ago:
		return now.time.Add(-t.back)
	case day:
		return first(on(now.time, t.days, time.Time{}), zone)
	case clock:
		return t.clockAt(now.time)
	case date:
		return first(t.wall, zone)
	case dateTime:
		return latest(t.wall, now.time)
	case exact, none:
	}
	return t.wall.In(zone)
}

// clockAt returns the latest time with the clock time that is not after now: today's, or else yesterday's.
func (t Time) clockAt(now time.Time) time.Time {
	today := latest(on(now, 0, t.wall), now)
	if today.After(now) {
		return latest(on(now, 1, t.wall), now)
	}
	return today
}

// on returns a clock time of the day that is so many days before now, as if in UTC.
func on(now time.Time, days int, clock time.Time) time.Time {
	return time.Date(now.Year(), now.Month(), now.Day()-days,
		clock.Hour(), clock.Minute(), clock.Second(), clock.Nanosecond(), time.UTC)
}

// latest returns the latest time that is not after now at which clocks show wall, or the first one if all are.
func latest(wall, now time.Time) time.Time {
	early, late := both(wall, now.Location())
	if late.After(now) {
		return early
	}
	return late
}

// first returns the first time at which clocks of a zone show wall.
func first(wall time.Time, zone *time.Location) time.Time {
	early, _ := both(wall, zone)
	return early
}

// both returns the times at which clocks of a zone show wall, which is as if in UTC. They differ where clocks go back.
// Where clocks go forward over it, both are the moment at which they do.
func both(wall time.Time, zone *time.Location) (early, late time.Time) {
	const near = 24 * time.Hour // clocks do not change twice within it
	early, late = withOffset(wall, wall.Add(-near).In(zone)), withOffset(wall, wall.Add(near).In(zone))
	isEarly, isAfter := shows(early, wall), shows(late, wall)
	switch {
	case isEarly && isAfter:
		return early, late
	case isEarly:
		return early, early
	case isAfter:
		return late, late
	}
	jump, _ := early.ZoneBounds()
	if jump.IsZero() {
		return early, late
	}
	return jump, jump
}

// withOffset returns the time at which clocks would show wall with the offset that their zone has at another time.
func withOffset(wall, other time.Time) time.Time {
	_, offset := other.Zone()
	return wall.Add(-time.Duration(offset) * time.Second).In(other.Location())
}

// shows reports whether clocks show wall at a time.
func shows(t, wall time.Time) bool {
	_, offset := t.Zone()
	return t.Add(time.Duration(offset) * time.Second).Equal(wall)
}

// Write returns a text for [Parse] that is a time to the second, at any present in its zone: with an offset if clocks show
// it twice.
func Write(t time.Time) string {
	text := t.Format(time.DateTime)
	wall, err := time.Parse(time.DateTime, text)
	if err != nil {
		return t.Format(time.RFC3339)
	}
	early, late := both(wall, t.Location())
	if early.Unix() != t.Unix() || late.Unix() != t.Unix() {
		return t.Format(time.RFC3339)
	}
	return text
}
