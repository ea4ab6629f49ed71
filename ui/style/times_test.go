package style_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgtower/ui/style"
)

// Each style formats times for lists, sentences and details, in its zone, and names an unknown time.
func TestTimesInEachStyle(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	east := time.FixedZone("east", 5*60*60+30*60)
	for _, c := range []struct {
		ago                     time.Duration
		name                    string
		words                   bool
		cell, sentence, at, day string
	}{
		{time.Minute, style.Relative, false, "1m", "1 minute ago", "2026-03-01 11:59:00 UTC", "today"},
		{time.Minute, "", false, "1m", "1 minute ago", "2026-03-01 11:59:00 UTC", "today"},
		{time.Minute, style.Relative, true, "1 minute ago", "1 minute ago", "2026-03-01 11:59:00 UTC", "today"},
		{time.Minute, style.UTC, false, "11:59:00", "2026-03-01 11:59:00 UTC", "2026-03-01 11:59:00 UTC", "today"},
		{time.Minute, style.UTC, true, "2026-03-01 11:59:00 UTC", "2026-03-01 11:59:00 UTC", "2026-03-01 11:59:00 UTC", "today"},
		{time.Minute, style.Local, false, "17:29:00", "2026-03-01 17:29:00 +05:30", "2026-03-01 17:29:00 +05:30", "today"},
		// The day depends on the zone.
		{12*time.Hour + time.Minute, style.UTC, false, "Feb 28 23:59", "2026-02-28 23:59:00 UTC", "2026-02-28 23:59:00 UTC", "2026-02-28"},
		{12*time.Hour + time.Minute, style.Local, false, "05:29:00", "2026-03-01 05:29:00 +05:30", "2026-03-01 05:29:00 +05:30", "today"},
		{365 * day, style.UTC, false, "2025-03-01", "2025-03-01 12:00:00 UTC", "2025-03-01 12:00:00 UTC", "2025-03-01"},
	} {
		s, at := style.TimesOf(c.name, east, c.words), now().Add(-c.ago).In(time.FixedZone("", -3600))
		got := []string{s.Cell(at, now()), s.Ago(at, now()), s.At(at), s.Date(at, now())}
		if want := []string{c.cell, c.sentence, c.at, c.day}; !slices.Equal(got, want) {
			t.Errorf("%s, %s: %q, want %q", c.name, c.ago, got, want)
		}
		if len(c.cell) > style.MomentWidth && !c.words {
			t.Errorf("%q is wider than a cell", c.cell)
		}
	}
	for _, name := range style.TimesNames() {
		s := style.TimesOf(name, east, false)
		for _, got := range []string{s.Cell(time.Time{}, now()), s.Ago(time.Time{}, now()), s.At(time.Time{}), s.Stamp(time.Time{}, now()), s.Date(time.Time{}, now())} {
			if got != style.None {
				t.Errorf("%s: a time that is not known is %q", name, got)
			}
		}
	}
	local := style.TimesOf(style.Local, east, false)
	for wait, want := range map[time.Duration]string{
		40 * time.Second: "2026-03-01 12:00:40 UTC (in 40 seconds)", 0: "2026-03-01 12:00:00 UTC (just now)",
		-time.Minute: "2026-03-01 11:59:00 UTC (1 minute ago)",
	} {
		if got := (style.Times{}).Due(now().Add(wait), now()); got != want {
			t.Errorf("due in %s: %q, not %q", wait, got, want)
		}
	}
	if stamp, clock := local.Stamp(now().Add(-time.Hour), now()), local.Clock(now()); stamp != "2026-03-01 16:30:00 +05:30 (1 hour ago)" || clock != "17:30:00 +05:30" {
		t.Errorf("%q, %q", stamp, clock)
	}
	whole := style.TimesOf(style.Local, time.FixedZone("", -3*60*60), false)
	zones := []string{local.Zone(now()), whole.Zone(now()), style.TimesOf(style.UTC, east, false).Zone(now()), style.Times{}.Zone(now())}
	if want := []string{"+05:30", "-03", "UTC", ""}; !slices.Equal(zones, want) {
		t.Errorf("zones %q, not %q", zones, want)
	}
}

func now() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

// A brief age has a short unit, except in words and in styles without ages.
func TestTimesInBrief(t *testing.T) {
	t.Parallel()
	at := func(d time.Duration) time.Time { return now().Add(-d) }
	relative, words, utc := style.TimesOf(style.Relative, time.UTC, false), style.TimesOf(style.Relative, time.UTC, true),
		style.TimesOf(style.UTC, time.UTC, false)
	for _, c := range []struct {
		times style.Times
		ago   time.Duration
		want  string
	}{
		{relative, 59 * time.Second, "now"},
		{relative, 3 * time.Minute, "3 min ago"},
		{relative, 47 * time.Hour, "47 h ago"},
		{relative, 49 * time.Hour, "2 days ago"},
		{words, 3 * time.Minute, "3 minutes ago"},
		{utc, 3 * time.Minute, utc.Cell(at(3*time.Minute), now())},
	} {
		if got := c.times.Brief(at(c.ago), now()); got != c.want {
			t.Errorf("%s ago: %q, not %q", c.ago, got, c.want)
		}
	}
}

// Ages are rounded down, for tables and in words. A time that is far in the future has none.
func TestTimesAgo(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	for _, c := range []struct {
		ago       time.Duration
		age, said string
	}{
		{0, "0s", "just now"},
		{5*time.Second - 1, "4s", "just now"},
		{5 * time.Second, "5s", "5 seconds ago"},
		{9 * time.Second, "9s", "9 seconds ago"},
		{59*time.Second + 999*time.Millisecond, "59s", "59 seconds ago"},
		{time.Minute, "1m", "1 minute ago"},
		{time.Hour - 1, "59m", "59 minutes ago"},
		{time.Hour, "1h", "1 hour ago"},
		{day - 1, "23h", "23 hours ago"},
		{day, "1d", "1 day ago"},
		{60*day - 1, "59d", "59 days ago"},
		{60 * day, "2mo", "60 days ago"},
		{730*day - 1, "24mo", "729 days ago"},
		{730 * day, "2y", "730 days ago"},
		{math.MaxInt64, "292y", "106,751 days ago"},
		{-time.Second, "0s", "just now"},
		{-day, "0s", "just now"},
		{-day - 1, style.None, "in the future"},
	} {
		if got := style.Age(now().Add(-c.ago), now()); got != c.age {
			t.Errorf("the age of %s is %q, want %q", c.ago, got, c.age)
		}
		if got := style.Ago(now().Add(-c.ago), now()); got != c.said {
			t.Errorf("%s is %q, want %q", c.ago, got, c.said)
		}
	}
	for _, far := range []time.Time{time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC), time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC)} {
		if age, ago := style.Age(far, now()), style.Ago(far, now()); age != style.None || ago != "in the future" {
			t.Errorf("%s: %q, %q", far, age, ago)
		}
	}
	if style.Age(time.Time{}, now()) != style.None || style.Ago(time.Time{}, now()) != "never" {
		t.Error("a time that is not known has an age")
	}
}

// A duration that is over, growing or an interval has the precision of its kind.
func TestDurations(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		d                    time.Duration
		took, lasting, every string
	}{
		{0, "0s", "0s", "0s"},
		{500 * time.Microsecond, "0ms", "0s", "500µs"},
		{340 * time.Millisecond, "340ms", "0s", "340ms"},
		{time.Second, "1.0s", "1s", "1s"},
		{1499 * time.Millisecond, "1.4s", "1s", "1.499s"},
		{9999 * time.Millisecond, "9.9s", "9s", "9.999s"},
		{31 * time.Second, "31s", "31s", "31s"},
		{90 * time.Second, "1m30s", "1m30s", "90s"},
		{125 * time.Second, "2m05s", "2m05s", "125s"},
		{2 * time.Minute, "2m00s", "2m00s", "2m"},
		{190 * time.Minute, "3h10m", "3h10m", "190m"},
		{100 * time.Hour, "100h00m", "100h00m", "100h"},
		{-time.Second, style.None, "0s", "-1s"},
	} {
		if got := style.Took(c.d); got != c.took {
			t.Errorf("%s took %q, want %q", c.d, got, c.took)
		}
		if got := style.Elapsed(c.d); got != c.lasting {
			t.Errorf("%s lasting %q, want %q", c.d, got, c.lasting)
		}
		if got := style.Every(c.d); got != c.every {
			t.Errorf("every %s is %q, want %q", c.d, got, c.every)
		}
	}
}

// A countdown has a useful precision.
func TestUntil(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		-time.Second:               "now",
		900 * time.Millisecond:     "now",
		4900 * time.Millisecond:    "4s",
		59 * time.Second:           "59s",
		83 * time.Second:           "1m",
		100 * time.Second:          "2m",
		59*time.Minute + 50*1e9:    "1h",
		86388 * time.Second:        "24h",
		47 * time.Hour:             "47h",
		71*time.Hour + 50*60*1e9:   "3d",
		time.Hour + 29*time.Minute: "1h",
	} {
		if got := style.Until(now().Add(d), now()); got != want {
			t.Errorf("%s: %q, want %q", d, got, want)
		}
	}
}

// A duration in words has one unit, or two.
func TestDurationsInWords(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		-time.Second: "an unknown time", 0: "0 milliseconds", 340 * time.Millisecond: "340 milliseconds", time.Second: "1 second",
		1440 * time.Millisecond: "1.4 seconds", 5040 * time.Millisecond: "5 seconds", 31 * time.Second: "31 seconds",
		time.Minute: "1 minute", 125 * time.Second: "2 minutes 5 seconds", 61 * time.Minute: "1 hour 1 minute", 3 * time.Hour: "3 hours",
		49 * time.Hour: "2 days",
	} {
		if got := style.DurationWords(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

// Where there is little room, the expected duration goes first.
func TestShortenExpected(t *testing.T) {
	t.Parallel()
	text := "1m05s" + style.Expected("48s")
	for width, want := range map[int]string{13: "1m05s of ~48s", 12: "1m05s…", 6: "1m05s…", 4: "1m0…"} {
		if got := style.ShortenExpected(text, width); got != want {
			t.Errorf("%d: %q, want %q", width, got, want)
		}
	}
	if got := style.ShortenExpected("2m05s", 4); got != "2m0…" {
		t.Errorf("%q", got)
	}
}
