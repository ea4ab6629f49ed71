package style

import (
	"cmp"
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

// Times is how moments are shown: in lists as how long ago they were, or as they are; elsewhere
// as they are, in a zone. The zero Times is [Relative], in UTC as the API has them.
type Times struct {
	absolute, words bool
	zone            *time.Location // nil is UTC
}

// TimesOf returns a style by its name, with the local zone; in words, it is to be heard.
func TimesOf(name string, local *time.Location, words bool) Times {
	if name != Local {
		local = nil
	}
	return Times{absolute: name == Local || name == UTC, words: words, zone: local}
}

// Absolute reports whether lists show moments as they are.
func (s Times) Absolute() bool { return s.absolute }

// Zone names the zone of moments that lists show as they are: UTC, or the offset at a time. It
// is empty where lists show ages.
func (s Times) Zone(t time.Time) string {
	if !s.absolute {
		return ""
	}
	return strings.TrimSuffix(strings.TrimSpace(s.suffix(t)), ":00")
}

// MomentWidth is the width of the longest cell of moments as they are.
const MomentWidth = len("Jan 02 15:04")

// Cell is t in a list: its [Age], or else the time of today, the day and time of this year, and
// the day of any other. What is heard may be longer than a cell.
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
	return t.In(cmp.Or(s.zone, time.UTC))
}

// suffix is the zone at t: UTC, or the offset, for the letters of other zones are ambiguous.
func (s Times) suffix(t time.Time) string {
	if t = s.in(t); t.Location() == time.UTC {
		return " UTC"
	}
	return t.Format(" -07:00")
}
