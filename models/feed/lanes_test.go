package feed

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgtower/models"
)

// rounds drives a run until every project was read again, round after round, and returns how long each took. The list
// of projects is read again every 15 seconds.
func (r *run) rounds(n int) (took []time.Duration) {
	began, listed := r.now, r.now
	for len(took) < n {
		r.until(r.now.Add(time.Second))
		if r.now.Sub(listed) >= 15*time.Second {
			r.list()
			listed = r.now
		}
		stale := func(pr *project) bool { return !pr.feed.Loaded() || pr.feed.AsOf().Before(began) }
		if !slices.ContainsFunc(r.order, stale) {
			took = append(took, r.now.Sub(began))
			began = r.now
		}
		if r.now.Sub(began) > 3*time.Hour {
			r.fatalf("a round does not end")
		}
	}
	return took
}

// Every project gets its turn, whatever changes, runs and fails elsewhere. If pins and the list leave n requests a second, a
// first round takes at most 1.5/n seconds for each project, and a later one twice that.
func TestPollerReadsEveryProjectInTurn(t *testing.T) {
	t.Parallel()
	fleet := 1000
	if thorough() {
		fleet = 5000
	}
	for _, c := range []struct{ projects, busy, budget, pins int }{
		{300, 0, 5, 0},
		{300, 150, 5, 6},
		{300, 300, 20, 25},
		{fleet, fleet / 50, 20, 0},
		{fleet, fleet / 2, 20, 10},
		{fleet, fleet, 20, 0},
	} {
		p := &platform{lives: map[string][]life{}, busy: true}
		for i := range c.projects {
			id := fmt.Sprintf("p%05d", i)
			p.born(id, 3, epoch().Add(-time.Hour), time.Second, time.Second)
			if i >= c.busy {
				continue
			}
			p.born(id, 2, epoch().Add(-time.Minute), time.Second, 4*time.Hour)
			p.lives[id][0].as, p.lives[id][0].end = models.StatusFailed, epoch()
			if i%3 > 0 { // the share of the busy ones changes
				p.lives[id][1].end = at(float64(i%3) * 40)
				p.born(id, 3, at(float64(i%7)*30), 90*time.Second, 45*time.Second)
			}
		}
		r := newRun(t.Fatalf, p, Options{Interval: 5 * time.Second, Budget: c.budget, PageSize: 20})
		r.check, r.pins = false, c.pins
		r.list()
		left := 0.9*float64(c.budget) - float64(c.pins)/5
		most := time.Duration(1.5 * float64(c.projects) / left * float64(time.Second))
		took := r.rounds(2)
		if slack := 5 * time.Second; took[0] > most+slack || took[1] > 2*most+slack {
			t.Errorf("%+v: rounds took %v, and the first one may take %v", c, took, most)
		}
	}
}

// Projects that the user chose come first, and all others still get their turn.
func TestPollerReadsChosenProjectsFirst(t *testing.T) {
	t.Parallel()
	p := &platform{lives: map[string][]life{}, busy: true}
	const fleet, every = 300, 25
	chosen := map[string]bool{}
	for i := range fleet {
		id := fmt.Sprintf("p%05d", i)
		p.born(id, 3, epoch().Add(-time.Minute), time.Second, time.Hour)
		if i%every == 0 {
			chosen[id] = true
		}
	}
	r := newRun(t.Fatalf, p, Options{Interval: 5 * time.Second, Budget: 10, PageSize: 20})
	r.check = false
	r.list()
	r.Choose(chosen)
	r.until(at(10))
	for id := range chosen {
		if !r.Feed(id).Loaded() {
			t.Errorf("after 10 s, %s was not read", id)
		}
	}
	per := float64(time.Second) / 9
	first, oldest := time.Duration(1.5*fleet*per), time.Duration(0)
	took := r.rounds(1)[0] + 10*time.Second
	r.until(r.now.Add(30 * time.Second))
	r.starting = func(request) {
		for id := range chosen {
			oldest = max(oldest, r.now.Sub(r.Feed(id).AsOf()))
		}
	}
	later := r.rounds(1)[0]
	// A third of the budget is for the chosen ones.
	if slack := 5 * time.Second; took > first+slack || later > 2*first+slack || oldest > time.Duration(3*fleet/every*per)+slack {
		t.Errorf("rounds took %v and %v, and %v and twice that is right; the chosen are %v old", took, later, first, oldest)
	}
}

// A pinned project is read in every cycle, and the one in scope, whatever the others do.
func TestPollerReadsPinsAndTheScopeFirst(t *testing.T) {
	t.Parallel()
	p := &platform{lives: map[string][]life{}, busy: true}
	for i := range 1000 {
		p.born(fmt.Sprintf("p%05d", i), 3, epoch().Add(-time.Minute), time.Second, time.Hour)
	}
	r := newRun(t.Fatalf, p, Options{Interval: 5 * time.Second, Budget: 5, PageSize: 20})
	r.check, r.pins = false, 6
	r.list()
	r.SetScope("p00999")
	for s := 20; s < 300; s++ {
		r.until(at(float64(s)))
		if s%15 == 0 {
			r.list()
		}
		for _, id := range []string{"p00000", "p00005", "p00999"} {
			if age := r.now.Sub(r.Feed(id).AsOf()); age > 7*time.Second {
				t.Fatalf("%s was asked %v ago", id, age)
			}
		}
	}
	states := []State{r.Span(r.now).State}
	r.SetScope("")
	states = append(states, r.Span(r.now).State)
	r.until(at(600))
	states = append(states, r.Span(r.now).State)
	if want := []State{Live, Loading, Late}; !slices.Equal(states, want) {
		t.Errorf("the scope, and all projects before and after they were read, are %v", states)
	}
}

// What the user waits for has a third of the budget, however much is due elsewhere.
func TestPollerLoadsWhatTheUserWaitsFor(t *testing.T) {
	t.Parallel()
	const projects = 60
	p := busyPlatform(projects)
	p.busy = true
	for i := range projects {
		p.born(busyName(i), 400, epoch().Add(-10*time.Minute), time.Second, time.Second)
	}
	r := newRun(t.Fatalf, p, Options{Interval: 5 * time.Second, Budget: 1, PageSize: 20})
	r.window, r.waits = 15*time.Minute, true
	for r.Span(r.now).Unread > 0 {
		r.until(r.now.Add(time.Second))
	}
	clear(r.asked)
	for range 6 {
		r.list()
		r.until(r.now.Add(15 * time.Second))
	}
	sent := 0
	for _, n := range r.asked {
		sent += n
	}
	if !r.Loading() || 10*r.asked[Older] < 3*sent {
		t.Errorf("of %d requests, %d were for what the user waits for", sent, r.asked[Older])
	}
}
