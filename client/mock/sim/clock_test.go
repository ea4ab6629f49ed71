package sim

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// manual is a clock that only moves on request.
type manual struct{ now time.Time }

func newManual() *manual { return &manual{now: noon()} }

func noon() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

func (m *manual) Now() time.Time { return m.now }

func (m *manual) advance(d time.Duration) { m.now = m.now.Add(d) }

// atNoon returns a clock that starts at noon.
func atNoon(t interface{ Fatal(args ...any) }, real *manual) *Clock {
	c := newClock(real.Now, noon())
	if err := c.Set(1, 0); err != nil {
		t.Fatal(err)
	}
	return c
}

// Simulated time follows the real clock at each speed, and jumps when it is moved.
func TestClock(t *testing.T) {
	t.Parallel()
	real := newManual()
	c := atNoon(t, real)
	expect := func(want time.Duration) {
		t.Helper()
		if got := c.Now().Sub(noon()); got != want {
			t.Errorf("%s have passed, want %s", got, want)
		}
	}
	real.advance(time.Second)
	expect(time.Second)
	for _, step := range []struct {
		speed float64
		want  time.Duration
	}{
		{10, 11 * time.Second},
		{0, 11 * time.Second},
		{0.5, 11500 * time.Millisecond},
		{maxSpeed, 10_011_500 * time.Millisecond},
		{1, 10_012_500 * time.Millisecond},
	} {
		if err := c.Set(step.speed, 0); err != nil {
			t.Fatal(err)
		}
		real.advance(time.Second)
		expect(step.want)
	}
	if err := c.Set(1, time.Hour); err != nil {
		t.Fatal(err)
	}
	expect(10_012_500*time.Millisecond + time.Hour)
}

// An invalid speed or move changes nothing, and time ends a hundred years after the start.
func TestClockRefuses(t *testing.T) {
	t.Parallel()
	real := newManual()
	c := atNoon(t, real)
	for _, speed := range []float64{-1, math.NaN(), math.Inf(1), maxSpeed + 1} {
		if err := c.Set(speed, time.Hour); err == nil {
			t.Errorf("speed %v was taken", speed)
		}
	}
	if err := c.Set(3, -1); err == nil {
		t.Error("time went back")
	}
	if err := c.Set(1, maxAhead+1); err == nil {
		t.Errorf("beyond the end: %v", err)
	}
	if at, speed := c.Reading(); speed != 1 || !at.Equal(noon()) {
		t.Error("what was refused had an effect")
	}
	if err := c.Set(1, maxAhead); err != nil {
		t.Fatal(err)
	}
	real.advance(time.Hour)
	if got := c.Now().Sub(noon()); got != maxAhead {
		t.Errorf("time went on to %s", got)
	}
}

// Whatever the calls and the real clock, time never goes back.
func TestClockIsMonotonic(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		real := newManual()
		c := atNoon(rt, real)
		last := c.Now()
		step := rapid.Int64Range(-1e9, 1e14)
		rt.Repeat(map[string]func(*rapid.T){
			"real":    func(rt *rapid.T) { real.advance(time.Duration(step.Draw(rt, "ns"))) },
			"speed":   func(rt *rapid.T) { _ = c.Set(rapid.Float64Range(0, maxSpeed).Draw(rt, "speed"), 0) },
			"advance": func(rt *rapid.T) { _ = c.Set(1, time.Duration(step.Draw(rt, "ns"))) },
			"": func(rt *rapid.T) {
				now := c.Now()
				if now.Before(last) {
					rt.Fatalf("%s, then %s", last, now)
				}
				last = now
			},
		})
	})
}

// A span is a duration that may begin with days.
func TestSpan(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Duration{
		"90s": 90 * time.Second, "1d": 24 * time.Hour, "2d12h": 60 * time.Hour, "0d": 0, "-1s": -time.Second,
	} {
		var got Span
		if err := got.UnmarshalText([]byte(text)); err != nil || got != Span(want) {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "d", "soon", "-1d", "1d1d", "40000d", "1.5d"} {
		if err := new(Span).UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q was read", text)
		}
	}
}
