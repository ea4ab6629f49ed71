package style

import (
	"strings"
	"time"
)

// The names of the styles.
const (
	Relative = "relative"
	Local    = "local"
	UTC      = "utc"
)

// TimesNames are the styles that there are, in the order in which a key goes through them.
func TimesNames() []string { return []string{Relative, Local, UTC} }

// Times is how moments are shown: in lists as how long ago they were, or as they are; in
// details, alerts and the header as they are, in a zone. The zero Style is [Relative], whose
// zone is UTC, as that of the API.
type Times struct {
	absolute, words bool
	zone            *time.Location // nil is UTC
}

// TimesOf returns a style by its name, with the zone that is local. In words, it is for
// hearing.
func TimesOf(name string, local *time.Location, words bool) Times {
	s := Times{absolute: name == Local || name == UTC, words: words}
	if name == Local {
		s.zone = local
	}
	return s
}

// Absolute reports whether lists show moments as they are.
func (s Times) Absolute() bool { return s.absolute }

// Zone names the zone of moments that lists show as they are, at a time: UTC or, of the
// local one, its offset. It is empty where lists show ages.
func (s Times) Zone(t time.Time) string {
	if !s.absolute {
		return ""
	}
	return strings.TrimSuffix(strings.TrimSpace(s.suffix(t)), ":00")
}

// MomentWidth is the width of the longest cell of moments as they are.
const MomentWidth = len("Jan 02 15:04")

// Cell is t in a list: its [Age], or else the time of a day that is today, the day and the
// time of another day of this year, and the day of any other. It may be too long for a
// cell where it is heard.
func (s Times) Cell(t, now time.Time) string {
	if t.IsZero() || s.words {
		return s.Ago(t, now)
	}
	if !s.absolute {
		return Age(t, now)
	}
	t, now = s.in(t), s.in(now)
	switch {
	case t.Format(time.DateOnly) == now.Format(time.DateOnly):
		return t.Format(time.TimeOnly)
	case t.Year() == now.Year():
		return t.Format("Jan 02 15:04")
	}
	return t.Format(time.DateOnly)
}

// Ago is t in a sentence, after a word such as "used".
func (s Times) Ago(t, now time.Time) string {
	switch {
	case t.IsZero():
		return None
	case s.absolute:
		return s.At(t)
	}
	return Ago(t, now)
}

// At is the whole of t, with its zone.
func (s Times) At(t time.Time) string {
	if t.IsZero() {
		return None
	}
	return s.in(t).Format(time.DateTime) + s.suffix(t)
}

// Stamp is the whole of t, with how long ago it was.
func (s Times) Stamp(t, now time.Time) string {
	if t.IsZero() {
		return None
	}
	return s.At(t) + " (" + Ago(t, now) + ")"
}

// Clock is the time of the day of t, with its zone.
func (s Times) Clock(t time.Time) string { return s.in(t).Format(time.TimeOnly) + s.suffix(t) }

// Date is the day of t; the day of now is today.
func (s Times) Date(t, now time.Time) string {
	if t.IsZero() {
		return None
	}
	day := s.in(t).Format(time.DateOnly)
	if day == s.in(now).Format(time.DateOnly) {
		return "today"
	}
	return day
}

func (s Times) in(t time.Time) time.Time {
	if s.zone == nil {
		return t.UTC()
	}
	return t.In(s.zone)
}

// suffix is the zone at t. Of a zone that is not UTC it is the offset: the letters of zones
// mean one thing here and another there.
func (s Times) suffix(t time.Time) string {
	if t = s.in(t); t.Location() == time.UTC {
		return " UTC"
	}
	return t.Format(" -07:00")
}
