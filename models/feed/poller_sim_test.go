package feed

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pgtower/models"
)

// platform is a service with predetermined operations, so that a poller's claims about any moment can be checked.
type platform struct {
	lives  map[string][]life // of each project, newest first
	faults []fault
}

// life is the history of one operation.
type life struct {
	id        string
	born, end time.Time
	as        models.Status
	fails     []time.Time // the times of its failed attempts
}

func (l life) at(t time.Time) models.Operation {
	op := models.Operation{ID: l.id, Action: "start_compute", Status: models.StatusRunning, CreatedAt: l.born, UpdatedAt: l.born}
	for _, at := range l.fails {
		if !t.Before(at) {
			op.FailuresCount, op.UpdatedAt = op.FailuresCount+1, at
		}
	}
	if !t.Before(l.end) {
		op.Status, op.UpdatedAt = l.as, l.end
	}
	return op
}

// fault is trouble for a time, of one project or, without a name, of all.
type fault struct {
	from, to time.Time
	project  string
	kind     models.Kind
	after    time.Duration // the delay of the response
	retry    time.Duration
	every    int // every n-th request fails
	// paging is the cursor of responses: one that cannot be read ("damaged"), or one that leads back to the newest page
	// ("circle").
	paging string
	below  bool // pages below the newest only
}

func (f fault) hits(project string, at time.Time, number int) bool {
	return !at.Before(f.from) && at.Before(f.to) && (f.project == "" || f.project == project) && number%max(1, f.every) == 0
}

func (p *platform) serve(r Request, at time.Time) Answer {
	a := Answer{Request: r}
	var known []models.Operation
	for _, l := range p.lives[r.Project] {
		if l.born.After(at) {
			continue
		}
		if len(known) > r.Limit && r.ID == "" {
			break
		}
		if op := l.at(at); l.id == r.ID {
			a.Operation = op
			return a
		} else if r.Cursor == "" || position(op) < r.Cursor {
			known = append(known, op)
		}
	}
	if r.ID != "" {
		a.Err = &models.Error{Kind: models.KindNotFound, Status: 404}
		return a
	}
	a.Page = models.Page[models.Operation]{Cursor: r.Cursor, AsOf: r.AsOf, Items: known[:min(r.Limit, len(known))]}
	if len(known) > r.Limit {
		a.Page.Next = position(a.Page.Items[r.Limit-1])
	}
	return a
}

// run drives a poller against a platform in simulated time.
type run struct {
	*Poller

	fatalf   func(format string, args ...any)
	platform *platform
	now      time.Time
	latency  func() time.Duration
	coming   []arrival // ordered by time
	starts   []time.Time
	number   int
	quiet    time.Time // the end of the service's rate limit
	check    bool
	window   time.Duration // to keep complete, or 0
	asked    map[Purpose]int
	ahead    time.Duration // of the poller's clock
	take     func(Answer, time.Time)
}

type arrival struct {
	at     time.Time
	answer Answer
}

func (r *run) start(req Request) {
	r.starts = append(r.starts, r.now)
	if r.now.Before(r.quiet) {
		r.fatalf("asked %v before the service wanted it", r.quiet.Sub(r.now))
	}
	r.number++
	r.asked[req.Purpose]++
	took := r.latency()
	a := r.platform.serve(req, r.now.Add(took/2))
	for _, f := range r.platform.faults {
		if hit := f.hits(req.Project, r.now, r.number) && (!f.below || req.Cursor != ""); hit && f.paging != "" {
			if next := &a.Page.Next; *next != "" && f.paging == "circle" {
				*next = fmt.Sprint("~", r.number)
			} else if *next != "" {
				*next, a.Page.Damage = "", "pagination.cursor is not text"
			}
		} else if hit {
			e := &models.Error{Kind: f.kind, RetryAfter: f.retry}
			switch f.kind {
			case models.KindNotFound:
				e.Status = 404
			case models.KindServer:
				e.Status = 503
			case models.KindRateLimited:
				e.Status = 429
			default:
			}
			a, took = Answer{Request: req, Err: e}, max(took, f.after)
			break
		}
	}
	at, _ := slices.BinarySearchFunc(r.coming, r.now.Add(took), func(x arrival, t time.Time) int { return x.at.Compare(t) })
	r.coming = slices.Insert(r.coming, at, arrival{r.now.Add(took), a})
}

// until drives the poller until a time.
func (r *run) until(end time.Time) {
	for {
		if r.window > 0 {
			r.Keep(WindowSince(r.now, r.window))
		}
		requests, wait := r.Next(r.now.Add(r.ahead))
		for _, q := range requests {
			r.start(q)
		}
		next := r.now.Add(wait)
		if len(r.coming) > 0 && !r.coming[0].at.After(next) {
			next = slices.MaxFunc([]time.Time{r.now, r.coming[0].at}, time.Time.Compare)
		}
		if next.After(end) {
			r.now = end
			return
		}
		r.now = next
		for len(r.coming) > 0 && !r.coming[0].at.After(r.now) {
			a := r.coming[0].answer
			r.coming = r.coming[1:]
			if models.KindOf(a.Err) == models.KindRateLimited {
				r.quiet = slices.MaxFunc([]time.Time{r.quiet, r.now.Add(models.RetryAfterOf(a.Err))}, time.Time.Compare)
			}
			r.take(a, r.now.Add(r.ahead))
		}
		r.claims()
	}
}

// claims compares the poller's claims with the truth.
func (r *run) claims() {
	r.starts = slices.DeleteFunc(r.starts, func(t time.Time) bool { return r.now.Sub(t) >= time.Second })
	if len(r.starts) > r.options.Budget {
		r.fatalf("%d requests within a second", len(r.starts))
	}
	if !r.check {
		return
	}
	r.countsTheWindow()
	t, f := r.Timeline(), r.Freshness(r.now)
	coverage := t.Coverage()
	for _, id := range slices.Sorted(maps.Keys(r.platform.lives)) {
		feed := r.Feed(id)
		if feed == nil || !t.Has(id) || r.projects[id].gone {
			continue
		}
		if f.State == Live && !slices.Contains(f.Unreadable, id) && r.now.Sub(feed.AsOf()) > r.Options().Bound() {
			r.fatalf("live, and %s was asked %v ago", id, r.now.Sub(feed.AsOf()))
		}
		for _, l := range r.platform.lives[id] {
			row, known := feed.Find(l.id)
			if !known && coverage.Complete(l.born) && !l.born.After(feed.AsOf()) {
				r.fatalf("complete since %v, and %s of %s is missing, born %v", coverage.Since, l.id, id, l.born)
			}
			if known && !feed.At(row).Done() && !feed.rows[row].asOf().Before(l.end) {
				r.fatalf("%s was over when it was asked about, and is shown unfinished", l.id)
			}
		}
	}
}

// countsTheWindow checks that a complete window counts all operations that ended in it before the last poll.
func (r *run) countsTheWindow() {
	t := r.Timeline()
	if c := r.Coverage(); c.Unread > 0 || c.Since.After(WindowSince(r.now, r.window)) {
		return
	}
	var least Ended
	for id, lives := range r.platform.lives {
		if !t.Has(id) || !r.Feed(id).Loaded() || r.projects[id].gone {
			continue
		}
		for _, l := range lives {
			row, known := r.Feed(id).Find(l.id)
			if in := r.now.Sub(l.end) < r.window && l.end.Sub(l.born) <= MaxRun; in && !l.end.After(r.Feed(id).AsOf()) && !known {
				r.fatalf("the last %v are complete, and %s is missing that ended at %v", r.window, l.id, l.end)
			}
			if known && r.now.Sub(l.end) < r.window && r.Feed(id).At(row).Status.Done() {
				op := l.at(r.now)
				least.count(&op, 1)
			}
		}
	}
	if got := t.Window(r.now, r.window); got.Failed < least.Failed || got.Finished < least.Finished {
		r.fatalf("in the last %v are counted %+v, and there were %+v", r.window, got, least)
	}
}

// wrong returns the operations that are shown as unfinished but have ended.
func (r *run) wrong() (ids []string) {
	for id := range r.platform.lives {
		feed := r.Feed(id)
		for _, l := range r.platform.lives[id] {
			if row, known := feed.Find(l.id); known && !feed.At(row).Done() && !r.now.Before(l.end) {
				ids = append(ids, l.id)
			}
		}
	}
	return ids
}

func newRun(fatalf func(string, ...any), p *platform, o Options) *run {
	r := &run{
		Poller: NewPoller(o), fatalf: fatalf, platform: p, now: epoch(), check: true,
		asked:   map[Purpose]int{},
		latency: func() time.Duration { return 50 * time.Millisecond },
	}
	r.take = func(a Answer, now time.Time) { r.Take(a, now) }
	r.list()
	return r
}

func (r *run) list() {
	var list []Project
	for _, id := range slices.Sorted(maps.Keys(r.platform.lives)) {
		list = append(list, Project{ID: id})
	}
	r.SetProjects(list, true)
}

func at(seconds float64) time.Time { return epoch().Add(time.Duration(seconds * float64(time.Second))) }

// born adds n operations to a project, the first of which begins at the time.
func (p *platform) born(project string, n int, from time.Time, apart, lasts time.Duration) {
	for range n {
		p.lives[project] = slices.Insert(p.lives[project], 0, life{
			id: fmt.Sprintf("%s-%05d", project, len(p.lives[project])), born: from, end: from.Add(lasts), as: models.StatusFinished,
		})
		from = from.Add(apart)
	}
}

func newPlatform(projects, past int) *platform {
	p := &platform{lives: map[string][]life{}}
	for i := range projects {
		p.born(fmt.Sprintf("p%02d", i), past, epoch().Add(-time.Hour), time.Hour/time.Duration(past+1), 3*time.Second)
	}
	return p
}

// Whatever the service does, the poller's claims are true, and after the trouble, everything matches the service.
func TestPollerClaimsOnlyWhatIsTrue(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := newPlatform(rapid.IntRange(1, 8).Draw(t, "projects"), rapid.IntRange(1, 40).Draw(t, "past"))
		names := slices.Sorted(maps.Keys(p.lives))
		lasted := time.Duration(rapid.IntRange(1, 300).Draw(t, "lasted")) * time.Second
		for _, lives := range p.lives {
			for i := range lives {
				lives[i].end = lives[i].born.Add(lasted)
			}
		}
		const minutes = 3
		second := rapid.IntRange(0, 60*minutes)
		for range rapid.IntRange(0, 6).Draw(t, "bursts") {
			from := at(float64(second.Draw(t, "burst at")))
			name := rapid.SampledFrom(names).Draw(t, "burst of")
			if newest := p.lives[name][0].born; !from.After(newest) {
				from = newest.Add(time.Second)
			}
			lasts := time.Duration(rapid.IntRange(0, 60).Draw(t, "lasts")) * time.Second
			p.born(name, rapid.IntRange(1, 150).Draw(t, "size"), from, time.Duration(rapid.IntRange(1, 400).Draw(t, "apart"))*time.Millisecond, lasts)
		}
		kinds := []models.Kind{models.KindRateLimited, models.KindTimeout, models.KindUnreachable, models.KindServer, models.KindNotFound}
		for range rapid.IntRange(0, 4).Draw(t, "faults") {
			f := fault{from: at(float64(second.Draw(t, "fault at"))), kind: rapid.SampledFrom(kinds).Draw(t, "kind")}
			f.to = f.from.Add(time.Duration(rapid.IntRange(1, 90).Draw(t, "for")) * time.Second)
			f.every = rapid.IntRange(1, 4).Draw(t, "one in")
			switch f.kind {
			case models.KindTimeout:
				f.after = 15 * time.Second
			case models.KindRateLimited:
				f.retry = time.Duration(rapid.IntRange(1, 20).Draw(t, "retry after")) * time.Second
			case models.KindNotFound:
				f.project = rapid.SampledFrom(names).Draw(t, "of")
			default:
			}
			if rapid.IntRange(0, 2).Draw(t, "breaks paging") == 0 {
				f.paging = rapid.SampledFrom([]string{"damaged", "circle"}).Draw(t, "paging")
			}
			if rapid.Bool().Draw(t, "one project") && f.kind != models.KindRateLimited {
				f.project = rapid.SampledFrom(names).Draw(t, "of")
			}
			p.faults = append(p.faults, f)
		}
		r := newRun(t.Fatalf, p, Options{
			Interval: 5 * time.Second, Budget: rapid.IntRange(5, 20).Draw(t, "budget"), PageSize: rapid.IntRange(10, 50).Draw(t, "page"),
		})
		latency := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "latencies"), 1))
		r.latency = func() time.Duration { return time.Duration(1+latency.IntN(900)) * time.Millisecond }
		r.window = time.Duration(rapid.IntRange(1, 60).Draw(t, "window")) * time.Minute
		r.SetScope(rapid.SampledFrom(append(names, "")).Draw(t, "scope"))
		for minute := range minutes {
			r.until(at(60 * float64(minute)))
			r.list()
			switch rapid.IntRange(0, 4).Draw(t, "does") {
			case 0:
				r.SetScope(rapid.SampledFrom(append(names, "")).Draw(t, "scope"))
			case 1:
				r.LoadOlder()
			case 2:
				r.LoadUntil(Goal{Since: r.now.Add(-time.Duration(rapid.IntRange(1, 90).Draw(t, "back")) * time.Minute)})
			case 3:
				r.Refresh(r.now)
			}
		}
		r.until(at(60 * (minutes + 3))) // every fault is over, and every wait lasts at most a minute
		r.list()
		r.until(r.now.Add(time.Minute))
		r.SetScope("")
		r.until(r.now.Add(time.Minute))
		r.keptTheWindow()
		everything := Goal{Since: epoch().Add(-24 * time.Hour)}
		for tries := 0; ; {
			before := r.Timeline().Loaded()
			// Cursors from the time of broken paging still lead nowhere.
			r.RetryBroken()
			if more := r.LoadUntil(everything); !more && !r.LoadingHistory() {
				break
			}
			if r.until(r.now.Add(time.Minute)); r.Timeline().Loaded() == before {
				tries++
			}
			if tries > 10 {
				t.Fatalf("loading stands still: %+v", r.Timeline().Coverage())
			}
		}
		if f := r.Freshness(r.now); f.State != Live || len(f.Unreadable) > 0 {
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

// keptTheWindow checks that a window is completed by itself, and that nothing is requested after that.
func (r *run) keptTheWindow() {
	for m := range r.Timeline().gapped {
		if slices.ContainsFunc(m.edges, func(e edge) bool { return e.broken }) {
			return // until the user retries
		}
	}
	if c := r.Coverage(); c.Unread > 0 || c.Since.After(WindowSince(r.now, r.window)) {
		r.fatalf("of the last %v only this is there: %+v", r.window, c)
	}
	var want Ended
	for id, lives := range r.platform.lives {
		for _, l := range lives {
			row, known := r.Feed(id).Find(l.id)
			if known && r.Feed(id).At(row).Gone && !r.Feed(id).At(row).Status.Done() {
				continue // it was gone when it was read, so its end is unknown
			}
			if op := l.at(r.now); r.now.Sub(l.end) < r.window {
				want.count(&op, 1)
			}
		}
	}
	if got := r.Timeline().Window(r.now, r.window); got != want {
		r.fatalf("in the last %v are counted %+v, and there were %+v", r.window, got, want)
	}
	before := r.asked[Backfill]
	if r.until(r.now.Add(time.Minute)); r.asked[Backfill] != before || r.LoadingHistory() {
		r.fatalf("%d more pages were asked for", r.asked[Backfill]-before)
	}
}

// Two polls after a burst within the budget, no ended operation is shown as unfinished.
func TestPollerEndsABurst(t *testing.T) {
	t.Parallel()
	check := func(t interface{ Errorf(string, ...any) }, fatalf func(string, ...any), size, page int, within, lasts time.Duration) {
		p := newPlatform(12, 20)
		p.born("p03", size, at(30), within/time.Duration(size), lasts)
		r := newRun(fatalf, p, Options{Interval: 5 * time.Second, Budget: 10, PageSize: page})
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
	rapid.Check(t, func(t *rapid.T) {
		second := rapid.IntRange(0, 20_000)
		check(t, t.Fatalf, rapid.IntRange(1, 400).Draw(t, "size"), rapid.IntRange(60, 200).Draw(t, "page"),
			time.Duration(second.Draw(t, "within"))*time.Millisecond, time.Duration(second.Draw(t, "lasts"))*time.Millisecond)
	})
}

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
	f := r.Freshness(r.now)
	if f.State != Live || !slices.Equal(f.Unreadable, []string{"p02"}) || models.KindOf(f.Err) != models.KindTimeout {
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
		f := r.Freshness(r.now)
		seen[f.State] = true
		if left := f.Next.Sub(r.now); f.State == Limited && left > 4*time.Second {
			t.Fatalf("limited for %v", left)
		}
		if age := r.now.Sub(f.Oldest); age > 25*time.Second {
			t.Fatalf("the oldest answer is %v old", age)
		}
	}
	if !seen[Limited] || seen[Offline] || seen[Failing] {
		t.Errorf("states %v", seen)
	}
	r.until(at(215))
	if f := r.Freshness(r.now); f.State != Live {
		t.Errorf("%+v", f)
	}
}

// A service that is down becomes offline after a while, and live again soon after it is back.
func TestPollerGoesOfflineAndComesBack(t *testing.T) {
	t.Parallel()
	p := newPlatform(10, 5)
	p.faults = []fault{{from: at(20), to: at(100), kind: models.KindUnreachable}}
	r := newRun(t.Fatalf, p, Options{Interval: 5 * time.Second, Budget: 10, PageSize: 100})
	var states []string
	for s := range 200 {
		r.until(at(float64(s)))
		state := fmt.Sprint(r.Freshness(r.now).State)
		if len(states) == 0 || states[len(states)-1] != state {
			states = append(states, state)
		}
	}
	want := fmt.Sprint([]State{Loading, Live, Silent, Offline, Late, Live})
	if got := "[" + strings.Join(states, " ") + "]"; got != want && got != fmt.Sprint([]State{Loading, Live, Silent, Offline, Live}) {
		t.Errorf("states %v, not %v", got, want)
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
	if f := r.Freshness(r.now); r.Feed("p01").Unfinished() != 0 || f.State != Live || !slices.Equal(f.Unreadable, []string{"p01"}) {
		t.Errorf("%d unfinished, %+v", r.Feed("p01").Unfinished(), f)
	}
	r.until(at(101))
	r.list()
	r.until(at(112))
	if f := r.Freshness(r.now); r.Feed("p01").Unfinished() != 4 || len(f.Unreadable) > 0 {
		t.Errorf("it is back: %d unfinished, %+v", r.Feed("p01").Unfinished(), f)
	}
}

// Of thousands of projects, pinned and changed ones come first.
func TestPollerOfThousands(t *testing.T) {
	t.Parallel()
	p := newPlatform(2000, 1)
	r := newRun(t.Fatalf, p, Options{Interval: 5 * time.Second, Budget: 10, PageSize: 100})
	r.check = false
	r.until(at(10))
	if f := r.Freshness(r.now); f.State != Loading || f.Read == 0 || f.Read > 90 {
		t.Errorf("%+v", f)
	}
	r.until(at(260))
	f := r.Freshness(r.now)
	if f.State != Late || f.Read != 2000 || f.Fresh < 70 || r.now.Sub(f.Oldest) < time.Minute {
		t.Errorf("%+v", f)
	}
	var list []Project
	for id := range p.lives {
		one := Project{ID: id, Pinned: id == "p1000"}
		if id == "p1500" || id == "p1501" {
			one.ChangedAt = r.now
		}
		list = append(list, one)
	}
	r.SetProjects(list, true)
	for s := range 12 {
		r.until(at(266 + 5*float64(s)))
		for _, id := range []string{"p1000", "p1500", "p1501"} {
			if age := r.now.Sub(r.Feed(id).AsOf()); age > 7*time.Second && (s == 0 || id == "p1000") {
				t.Errorf("%s was asked %v ago", id, age)
			}
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
	r.Take(r.platform.serve(requests[0], r.now), at(2))
	if !r.projects["p00000"].hinted() {
		t.Error("a change that came to be known meanwhile is forgotten")
	}
}

// Pinned projects are polled in every cycle, up to half of the budget; more of them do not delay the others.
func TestPollerPollsPinnedProjects(t *testing.T) {
	t.Parallel()
	for pinned, every := range map[int]bool{25: true, 100: false} {
		r := fleetOf(t.Fatalf, 200, 0, 0, 1)
		list := make([]Project, 0, 200)
		for i, pr := range r.order {
			list = append(list, Project{ID: pr.ID, Pinned: i < pinned})
		}
		r.SetProjects(list, true)
		for s := range 60 {
			r.until(at(60 + float64(s)))
			for i, pr := range r.order {
				age := r.now.Sub(pr.feed.AsOf())
				if i < pinned && every && age > 6*time.Second {
					t.Fatalf("%d are pinned, and %s was asked %v ago", pinned, pr.ID, age)
				}
				if age > time.Minute {
					t.Fatalf("%d are pinned, and %s was asked %v ago", pinned, pr.ID, age)
				}
			}
		}
	}
	if n := (Options{Interval: 5 * time.Second, Budget: 10}).MaxPinned(); n != 25 {
		t.Errorf("%d projects may be pinned", n)
	}
}

// While polling is paused, only unread projects are requested.
func TestPollerPauses(t *testing.T) {
	t.Parallel()
	p := newPlatform(4, 5)
	r := newRun(t.Fatalf, p, Options{Interval: 5 * time.Second, Budget: 10, PageSize: 3})
	r.SetScope("p00")
	r.until(at(20))
	r.SetPaused(true)
	r.until(at(21))
	before := r.number
	r.until(at(100))
	if r.number != before {
		t.Errorf("%d requests while paused", r.number-before)
	}
	r.LoadOlder()
	r.until(at(110))
	if r.number != before+1 || r.Feed("p00").Len() != 5 {
		t.Errorf("%d requests for older pages", r.number-before)
	}
	r.SetPaused(false)
	r.until(at(111))
	if age := r.now.Sub(r.Feed("p00").AsOf()); age > time.Second {
		t.Errorf("after the pause, asked %v ago", age)
	}
}

// A request that was never sent does not affect the service's state: it is repeated, and nothing waits.
func TestPollerRepeatsUnsentRequests(t *testing.T) {
	t.Parallel()
	p := NewPoller(Options{Interval: 5 * time.Second, Budget: 10, PageSize: 100})
	p.SetProjects([]Project{{ID: "a"}}, true)
	p.SetScope("")
	requests, _ := p.Next(epoch())
	p.Take(Answer{Request: requests[0], Err: &models.Error{Kind: models.KindRateLimited}}, at(1))
	again, _ := p.Next(at(1))
	if f := p.Freshness(at(1)); f.State != Loading || len(again) != 1 || again[0].Project != "a" {
		t.Errorf("%+v, asked again: %v", f, again)
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
	if f := r.Freshness(r.now); f.State != Failing || r.Timeline().Len() != 5 {
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
	if f := r.Freshness(r.now); len(r.wrong()) > 0 || f.State != Live || len(f.Unreadable) > 0 {
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
	if f := r.Freshness(r.now); f.State != Live || len(f.Unreadable) > 0 || r.Coverage().Lacking != "p00" {
		t.Errorf("%+v, %+v", f, r.Coverage())
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
	goal := Goal{Since: epoch().Add(-2 * time.Hour)}
	r.LoadUntil(goal)
	r.until(at(50))
	project, n, err := r.HistoryErr()
	if project != "p01" || n != 1 || err == nil || r.LoadingHistory() {
		t.Errorf("%q, %d, %v, loading %v", project, n, err, r.LoadingHistory())
	}
	if c := r.Coverage(); c.Lacking != "p01" || r.Feed("p00").Len() != 100 || r.Feed("p02").Len() != 100 || len(r.Unreadable()) > 0 {
		t.Errorf("%+v, %d and %d operations", c, r.Feed("p00").Len(), r.Feed("p02").Len())
	}
	r.until(at(61))
	r.LoadUntil(goal)
	r.until(at(80))
	if _, _, err := r.HistoryErr(); err != nil || r.Timeline().Loaded() != 300 {
		t.Errorf("%d operations, %v", r.Timeline().Loaded(), err)
	}
}

// Nothing is requested, or queued, for a deleted project.
func TestPollerDropsRequestsOfADeletedProject(t *testing.T) {
	t.Parallel()
	for name, goes := range map[string]func(*run){
		"the list lacks it": func(r *run) { r.SetProjects([]Project{{ID: "p01"}}, true) },
		"the service lacks it, too": func(r *run) {
			r.Take(Answer{Request: Request{Project: "p00"}, Err: &models.Error{Kind: models.KindNotFound, Status: 404}}, r.now)
		},
	} {
		p := newPlatform(2, 5)
		p.born("p00", 60, at(7), time.Millisecond, time.Hour)
		r := newRun(t.Fatalf, p, Options{Interval: 5 * time.Second, Budget: 1, PageSize: 25})
		r.latency = func() time.Duration { return time.Millisecond }
		for s := 0.0; len(r.traffic.waiting) == 0; s += 0.1 {
			r.until(at(s))
		}
		r.history.fail("p00", &models.Error{})
		r.traffic.wait(Request{Project: "p00", Purpose: History, PageRequest: models.PageRequest{Cursor: "x"}})
		if goes(r); len(r.traffic.waiting)+len(r.history.failed) > 0 {
			t.Errorf("%s: %v wait, %v", name, r.traffic.waiting, r.history.failed)
		}
	}
}

// One request without a response is reported at once, and a recovered service is found soon.
func TestPollerReportsSilenceAtOnce(t *testing.T) {
	t.Parallel()
	p := newPlatform(3, 5)
	p.faults = []fault{{from: at(20), to: at(600), kind: models.KindUnreachable}}
	r := newRun(t.Fatalf, p, Options{Interval: 5 * time.Second, Budget: 10, PageSize: 100})
	for s := 0.0; s < 600; s += 0.5 {
		r.until(at(s))
		if f := r.Freshness(r.now); s > 25.5 && f.State != Silent && f.State != Offline {
			t.Fatalf("%v after the last answer: %+v", r.now.Sub(f.LastResponse), f)
		}
	}
	if f := r.Freshness(r.now); f.State != Offline || f.Next.Sub(r.now) > 30*time.Second {
		t.Errorf("%+v", f)
	}
	r.until(at(631))
	if f := r.Freshness(r.now); f.State != Live {
		t.Errorf("%+v", f)
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
		"silence":      {models.Error{Kind: models.KindUnreachable}, time.Second, true},
		"a failure":    {models.Error{Kind: models.KindServer, Status: 500}, time.Second, true},
	} {
		p := NewPoller(Options{Interval: 5 * time.Minute, Budget: 10, PageSize: 100})
		p.SetProjects([]Project{{ID: "a"}}, true)
		p.SetScope("")
		requests, _ := p.Next(epoch())
		p.Take(Answer{Request: requests[0], Err: &c.err}, epoch())
		now := epoch().Add(c.after)
		if requests, _ := p.Next(now); len(requests) > 0 {
			t.Errorf("%s: asked without being told", name)
		}
		p.Refresh(now)
		if requests, _ := p.Next(now); len(requests) > 0 != c.asks {
			t.Errorf("%s: asked %v", name, requests)
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
	r.LoadOlder()
	r.until(at(14))
	if f := r.Freshness(r.now); len(f.Unreadable) > 0 || f.Err != nil {
		t.Errorf("%+v", f)
	}
	if _, _, err := r.HistoryErr(); err != nil {
		t.Error(err)
	}
	r.until(at(50))
	if f := r.Freshness(r.now); f.State != Live {
		t.Errorf("%+v", f)
	}
}

// What is running in an unreadable project is unknown.
func TestPollerCountsRunningOperationsOfReadableProjects(t *testing.T) {
	t.Parallel()
	p := newPlatform(2, 5)
	p.born("p00", 3, at(7), time.Millisecond, time.Hour)
	p.born("p01", 4, at(7), time.Millisecond, time.Hour)
	p.faults = []fault{{from: at(20), to: at(40), project: "p01", kind: models.KindServer}}
	for s, want := range map[float64]int{15: 7, 30: 3, 70: 7} {
		r := newRun(t.Fatalf, p, Options{Interval: 5 * time.Second, Budget: 10, PageSize: 25})
		if r.until(at(s)); r.Running() != want {
			t.Errorf("after %v s %d run, not %d", s, r.Running(), want)
		}
	}
}

// The cost of the screen's calls does not grow with the number of unreadable projects.
func TestFreshnessOfManyUnreadableProjectsIsCheap(t *testing.T) {
	t.Parallel()
	p := newPlatform(300, 1)
	p.faults = []fault{{to: at(600), kind: models.KindForbidden}}
	r := newRun(t.Fatalf, p, Options{Interval: 5 * time.Second, Budget: 100, PageSize: 25})
	r.until(at(30))
	before := r.summary()
	if f := r.Freshness(r.now); f.State != Failing || len(f.Unreadable) != 300 || r.Coverage().Unread != 0 || r.summary() != before {
		t.Errorf("%+v, %+v, computed anew: %v", f, r.Coverage(), r.summary() != before)
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
