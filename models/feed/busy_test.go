package feed

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pgtower/models"
)

// busyPlatform returns a platform of projects. In each of them, an operation runs for hours.
func busyPlatform(projects int) *platform {
	p := &platform{lives: map[string][]life{}, known: map[string]time.Time{}}
	for i := range projects {
		id := busyName(i)
		p.born(id, 20, epoch().Add(-time.Hour), 2*time.Minute, 3*time.Second)
		p.born(id, 1, epoch().Add(-time.Minute), time.Second, 10*time.Hour)
	}
	return p
}

func busyName(i int) string { return fmt.Sprintf("p%04d", i) }

// burst starts operations in some projects, spread over them.
func (p *platform) burst(from time.Time, size, projects, first int, lasts time.Duration) {
	for i := range projects {
		n := size/projects + min(1, max(0, size%projects-i))
		p.born(busyName((first+i)%len(p.lives)), n, from, time.Millisecond, lasts)
	}
}

// TestFollowerTellsAllOfBusyProjects has more busy projects than a cycle of polls covers: whatever is due elsewhere, each
// burst is told whole, and what has ended is told as ended.
func TestFollowerTellsAllOfBusyProjects(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		projects, page, budget int
		interval               time.Duration
	}{
		{40, 100, 5, 5 * time.Second},
		{40, 20, 5, 5 * time.Second},
		{100, 100, 5, 5 * time.Second},
		{6, 20, 5, time.Second},
	} {
		p := busyPlatform(c.projects)
		for i, seconds := range []float64{30, 60, 90} {
			p.burst(at(seconds), 300, 6, 7*i, 8*time.Second)
		}
		r := newReader(newRun(t.Fatalf, p, Options{Interval: c.interval, Budget: c.budget, PageSize: c.page}))
		r.until(at(90 + 160))
		missing, running := r.lacking()
		if missing+running+len(r.gaps) > 0 {
			t.Errorf("%+v: %d of 900 operations were not told, %d ended ones not as ended, gaps %v", c, missing, running, r.gaps)
		}
	}
}

// lacking counts the operations that began since following began and were not told, and those whose end was not.
func (r *reader) lacking() (missing, running int) {
	for _, lives := range r.platform.lives {
		for i := range lives {
			l := &lives[i]
			if l.born.Before(r.from) || l.born.After(r.now) {
				continue
			}
			told := r.told[l.id]
			switch {
			case len(told) == 0:
				missing++
			case l.end.Before(r.now) && !told[len(told)-1].Done():
				running++
			}
		}
	}
	return missing, running
}

// gapWatch measures how long gaps stand, and how many pages were requested before they were closed.
type gapWatch struct {
	*run

	open  map[string]*openGap // by project
	round time.Time           // when projects that were never read were due last: until then, joins have a smaller share
	share time.Duration       // the time in which three requests start
	own   time.Duration       // how long the pages of one gap may take, one after the other
}

// openGap is a gap that joins are to close.
type openGap struct {
	found    time.Time
	requests int // the joins that were sent meanwhile, for gaps that were found no later
}

// watchGaps checks after each answer that no gap waits longer than its turn takes.
func (r *run) watchGaps() *gapWatch {
	perSecond := 0.9*float64(r.Options().Budget) - float64(r.pins)/r.Options().Interval.Seconds()
	w := &gapWatch{
		run: r, open: map[string]*openGap{}, own: 2*time.Second + maxJoins*time.Second,
		share: time.Duration(3 / perSecond * float64(time.Second)),
	}
	take, started := r.take, r.starting
	r.take = func(a Answer, now time.Time) {
		take(a, now)
		w.look()
	}
	r.starting = func(q request) {
		started(q)
		if q.Purpose == Join {
			w.count(q)
		}
	}
	return w
}

// count counts a join for its own gap, and for the gaps that were found no earlier: those wait for it.
func (w *gapWatch) count(q request) {
	of := w.open[q.Project]
	for _, g := range w.open {
		if of == nil || !g.found.Before(of.found) {
			g.requests++
		}
	}
}

// look notes which gaps are open, and checks those that wait.
func (w *gapWatch) look() {
	if w.poll.FirstRound() {
		w.round = w.now
	}
	for _, pr := range w.order {
		waiting, g := pr.waits(Join), w.open[pr.ID]
		switch {
		case !waiting && g != nil && !pr.has(Join):
			delete(w.open, pr.ID)
		case waiting && g == nil:
			w.open[pr.ID] = &openGap{found: w.now}
		case waiting:
			most := time.Duration(g.requests+2)*w.share + w.own
			if age := w.now.Sub(later(g.found, w.round)); age > most {
				w.fatalf("a gap of %s waits for %v, and %d joins were sent meanwhile", pr.ID, age, g.requests)
			}
		}
	}
}

// drawBusy returns a poller of a fleet in which operations run for hours, with bursts in several projects at once.
// Some projects are listed later than others, some operations fail, and the poller's clock may be hours off.
func drawBusy(t *rapid.T, most int) *run {
	projects := rapid.IntRange(10, 40).Draw(t, "projects")
	if rapid.IntRange(0, 9).Draw(t, "many") == 0 {
		projects = rapid.IntRange(40, most).Draw(t, "of them")
	}
	p := busyPlatform(projects)
	p.busy = rapid.Bool().Draw(t, "hints")
	for i := range rapid.IntRange(1, 5).Draw(t, "bursts") {
		p.burst(at(float64(rapid.IntRange(20*i+5, 20*i+60).Draw(t, "at"))), rapid.IntRange(20, 300).Draw(t, "size"),
			rapid.IntRange(1, 1+projects/3).Draw(t, "in"), rapid.IntRange(0, projects).Draw(t, "from"),
			drawSpan(t, "lasts", 2*time.Minute))
	}
	untimed := rapid.IntRange(0, 3).Draw(t, "some without times") == 0
	for i := range rapid.IntRange(0, 3).Draw(t, "listed late") {
		p.known[busyName(i)] = at(float64(rapid.IntRange(1, 100).Draw(t, "listed at")))
	}
	for _, lives := range p.lives {
		slices.SortStableFunc(lives, func(a, b life) int { return b.born.Compare(a.born) })
		for i := range lives {
			if i%7 == 3 {
				lives[i].as = models.StatusFailed
			}
			lives[i].untimed = untimed && i%40 == 11 && lives[i].born.After(epoch())
		}
	}
	if rapid.IntRange(0, 3).Draw(t, "limits") == 0 {
		p.faults = []fault{{
			from: at(30), to: at(90), kind: models.KindRateLimited,
			every: rapid.IntRange(2, 8).Draw(t, "one in"), retry: drawSpan(t, "retry after", 10*time.Second),
		}}
	}
	r := newRun(t.Fatalf, p, Options{
		Interval: 5 * time.Second, Budget: rapid.IntRange(1, 20).Draw(t, "budget"),
		PageSize: rapid.SampledFrom([]int{20, 50, 100, 1000}).Draw(t, "page"),
	})
	latency := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "latencies"), 1))
	r.latency = func() time.Duration { return time.Duration(1+latency.IntN(900)) * time.Millisecond }
	r.ahead = time.Duration(rapid.SampledFrom([]int{0, 0, -5, 3}).Draw(t, "hours ahead")) * time.Hour
	return r
}

// TestFollowerTellsBusyFleetsWhole draws fleets whose budget is too small to keep them current: no gap starves, none is lost,
// and in the end everything was told as it is.
func TestFollowerTellsBusyFleetsWhole(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := newReader(drawBusy(t, 150))
		if len(r.platform.faults) == 0 {
			r.watchGaps()
		}
		for r.now.Before(at(150)) {
			r.until(r.now.Add(15 * time.Second))
			r.list()
		}
		for end := r.now.Add(2 * time.Hour); ; r.list() {
			r.until(r.now.Add(15 * time.Second))
			missing, running := r.lacking()
			if missing+running+len(r.gaps) == 0 {
				return
			}
			if r.now.After(end) {
				t.Fatalf("%d operations were not told, %d not as ended, gaps %v", missing, running, r.gaps)
			}
		}
	})
}

// TestPollerClaimsOnlyWhatIsTrueOfBusyFleets draws the same fleets for a dashboard: whatever is not shown lies outside the
// claimed span, and what is shown is at least as new as the end of the span.
func TestPollerClaimsOnlyWhatIsTrueOfBusyFleets(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r, answers := drawBusy(t, 60), 0
		r.take = func(Answer, time.Time) {
			answers++
			r.check = answers%10 == 0 // each check looks at all operations
		}
		r.window = time.Duration(rapid.IntRange(1, 60).Draw(t, "window")) * time.Minute
		r.bound = rapid.SampledFrom([]int{0, 40, 300}).Draw(t, "bound")
		for end := r.now.Add(3 * time.Minute); r.now.Before(end); r.list() {
			r.until(r.now.Add(15 * time.Second))
		}
	})
}

// What was given back, because there was too much of it, is neither joined nor news again, however long the session is.
func TestPollerDoesNotJoinWhatItGaveBack(t *testing.T) {
	t.Parallel()
	p := newPlatform(1, 20)
	p.born("p00", 1500, at(5), time.Second, time.Second)
	r := newRun(t.Fatalf, p, Options{Interval: 5 * time.Second, Budget: 5, PageSize: 50})
	r.check = false
	news := map[string]int{}
	r.take = func(a Answer, _ time.Time) {
		for _, op := range a.Change.News {
			news[op.ID]++
		}
	}
	r.bound, r.window = 300, 24*time.Hour
	r.until(at(600))
	older := r.asked[Older]
	r.until(at(1500))
	if n := r.asked[Older] - older; n > 0 {
		t.Errorf("%d pages of what was given back were loaded again", n)
	}
	if n := r.asked[Join]; n > 10 {
		t.Errorf("%d pages were requested to join others", n)
	}
	for id, n := range news {
		if n > 1 {
			t.Errorf("%s was news %d times", id, n)
		}
	}
}

// Failed operations that may be tried again do not keep the unfinished ones of their project from being read.
func TestPollerReadsUnfinishedOperationsBesideFailures(t *testing.T) {
	t.Parallel()
	p := &platform{lives: map[string][]life{}}
	for i := range 20 {
		id := busyName(i)
		p.born(id, 1, epoch().Add(-time.Hour), time.Second, 10*time.Hour)
		p.born(id, 100, epoch().Add(-40*time.Minute), time.Second, time.Second)
	}
	p.born(busyName(7), 400, epoch().Add(-10*time.Minute), time.Second, time.Second)
	for i := range 400 {
		p.lives[busyName(7)][i].as = models.StatusFailed
	}
	r := newRun(t.Fatalf, p, Options{Interval: 5 * time.Second, Budget: 4, PageSize: 20})
	r.check = false
	r.window = 2 * time.Hour
	r.until(at(300))
	running := r.Feed(busyName(7)).byID[nameOf(busyName(7), 0)]
	for s := 300.0; s < 900; s += 5 {
		r.until(at(s))
		if age := r.now.Sub(running.asOf()); age > 2*time.Minute {
			t.Fatalf("after %v s, the running operation was read %v ago", s, age)
		}
	}
}
