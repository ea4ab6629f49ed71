package feed

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pgtower/models"
	"pgtower/models/incident"
)

// healthOf returns the health of a project with these operations on its head page, newest first, in a window of 15
// minutes.
func healthOf(t *testing.T, next string, operations ...models.Operation) ProjectHealth {
	t.Helper()
	p := drive(Options{Interval: 5 * time.Second, Budget: 10, PageSize: 100})
	f := NewFleet(p.Poller)
	p.SetProjects([]Project{{ID: "usual"}, {ID: "p"}}, true)
	usual := make([]models.Operation, 40)
	for i := range usual {
		usual[i] = ranFor(fmt.Sprint("usual", i), models.StatusFinished, time.Hour, time.Second)
	}
	p.SetScope("p") // durations are those of all projects
	fleetTake(p, "usual", models.Page[models.Operation]{Items: usual})
	fleetTake(p, "p", models.Page[models.Operation]{Items: operations, Next: next})
	return f.Count(15*time.Minute, 0)["p"]
}

// fleetTake merges a page of a project at [epoch].
func fleetTake(p *driven, project string, page models.Page[models.Operation]) {
	page.AsOf, page.ServiceTime = epoch(), epoch()
	p.Receive(Answer{request: request{Project: project, PageRequest: models.PageRequest{Cursor: page.Cursor}}, Page: page}, epoch())
}

// ranFor returns an operation that began this long before [epoch] and took this long.
func ranFor(id string, status models.Status, before, took time.Duration) models.Operation {
	began := epoch().Add(-before)
	return models.Operation{ID: id, Action: "start_compute", Status: status, CreatedAt: began, UpdatedAt: began.Add(took)}
}

// The health of a project counts what ended in the window and what runs, and nothing else.
func TestHealthCountsTheWindow(t *testing.T) {
	t.Parallel()
	got := healthOf(t, "more",
		ranFor("running", models.StatusRunning, 500*time.Millisecond, 0),
		ranFor("running and slow", models.StatusRunning, time.Minute, 0),
		ranFor("scheduling", models.StatusScheduling, 2*time.Minute, 0),
		ranFor("failed", models.StatusFailed, 3*time.Minute, time.Second),
		ranFor("failed at the window's begin", models.StatusError, 15*time.Minute, time.Second),
		ranFor("slow", models.StatusFinished, 16*time.Minute, 5*time.Minute),
		ranFor("failed before", models.StatusFailed, 16*time.Minute, time.Second),
		ranFor("finished before", models.StatusFinished, 30*time.Minute, time.Second),
		ranFor("failed and slow after long", models.StatusFailed, 2*time.Hour, 2*time.Hour-time.Minute),
		ranFor("failed long ago after long", models.StatusFailed, 3*time.Hour, time.Hour),
	)
	want := ProjectHealth{
		Read: epoch(), Window: 15 * time.Minute, Whole: true, Running: 3, Ended: 4, Failed: 3, Failing: true, Slow: 3,
		Changed: epoch().Add(-500 * time.Millisecond), Trend: [TrendParts]int{0: 1, 4: 1, 12: 1, 14: 1}, FailedIn: 1 | 1<<12 | 1<<14,
	}
	if got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// Health does not claim to count a window that is not fully loaded.
func TestHealthOfAPartOfTheWindow(t *testing.T) {
	t.Parallel()
	last := ranFor("a", models.StatusFinished, 20*time.Minute, time.Second)
	if got := healthOf(t, "more", last); got.Whole || !got.Changed.Equal(last.UpdatedAt) {
		t.Errorf("%+v is not all of the window", got)
	}
	if got := healthOf(t, "", last); !got.Whole {
		t.Errorf("%+v is all of the history", got)
	}
}

// Only answered projects are counted again, or all that were read if the window is another one.
func TestFleetCountsWhatWasAnswered(t *testing.T) {
	t.Parallel()
	p := drive(Options{Interval: 5 * time.Second, Budget: 10, PageSize: 100})
	f := NewFleet(p.Poller)
	p.SetProjects([]Project{{ID: "a"}, {ID: "b"}, {ID: "never"}}, true)
	counts := func(window time.Duration, want ...string) map[string]ProjectHealth {
		t.Helper()
		got := f.Count(window, time.Second)
		for _, id := range want {
			if _, ok := got[id]; !ok {
				t.Errorf("%s is not counted", id)
			}
		}
		if len(got) != len(want) {
			t.Errorf("counted %v, want %v", got, want)
		}
		return got
	}
	failed := ranFor("x", models.StatusFailed, 20*time.Minute, 0)
	fleetTake(p, "a", models.Page[models.Operation]{Items: []models.Operation{failed}})
	fleetTake(p, "b", models.Page[models.Operation]{})
	counts(15*time.Minute, "a", "b")
	counts(15 * time.Minute)
	if got := counts(time.Hour, "a", "b"); got["a"].Failed != 1 {
		t.Errorf("%+v has no failure", got["a"])
	}
	refused := &models.Error{Kind: models.KindForbidden, Status: 403}
	requests, _ := p.Next(epoch())
	for _, r := range requests {
		if r.Project == "b" {
			p.Receive(Answer{request: r, Err: refused}, epoch())
		}
	}
	if got := counts(time.Hour, "b")["b"]; !errors.Is(got.Err, error(refused)) || !got.Read.Equal(epoch().Add(time.Second)) {
		t.Errorf("%+v does not tell that it cannot be read", got)
	}
}

// A changed operation is counted as it is now.
func TestFleetFollowsChanges(t *testing.T) {
	t.Parallel()
	p := drive(Options{Interval: 5 * time.Second, Budget: 10, PageSize: 100})
	f := NewFleet(p.Poller)
	p.SetProjects([]Project{{ID: "a"}}, true)
	for i, status := range []models.Status{models.StatusRunning, models.StatusFailed, models.StatusRunning} {
		op := ranFor("x", status, time.Hour, time.Hour+time.Duration(i-3)*time.Second)
		fleetTake(p, "a", models.Page[models.Operation]{Items: []models.Operation{op}})
		running, failed := 1, 0
		if op.Done() {
			running, failed = 0, 1
		}
		if got := f.Count(time.Minute, 0)["a"]; got.Running != running || got.Failed != failed {
			t.Errorf("%s: %+v", status, got)
		}
	}
	if len(f.ended["a"].minutes) != 0 {
		t.Errorf("%v are kept", f.ended)
	}
}

// What was counted answer by answer is what a new fleet counts.
func TestFleetCountsAsAnew(t *testing.T) {
	t.Parallel()
	p := newPlatform(4, 60)
	p.born("p00", 200, at(5), time.Second, 40*time.Second)
	p.born("p01", 150, at(30), 200*time.Millisecond, 15*time.Minute)
	for _, lives := range p.lives {
		for i := range lives {
			lives[i].end = lives[i].end.Add(time.Duration(i%7) * time.Second)
			if i%5 == 0 {
				lives[i].as = models.StatusFailed
			}
		}
	}
	r := newRun(t.Fatalf, p, Options{Interval: 5 * time.Second, Budget: 10, PageSize: 20})
	f := NewFleet(r.Poller)
	r.check, r.window = false, 2*time.Hour
	r.take = func(Answer, time.Time) { f.Count(10*time.Minute, 0) }
	for s := 60; s <= 1500; s += 60 {
		r.until(at(float64(s)))
		f.Count(MaxWindow, 0)
		got := f.Count(10*time.Minute, 0)
		f = NewFleet(r.Poller)
		if want := f.Count(10*time.Minute, 0); !maps.Equal(got, want) {
			t.Fatalf("after %d s\ngot  %+v\nwant %+v", s, got, want)
		}
	}
	if h := f.Count(MaxWindow, 0)["p01"]; h.Ended != 210 || h.Failed != 42 {
		t.Errorf("%+v", h)
	}
}

// What was given back does not count until it is loaded again.
func TestFleetCountsWhatIsLoaded(t *testing.T) {
	t.Parallel()
	r := newRun(t.Fatalf, newPlatform(2, 1500), Options{Interval: 5 * time.Second, Budget: 10, PageSize: 100})
	f := NewFleet(r.Poller)
	r.window = 2 * time.Hour
	for i, most := range []int{3000, 1000, 3000} {
		r.bound = most
		r.until(at(float64(60 * (i + 1))))
		ended := 0
		for _, h := range f.Count(time.Duration(i+2)*time.Hour, 0) {
			ended += h.Ended
		}
		loaded := r.Timeline().Loaded()
		if counted := f.kinds["start_compute"].count; (loaded < 3000) != (i == 1) || ended != loaded || counted != loaded {
			t.Errorf("up to %d: %d are loaded, %d are counted, and %d ended", most, loaded, counted, ended)
		}
	}
}

// The cost of an answer does not grow with the loaded operations.
func BenchmarkHealth(b *testing.B) {
	for window, n := range map[time.Duration]int{15 * time.Minute: 1_000, MaxWindow: 100_000} {
		b.Run(fmt.Sprintf("rows=%d/%s", n, window), func(b *testing.B) {
			p := drive(Options{Interval: 5 * time.Second, Budget: 10, PageSize: 100})
			f := NewFleet(p.Poller)
			p.SetProjects([]Project{{ID: "a"}}, true)
			all := make([]models.Operation, n)
			for i := range all {
				all[i] = ranFor(fmt.Sprint(i), models.StatusFinished, window*time.Duration(i)/time.Duration(n), time.Second)
			}
			fleetTake(p, "a", models.Page[models.Operation]{Items: all})
			b.ReportAllocs()
			for b.Loop() {
				f.change("a", Change{})
				f.Count(window, 0)
			}
		})
	}
}

// A project is failing where the group of one of its actions is: one function decides both.
func TestFleetAndGroupsAgree(t *testing.T) {
	t.Parallel()
	window, seen := 15*time.Minute, map[bool]int{}
	rapid.Check(t, func(t *rapid.T) {
		statuses := []models.Status{models.StatusFailed, models.StatusError, models.StatusFinished, models.StatusRunning}
		var page models.Page[models.Operation]
		for i := range rapid.IntRange(1, 12).Draw(t, "operations") {
			began := epoch().Add(-time.Duration(rapid.IntRange(0, 40*6).Draw(t, "began")) * 10 * time.Second)
			op := models.Operation{
				ID: fmt.Sprint(i), Action: rapid.SampledFrom([]models.Action{"a", "b"}).Draw(t, "action"),
				Status: rapid.SampledFrom(statuses).Draw(t, "status"), CreatedAt: began,
				UpdatedAt: began.Add(time.Duration(rapid.IntRange(0, 60).Draw(t, "ran")) * 10 * time.Second),
			}
			if op.UpdatedAt.After(epoch()) {
				op.UpdatedAt = epoch()
			}
			if rapid.IntRange(0, 30).Draw(t, "untimed") == 0 {
				op.UpdatedAt = time.Time{}
			}
			page.Items = append(page.Items, op)
		}
		slices.SortFunc(page.Items, func(a, b models.Operation) int { return b.CreatedAt.Compare(a.CreatedAt) })
		page.Next = rapid.SampledFrom([]string{"", "more"}).Draw(t, "next")
		p := drive(Options{Interval: 5 * time.Second, Budget: 10, PageSize: 100})
		f := NewFleet(p.Poller)
		p.SetProjects([]Project{{ID: "p"}}, true)
		fleetTake(p, "p", page)
		health := f.Count(window, 0)["p"]
		all := func(yield func(incident.Operation) bool) {
			for project, op := range p.Timeline().All() {
				if !yield(incident.Operation{Operation: op, Project: project}) {
					return
				}
			}
		}
		span := incident.Span{Window: window, Now: health.Read, Projects: p.CompleteSince()}
		failing := false
		for _, g := range incident.Groups(incident.Actions, all, incident.PastsOf(all), span) {
			failing = failing || g.Seen[incident.Failing].Projects > 0
		}
		if health.Failing != failing {
			t.Fatalf("failing is %v of the project, and %v of its groups", health.Failing, failing)
		}
		seen[failing]++
	})
	if !testing.Short() && (seen[true] == 0 || seen[false] == 0) { // the few of a short run may be alike
		t.Errorf("failing or not: %v", seen)
	}
}
