package style_test

import (
	"slices"
	"testing"
	"time"

	"pgtower/ui/style"
)

func TestStyles(t *testing.T) {
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
		// Which day it is depends on the zone.
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
	if stamp, clock := local.Stamp(now().Add(-time.Hour), now()), local.Clock(now()); stamp != "2026-03-01 16:30:00 +05:30 (1 hour ago)" || clock != "17:30:00 +05:30" {
		t.Errorf("%q, %q", stamp, clock)
	}
	whole := style.TimesOf(style.Local, time.FixedZone("", -3*60*60), false)
	zones := []string{local.Zone(now()), whole.Zone(now()), style.TimesOf(style.UTC, east, false).Zone(now()), style.Times{}.Zone(now())}
	if want := []string{"+05:30", "-03", "UTC", ""}; !slices.Equal(zones, want) {
		t.Errorf("zones %q, not %q", zones, want)
	}
}
