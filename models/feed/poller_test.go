package feed

import (
	"maps"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pgtower/models"
)

// Whatever the service does, the poller's claims are true, and after the trouble, everything matches the service.
func TestPollerClaimsOnlyWhatIsTrue(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		const minutes = 3
		r := draw(t, minutes, models.KindRateLimited, models.KindTimeout, models.KindUnreachable, models.KindServer, models.KindNotFound)
		p, names := r.platform, slices.Sorted(maps.Keys(r.platform.lives))
		lasted := time.Duration(rapid.IntRange(1, 300).Draw(t, "lasted")) * time.Second
		for _, lives := range p.lives {
			for i := range lives {
				if lives[i].born.Before(epoch()) {
					lives[i].end = lives[i].born.Add(lasted)
				}
			}
		}
		r.window = time.Duration(rapid.IntRange(1, 60).Draw(t, "window")) * time.Minute
		r.bound = rapid.SampledFrom([]int{0, 0, 40, 300}).Draw(t, "bound")
		r.SetScope(rapid.SampledFrom(append(names, "")).Draw(t, "scope"))
		for minute := range minutes {
			r.until(at(60 * float64(minute)))
			r.list()
			switch rapid.IntRange(0, 4).Draw(t, "does") {
			case 0:
				r.SetScope(rapid.SampledFrom(append(names, "")).Draw(t, "scope"))
			case 1:
				r.window = time.Duration(rapid.IntRange(1, 90).Draw(t, "window")) * time.Minute
			case 2:
				r.waits = !r.waits
			case 3:
				r.refresh(r.now)
			}
		}
		r.until(at(60 * (minutes + 3))) // every fault is over, and every wait lasts at most a minute
		r.list()
		r.until(r.now.Add(time.Minute))
		r.SetScope("")
		r.bound = 0
		r.until(r.now.Add(time.Minute))
		if settled := p.settled(); settled.After(r.now) {
			r.until(settled)
		}
		r.keptTheWindow()
		r.window = 24 * time.Hour
		for tries := 0; !r.isWhole(); {
			before := r.Timeline().Loaded()
			r.RetryOlder() // cursors from the time of broken paging still lead nowhere
			if r.until(r.now.Add(time.Minute)); r.Timeline().Loaded() == before {
				tries++
			}
			if tries > 10 {
				t.Fatalf("loading stands still: %+v", r.Timeline().span())
			}
		}
		if f := r.Span(r.now); f.State != Live || len(f.Without) > 0 {
			t.Fatalf("not live although all is well: %+v", f)
		}
		if wrong := r.wrong(); len(wrong) > 0 {
			t.Fatalf("shown unfinished: %v", wrong)
		}
		for name, lives := range p.lives {
			if n := r.Feed(name).Len(); n != len(lives) {
				t.Fatalf("%d of %d operations of %s", n, len(lives), name)
			}
		}
	})
}

// isWhole reports whether all history of all projects is claimed to be loaded.
func (r *run) isWhole() bool {
	s := r.Span(r.now)
	return s.Since.IsZero() && s.Unread+s.Gaps+s.Capped == 0 && s.Ranged == len(r.platform.lives)
}

// keptTheWindow checks that a window is completed by itself, and that nothing is requested after that.
func (r *run) keptTheWindow() {
	for m := range r.Timeline().gapped {
		if slices.ContainsFunc(m.feed.edges, func(e edge) bool { return e.broken }) {
			return // until the user retries
		}
	}
	if c := r.Span(r.now); c.Unread > 0 || c.Since.After(WindowSince(r.now, r.window)) {
		r.fatalf("of the last %v only this is there: %+v", r.window, c)
	}
	var want Ended
	for id, lives := range r.platform.lives {
		for _, l := range lives {
			op := l.at(r.now)
			if row, known := r.Feed(id).Find(l.id); known && r.Feed(id).At(row).Gone {
				op = r.shown[l.id] // its end was never read
			}
			if op.Done() && r.now.Sub(op.UpdatedAt) < r.window {
				want.count(&op, 1)
			}
		}
	}
	if got := r.Timeline().Window(r.now, r.window); got != want {
		r.fatalf("in the last %v are counted %+v, and there were %+v", r.window, got, want)
	}
	before := r.asked[Older]
	if r.until(r.now.Add(time.Minute)); r.asked[Older] != before || r.Loading() {
		r.fatalf("%d more pages were asked for", r.asked[Older]-before)
	}
}

// Two polls after a burst within the budget, no ended operation is shown as unfinished.
func TestPollerEndsABurst(t *testing.T) {
	t.Parallel()
	check := func(t interface{ Errorf(string, ...any) }, fatalf func(string, ...any), size, page int, within, lasts time.Duration) {
		p := newPlatform(12, 20)
		p.born("p03", size, at(30), within/time.Duration(size), lasts)
		r := newRun(fatalf, p, Options{Interval: 5 * time.Second, Budget: 5, PageSize: page})
		r.check = false
		r.until(at(30).Add(within + lasts + 2*r.Options().Interval + 2*time.Second))
		if wrong := r.wrong(); len(wrong) > 0 {
			t.Errorf("two polls after the end, %d are shown unfinished", len(wrong))
		}
		if n := r.Feed("p03").Len(); size < 4*page && n != 20+size && len(r.Feed("p03").Gaps()) > 0 {
			t.Errorf("%d operations, gaps at %v", n, r.Feed("p03").Gaps())
		}
	}
	check(t, t.Fatalf, 300, 100, time.Second, 11*time.Second)
	check(t, t.Fatalf, 300, 100, 11*time.Second, 100*time.Millisecond)
	check(t, t.Fatalf, 60, 20, time.Second, 11*time.Second)
	check(t, t.Fatalf, 600, 20, time.Second, 11*time.Second)
	check(t, t.Fatalf, 356, 20, 249*time.Millisecond, 39*time.Millisecond)
	rapid.Check(t, func(t *rapid.T) {
		second := rapid.IntRange(0, 20_000)
		check(t, t.Fatalf, rapid.IntRange(1, 400).Draw(t, "size"), rapid.IntRange(20, 200).Draw(t, "page"),
			time.Duration(second.Draw(t, "within"))*time.Millisecond, time.Duration(second.Draw(t, "lasts"))*time.Millisecond)
	})
}

// Bursts of one second are joined, too, while rate limits make each join wait for longer than the next head page takes:
// that page moves the gap, and the join with it.
func TestPollerJoinsBurstsWhileRateLimited(t *testing.T) {
	t.Parallel()
	p := newPlatform(12, 20)
	bursts := []string{"p02", "p05", "p07", "p09"}
	for _, id := range bursts {
		p.born(id, 125, at(30), 2*time.Millisecond, 50*time.Second)
	}
	p.faults = []fault{{from: at(0), to: at(1000), every: 5, kind: models.KindRateLimited, retry: 2 * time.Second}}
	r := newRun(t.Fatalf, p, Options{Interval: 2 * time.Second, Budget: 5, PageSize: 20})
	r.check = false
	r.until(at(30 + 120))
	for _, id := range bursts {
		if n := r.Feed(id).Len(); n != 20+125 || len(r.Feed(id).Gaps()) > 0 {
			t.Errorf("%s has %d operations of %d, gaps at %v", id, n, 20+125, r.Feed(id).Gaps())
		}
	}
}

// With hints of the project list, the last changed projects are read first, and later changes are read soon, even if
// they are noticed during a request.
func TestPollerTakesHints(t *testing.T) {
	t.Parallel()
	r := fleetOf(t.Fatalf, 1000, 0, 0, 1)
	r.relist()
	r.until(at(14))
	if !r.readFrom(900) || r.readFrom(800) {
		t.Errorf("after 14 s, %d projects are read, and not those that changed last", r.Timeline().Read())
	}
	r = fleetOf(t.Fatalf, 1000, 130, 190, 1)
	r.relist()
	if delays := r.delays(130, 190, 15); len(delays) < 50 || delays[len(delays)-1] > 20 {
		t.Errorf("seen after %v seconds", delays)
	}

	r = fleetOf(t.Fatalf, 1, 0, 0, 1)
	requests, _ := r.Next(r.now)
	r.SetProjects([]Project{{ID: "p00000", ChangedAt: at(1)}}, true)
	r.Receive(r.platform.serve(requests[0], r.now), at(2))
	if !r.projects["p00000"].hinted() {
		t.Error("a change that came to be known meanwhile is forgotten")
	}
}

// If more projects are pinned than a quarter of the budget covers, they do not delay the others.
func TestPollerTooManyPinnedProjectsHaveNoPriority(t *testing.T) {
	t.Parallel()
	if n := (Options{Interval: 5 * time.Second, Budget: 10}).MaxPinned(); n != 12 {
		t.Errorf("%d projects may be pinned", n)
	}
	r := newRun(t.Fatalf, newPlatform(200, 1), Options{Interval: 5 * time.Second, Budget: 10, PageSize: 20})
	r.pins = 100
	r.list()
	for s := range 60 {
		r.until(at(60 + float64(s)))
		for _, pr := range r.order {
			if age := r.now.Sub(pr.feed.AsOf()); age > time.Minute {
				t.Fatalf("%s was asked %v ago", pr.ID, age)
			}
		}
	}
}

// While polling is paused, nothing is requested, except a range that the user waits for. After the pause, the newest page is
// read at once.
func TestPollerPauses(t *testing.T) {
	t.Parallel()
	p := newPlatform(4, 5)
	r := newRun(t.Fatalf, p, Options{Interval: 5 * time.Second, Budget: 10, PageSize: 3})
	r.SetScope("p00")
	r.until(at(20))
	r.Pause()
	r.until(at(21))
	before := r.number
	r.until(at(100))
	if r.number != before {
		t.Errorf("%d requests while paused", r.number-before)
	}
	r.window = time.Hour
	if r.until(at(105)); r.number != before {
		t.Errorf("%d requests for a range while paused", r.number-before)
	}
	r.waits = true
	r.until(at(110))
	if r.number != before+1 || r.Feed("p00").Len() != 5 {
		t.Errorf("%d requests for older pages", r.number-before)
	}
	r.Resume()
	r.until(at(111))
	if age := r.now.Sub(r.Feed("p00").AsOf()); age > time.Second {
		t.Errorf("after the pause, asked %v ago", age)
	}
}

// A manual refresh ends every wait but a rate limit younger than a minute.
func TestPollerRefreshes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err   models.Error
		after time.Duration
		asks  bool
	}{
		"a limit":      {models.Error{Kind: models.KindRateLimited, Status: 429, RetryAfter: time.Hour}, 12 * time.Second, false},
		"a long limit": {models.Error{Kind: models.KindRateLimited, Status: 429, RetryAfter: time.Hour}, time.Minute, true},
		"silence":      {models.Error{Kind: models.KindUnreachable}, time.Second / 2, true},
		"a failure":    {models.Error{Kind: models.KindServer, Status: 500}, time.Second, true},
	} {
		p := drive(Options{Interval: 5 * time.Minute, Budget: 10, PageSize: 100})
		p.SetProjects([]Project{{ID: "a"}}, true)
		p.SetScope("")
		requests, _ := p.Next(epoch())
		p.Receive(Answer{request: requests[0], Err: &c.err}, epoch())
		now := epoch().Add(c.after)
		if requests, _ := p.Next(now); len(requests) > 0 {
			t.Errorf("%s: asked before the refresh", name)
		}
		p.refresh(now)
		if requests, _ := p.Next(now); len(requests) > 0 != c.asks {
			t.Errorf("%s: asked %v", name, requests)
		}
	}
}

// The span of many unreadable projects is not computed anew while nothing changes.
func TestSpanOfManyUnreadableProjectsIsCheap(t *testing.T) {
	t.Parallel()
	p := newPlatform(300, 1)
	p.faults = []fault{{to: at(600), kind: models.KindForbidden}}
	r := newRun(t.Fatalf, p, Options{Interval: 5 * time.Second, Budget: 100, PageSize: 25})
	r.until(at(30))
	before := r.summary()
	if f := r.Span(r.now); f.State != Failing || len(f.Without) != 300 || r.Span(r.now).Unread != 0 || r.summary() != before {
		t.Errorf("%+v, %+v, computed anew: %v", f, r.Span(r.now), r.summary() != before)
	}
}

// Projects out of scope are polled as those in scope are: alerts are for all of them. The one in scope comes first.
func TestPollerPollsProjectsOutOfScope(t *testing.T) {
	t.Parallel()
	for projects, others := range map[int]time.Duration{35: 10 * time.Second, 400: 60 * time.Second} {
		r := newRun(t.Fatalf, newPlatform(projects, 1), Options{Interval: 5 * time.Second, Budget: 10, PageSize: 20})
		r.SetScope("p00")
		r.until(at(120))
		for id := range r.platform.lives {
			most := others
			if id == "p00" {
				most = r.Options().Bound()
			}
			if late := r.now.Sub(r.Feed(id).AsOf()); late > most {
				t.Errorf("of %d projects, %s was read %v ago", projects, id, late)
			}
		}
	}
}
