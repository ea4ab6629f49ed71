package style

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"pgtower/models/settings"
)

// The names of the styles.
const (
	Relative = "relative"
	Local    = "local"
	UTC      = "utc"
)

// TimesNames returns the names of the styles, the default first.
func TimesNames() []string { return settings.Names("time") }

// Times is the style of times: in lists as ages or as times; elsewhere as times, in a zone. The zero Times is
// [Relative], in UTC as in the API.
type Times struct {
	absolute, words bool
	zone            *time.Location // nil is UTC
}

// TimesOf returns the style with a name, with the local zone. words is for screen readers.
func TimesOf(name string, local *time.Location, words bool) Times {
	if name != Local {
		local = nil
	}
	return Times{absolute: name == Local || name == UTC, words: words, zone: local}
}

// Exact returns the style with times instead of ages also in lists.
func (s Times) Exact() Times {
	s.absolute = true
	return s
}

// Zone returns the name of the zone at a time: UTC or an offset. It is empty if lists show ages.
func (s Times) Zone(t time.Time) string {
	if !s.absolute {
		return ""
	}
	return strings.TrimSuffix(strings.TrimSpace(s.format(t, s.offset())), ":00")
}

// MomentWidth is the width of the longest time in a list.
const MomentWidth = len("Jan 02 15:04")

// Cell formats t for a list: its [Age], or the part of the time that matters today. In words, it may be longer.
func (s Times) Cell(t, now time.Time) string {
	layout := time.DateOnly
	switch {
	case s.words:
		return s.Ago(t, now)
	case !s.absolute:
		return Age(t, now)
	case s.sameDay(t, now):
		layout = time.TimeOnly
	case s.In(t).Year() == s.In(now).Year():
		layout = "Jan 02 15:04"
	}
	return s.format(t, layout)
}

// Ago formats t for a sentence, after a word such as "used".
func (s Times) Ago(t, now time.Time) string {
	if s.absolute || t.IsZero() {
		return s.At(t)
	}
	return Ago(t, now)
}

// Brief formats t for a note in a list, after a word such as "used": such as 3 min ago, or as Cell formats it.
func (s Times) Brief(t, now time.Time) string {
	switch d := now.Sub(t); {
	case s.absolute, s.words, d < -skew:
		return s.Cell(t, now)
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return fmt.Sprintf("%d min ago", d/time.Minute)
	case d < 2*day:
		return fmt.Sprintf("%d h ago", d/time.Hour)
	}
	return Ago(t, now)
}

// At formats t in full, with its zone.
func (s Times) At(t time.Time) string { return s.format(t, time.DateTime+s.offset()) }

// Stamp formats t in full, with its age.
func (s Times) Stamp(t, now time.Time) string {
	if t.IsZero() {
		return None
	}
	return s.At(t) + " (" + Ago(t, now) + ")"
}

// Due is Stamp of a time that may be still to come: then with the time until it.
func (s Times) Due(t, now time.Time) string {
	if wait := t.Sub(now); wait >= time.Second {
		return s.At(t) + " (in " + DurationWords(wait.Truncate(time.Second)) + ")"
	}
	return s.Stamp(t, now)
}

// Clock formats the time of day, with its zone.
func (s Times) Clock(t time.Time) string { return s.format(t, time.TimeOnly+s.offset()) }

// Moment formats t in full, without the day if that is the day of now.
func (s Times) Moment(t, now time.Time) string {
	if s.sameDay(t, now) {
		return s.Clock(t)
	}
	return s.At(t)
}

// Minute formats the time of day without seconds and zone, and the day if that is not the day of now.
func (s Times) Minute(t, now time.Time) string {
	if s.sameDay(t, now) {
		return s.format(t, "15:04")
	}
	return s.format(t, "Jan 02 15:04")
}

// Date formats the day of t; the day of now is "today".
func (s Times) Date(t, now time.Time) string {
	if s.sameDay(t, now) {
		return "today"
	}
	return s.format(t, time.DateOnly)
}

func (s Times) sameDay(a, b time.Time) bool {
	a, b = s.In(a), s.In(b)
	return a.Year() == b.Year() && a.YearDay() == b.YearDay()
}

func (s Times) format(t time.Time, layout string) string {
	if t.IsZero() {
		return None
	}
	return s.In(t).Format(layout)
}

// In returns t in the zone of the style.
func (s Times) In(t time.Time) time.Time { return t.In(cmp.Or(s.zone, time.UTC)) }

// offset returns the layout of the zone: UTC or an offset, since other abbreviations are ambiguous.
func (s Times) offset() string {
	if cmp.Or(s.zone, time.UTC) == time.UTC {
		return " UTC"
	}
	return " -07:00"
}

// None is shown for an unknown or missing value.
const None = "–"

const (
	day  = 24 * time.Hour
	skew = day // how much the clocks may differ: less negative ages count as 0
)

// Age formats the age of t for a table: 5s, 2m, 3h, 5d, 7mo, 2y.
func Age(t, now time.Time) string {
	switch d := now.Sub(t); {
	case t.IsZero(), d < -skew:
		return None
	case d < time.Minute:
		return unit(max(0, d), time.Second, "s")
	case d < time.Hour:
		return unit(d, time.Minute, "m")
	case d < day:
		return unit(d, time.Hour, "h")
	case d < 60*day:
		return unit(d, day, "d")
	case d < 2*365*day:
		return unit(d, 30*day, "mo")
	default:
		return unit(d, 365*day, "y")
	}
}

// Until formats the time until t as a countdown: now, 4s, 2m, 24h, 3d.
func Until(t, now time.Time) string {
	switch d := t.Sub(now); {
	case d < time.Second:
		return "now"
	case d < time.Minute:
		return unit(d, time.Second, "s")
	case d.Round(time.Minute) < time.Hour:
		return unit(d.Round(time.Minute), time.Minute, "m")
	case d.Round(time.Hour) <= 2*day:
		return unit(d.Round(time.Hour), time.Hour, "h")
	default:
		return unit(d.Round(day), day, "d")
	}
}

func unit(d, unit time.Duration, name string) string {
	return strconv.FormatInt(int64(d/unit), 10) + name
}

// Ago formats the age of t in words: just now, 3 minutes ago, 214 days ago.
func Ago(t, now time.Time) string {
	switch d := now.Sub(t); {
	case t.IsZero():
		return "never"
	case d < -skew:
		return "in the future"
	case d < 5*time.Second:
		return "just now"
	case d < time.Minute:
		return count(d, time.Second, "second") + " ago"
	case d < time.Hour:
		return count(d, time.Minute, "minute") + " ago"
	case d < day:
		return count(d, time.Hour, "hour") + " ago"
	default:
		return count(d, day, "day") + " ago"
	}
}

func count(d, unit time.Duration, name string) string { return Plural(int(d/unit), name) }

// Took formats a duration with a useful precision: 340ms, 1.4s, 31s, 2m05s, 3h10m.
func Took(d time.Duration) string {
	switch {
	case d < 0:
		return None
	case d == 0:
		return "0s"
	case d < time.Second:
		return unit(d, time.Millisecond, "ms")
	case d < 10*time.Second:
		return tenths(d) + "s"
	case d < time.Minute:
		return unit(d, time.Second, "s")
	case d < time.Hour:
		return fmt.Sprintf("%dm%02ds", d/time.Minute, d%time.Minute/time.Second)
	}
	return fmt.Sprintf("%dh%02dm", d/time.Hour, d%time.Hour/time.Minute)
}

// ofAbout stands between how long something has lasted and how long it is expected to take.
const ofAbout = " of ~"

// Expected returns how long something is expected to take, to stand behind how long it has lasted: " of ~10s".
func Expected(took string) string { return ofAbout + took }

// ShortenExpected fits a duration with its expected end into a width. The end goes first; an ellipsis shows that the duration
// grows.
func ShortenExpected(text string, width int) string {
	if Width(text) <= width {
		return text
	}
	lasted, _, expected := strings.Cut(text, ofAbout)
	if expected {
		lasted += "…"
	}
	return Cut(lasted, width)
}

func tenths(d time.Duration) string {
	return strconv.FormatFloat(d.Truncate(100*time.Millisecond).Seconds(), 'f', 1, 64)
}

// Elapsed formats a growing duration in whole seconds, in step with the clock on the screen.
func Elapsed(d time.Duration) string {
	if d < time.Minute {
		return unit(max(0, d), time.Second, "s")
	}
	return Took(d)
}

// Every formats an interval as a user writes it: 5s, 1m, 90s, 6h.
func Every(d time.Duration) string {
	switch {
	case d >= time.Hour && d%time.Hour == 0:
		return unit(d, time.Hour, "h")
	case d >= time.Minute && d%time.Minute == 0:
		return unit(d, time.Minute, "m")
	case d%time.Second == 0:
		return unit(d, time.Second, "s")
	}
	return d.String()
}

// InUnits formats a whole number of seconds, minutes or hours, such as "15 min".
func InUnits(d time.Duration) string {
	switch {
	case d > 0 && d < time.Minute:
		return fmt.Sprintf("%d s", d/time.Second)
	case d > 0 && d%time.Hour == 0:
		return fmt.Sprintf("%d h", d/time.Hour)
	}
	return fmt.Sprintf("%d min", d/time.Minute)
}

// DurationWords formats a duration in words, with the precision of [Took].
func DurationWords(d time.Duration) string {
	switch {
	case d < 0:
		return "an unknown time"
	case d < time.Second:
		return count(d, time.Millisecond, "millisecond")
	case d < 10*time.Second && d%time.Second >= 100*time.Millisecond:
		return tenths(d) + " seconds"
	case d < time.Minute:
		return count(d, time.Second, "second")
	case d < time.Hour:
		rest := count(d%time.Minute, time.Second, "second")
		return strings.TrimSuffix(count(d, time.Minute, "minute")+" "+rest, " 0 seconds")
	case d < day:
		rest := count(d%time.Hour, time.Minute, "minute")
		return strings.TrimSuffix(count(d, time.Hour, "hour")+" "+rest, " 0 minutes")
	}
	return count(d, day, "day")
}

// maintained is how long maintenance counts after the time for which it was planned: its end is unknown.
const maintained = time.Hour

// Planned returns when planned maintenance begins: "in 2 h". For maintenance that may have begun, it is "planned 5 min ago". It
// is "" if the maintenance is over or none is planned.
func Planned(start, now time.Time) string {
	wait := start.Sub(now)
	switch {
	case start.IsZero() || wait <= -maintained:
		return ""
	case wait > 0:
		return "in " + roughly(wait)
	}
	return "planned " + roughly(-wait) + " ago"
}

// roughly formats a duration in its largest unit, so that a list repaints it rarely.
func roughly(d time.Duration) string {
	switch {
	case d >= 48*time.Hour:
		return Plural(int((d+12*time.Hour)/(24*time.Hour)), "day")
	case d >= time.Hour:
		return fmt.Sprintf("%d h", (d+30*time.Minute)/time.Hour)
	}
	return fmt.Sprintf("%d min", (d+time.Minute-1)/time.Minute)
}
