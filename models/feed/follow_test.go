package feed

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pgtower/models"
)

// reader reads the events of a follower, and records what the service showed.
type reader struct {
	*run

	follower *Follower

	from time.Time
	told map[string][]models.Operation // the reported versions of each operation
	gaps []Event
	few  bool // little is kept: operations in gaps that were told are not followed
}

// newReader follows a platform from now on.
func newReader(r *run) *reader {
	one := &reader{run: r, follower: Follow(r.Poller, r.now, 0), from: r.now, told: map[string][]models.Operation{}}
	r.check, r.take = false, one.hear
	return one
}

// hear handles a response, and checks that its operations are reported, in order and once.
func (r *reader) hear(a Answer, now time.Time) {
	for _, e := range append(r.follower.Receive(a, now), r.follower.Missing(now)...) {
		switch e.Kind {
		case Missing:
			r.gaps = append(r.gaps, *e)
			continue
		case Filled:
			r.filled(*e)
			continue
		default:
		}
		op := *e.Operation
		before := r.told[op.ID]
		if first := len(before) == 0; first != (e.Kind == Added) {
			r.fatalf("%s was reported %d times, and then as %v", op.ID, len(before), e.Kind)
		} else if !first && (op == before[len(before)-1] || op.UpdatedAt.Before(before[len(before)-1].UpdatedAt)) {
			r.fatalf("%s was %+v, then %+v", op.ID, before, op)
		}
		r.told[op.ID] = append(before, op)
	}
	if a.Err != nil {
		return
	}
	for _, op := range append(a.Page.Items, a.Operation) {
		told := r.told[op.ID]
		if r.few && r.tells(a.Project, op.CreatedAt) {
			continue
		}
		if len(told) > 0 && told[len(told)-1].UpdatedAt.Before(r.shown[op.ID].UpdatedAt) {
			r.fatalf("the service showed %+v, and %+v was reported", r.shown[op.ID], told)
		}
	}
}

// filled checks that a gap was reported before, and everything that began in it.
func (r *reader) filled(e Event) {
	for _, l := range r.platform.lives[e.Project] {
		if at := l.born.Truncate(time.Second); at.After(e.Since) && at.Before(e.Until) && !l.born.Before(r.from) && len(r.told[l.id]) == 0 {
			r.fatalf("%+v, and %s was not reported, born %v", e, l.id, l.born)
		}
	}
	e.Kind = Missing
	at := slices.Index(r.gaps, e)
	if at < 0 {
		r.fatalf("%+v was filled, and missing are %+v", e, r.gaps)
	}
	r.gaps = slices.Delete(r.gaps, at, at+1)
}

// missed checks that everything was reported that began or ended since following began.
func (r *reader) missed() {
	for _, lives := range r.platform.lives {
		for _, l := range lives {
			told := r.told[l.id]
			switch {
			case l.born.Before(r.from):
				r.toldEnd(&l, told)
			case l.born.After(r.now):
			case len(told) == 0:
				r.fatalf("%s was not reported, born %v", l.id, l.born.Sub(epoch()))
			case told[len(told)-1] != l.at(r.now):
				r.fatalf("%s ended as %+v, and was reported as %+v", l.id, l.at(r.now), told)
			}
		}
	}
}

// toldEnd checks that an operation from before is told if the service was seen to end it after its first answer, and only
// then.
func (r *reader) toldEnd(l *life, told []models.Operation) {
	shown := r.shown[l.id]
	ended := !shown.EndedAt().IsZero() && !shown.EndedAt().Before(r.answered.Truncate(time.Second))
	switch {
	case len(told) == 0 && ended:
		r.fatalf("%s ended, and was not reported: %+v", l.id, shown)
	case len(told) > 0 && !ended && !told[0].Done() && l.born.Before(r.from.Add(-time.Second)):
		r.fatalf("%s began before, and was reported: %+v", l.id, told)
	}
}

// Whatever happens to the service and the computer, each operation is reported once, and each change that it shows.
func TestFollowerReportsEverythingOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		const minutes = 6
		r := newReader(draw(t, minutes, models.KindRateLimited, models.KindTimeout, models.KindUnreachable, models.KindServer))
		for end := r.now.Add(minutes * time.Minute); r.now.Before(end); r.list() {
			r.until(r.now.Add(drawSpan(t, "awake", time.Minute)))
			switch rapid.IntRange(0, 4).Draw(t, "does") {
			case 0: // it sleeps
				r.now = r.now.Add(drawSpan(t, "sleeps", 3*time.Minute))
			case 1: // its clock is set
				r.setClock(drawSpan(t, "ahead", time.Minute) - 30*time.Second)
			}
		}
		r.until(r.now.Add(6 * time.Minute))
		// The clock may have been set back by a minute.
		if settled := r.platform.settled().Add(4 * time.Minute); settled.After(r.now) {
			r.until(settled)
		}
		if r.missed(); len(r.gaps) > 0 {
			t.Fatalf("reported as missing: %+v", r.gaps)
		}
	})
}

// Operations that the service stops showing are reported as missing. If they appear again, they are reported.
func TestFollowerReportsMissingOperations(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]fault{
		"pages fail":    {kind: models.KindServer, below: true},
		"paging breaks": {paging: "damaged"},
		"all is new":    {kind: models.KindServer, below: true},
	} {
		p := newPlatform(2, 20)
		if name == "all is new" {
			p.faults = []fault{{to: at(21), project: "p00", kind: models.KindServer}}
		}
		p.born("p00", 200, at(20), 10*time.Millisecond, time.Second)
		f.to = at(300)
		p.faults = append(p.faults, f)
		r := newReader(newRun(t.Fatalf, p, Options{Interval: 5 * time.Second, Budget: 10, PageSize: 25}))
		r.until(at(60))
		if len(r.gaps) != 1 || r.gaps[0].Project != "p00" || r.gaps[0].Since.After(at(20.1)) || r.gaps[0].Until.Before(at(21)) {
			t.Errorf("%s: %+v", name, r.gaps)
		}
		r.until(at(400))
		r.missed()
		if remembered := r.follower.projects["p00"].gaps; len(r.gaps)+len(remembered) > 0 {
			t.Errorf("%s: missing are %v, remembered %v", name, r.gaps, remembered)
		}
	}
}

// A gap that begins in a second with forgotten operations is filled like any other.
func TestFollowerFillsAGapOfAForgottenSecond(t *testing.T) {
	t.Parallel()
	p := newPlatform(1, 20)
	p.born("p00", 101, at(4), 32*time.Millisecond, time.Millisecond)
	p.faults = []fault{{from: at(10), to: at(12), paging: "damaged", below: true}}
	r := newReader(newRun(t.Fatalf, p, Options{Interval: 5 * time.Second, Budget: 10, PageSize: 20}))
	r.until(at(11))
	told := len(r.gaps)
	if r.until(at(100)); told != 1 || len(r.gaps) > 0 {
		t.Errorf("%d gaps were told, missing are %v", told, r.gaps)
	}
	r.missed()
}

// follows returns a follower of a project, and a function that takes in its newest pages and records the gaps that are told.
func follows(told *[]string) (f *Follower, take func(seconds float64, damage string, second int, ids ...string)) {
	p := drive(Options{Interval: 5 * time.Second, Budget: 10, PageSize: 20})
	p.SetProjects([]Project{{ID: "p"}}, true)
	f = Follow(p.Poller, epoch(), 0)
	began := map[string]time.Time{}
	return f, func(seconds float64, damage string, second int, ids ...string) {
		page := models.Page[models.Operation]{AsOf: at(seconds), ServiceTime: at(seconds), Damage: damage}
		for _, id := range ids {
			if _, known := began[id]; !known {
				began[id] = at(float64(second))
			}
			page.Items = append(page.Items, models.Operation{ID: id, CreatedAt: began[id], Status: models.StatusFinished})
		}
		for _, e := range p.follow(f, Answer{request: request{Project: "p", AsOf: page.AsOf}, Page: page}, page.AsOf) {
			if e.Operation == nil {
				*told = append(*told, fmt.Sprintf("%d %d-%d", e.Kind, e.Since.Second(), e.Until.Second()))
			}
		}
	}
}

const cut = "pagination is not an object"

// Of two gaps that begin in the same second, each is told, and told as filled.
func TestFollowerTellsTwoGapsOfASecond(t *testing.T) {
	t.Parallel()
	var told []string
	f, take := follows(&told)
	take(11, "", 10, "a")
	take(12, cut, 10, "b")
	take(21, cut, 20, "c")
	take(22, "", 20, "c", "b", "a")
	want := []string{"2 10-10", "2 10-20", "3 10-10", "3 10-20"} // missing, and filled
	if remembered := f.projects["p"].gaps; !slices.Equal(told, want) || len(remembered) > 0 {
		t.Errorf("%v was told, remembered are %v", told, remembered)
	}
}

// A gap that ends in a second with forgotten operations is told, unless one there was told before that will never be filled.
func TestFollowerTellsAGapOfAForgottenSecond(t *testing.T) {
	t.Parallel()
	second := func(prefix string) (ids []string) {
		for i := range mostWithGaps + 1 {
			ids = append(ids, fmt.Sprint(prefix, i))
		}
		return ids
	}
	var told []string
	_, take := follows(&told)
	take(11, "", 10, second("a")...)
	take(12, cut, 10, "b")
	take(13, cut, 10, second("c")...) // so many that the gap is given up
	take(14, cut, 10, "d")
	take(21, cut, 20, "e")
	if want := []string{"2 10-10", "2 10-20"}; !slices.Equal(told, want) {
		t.Errorf("%v was told", told)
	}
}

// What has no readable time is placed by the rows beside it: once forgotten, it is not new where other rows place it later.
func TestFeedForgetsWhatHasNoTimeForGood(t *testing.T) {
	t.Parallel()
	f := New("p")
	merge := func(seconds float64, items ...models.Operation) Change {
		return f.Merge(models.Page[models.Operation]{Items: items, AsOf: at(seconds), ServiceTime: at(seconds)})
	}
	untimed := models.Operation{ID: "untimed", Status: models.StatusFinished}
	old, newer, newest := began("old", models.StatusFinished, 22), began("newer", models.StatusFinished, 67), began("newest", models.StatusFinished, 69)
	merge(25, untimed, old)
	merge(70, newest, newer, untimed, old)
	f.forgetBelow(1, mostForgotten, 0)
	if c := merge(71, newest, newer, untimed, old); f.Len() != 1 || len(c.Added) > 0 {
		t.Errorf("%d rows, and new are %v", f.Len(), c.Added)
	}
}

// With a wrong clock, or a project that is listed later, nothing is lost. What was reported before is not repeated, and
// later changes are reported.
func TestFollowerBegins(t *testing.T) {
	t.Parallel()
	begin := func(past int) *run {
		p := newPlatform(2, past)
		p.born("p00", 3, at(1), time.Second, time.Minute)
		return newRun(t.Fatalf, p, Options{Interval: 5 * time.Second, Budget: 10, PageSize: 25})
	}
	for _, past := range []int{0, 40} {
		r := begin(past)
		one := newReader(r)
		one.follower = Follow(r.Poller, r.now.Add(time.Hour), 0)
		if r.until(at(100)); len(one.told) != 3 {
			t.Errorf("with a clock that is an hour ahead, %d operations are reported", len(one.told))
		}
	}
	r := begin(40)
	r.until(at(3.5))
	r.refresh(r.now)
	r.until(at(4.5))
	one := newReader(r)
	one.follower = Follow(r.Poller, r.now, 1)
	one.told[nameOf("p00", 42)] = []models.Operation{r.platform.lives["p00"][0].at(r.now)}
	r.platform.born("p02", 2, at(3.8), time.Second, time.Minute)
	r.list()
	// The two that began before are told when they end.
	if r.until(at(100)); len(one.told) != 5 || len(one.told[nameOf("p00", 42)]) != 2 {
		t.Errorf("%v", one.told)
	}
}

// After a week, no more is kept than after a day, and operations that are still running are still followed.
func TestFollowerForgets(t *testing.T) {
	t.Parallel()
	p := newPlatform(3, 20)
	p.born("p01", 2, at(60), time.Minute, 8*24*time.Hour)
	for name := range p.lives {
		p.born(name, 7*24*6, at(300), 10*time.Minute, 17*time.Minute)
	}
	r := newReader(newRun(t.Fatalf, p, Options{Interval: 10 * time.Minute, Budget: 10, PageSize: 50}))
	kept := func() int {
		n := r.Timeline().Loaded() + len(r.Timeline().ended.minutes) + len(r.waiting()) + len(r.gaps) + len(r.follower.projects)
		for name := range p.lives {
			n += len(r.Feed(name).byID) + len(r.Feed(name).edges)
		}
		return n
	}
	var most [7]int // by day
	for hour := range 7 * 24 {
		r.until(at(float64(hour+1) * 3600))
		most[hour/24] = max(most[hour/24], kept())
	}
	if slices.Max(most[:]) > most[0]*5/4 || r.Feed("p01").Unfinished() < 2 {
		t.Errorf("on each day were kept %d; %d are followed", most, r.Feed("p01").Unfinished())
	}
	r.until(at(9 * 24 * 3600))
	r.missed()
	if fmt.Sprint(r.gaps) != "[]" {
		t.Error(r.gaps)
	}
}

// The end of an operation that runs far below the newest page is told: it began within the last hour.
func TestFollowerTellsTheEndOfWhatRan(t *testing.T) {
	t.Parallel()
	p := newPlatform(2, 20)
	p.born("p00", 1, at(-1200), time.Second, 1230*time.Second)
	p.lives["p00"][0].as = models.StatusFailed
	p.born("p00", 300, at(-1100), 3*time.Second, time.Second)
	running := nameOf("p00", 20)
	r := newReader(newRun(t.Fatalf, p, Options{Interval: 5 * time.Second, Budget: 5, PageSize: 50}))
	r.until(at(60))
	if told := r.told[running]; len(told) != 1 || !told[0].Status.Failed() {
		t.Errorf("of the operation that failed is told %+v", told)
	}
}
