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
	if f := r.Freshness(r.now); f.State != Live || len(f.Unreadable) > 0 || len(r.history.failed) > 0 || r.LoadingHistory() {
		t.Errorf("%+v, %v, loading: %v", f, r.history.failed, r.LoadingHistory())
	}
	r.until(at(90))
	r.keptTheWindow()
	if n := r.asked[Backfill]; n > 4*2+1 {
		t.Errorf("%d pages", n)
	}
	r.SetPaused(true)
	r.window = time.Hour
	r.until(at(120))
	if n := r.asked[Backfill]; n > 4*2+1 {
		t.Errorf("%d pages, while paused", n)
	}
}

// Unread projects take precedence over history, and requested history over a window.
func TestPollerReadsHeadsBeforeHistory(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]func(*run){
		"a window": func(r *run) { r.window = 30 * time.Minute },
		"a goal":   func(r *run) { r.LoadUntil(Goal{Since: r.now.Add(-30 * time.Minute)}) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRun(t.Fatalf, newPlatform(300, 40), Options{Interval: 5 * time.Second, Budget: 10, PageSize: 10})
			r.check = false
			r.until(at(2))
			want(r)
			for s := 3.0; r.Timeline().Read() < 300-10; s++ {
				if r.until(at(s)); r.asked[History]+r.asked[Backfill] > 0 || s > 60 {
					t.Fatalf("after %v s %d projects are read, and %d pages were asked for", s, r.Timeline().Read(), r.asked[History]+r.asked[Backfill])
				}
			}
			r.until(at(900))
			c, oldest := r.Coverage(), r.now.Sub(r.Freshness(r.now).Oldest)
			if c.Unread > 0 || r.now.Sub(c.Since) < 30*time.Minute || oldest > 90*time.Second {
				t.Errorf("%+v, %v after the oldest answer", c, oldest)
			}
		})
	}
	r := newRun(t.Fatalf, newPlatform(2, 60), Options{Interval: 5 * time.Second, Budget: 10, PageSize: 10})
	r.window = 15 * time.Minute
	r.LoadUntil(Goal{Since: r.now.Add(-2 * time.Hour)})
	if r.until(at(20)); r.asked[Backfill] > 0 || r.asked[History] == 0 {
		t.Errorf("asked %v", r.asked)
	}
}

// Going back to a time ends at a bound.
func TestPollerGoalIsBounded(t *testing.T) {
	t.Parallel()
	r := newRun(t.Fatalf, newPlatform(1, 600), Options{Interval: 5 * time.Second, Budget: 10, PageSize: 10})
	r.until(at(2))
	n := r.Timeline().Loaded()
	r.LoadUntil(Goal{Since: epoch().Add(-24 * time.Hour), Count: n + 15})
	r.until(at(20))
	if got := r.Timeline().Loaded(); got < n+15 || got > n+15+10*historyAtOnce || r.Goal() != (Goal{}) {
		t.Errorf("%d of %d are loaded, goal %+v", got, n+15, r.Goal())
	}
}
