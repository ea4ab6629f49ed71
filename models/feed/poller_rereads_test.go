package feed

import (
	"fmt"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/models/poll"
)

// scripted is a poller of one project with answers by hand. Its operation x is unfinished.
type scripted struct {
	*driven

	t   *testing.T
	now time.Time
}

func newScripted(t *testing.T) *scripted {
	t.Helper()
	p := drive(Options{Interval: 5 * time.Second, Budget: 8, PageSize: 100})
	p.SetProjects([]Project{{ID: "p"}}, true)
	s := &scripted{p, t, at(100)}
	s.Receive(Answer{request: s.only(Head), Page: s.page("", "", began("x", models.StatusRunning, 90))}, s.now)
	return s
}

func began(id string, status models.Status, at0 float64) models.Operation {
	return models.Operation{ID: id, Status: status, CreatedAt: at(at0), UpdatedAt: at(at0)}
}

func (s *scripted) page(cursor, next string, ops ...models.Operation) models.Page[models.Operation] {
	return models.Page[models.Operation]{Items: ops, Limit: 100, Cursor: cursor, Next: next, AsOf: s.now, ServiceTime: s.now}
}

// only returns the next request, which must be the only one.
func (s *scripted) only(purpose Purpose) request {
	s.t.Helper()
	requests, _ := s.Next(s.now)
	if len(requests) != 1 || requests[0].Purpose != purpose {
		s.t.Fatalf("at %v: %+v", s.now, requests)
	}
	return requests[0]
}

// burst answers the head page of the next cycle with new operations that do not join the known ones.
func (s *scripted) burst() {
	s.t.Helper()
	s.now = s.now.Add(6 * time.Second)
	var ops []models.Operation
	for i := range 25 {
		ops = append(ops, began(fmt.Sprintf("n%02d", 25-i), models.StatusFinished, 105-float64(i)/10))
	}
	s.Receive(Answer{request: s.only(Head), Page: s.page("", "c1", ops...)}, s.now)
}

func failure(wait time.Duration) error {
	return &models.Error{Kind: models.KindServer, Status: 503, RetryAfter: wait}
}

// An answer that was on its way when polling was paused changes nothing that is shown, and is asked for again after the
// pause. A watched operation is still read while paused.
func TestPauseLeavesOutWhatWasOnItsWay(t *testing.T) {
	t.Parallel()
	for _, watched := range []bool{false, true} {
		s := newScripted(t)
		s.burst()
		join := s.only(Join)
		s.now = s.now.Add(6 * time.Second)
		head := s.only(Head)
		s.now = s.now.Add(time.Second)
		if watched {
			s.Watch([]Key{{"p", "x"}}, nil)
		}
		s.Pause()
		rows := s.Feed("p").Len()
		s.now = s.now.Add(time.Second)
		for _, r := range []request{head, join} {
			page := s.page(r.Cursor, "", began("new", models.StatusRunning, 112), began("x", models.StatusFinished, 90))
			if c := s.Receive(Answer{request: r, Page: page}, s.now); len(c.Added)+len(c.Changed) > 0 || s.Feed("p").Len() != rows {
				t.Errorf("watched %t: a page changed %+v", watched, c)
			}
		}
		requests, _ := s.Next(s.now)
		if want := watched; (len(requests) == 1) != want {
			t.Fatalf("watched %t: %+v is asked for while paused", watched, requests)
		}
		for _, r := range requests {
			c := s.Receive(Answer{request: r, Operation: began("x", models.StatusFinished, 90)}, s.now)
			if len(c.Changed) != 1 {
				t.Errorf("the watched operation changed %+v", c)
			}
		}
		s.now = s.now.Add(time.Second)
		s.Resume()
		asked := map[Purpose]bool{}
		requests, _ = s.Next(s.now)
		for _, r := range requests {
			asked[r.Purpose] = true
		}
		if !asked[Head] || !asked[Join] {
			t.Errorf("watched %t: after the pause, asked for %+v", watched, requests)
		}
	}
}

// What was asked for before a pause is kept where it is also asked for while paused, or where the user saw nothing yet.
func TestPauseKeepsWhatTheUserWaitsFor(t *testing.T) {
	t.Parallel()
	s := newScripted(t)
	s.now = s.now.Add(time.Second)
	_, _ = s.Next(s.now)
	pr := s.project("p")
	s.Watch([]Key{{"p", "x"}}, nil)
	s.SetRange(Range{Since: at(0), Asked: true})
	kept := func(kind string, r request) bool { return !pr.leavesOut(poll.Subject{Kind: kind, Of: "p"}, r) }
	if !kept(newestPage, request{}) {
		t.Error("a page is left out, and nothing is paused")
	}
	s.Pause()
	for kind, want := range map[string]bool{
		newestPage: false, gapPage: false, failed: false, unfinished: false, openedGap: true, lookedFor: true, olderPage: true,
	} {
		if got := kept(kind, request{ID: "other"}); got != want {
			t.Errorf("%s is kept: %t", kind, got)
		}
		if !kept(kind, request{pauses: 1}) {
			t.Errorf("%s that was asked for while paused is left out", kind)
		}
	}
	if !kept(unfinished, request{ID: "x"}) {
		t.Error("a watched operation is left out")
	}
	s.SetRange(Range{Since: at(0)})
	if kept(olderPage, request{}) {
		t.Error("a range that nobody asked for is kept")
	}
	s.now = s.now.Add(time.Hour)
	_, _ = s.Next(s.now)
	if kept(newestPage, request{}) {
		t.Error("a page of one of all projects is kept")
	}
	s.scope = "p"
	if !kept(newestPage, request{}) {
		t.Error("the page of a project that the user has just chosen is left out, and what is shown is old")
	}
	pr.feed = New("p")
	s.scope = ""
	if !kept(newestPage, request{}) {
		t.Error("the first page of a project is left out")
	}
}

// A failure that was on its way when polling was paused changes nothing that is shown.
func TestPauseLeavesOutFailures(t *testing.T) {
	t.Parallel()
	s := newScripted(t)
	s.now = s.now.Add(6 * time.Second)
	head := s.only(Head)
	s.Pause()
	told := false
	s.Listen(func(Answer, time.Time) { told = true })
	s.Receive(Answer{request: head, Err: &models.Error{Kind: models.KindNotFound, Status: 404}}, s.now)
	if span := s.Span(s.now); len(span.Without) > 0 || told || s.Feed("p").Unfinished() != 1 {
		t.Errorf("%+v, told: %t", span, told)
	}
	s.Resume()
	s.now = s.now.Add(time.Minute)
	s.Receive(Answer{request: s.only(Head), Err: &models.Error{Kind: models.KindServer, Status: 503}}, s.now)
	s.now = s.now.Add(time.Minute)
	requests, _ := s.Next(s.now)
	s.Pause()
	told = false
	for _, r := range requests {
		if r.Purpose == Head {
			s.Receive(Answer{request: r, Page: s.page("", "")}, s.now)
		}
	}
	if span := s.Span(s.now); len(span.Without) != 1 || told {
		t.Errorf("a good answer that was left out: %+v, told: %t", span, told)
	}
}

// While paused, a watched operation that cannot be read is requested once in a cycle.
func TestPollerWatchedOperationThatFailsIsNoStorm(t *testing.T) {
	t.Parallel()
	s := newScripted(t)
	s.Pause()
	s.Watch([]Key{{"p", "x"}}, nil)
	asked := 0
	for range 60 * 10 {
		s.now = s.now.Add(time.Second / 10)
		requests, _ := s.Next(s.now)
		for _, r := range requests {
			asked++
			s.Receive(Answer{request: r, Err: failure(0)}, s.now)
		}
	}
	if asked < 4 || asked > 12 {
		t.Errorf("%d requests in a minute", asked)
	}
}

// An operation that cannot be read for long delays neither the newest page of its project nor, after a manual refresh,
// its own next request.
func TestPollerOperationThatFailsDelaysNoPage(t *testing.T) {
	t.Parallel()
	s := newScripted(t)
	head := func() {
		t.Helper()
		s.now = s.now.Add(6 * time.Second)
		s.Receive(Answer{request: s.only(Head), Page: s.page("", "", began("z", models.StatusFinished, 80))}, s.now)
	}
	head()
	s.Receive(Answer{request: s.only(Reread), Err: failure(time.Hour)}, s.now)
	for range 5 {
		head()
	}
	if requests, _ := s.Next(s.now); len(requests) > 0 {
		t.Errorf("it was requested again at once: %+v", requests)
	}
	s.refresh(s.now)
	if requests, _ := s.Next(s.now); len(requests) != 2 {
		t.Errorf("after a refresh: %+v", requests)
	}
}

// Requests whose answers went to a session that is over are made again at once.
func TestPollerAsksAgainForAnotherSession(t *testing.T) {
	t.Parallel()
	s := newScripted(t)
	s.burst()
	join := s.only(Join)
	s.now = s.now.Add(6 * time.Second)
	s.only(Head)
	s.poll.Drop()
	again := map[Purpose]request{}
	requests, _ := s.Next(s.now)
	for _, r := range requests {
		again[r.Purpose] = r
	}
	if _, head := again[Head]; !head || again[Join].Cursor != join.Cursor {
		t.Errorf("after the session was over: %+v", requests)
	}
}

// A page that both joins the newest one and belongs to the range is requested once.
func TestPollerRequestsAPageOnce(t *testing.T) {
	t.Parallel()
	s := newScripted(t)
	s.SetRange(Range{Since: at(0)})
	s.burst()
	if r := s.only(Join); r.Cursor != "c1" {
		t.Errorf("%+v", r)
	}
}

// A gap below a page without a cursor is closed by the newest page, which is not requested twice at once.
func TestPollerRequestsTheNewestPageOnce(t *testing.T) {
	t.Parallel()
	s := newScripted(t)
	s.LoadGap(ProjectGap{Project: "p"})
	r := s.only(Gapped)
	s.now = s.now.Add(6 * time.Second)
	if requests, _ := s.Next(s.now); len(requests) > 0 {
		t.Errorf("it is in flight, and was requested: %+v", requests)
	}
	s.Receive(Answer{request: r, Page: s.page("", "", began("x", models.StatusRunning, 90))}, s.now)
	s.only(Head)
}

// A refresh also ends the wait of a page that joins others.
func TestRefreshRetriesAJoin(t *testing.T) {
	t.Parallel()
	s := newScripted(t)
	s.burst()
	s.Receive(Answer{request: s.only(Join), Err: failure(time.Hour)}, s.now)
	s.only(Reread) // of x, which the page would have contained
	s.refresh(s.now)
	purposes := map[Purpose]int{}
	requests, _ := s.Next(s.now)
	for _, r := range requests {
		purposes[r.Purpose]++
	}
	if purposes[Join] != 1 {
		t.Errorf("after the refresh: %+v", requests)
	}
}

// A join is not requested once another page has closed its gap, neither one that waits nor one that fails after that.
func TestPollerRequestsNoJoinOfAGapThatIsClosed(t *testing.T) {
	t.Parallel()
	for _, late := range []bool{false, true} {
		s := newScripted(t)
		s.burst()
		fails := Answer{request: s.only(Join), Err: failure(20 * time.Second)}
		if !late {
			s.Receive(fails, s.now)
			s.Receive(Answer{request: s.only(Reread), Operation: began("x", models.StatusRunning, 90)}, s.now)
		}
		s.now = s.now.Add(6 * time.Second)
		closes := s.page("", "", began("n25", models.StatusFinished, 105), began("x", models.StatusFinished, 90))
		s.Receive(Answer{request: s.only(Head), Page: closes}, s.now)
		if late {
			s.Receive(fails, s.now)
		}
		s.now = s.now.Add(30 * time.Second)
		s.only(Head)
	}
}

// A gap is reported when its page has failed, also while the service asks to wait with it. Later it is filled.
func TestFollowerReportsAGapThatWaits(t *testing.T) {
	t.Parallel()
	s := newScripted(t)
	f := Follow(s.Poller, at(95), 1)
	s.burst()
	events := s.follow(f, Answer{request: s.only(Join), Err: failure(time.Hour)}, s.now)
	if len(events) != 1 || events[0].Kind != Missing {
		t.Errorf("got %+v", events)
	}
	s.now = s.now.Add(time.Hour)
	requests, _ := s.Next(s.now)
	for _, r := range requests {
		a := Answer{request: r, Page: s.page(r.Cursor, "", began("x", models.StatusRunning, 90))}
		if r.Purpose == Head || r.ID != "" {
			continue
		}
		events = append(events, s.follow(f, a, s.now)...)
	}
	if len(events) != 2 || events[1].Kind != Filled {
		t.Errorf("got %+v", events)
	}
}

// Operations with an unknown status may have ended: they are read again rarely.
func TestFeedOverdueWithAnUnknownStatus(t *testing.T) {
	t.Parallel()
	f := New("p")
	page := func(seconds float64, next string, ops ...models.Operation) {
		f.Merge(models.Page[models.Operation]{Items: ops, Next: next, AsOf: at(seconds), ServiceTime: at(seconds)})
	}
	page(10, "", began("running", models.StatusRunning, 6), began("superseded", "superseded", 5))
	page(20, "", began("newer", models.StatusFinished, 15))
	if late := overdueIDs(f); len(late) != 1 || late[0] != "running" {
		t.Errorf("after a poll: %q", late)
	}
	page(620, "", began("newer", models.StatusFinished, 15))
	if late := overdueIDs(f); len(late) != 2 {
		t.Errorf("after ten minutes: %q", late)
	}
}

// An operation has ended if a later response says so, even if another host of the service stamped it earlier.
func TestFeedBelievesAnEnd(t *testing.T) {
	t.Parallel()
	f := New("p")
	ended := began("x", models.StatusFinished, 5)
	running := models.Operation{ID: "x", Status: models.StatusRunning, CreatedAt: at(5), UpdatedAt: at(9)}
	f.Merge(models.Page[models.Operation]{Items: []models.Operation{running}, AsOf: at(10), ServiceTime: at(10)})
	if f.Update(ended, at(9)); f.Unfinished() != 1 {
		t.Error("an earlier response ended it")
	}
	if f.Update(ended, at(15)); f.Unfinished() != 0 {
		t.Error("a later response did not end it")
	}
}
