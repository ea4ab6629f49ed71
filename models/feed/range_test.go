package feed

import (
	"testing"
	"time"

	"pgtower/models"
)

// A window is loaded by itself, despite one failing project, and nothing is requested twice.
func TestPollerKeepsAWindow(t *testing.T) {
	t.Parallel()
	p := newPlatform(4, 60)
	p.faults = []fault{{from: at(0), to: at(30), project: "p01", kind: models.KindServer, below: true}}
	r := newRun(t.Fatalf, p, Options{Interval: 5 * time.Second, Budget: 10, PageSize: 10})
	r.window = 15 * time.Minute
	r.until(at(29))
	for id := range p.lives {
		if r.Feed(id).Len() < 25 != (id == "p01") {
			t.Errorf("%d operations of %s", r.Feed(id).Len(), id)
		}
	}
	if f := r.Span(r.now); f.State != Live || len(f.Without) > 0 || r.Loading() {
		t.Errorf("%+v, loading: %v", f, r.Loading())
	}
	r.until(at(90))
	r.keptTheWindow()
	if n := r.asked[Older]; n > 4*2+1 {
		t.Errorf("%d pages", n)
	}
	r.Pause()
	r.window = time.Hour
	r.until(at(120))
	if n := r.asked[Older]; n > 4*2+1 {
		t.Errorf("%d pages, while paused", n)
	}
}

// Unread projects take precedence over the range.
func TestRangeWaitsForTheFirstRound(t *testing.T) {
	t.Parallel()
	r := newRun(t.Fatalf, newPlatform(300, 40), Options{Interval: 5 * time.Second, Budget: 10, PageSize: 10})
	r.check, r.window = false, 30*time.Minute
	for s := 3.0; r.Timeline().Read() < 300-40; s++ {
		if r.until(at(s)); r.asked[Older] > 0 || s > 60 {
			t.Fatalf("after %v s %d projects are read, and %d pages were asked for", s, r.Timeline().Read(), r.asked[Older])
		}
	}
	r.until(at(900))
	c, oldest := r.Span(r.now), r.now.Sub(r.Span(r.now).AsOf)
	if c.Since.After(r.Range().Since) || c.Ranged != 300 || oldest > 90*time.Second {
		t.Errorf("%+v, %v after the oldest answer", c, oldest)
	}
}

// A range is as long as its bound, and a longer one goes on.
func TestRangeIsBounded(t *testing.T) {
	t.Parallel()
	r := newRun(t.Fatalf, newPlatform(1, 600), Options{Interval: 5 * time.Second, Budget: 10, PageSize: 10})
	r.window, r.bound = 24*time.Hour, 25
	r.until(at(20))
	if c := r.Span(r.now); r.Timeline().Loaded() != 25 || c.Capped != 25 || c.Since.IsZero() || r.Loading() {
		t.Errorf("%d are loaded, %+v", r.Timeline().Loaded(), c)
	}
	r.bound = 1000
	r.until(at(40))
	if c := r.Span(r.now); r.Timeline().Loaded() != 600 || c.Capped != 0 || !c.Since.IsZero() {
		t.Errorf("%d are loaded, %+v", r.Timeline().Loaded(), c)
	}
}

// A range that was not asked for takes at most half of the budget, and one that was takes what is left.
func TestRangeTakesHalfOfTheBudget(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("other tests run the same code in smaller fleets")
	}
	for asked, want := range map[bool]int{false: 5, true: 7} {
		r := newRun(t.Fatalf, newPlatform(2, 3500), Options{Interval: 5 * time.Second, Budget: 10, PageSize: 1})
		r.longest = 1
		r.until(at(10))
		r.window, r.waits = 24*time.Hour, asked
		r.until(at(130))
		if n := r.asked[Older] / 120; n < want-1 || n > want+2 || !asked && n > want {
			t.Errorf("asked for: %v, %d pages a second", asked, n)
		}
	}
}

// A service that has shorter pages than others gets requests for these, also after a burst.
func TestPollerOfAServiceWithShortPages(t *testing.T) {
	t.Parallel()
	p := newPlatform(1, 300)
	p.born("p00", 100, at(80), 10*time.Millisecond, 6*time.Second)
	p.refuses = true
	p.most = 20
	r := newRun(t.Fatalf, p, Options{Interval: 5 * time.Second, Budget: 10, PageSize: 20})
	r.window = 24 * time.Hour
	r.until(at(60))
	if n := r.Timeline().Loaded(); n != 300 {
		t.Errorf("%d operations are loaded", n)
	}
	for s := range 30 {
		if r.until(at(80 + float64(s))); len(r.Span(r.now).Without) > 0 {
			t.Fatal("the project cannot be read")
		}
	}
	if n, wrong := r.Timeline().Loaded(), r.wrong(); n != 400 || len(wrong) > 0 {
		t.Errorf("%d operations are loaded, shown unfinished: %v", n, wrong)
	}
}
