package client

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"
	"unsafe"

	"pgregory.net/rapid"

	"pgtower/models"
)

// The skew follows from the dates on which most recent responses agree, with any status, but not from those of caches.
func TestSkewOfAnswers(t *testing.T) {
	t.Parallel()
	const (
		behind = -90 * time.Minute
		ahead  = 2 * time.Minute
	)
	for name, c := range map[string]struct {
		dates []string // an offset, or a header as it is
		age   string
		want  models.Opt[time.Duration]
	}{
		"none yet":                  {},
		"without a date":            {dates: []string{""}},
		"not a date":                {dates: []string{"yesterday"}},
		"of another age":            {dates: []string{"Thu, 01 Jan 1970 00:00:00 GMT"}},
		"of a cache":                {dates: []string{behind.String()}, age: "7"},
		"of a cache that asked":     {dates: []string{behind.String()}, age: "0", want: known(behind)},
		"the same":                  {dates: []string{"0s"}, want: known(0)},
		"behind":                    {dates: []string{behind.String(), behind.String()}, want: known(behind)},
		"one is wrong":              {dates: []string{"2m", "2m", "2m", "-90m"}, want: known(ahead)},
		"the clock was set":         {dates: []string{"-90m", "-90m", "-90m", "-90m", "-90m", "2m", "2m", "2m", "2m", "2m"}, want: known(ahead)},
		"one of two, so the newest": {dates: []string{"-90m", "2m"}, want: known(ahead)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				n := 0
				client := through(t, func(*http.Request) (*http.Response, error) {
					time.Sleep(100 * time.Millisecond)
					date := c.dates[n]
					if d, err := time.ParseDuration(date); err == nil {
						date = time.Now().Add(d).UTC().Format(http.TimeFormat)
					}
					n++
					// A response is dated whatever its status.
					return answer([]int{200, 429, 404}[n%3], "[]", "Date", date, "Age", c.age), nil
				})
				for range c.dates {
					_, _ = client.RevokeAPIKey(t.Context(), keyOf(1))
				}
				got := client.Skew()
				if got.Known != c.want.Known || (got.Value-c.want.Value).Abs() > time.Second {
					t.Errorf("got %+v, want %+v", got, c.want)
				}
			})
		})
	}
}

// A page has the service's clock, from the first response on.
func TestPagesAreDatedByBothClocks(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const ahead = 60 * 24 * time.Hour
		client := through(t, func(*http.Request) (*http.Response, error) {
			return answer(200, `{"operations":[]}`, "Date", time.Now().Add(ahead).UTC().Format(http.TimeFormat)), nil
		})
		p, err := client.Operations(t.Context(), "p", models.PageRequest{})
		if err != nil || (p.ServiceTime.Sub(p.AsOf)-ahead).Abs() > time.Second {
			t.Errorf("as of %v, the service's time %v, %v", p.AsOf, p.ServiceTime, err)
		}
	})
}

func known(d time.Duration) models.Opt[time.Duration] {
	return models.Opt[time.Duration]{Value: d, Known: true}
}

// However slow the responses, the estimate is at most as wrong as the fastest recent response allows.
func TestSkewIsAsGoodAsTheFastestResponse(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		millis := func(most int, name string) time.Duration {
			return time.Duration(rapid.IntRange(0, most).Draw(rt, name)) * time.Millisecond
		}
		truth := millis(10_000_000, "skew") - 5_000*time.Second
		var s skew
		at, quickest := now(), time.Hour
		for i := range rapid.IntRange(1, maxOffsets).Draw(rt, "answers") {
			at = at.Add(millis(5000, "pause"))
			there, back := millis(3000, "there"), millis(3000, "back")
			date := at.Add(there).Add(truth).Format(http.TimeFormat)
			s.learn(http.Header{"Date": {date}}, at, at.Add(there+back))
			quickest = min(quickest, there+back)
			if got := s.estimate(at); !got.Known || (got.Value-truth).Abs() > (quickest+time.Second)/2 {
				rt.Fatalf("after %d answers, the quickest in %v: got %+v, want %v", i+1, quickest, got, truth)
			}
		}
	})
}

// The bounds hold when the time of day is set between two responses: they count from the steady clock.
func TestBoundsHoldWhenTheClockIsSet(t *testing.T) {
	t.Parallel()
	for _, set := range []time.Duration{2 * time.Minute, -time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			ahead := time.Duration(0) // the time of day
			client := connect(t, Options{
				BaseURL: "https://service.example/api/v2",
				Clock:   func() time.Time { return time.Now().Add(ahead).Round(0) },
				Steady:  time.Now,
				Transport: tripper(func(*http.Request) (*http.Response, error) {
					return answer(200, "[]", "Date", time.Now().UTC().Format(http.TimeFormat)), nil
				}),
			})
			for range agreeing {
				_, _ = client.APIKeys(t.Context(), models.ListID{})
			}
			ahead = set
			got, truth := client.Now(), time.Now()
			if got.Early.IsZero() || got.Early.After(truth) || got.Late.Before(truth) || got.Late.Sub(got.Early) > 2*time.Second {
				t.Errorf("set by %s: %v, it is %v", set, got, truth)
			}
		})
	}
}

// The steady clock stops while the computer sleeps. After that the bounds are wider, until there are new responses.
func TestBoundsHoldAfterSleep(t *testing.T) {
	t.Parallel()
	const slept = 8 * time.Hour
	before := time.Now()
	after := woken(before.Add(slept), slept)
	if got := after.Sub(before); got != 0 {
		t.Fatalf("the clock went on by %s", got)
	}
	var s skew
	date := func(at time.Time) http.Header { return http.Header{"Date": {at.UTC().Format(http.TimeFormat)}} }
	holds := func(at time.Time, width time.Duration) {
		t.Helper()
		got, truth := s.between(at, at), at.Round(0)
		if got.Early.IsZero() || got.Early.After(truth) || got.Late.Before(truth) || got.Late.Sub(got.Early) > width {
			t.Errorf("%v, it is %v", got, truth)
		}
	}
	for range agreeing {
		s.learn(date(before), before, before)
	}
	holds(before, time.Second)
	holds(after, slept+time.Second)
	for range maxOffsets {
		s.learn(date(after), after, after)
	}
	holds(after, time.Second)
}

// woken returns a time whose monotonic reading stopped for a while. No function of the standard library makes such a time.
func woken(at time.Time, slept time.Duration) time.Time {
	reading := &(*struct {
		wall uint64
		ext  int64
	})(unsafe.Pointer(&at)).ext
	*reading -= int64(slept)
	return at
}
