package mock_test

import (
	"errors"
	"math"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"pgtower/client/mock"

	"pgregory.net/rapid"
)

func TestClock(t *testing.T) {
	t.Parallel()
	srv, real := newServer(t, mock.Options{})
	began := srv.Now()
	expect := func(want time.Duration) {
		t.Helper()
		if got := srv.Now().Sub(began); got != want {
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
		{mock.MaxSpeed, 10_011_500 * time.Millisecond},
		{1, 10_012_500 * time.Millisecond},
	} {
		before := srv.Now()
		if err := srv.SetSpeed(step.speed); err != nil {
			t.Fatal(err)
		}
		if !srv.Now().Equal(before) || srv.Speed() != step.speed {
			t.Errorf("speed %v made time jump from %s to %s", srv.Speed(), before, srv.Now())
		}
		real.advance(time.Second)
		expect(step.want)
	}
	if err := srv.Advance(time.Hour); err != nil {
		t.Fatal(err)
	}
	expect(10_012_500*time.Millisecond + time.Hour)
}

func TestClockRefuses(t *testing.T) {
	t.Parallel()
	srv, real := newServer(t, mock.Options{})
	before := srv.Now()
	for _, speed := range []float64{-1, math.NaN(), math.Inf(1), mock.MaxSpeed + 1} {
		if err := srv.SetSpeed(speed); err == nil {
			t.Errorf("speed %v was taken", speed)
		}
	}
	if err := srv.Advance(-1); err == nil {
		t.Error("time went back")
	}
	const century = 100 * 365 * 24 * time.Hour
	if err := srv.Advance(century + 1); !errors.Is(err, mock.ErrTimeIsOver) {
		t.Errorf("beyond the end: %v", err)
	}
	if srv.Speed() != 1 || !srv.Now().Equal(before) {
		t.Error("what was refused had an effect")
	}
	if err := srv.Advance(century); err != nil {
		t.Fatal(err)
	}
	real.advance(time.Hour)
	if got := srv.Now().Sub(before); got != century {
		t.Errorf("time went on to %s", got)
	}
	handlerTarget(srv).get(t, "/projects/"+srv.BusiestProject()+"/operations?limit=1000", &operationPage{})
}

// Whatever is done to it and whatever the real clock does, time never goes back.
func TestClockIsMonotonic(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		srv, real := newServer(rt, mock.Options{Projects: 1, Operations: -1})
		last := srv.Now()
		step := rapid.Int64Range(-1e9, 1e14)
		rt.Repeat(map[string]func(*rapid.T){
			"real": func(rt *rapid.T) { real.advance(time.Duration(step.Draw(rt, "ns"))) },
			"speed": func(rt *rapid.T) {
				before := srv.Now()
				if err := srv.SetSpeed(rapid.Float64Range(0, mock.MaxSpeed).Draw(rt, "speed")); err != nil {
					rt.Fatal(err)
				}
				if now := srv.Now(); !now.Equal(before) {
					rt.Fatalf("a change of speed moved %s to %s", before, now)
				}
			},
			"advance": func(rt *rapid.T) { _ = srv.Advance(time.Duration(step.Draw(rt, "ns"))) },
			"": func(rt *rapid.T) {
				if now := srv.Now(); now.Before(last) {
					rt.Fatalf("%s, then %s", last, now)
				} else {
					last = now
				}
			},
		})
	})
}

// An answer has the date of the clock that dates the records in it.
func TestAnswersAreDatedByTheClock(t *testing.T) {
	t.Parallel()
	at := time.Date(2031, 5, 6, 7, 8, 9, 0, time.UTC)
	s, err := mock.New(mock.Options{Clock: func() time.Time { return at }})
	if err != nil {
		t.Fatal(err)
	}
	rec := httptest.NewRecorder()
	s.ServeHTTP(rec, httptest.NewRequestWithContext(t.Context(), http.MethodGet, mock.BasePath+"/projects", http.NoBody))
	if got := rec.Header().Get("Date"); got != at.Format(http.TimeFormat) {
		t.Errorf("dated %q", got)
	}
}
