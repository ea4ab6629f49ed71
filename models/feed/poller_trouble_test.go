package feed

import (
	"slices"
	"testing"
	"time"

	"pgtower/models"
)

// A project that never responds slows no other down.
func TestPollerDoesNotWaitForASilentProject(t *testing.T) {
	t.Parallel()
	p := newPlatform(6, 5)
	p.faults = []fault{{from: at(20), to: at(500), project: "p02", kind: models.KindTimeout, after: 15 * time.Second}}
	r := newRun(t.Fatalf, p, Options{Interval: 5 * time.Second, Budget: 10, PageSize: 100})
	for s := range 40 {
		r.until(at(30 + 5*float64(s)))
		for id := range p.lives {
			if age := r.now.Sub(r.Feed(id).AsOf()); id != "p02" && age > 6*time.Second {
				t.Fatalf("%s was asked %v ago", id, age)
			}
		}
	}
	f := r.Span(r.now)
	if f.State != Live || !slices.Equal(f.Without, []string{"p02"}) || models.KindOf(f.Err) != models.KindTimeout ||
		r.now.Sub(f.AsOf) > 6*time.Second {
		t.Errorf("%+v", f)
	}
}

// A rate limit lasts as long as the service asked, and does not affect requests that succeed.
func TestPollerIsLimitedNoLongerThanAsked(t *testing.T) {
	t.Parallel()
	p := newPlatform(10, 5)
	p.faults = []fault{{from: at(20), to: at(200), kind: models.KindRateLimited, retry: 4 * time.Second, every: 3}}
	r := newRun(t.Fatalf, p, Options{Interval: 5 * time.Second, Budget: 10, PageSize: 100})
	seen := map[State]bool{}
	for s := range 160 {
		r.until(at(30 + float64(s)))
		f := r.Span(r.now)
		seen[f.State] = true
		if left := f.Next.Sub(r.now); f.State == Limited && left > 4*time.Second {
			t.Fatalf("limited for %v", left)
		}
		if age := r.now.Sub(f.AsOf); age > 25*time.Second {
			t.Fatalf("the oldest answer is %v old", age)
		}
	}
	if !seen[Limited] || seen[Offline] || seen[Failing] {
		t.Errorf("states %v", seen)
	}
	if f := r.Span(r.now); f.Budget >= f.Configured {
		t.Errorf("after the limits, the budget is not reduced: %+v", f)
	}
	r.until(at(300))
	if f := r.Span(r.now); f.State != Live || f.Budget < 2 {
		t.Errorf("%+v", f)
	}
}

// One request without a response is reported at once, and a recovered service is found soon.
func TestPollerReportsSilence(t *testing.T) {
	t.Parallel()
	p := newPlatform(10, 5)
	p.faults = []fault{{from: at(20), to: at(600), kind: models.KindUnreachable}}
	r := newRun(t.Fatalf, p, Options{Interval: 5 * time.Second, Budget: 10, PageSize: 100})
	var states []State
	for s := 0.0; s < 632; s += 0.5 {
		r.until(at(s))
		f := r.Span(r.now)
		if silent := f.State == Silent || f.State == Offline; s > 25.5 && s < 600 && !silent || f.State == Offline && f.Next.Sub(r.now) > 30*time.Second {
			t.Fatalf("%v after the last answer: %+v", r.now.Sub(f.LastResponse), f)
		}
		if f.State != Late {
			states = append(states, f.State)
		}
	}
	if states = slices.Compact(states); !slices.Equal(states, []State{Loading, Live, Silent, Offline, Live}) {
		t.Errorf("states %v", states)
	}
}

// A project that returns 404 is gone, with its unfinished operations.
func TestPollerLosesAProject(t *testing.T) {
	t.Parallel()
	p := newPlatform(3, 5)
	p.born("p01", 4, at(10), time.Second, time.Hour)
	p.faults = []fault{{from: at(30), to: at(100), project: "p01", kind: models.KindNotFound}}
	r := newRun(t.Fatalf, p, Options{Interval: 5 * time.Second, Budget: 10, PageSize: 100})
	r.until(at(29))
	if n := r.Feed("p01").Unfinished(); n != 4 {
		t.Fatalf("%d unfinished", n)
	}
	r.until(at(36))
	if f := r.Span(r.now); r.Feed("p01").Unfinished() != 0 || f.State != Live || !slices.Equal(f.Without, []string{"p01"}) {
		t.Errorf("%d unfinished, %+v", r.Feed("p01").Unfinished(), f)
	}
	r.until(at(101))
	r.list()
	r.until(at(112))
	if f := r.Span(r.now); r.Feed("p01").Unfinished() != 4 || len(f.Without) > 0 {
		t.Errorf("it is back: %d unfinished, %+v", r.Feed("p01").Unfinished(), f)
	}
}

// A project that is no longer listed is requested when the user looks at it, and then reported as gone.
func TestPollerShowsADeletedProject(t *testing.T) {
	t.Parallel()
	p := newPlatform(2, 5)
	r := newRun(t.Fatalf, p, Options{Interval: 5 * time.Second, Budget: 10, PageSize: 100})
	r.until(at(9))
	p.faults = []fault{{from: at(9), to: at(1e6), project: "p01", kind: models.KindNotFound}}
	r.SetProjects([]Project{{ID: "p00"}}, true)
	r.SetScope("p01")
	r.until(at(19))
	if f := r.Span(r.now); f.State != Failing || r.Timeline().Len() != 5 {
		t.Errorf("%d rows, %+v", r.Timeline().Len(), f)
	}
}

// If pages below the head page cannot be read, unfinished operations are read one by one, and a project with a readable
// head page stays readable.
func TestPollerReadsOperationsWherePagesFail(t *testing.T) {
	t.Parallel()
	p := newPlatform(1, 5)
	p.born("p00", 60, at(7), time.Millisecond, 20*time.Second)
	r := newRun(t.Fatalf, p, Options{Interval: 5 * time.Second, Budget: 10, PageSize: 25})
	r.until(at(12))
	p.born("p00", 60, at(13), time.Millisecond, time.Second)
	r.until(at(26))
	p.faults = []fault{{from: at(26), to: at(1e6), kind: models.KindServer, below: true}}
	r.until(at(60))
	if f := r.Span(r.now); len(r.wrong()) > 0 || f.State != Live || len(f.Without) > 0 {
		t.Errorf("%d unfinished of those that ended, %+v", len(r.wrong()), f)
	}
}

// If pages below the head page fail, the project stays readable: the gap is shown, and is closed once they can be read.
func TestPollerKeepsAGapThatCannotBeClosed(t *testing.T) {
	t.Parallel()
	p := newPlatform(2, 5)
	p.faults = []fault{{from: at(10), to: at(17), project: "p00", kind: models.KindServer, below: true}}
	r := newRun(t.Fatalf, p, Options{Interval: 5 * time.Second, Budget: 10, PageSize: 25})
	r.until(at(9))
	p.born("p00", 60, at(9.5), time.Millisecond, time.Second)
	r.until(at(16))
	if f := r.Span(r.now); f.State != Live || len(f.Without) > 0 || r.Span(r.now).Lacking != "p00" {
		t.Errorf("%+v, %+v", f, r.Span(r.now))
	}
	r.until(at(30))
	if n := r.Feed("p00").Len(); n != 65 || len(r.Timeline().Gaps()) > 0 {
		t.Errorf("%d operations, gaps %v", n, r.Timeline().Gaps())
	}
}

// History that cannot be read ends there for that project alone.
func TestPollerLoadsHistoryDespiteAFailingProject(t *testing.T) {
	t.Parallel()
	p := newPlatform(3, 100)
	p.faults = []fault{{from: at(10), to: at(60), project: "p01", kind: models.KindServer, below: true}}
	r := newRun(t.Fatalf, p, Options{Interval: 5 * time.Second, Budget: 10, PageSize: 10})
	r.until(at(11))
	r.window = 2 * time.Hour
	r.until(at(50))
	project, n, err := r.RangeErr()
	if project != "p01" || n != 1 || err == nil || r.Loading() {
		t.Errorf("%q, %d, %v, loading %v", project, n, err, r.Loading())
	}
	if c := r.Span(r.now); c.Lacking != "p01" || r.Feed("p00").Len() != 100 || r.Feed("p02").Len() != 100 || len(r.Span(r.now).Without) > 0 {
		t.Errorf("%+v, %d and %d operations", c, r.Feed("p00").Len(), r.Feed("p02").Len())
	}
	r.until(at(61))
	r.RetryOlder()
	r.until(at(80))
	if _, _, err := r.RangeErr(); err != nil || r.Timeline().Loaded() != 300 {
		t.Errorf("%d operations, %v", r.Timeline().Loaded(), err)
	}
}

// Nothing is requested, or queued, for a deleted project.
func TestPollerDropsRequestsOfADeletedProject(t *testing.T) {
	t.Parallel()
	for name, goes := range map[string]func(*run){
		"the list lacks it": func(r *run) { r.SetProjects([]Project{{ID: "p01"}}, true) },
		"the service lacks it, too": func(r *run) {
			r.Receive(Answer{request: request{Project: "p00"}, Err: &models.Error{Kind: models.KindNotFound, Status: 404}}, r.now)
		},
	} {
		p := newPlatform(2, 5)
		p.born("p00", 300, at(7), time.Millisecond, time.Hour)
		r := newRun(t.Fatalf, p, Options{Interval: 5 * time.Second, Budget: 1, PageSize: 25})
		r.latency = func() time.Duration { return time.Millisecond }
		for s := 0.0; len(r.waiting()) == 0; s += 0.1 {
			r.until(at(s))
		}
		r.olderErrs[r.projects["p00"]] = &models.Error{}
		r.LoadGap(ProjectGap{Project: "p00", Gap: Gap{Cursor: "x"}})
		if goes(r); len(r.waiting())+len(r.olderErrs) > 0 {
			t.Errorf("%s: %v wait, %v", name, r.waiting(), r.olderErrs)
		}
	}
}

// A refused key is an error of the session, not of a project.
func TestPollerKeepsProjectsReadableAfterARefusedKey(t *testing.T) {
	t.Parallel()
	p := newPlatform(3, 60)
	p.faults = []fault{{from: at(10), to: at(40), kind: models.KindUnauthorized}}
	r := newRun(t.Fatalf, p, Options{Interval: 5 * time.Second, Budget: 10, PageSize: 25})
	r.until(at(9))
	r.window = time.Hour
	r.until(at(14))
	if f := r.Span(r.now); len(f.Without) > 0 || f.Err != nil {
		t.Errorf("%+v", f)
	}
	if _, _, err := r.RangeErr(); err != nil {
		t.Error(err)
	}
	r.until(at(50))
	if f := r.Span(r.now); f.State != Live {
		t.Errorf("%+v", f)
	}
}

// A deleted project's operations that had ended stay and count, and the others are gone: they count as nothing.
func TestDeletedProjectsCountWhatHadEnded(t *testing.T) {
	t.Parallel()
	p := drive(Options{Interval: 5 * time.Second, Budget: 10, PageSize: 100})
	f := NewFleet(p.Poller)
	p.SetProjects([]Project{{ID: "a"}}, true)
	fleetTake(p, "a", models.Page[models.Operation]{Items: []models.Operation{
		ranFor("runs", models.StatusRunning, time.Minute, 0),
		ranFor("failed", models.StatusFailed, 2*time.Minute, time.Second),
		ranFor("finished", models.StatusFinished, 3*time.Minute, time.Second),
	}})
	counts := func(when string, running int) {
		t.Helper()
		got, all := p.Timeline().Window(epoch(), 15*time.Minute), 0
		for _, k := range p.Timeline().kinds {
			all += k.count
		}
		if got != (Ended{Failed: 1, Finished: 1}) || p.Timeline().Unfinished() != running || all != 2+running {
			t.Errorf("%s: %+v, %d run, %d in the statistics", when, got, p.Timeline().Unfinished(), all)
		}
		h := f.Count(15*time.Minute, 0)["a"]
		if h.Running != running || h.Ended != 2 || h.Failed != 1 {
			t.Errorf("%s: %+v", when, h)
		}
	}
	counts("at first", 1)
	deleted := Answer{request: request{Project: "a", AsOf: epoch()}, Err: &models.Error{Kind: models.KindNotFound}}
	p.Receive(deleted, epoch())
	counts("deleted", 0)
	p.SetProjects(nil, true)
	f.change("a", Change{})
	counts("no longer listed", 0)
}

// What was running when a project was last read counts while the project cannot be read, as what had ended does.
func TestUnfinishedCountsWhatWasKnownOfUnreadableProjects(t *testing.T) {
	t.Parallel()
	p := newPlatform(2, 5)
	p.born("p00", 3, at(7), time.Millisecond, time.Hour)
	p.born("p01", 4, at(7), time.Millisecond, time.Hour)
	p.faults = []fault{{from: at(20), to: at(40), project: "p01", kind: models.KindServer}}
	for s, want := range map[float64]int{15: 7, 30: 7, 70: 7} {
		r := newRun(t.Fatalf, p, Options{Interval: 5 * time.Second, Budget: 10, PageSize: 25})
		if r.until(at(s)); r.Timeline().Unfinished() != want {
			t.Errorf("after %v s %d run, not %d", s, r.Timeline().Unfinished(), want)
		}
	}
}
