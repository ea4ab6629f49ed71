package feed

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgtower/models"
)

// flood is what a poller with a bound knows of an endless service.
type flood struct {
	*driven

	t       *testing.T
	service *endless
	honest  bool // the service lists each operation again where it was
	now     time.Time
	born    map[Key]time.Time // all operations that were in an answer
	news    map[Key]int
	matcher *Matcher
	found   map[Key]int
	older   int // the pages of the range
	cuts    int // how often operations were given back
}

func newFlood(t *testing.T, s *endless, projects, most int) *flood {
	t.Helper()
	f := &flood{t: t, service: s, now: epoch(), born: map[Key]time.Time{}, news: map[Key]int{}, found: map[Key]int{}}
	f.driven = drive(Options{Interval: 5 * time.Second, Budget: 20, PageSize: 100})
	NewFleet(f.Poller)
	f.matcher = NewMatcher(f.Poller, func(string, *models.Operation, time.Time) bool { return true })
	list := make([]Project, projects)
	for i := range list {
		list[i].ID = fmt.Sprint("p", i)
	}
	f.SetProjects(list, true)
	f.SetRange(Range{Since: epoch().Add(-24 * time.Hour), Most: most})
	return f
}

// until drives the poller, and checks after each answer what is kept, and now and then what is claimed.
func (f *flood) until(end time.Time) {
	f.t.Helper()
	for answers := 0; f.now.Before(end); {
		requests, wait := f.Next(f.now)
		for _, r := range requests {
			wait = min(wait, 50*time.Millisecond)
			if r.Purpose == Older {
				f.older++
			}
			before, a := f.kept.rows, f.service.answer(r, f.now)
			for i := range a.Page.Items {
				f.born[Key{r.Project, a.Page.Items[i].ID}] = a.Page.Items[i].CreatedAt
			}
			a.Change = f.Receive(a, f.now)
			for _, op := range a.Change.News {
				f.news[Key{r.Project, op.ID}]++
			}
			for _, op := range f.matcher.Receive(f.Feed(r.Project), a) {
				f.found[Key{r.Project, op.ID}]++
			}
			if f.kept.rows < before+len(a.Change.Added) {
				f.cuts++
			}
			f.checkBound()
			if answers++; answers%100 == 0 {
				f.checkClaims()
			}
		}
		f.now = f.now.Add(wait)
	}
	f.checkClaims()
}

func (f *flood) checkBound() {
	f.t.Helper()
	rows := 0
	for _, pr := range f.order {
		rows += pr.feed.Len()
	}
	most := f.Range().Most
	if rows != f.kept.rows || f.Timeline().Loaded() != rows || rows > most || f.kept.bytes > most*bytesEach {
		f.t.Fatalf("%d operations are kept, counted are %+v, and %d in the timeline", rows, f.kept, f.Timeline().Loaded())
	}
}

// checkClaims checks that what is claimed to be complete is there, and that the kept bytes and all counts are as if counted
// anew.
func (f *flood) checkClaims() {
	f.t.Helper()
	span, counted := f.Span(f.now), 0
	for k, born := range f.born {
		if !f.honest {
			break
		}
		feed := f.Feed(k.Project)
		_, known := feed.Find(k.ID)
		if since := feed.CompleteSince(); !known && (born.After(since) || born.After(span.Since)) {
			f.t.Fatalf("complete since %v, and all projects since %v, and %+v of %v is not there", since, span.Since, k, born)
		}
	}
	for _, pr := range f.order {
		counted += pr.feed.marks
		for _, e := range pr.feed.rows {
			counted += weight(e.op())
		}
	}
	fresh := NewTimeline()
	for _, op := range f.Timeline().All() {
		fresh.tally(nil, op, +1)
	}
	day := 24 * time.Hour
	if got, want := f.Timeline().Window(f.now, day), fresh.Window(f.now, day); counted != f.kept.bytes || got != want {
		f.t.Fatalf("%d bytes are kept, counted are %d; ended %+v, counted are %+v", counted, f.kept.bytes, want, got)
	}
	for k, n := range f.news {
		if n > 1 || f.found[k] > 1 {
			f.t.Fatalf("%+v was news %d times, and found %d times", k, n, f.found[k])
		}
	}
	if n := len(f.matcher.passed); n > leastPassed+mostAtOnce {
		f.t.Fatalf("%d matches are remembered", n)
	}
}

// Whatever a service without end sends, no more is kept than the bound, nothing more is claimed than what is kept, and what
// was given back is not loaded again by itself.
func TestPollerOfAServiceWithoutEndIsBounded(t *testing.T) {
	t.Parallel()
	second := func(time.Time, int, int) time.Time { return epoch() }
	now := func(now time.Time, _, _ int) time.Time { return now }
	past := func(_ time.Time, page, row int) time.Time {
		return epoch().Add(-time.Duration(page) * time.Second).Add(-time.Duration(row) * time.Millisecond)
	}
	minute := func(now time.Time, _, row int) time.Time { return now.Add(-time.Duration(row) * 60 * time.Millisecond) }
	status := func(s models.Status) func(*models.Operation) {
		return func(op *models.Operation) { op.Status = s }
	}
	text := strings.Repeat("x", 4000)
	long := func(op *models.Operation) { op.Status, op.Error = models.StatusFailed, text }
	for name, c := range map[string]struct {
		endless
		projects int
		honest   bool
	}{
		"all of one second":              {endless{created: second}, 1, true},
		"all of one second and failed":   {endless{created: second, change: status(models.StatusFailed)}, 1, true},
		"all are new":                    {endless{created: now}, 1, false},
		"all are new and failed":         {endless{created: now, change: status(models.StatusFailed)}, 1, false},
		"all are unfinished":             {endless{created: minute, change: status(models.StatusRunning)}, 1, false},
		"of an unknown status":           {endless{created: second, change: status("resting")}, 3, true},
		"each is older than the last":    {endless{created: past}, 1, true},
		"older, and failed":              {endless{created: past, change: status(models.StatusFailed)}, 2, true},
		"long texts":                     {endless{created: now, change: long}, 1, false},
		"long texts of one second":       {endless{created: second, change: long}, 2, true},
		"long texts of many projects":    {endless{created: minute, change: long}, 100, false},
		"one second of many projects":    {endless{created: second}, 100, true},
		"more projects than room":        {endless{created: minute}, 1500, false},
		"without a readable time":        {endless{created: func(time.Time, int, int) time.Time { return time.Time{} }}, 2, false},
		"of the future, and of long ago": {endless{created: func(now time.Time, page, _ int) time.Time { return now.AddDate(20*(page%3-1), 0, 0) }}, 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFlood(t, &c.endless, c.projects, 2000)
			f.honest = c.honest
			f.until(epoch().Add(40 * time.Second))
			if f.cuts == 0 {
				t.Fatal("nothing was given back")
			}
			if c.honest && f.Span(f.now).Since.IsZero() {
				t.Error("all of an endless history is claimed to be there")
			}
			before := f.older
			f.until(epoch().Add(time.Minute))
			if n := f.older - before; c.honest && n > 0 {
				t.Errorf("%d pages of the range were loaded although there is no room", n)
			}
		})
	}
}

// Where operations were given back, two edges can have one cursor. What that leads to moves the edge above it, whichever was added
// last: what is missing below it stays a gap.
func TestEdgesWithOneCursorStayApart(t *testing.T) {
	t.Parallel()
	f := New("p")
	page := func(cursor, next string, seconds ...float64) {
		var ops []models.Operation
		for _, second := range seconds {
			ops = append(ops, began(fmt.Sprint("op-", second), models.StatusFinished, second))
		}
		f.Merge(models.Page[models.Operation]{Items: ops, Limit: 10, Cursor: cursor, Next: next, AsOf: at(60), ServiceTime: at(60)})
	}
	page("", "", 10, 9)
	page("", "c", 50, 49)
	f.addEdge(edge{above: f.byID["op-10"], last: f.byID["op-49"], cursor: "c", again: true})
	page("c", "d", 48, 47)
	page("c", "e", 48, 47, 46, 45, 44)
	if since := f.CompleteSince(); since.Before(at(44)) {
		t.Errorf("complete since %v, and nothing between 10 and 44 was read", since)
	}
}
