package moment_test

import (
	"testing"
	"time"
	_ "time/tzdata" // the zones are the same everywhere

	"pgregory.net/rapid"

	"pgtower/models/moment"
)

func zone(t *testing.T, name string) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

// Each form of a time has its meaning in the zone of the present, also when clocks change; other texts are no time.
func TestTimes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ zone, now, text, want string }{
		{"UTC", "2026-11-22T14:00:00Z", "3h", "2026-11-22T11:00:00Z"},
		{"UTC", "2026-11-22T14:00:00Z", "1H30m", "2026-11-22T12:30:00Z"},
		{"UTC", "2026-11-22T14:00:00Z", "7d", "2026-11-15T14:00:00Z"},
		{"UTC", "2026-11-22T14:00:00Z", "14:00", "2026-11-22T14:00:00Z"},
		{"UTC", "2026-11-22T14:00:00Z", "14:00:01", "2026-11-21T14:00:01Z"},
		{"UTC", "2026-11-22T14:00:00Z", "9:05", "2026-11-22T09:05:00Z"},
		{"Asia/Kolkata", "2026-11-22T14:00:00Z", "today", "2026-11-21T18:30:00Z"},
		{"Asia/Kolkata", "2026-11-22T14:00:00Z", "Yesterday", "2026-11-20T18:30:00Z"},
		{"Asia/Kolkata", "2026-11-22T14:00:00Z", "2026-11-20", "2026-11-19T18:30:00Z"},
		{"Asia/Kolkata", "2026-11-22T14:00:00Z", "2026-11-20 09:00", "2026-11-20T03:30:00Z"},
		{"Asia/Kolkata", "2026-11-22T14:00:00Z", "2026-11-20t09:00:07", "2026-11-20T03:30:07Z"},
		{"Asia/Kolkata", "2026-11-22T14:00:00Z", "2026-11-20T09:00:00Z", "2026-11-20T09:00:00Z"},
		{"Asia/Kolkata", "2026-11-22T14:00:00Z", "2026-11-20t09:00:00z", "2026-11-20T09:00:00Z"},
		{"Asia/Kolkata", "2026-11-22T14:00:00Z", "2026-11-20t09:00:00.5+02:00", "2026-11-20T07:00:00.5Z"},
		{"Asia/Kolkata", "2026-11-22T14:00:00Z", "2027-01-01", "2026-12-31T18:30:00Z"}, // still to come
		// Clocks in Berlin go back from 03:00 to 02:00 at 01:00 UTC: 02:30 comes at 00:30 and 01:30 UTC.
		{"Europe/Berlin", "2026-10-25T00:10:00Z", "02:30", "2026-10-24T00:30:00Z"},
		{"Europe/Berlin", "2026-10-25T00:40:00Z", "02:30", "2026-10-25T00:30:00Z"},
		{"Europe/Berlin", "2026-10-25T01:10:00Z", "02:30", "2026-10-25T00:30:00Z"},
		{"Europe/Berlin", "2026-10-25T01:30:00Z", "02:30", "2026-10-25T01:30:00Z"},
		{"Europe/Berlin", "2026-10-25T20:00:00Z", "02:30", "2026-10-25T01:30:00Z"},
		{"Europe/Berlin", "2026-10-25T01:10:00Z", "2026-10-25 02:30", "2026-10-25T00:30:00Z"},
		{"Europe/Berlin", "2026-10-26T20:00:00Z", "2026-10-25 02:30", "2026-10-25T01:30:00Z"},
		{"Europe/Berlin", "2026-10-24T20:00:00Z", "2026-10-25 02:30", "2026-10-25T00:30:00Z"},
		{"Europe/Berlin", "2026-10-25T20:00:00Z", "today", "2026-10-24T22:00:00Z"},
		{"Europe/Berlin", "2026-10-26T20:00:00Z", "yesterday", "2026-10-24T22:00:00Z"},
		{"Europe/Berlin", "2026-10-25T20:00:00Z", "24h", "2026-10-24T20:00:00Z"},
		// They go forward from 02:00 to 03:00 at 01:00 UTC: there is no 02:30.
		{"Europe/Berlin", "2026-03-29T00:59:00Z", "02:30", "2026-03-28T01:30:00Z"},
		{"Europe/Berlin", "2026-03-29T10:00:00Z", "02:30", "2026-03-29T01:00:00Z"},
		{"Europe/Berlin", "2026-03-29T10:00:00Z", "2026-03-29 02:30", "2026-03-29T01:00:00Z"},
		// In Cuba midnight comes twice, at 04:00 and 05:00 UTC. In Chile it is skipped, at 04:00 UTC.
		{"America/Havana", "2026-11-01T20:00:00Z", "today", "2026-11-01T04:00:00Z"},
		{"America/Havana", "2026-11-01T20:00:00Z", "00:00", "2026-11-01T05:00:00Z"},
		{"America/Santiago", "2026-09-06T20:00:00Z", "today", "2026-09-06T04:00:00Z"},
	} {
		now, err := time.Parse(time.RFC3339, c.now)
		if err != nil {
			t.Fatal(err)
		}
		given, ok := moment.Parse(c.text)
		if !ok {
			t.Errorf("%q is no time", c.text)
			continue
		}
		at := given.At(moment.ByService(now.In(zone(t, c.zone))))
		if got := at.UTC().Format(time.RFC3339Nano); got != c.want || given.String() != c.text {
			t.Errorf("%s at %s in %s: %s, want %s", given, c.now, c.zone, got, c.want)
		}
	}
	for _, text := range []string{
		"", " ", "0s", "3", "-3h", "3x", "25:00", "14:60", "tomorrow", "2026-11", "2026-02-30", "2026-11-20 09", "now", "99999999w",
	} {
		if given, ok := moment.Parse(text); ok || !given.IsZero() {
			t.Errorf("%q is %+v", text, given)
		}
	}
}

// No time can be evaluated before the service answered.
func TestTimesBeforeAnAnswer(t *testing.T) {
	t.Parallel()
	for _, given := range []moment.Time{moment.Ago(time.Hour), {}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%v is evaluated", given)
				}
			}()
			now := moment.Now{}
			if given.IsZero() {
				now = moment.ByService(time.Time{})
			}
			given.At(now)
		}()
	}
	if now := (moment.Now{}); !now.IsZero() || now.Note() != "" {
		t.Errorf("%+v", now)
	}
	if moment.ByService(time.Time{}).IsZero() || moment.ByService(time.Time{}).Note() != "" ||
		moment.ByComputer(time.Time{}).Note() == "" {
		t.Error("an answer is no answer, or its clock is not named")
	}
}

// zones change their clocks by an hour, by half of one, at midnight, or never.
func zones() []string {
	return []string{
		"UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Havana", "America/Santiago", "Asia/Kolkata",
		"Pacific/Kiritimati", "Pacific/Pago_Pago",
	}
}

// loadZones returns the zones by their names.
func loadZones(t *testing.T) map[string]*time.Location {
	t.Helper()
	loaded := map[string]*time.Location{}
	for _, name := range zones() {
		loaded[name] = zone(t, name)
	}
	return loaded
}

func drawNow(t *rapid.T, zone *time.Location) time.Time {
	days := rapid.Int64Range(0, 365*3).Draw(t, "day")
	minutes := rapid.Int64Range(0, 24*60).Draw(t, "minute")
	begin := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	if rapid.Bool().Draw(t, "changes") { // near the next change of the clocks
		_, end := time.Unix(begin+days*86400, 0).In(zone).ZoneBounds()
		if !end.IsZero() {
			return end.Add(time.Duration(minutes-12*60) * time.Minute)
		}
	}
	return time.Unix(begin+days*86400+minutes*60, 0).In(zone)
}

// A clock time is shown at its time, which is not after now, and is not shown between then and now. Only a clock time that
// clocks skip is the moment at which they do.
func TestClockTimeIsTheLatest(t *testing.T) {
	t.Parallel()
	loaded := loadZones(t)
	rapid.Check(t, func(t *rapid.T) {
		zone := loaded[rapid.SampledFrom(zones()).Draw(t, "zone")]
		now := drawNow(t, zone)
		text := time.Date(2000, 1, 1, 0, rapid.IntRange(0, 24*60-1).Draw(t, "clock"), 0, 0, time.UTC).Format("15:04")
		given, ok := moment.Parse(text)
		at := given.At(moment.ByService(now))
		if !ok || at.After(now) {
			t.Fatalf("%s at %s is %s", text, now, at)
		}
		begin, _ := at.ZoneBounds()
		skipped := at.Equal(begin) && at.Format("15:04") != text
		if !skipped && at.Format("15:04") != text {
			t.Fatalf("%s at %s is %s", text, now, at)
		}
		for later := at.Add(time.Minute); !later.After(now); later = later.Add(time.Minute) {
			if later.Format("15:04") == text {
				t.Fatalf("%s at %s is %s, and not %s", text, now, at, later)
			}
		}
	})
}

// The start of a day is its first moment.
func TestDayBeginsOnce(t *testing.T) {
	t.Parallel()
	loaded := loadZones(t)
	rapid.Check(t, func(t *rapid.T) {
		now := drawNow(t, loaded[rapid.SampledFrom(zones()).Draw(t, "zone")])
		today, _ := moment.Parse("today")
		date, _ := moment.Parse(now.Format(time.DateOnly))
		at := today.At(moment.ByService(now))
		day := now.YearDay()
		if at.After(now) || at.YearDay() != day || at.Add(-time.Second).YearDay() == day {
			t.Fatalf("the day of %s begins at %s", now, at)
		}
		if same := date.At(moment.ByService(now)); !same.Equal(at) {
			t.Fatalf("%s begins at %s, and today at %s", date, same, at)
		}
	})
}

// What is written is read as the same second, at any present.
func TestWrittenTimeIsRead(t *testing.T) {
	t.Parallel()
	loaded := loadZones(t)
	rapid.Check(t, func(t *rapid.T) {
		zone := loaded[rapid.SampledFrom(zones()).Draw(t, "zone")]
		at, now := drawNow(t, zone), drawNow(t, zone)
		given, ok := moment.Parse(moment.Write(at))
		if got := given.At(moment.ByService(now)); !ok || got.Unix() != at.Unix() {
			t.Fatalf("%s, written %s, is read as %s at %s", at, given, got, now)
		}
	})
}

// A time keeps its text, and is the same time in the zone of the present whenever it is asked for.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"3h", "1.5d", "09:00", "9:00:59", "today", "YESTERDAY", "2026-11-20", "2026-11-20 09:00", "2026-11-20t09:00:00z", "0s", "24:00",
		"2026-11-20T09:00:00.123456789-07:00", "0000-01-01", "9999-12-31T23:59:60Z", "106751d", "\u017f", "1\u017f", "12:30:00,5",
	} {
		f.Add(text, int64(1761355800), "Europe/Berlin")
	}
	f.Fuzz(func(t *testing.T, text string, unix int64, name string) {
		zone, err := time.LoadLocation(name)
		if err != nil {
			zone = time.UTC
		}
		given, ok := moment.Parse(text)
		if given.IsZero() == ok || given.String() != text {
			t.Fatalf("%q: %+v, %v", text, given, ok)
		}
		if !ok {
			return
		}
		now := moment.ByService(time.Unix(unix%(1<<37), 0).In(zone))
		at := given.At(now)
		if at != given.At(now) || at.Location() != zone {
			t.Fatalf("%q is %s, then %s", text, at, given.At(now))
		}
	})
}
