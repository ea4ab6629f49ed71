package feed

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"pgregory.net/rapid"

	"pgtower/models"
	"pgtower/models/budget"
)

// platform is a service with predetermined operations, so that a poller's claims about any moment can be checked. Its
// times are whole seconds, the operations of a second are in an order of its own, and what failed is tried again.
type platform struct {
	lives  map[string][]life // of each project, newest first
	faults []fault
	busy   bool // its list of projects shows changes all the time
	most   int  // the greatest page, or 0
}

// life is the history of one operation.
type life struct {
	id, place string // place orders the operations of a second
	born, end time.Time
	as        models.Status
	tries     []try // those that failed, oldest first
}

// try is an attempt that failed, and when the next one began.
type try struct {
	failed, again time.Time
	tells         bool // by retry_at
}

func (l life) at(t time.Time) models.Operation {
	op := models.Operation{ID: l.id, BranchID: l.place, Action: "start_compute", Status: models.StatusRunning}
	op.CreatedAt = l.born.Truncate(time.Second)
	changed := l.born
	for _, one := range l.tries {
		if !t.Before(one.failed) {
			op.Status, op.FailuresCount, changed = models.StatusFailed, op.FailuresCount+1, one.failed
			if one.tells {
				op.RetryAt = one.again.Truncate(time.Second)
			}
		}
		if !t.Before(one.again) {
			op.Status, changed = models.StatusRunning, one.again
		}
	}
	if !t.Before(l.end) {
		op.Status, changed = l.as, l.end
		if l.as.Failed() {
			op.FailuresCount++
		}
	}
	op.UpdatedAt = changed.Truncate(time.Second)
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
	limit := r.Limit
	if p.most > 0 {
		limit = min(limit, p.most)
	}
	var known []models.Operation
	for _, l := range p.lives[r.Project] {
		if l.born.After(at) {
			continue
		}
		op := l.at(at)
		if l.id == r.ID {
			a.Operation = op
			return a
		}
		if n := len(known); r.ID == "" && n > limit && known[n-1].CreatedAt.After(op.CreatedAt) {
			break
		}
		if r.Cursor == "" || position(op) < r.Cursor {
			known = append(known, op)
		}
	}
	if r.ID != "" {
		a.Err = &models.Error{Kind: models.KindNotFound, Status: 404}
		return a
	}
	slices.SortStableFunc(known, func(a, b models.Operation) int { return cmp.Compare(position(b), position(a)) })
	a.Page = models.Page[models.Operation]{Cursor: r.Cursor, AsOf: r.AsOf, ServiceTime: at, Items: known[:min(limit, len(known))]}
	if len(known) > limit {
		a.Page.Next = position(a.Page.Items[limit-1])
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
	pins     int           // how many projects are pinned
	window   time.Duration // to keep complete, or 0
	waits    bool          // the user waits for it
	bound    int           // how many operations of it are loaded at most, or 0
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
			r.SetRange(Range{Since: WindowSince(r.now, r.window), Asked: r.waits, Most: r.bound})
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
	r.starts = slices.DeleteFunc(r.starts, func(t time.Time) bool { return r.now.Sub(t) >= 20*time.Second })
	if n := len(r.starts); n > budget.Burst(r.options.Budget)+20*r.options.Budget {
		r.fatalf("%d requests within 20 s", n)
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
			op := l.at(r.now)
			if !known && coverage.Complete(op.CreatedAt) && !l.born.After(feed.AsOf()) {
				r.fatalf("complete since %v, and %s of %s is missing, born %v", coverage.Since, l.id, id, l.born)
			}
			if !known {
				continue
			}
			asOf := feed.rows[row].asOf()
			if then := l.at(asOf); feed.At(row).UpdatedAt.Before(then.UpdatedAt) && !asOf.IsZero() {
				r.fatalf("%s was %+v when it was asked about, and is shown as %+v", l.id, then, feed.At(row))
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
			if in := r.now.Sub(l.end) < r.window-time.Second && l.end.Sub(l.born) <= MaxRun; in && !l.end.After(r.Feed(id).AsOf()) && !known {
				r.fatalf("the last %v are complete, and %s is missing that ended at %v", r.window, l.id, l.end)
			}
			op := l.at(r.now)
			over := !l.end.After(r.now) && r.now.Sub(l.end) < r.window-time.Second
			if over && known && *r.Feed(id).At(row) == op {
				least.count(&op, 1)
			}
		}
	}
	if got := t.Window(r.now, r.window); got.Failed < least.Failed || got.Finished < least.Finished {
		r.fatalf("in the last %v are counted %+v, and there were %+v", r.window, got, least)
	}
}

// settled returns when everything that failed was asked about after its end: the longer a failure stands, the later.
func (p *platform) settled() (at time.Time) {
	for _, lives := range p.lives {
		for _, l := range lives {
			after := l.end.Add(time.Minute)
			if len(l.tries) > 0 {
				after = after.Add(l.end.Sub(l.tries[0].failed))
			}
			if after.After(at) {
				at = after
			}
		}
	}
	return at
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
		one := Project{ID: id, Pinned: len(list) < r.pins}
		if r.platform.busy {
			one.ChangedAt = r.now.Truncate(time.Second)
		}
		list = append(list, one)
	}
	r.SetProjects(list, true)
}

func at(seconds float64) time.Time { return epoch().Add(time.Duration(seconds * float64(time.Second))) }

// born adds n operations to a project, the first of which begins at the time.
func (p *platform) born(project string, n int, from time.Time, apart, lasts time.Duration) {
	for range n {
		number := len(p.lives[project])
		p.lives[project] = slices.Insert(p.lives[project], 0, life{
			id: nameOf(project, number), place: fmt.Sprintf("%05d", scramble(number, 31607)),
			born: from, end: from.Add(lasts), as: models.StatusFinished,
		})
		from = from.Add(apart)
	}
}

// nameOf returns the id of a project's operation by its number, from 0. The order of ids is no other one.
func nameOf(project string, number int) string {
	return fmt.Sprintf("%s-%05d", project, scramble(number, 7919))
}

func newPlatform(projects, past int) *platform {
	p := &platform{lives: map[string][]life{}}
	for i := range projects {
		p.born(fmt.Sprintf("p%02d", i), past, epoch().Add(-time.Hour), time.Hour/time.Duration(past+1), 3*time.Second)
	}
	return p
}

// draw returns a poller of a platform with bursts of operations, some of which fail, and with trouble of these kinds for
// some minutes.
func draw(t *rapid.T, minutes int, kinds ...models.Kind) *run {
	p := newPlatform(rapid.IntRange(1, 8).Draw(t, "projects"), rapid.IntRange(1, 40).Draw(t, "past"))
	p.lives["empty"] = nil
	p.busy = rapid.Bool().Draw(t, "busy")
	names := slices.Sorted(maps.Keys(p.lives))
	second := rapid.IntRange(1, 60*minutes)
	for range rapid.IntRange(0, 6).Draw(t, "bursts") {
		name, from := rapid.SampledFrom(names).Draw(t, "burst of"), at(float64(second.Draw(t, "burst at")))
		if lives := p.lives[name]; len(lives) > 0 && !from.After(lives[0].born) {
			from = lives[0].born.Add(time.Second)
		}
		n := rapid.IntRange(1, 200).Draw(t, "size")
		p.born(name, n, from, time.Millisecond+drawSpan(t, "apart", 300*time.Millisecond), drawSpan(t, "lasts", 2*time.Minute))
		drawTries(t, p.lives[name][:n])
	}
	for range rapid.IntRange(0, 4).Draw(t, "faults") {
		p.faults = append(p.faults, drawFault(t, names, at(float64(second.Draw(t, "fault at"))), kinds))
	}
	r := newRun(t.Fatalf, p, Options{
		Interval: 5 * time.Second, Budget: rapid.IntRange(5, 20).Draw(t, "budget"), PageSize: rapid.SampledFrom([]int{20, 25, 50, 100, 1000}).Draw(t, "page"),
	})
	latency := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "latencies"), 1))
	r.latency = func() time.Duration { return time.Duration(1+latency.IntN(900)) * time.Millisecond }
	return r
}

// drawTries makes every third operation fail, some of them again and again, and some for good.
func drawTries(t *rapid.T, lives []life) {
	fails, again := drawSpan(t, "fails after", time.Minute), drawSpan(t, "tried again after", 90*time.Second)
	tries, tells := rapid.IntRange(0, 3).Draw(t, "tries"), rapid.Bool().Draw(t, "tells")
	for i := 0; i < len(lives); i += 3 {
		l := &lives[i]
		ran, from := l.end.Sub(l.born), l.born
		for range tries {
			one := try{failed: from.Add(fails), tells: tells}
			one.again = one.failed.Add(again)
			l.tries, from = append(l.tries, one), one.again
		}
		if l.end = from.Add(ran); i%2 == 0 || tries == 0 {
			l.as = models.StatusFailed
		}
	}
}

func drawFault(t *rapid.T, names []string, from time.Time, kinds []models.Kind) fault {
	f := fault{from: from, to: from.Add(drawSpan(t, "for", 90*time.Second)), kind: rapid.SampledFrom(kinds).Draw(t, "kind")}
	f.every, f.below = rapid.IntRange(1, 4).Draw(t, "one in"), rapid.Bool().Draw(t, "below")
	if rapid.Bool().Draw(t, "one project") {
		f.project = rapid.SampledFrom(names).Draw(t, "of")
	}
	switch f.kind {
	case models.KindTimeout:
		f.after = 15 * time.Second
	case models.KindRateLimited:
		f.retry, f.below, f.project = drawSpan(t, "retry after", 20*time.Second), false, ""
	case models.KindNotFound:
		f.below, f.project = false, rapid.SampledFrom(names).Draw(t, "gone")
	default:
	}
	if rapid.IntRange(0, 2).Draw(t, "breaks paging") == 0 {
		f.paging = rapid.SampledFrom([]string{"damaged", "circle"}).Draw(t, "paging")
	}
	return f
}

// drawSpan draws a duration in milliseconds.
func drawSpan(t *rapid.T, name string, most time.Duration) time.Duration {
	return time.Duration(rapid.IntRange(0, int(most.Milliseconds())).Draw(t, name)) * time.Millisecond
}
