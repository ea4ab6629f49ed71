package poll

import (
	"testing"
	"time"
)

// A limit holds, also if its subject was forgotten.
func TestLimitOfAForgottenSubject(t *testing.T) {
	t.Parallel()
	w := newWorld(t.Fatalf, 5)
	w.addAll(1, User, First)
	requests, _ := w.Next(w.now)
	w.Forget(w, w.list[0].Of)
	w.Poller.Receive(Answer{Request: requests[0], Err: failure(429, time.Minute)}, seconds(1))
	if h := w.Health(seconds(1)); h.Budget != 2 || !h.Limited.Equal(seconds(61)) {
		t.Errorf("%+v", h)
	}
}

// A forgotten set of sources leaves nothing behind, and its requests in flight may be made again.
func TestForget(t *testing.T) {
	t.Parallel()
	w := newWorld(t.Fatalf, 5)
	w.addRound(100, Rest)
	w.addAll(100, FollowUp, First)
	w.until(seconds(7)) // some wait, some are due, and some are in flight
	for of := range w.owners {
		w.Forget(w, of)
	}
	if n := len(w.items) + len(w.owned) + len(w.flights); n > 0 || w.FirstRound() {
		t.Errorf("%d things are left; a first round: %v", n, w.FirstRound())
	}
	if requests, wait := w.Next(seconds(8)); len(requests) > 0 || wait != maxWait {
		t.Errorf("%d requests, the next one in %v", len(requests), wait)
	}
	if f := w.Freshness(w.list[0].Subject); f != (Freshness{}) {
		t.Errorf("known is %+v", f)
	}
}

// After a refresh, and after answers were lost, everything comes in its earlier order.
func TestOrderStays(t *testing.T) {
	t.Parallel()
	for _, lost := range []bool{false, true} {
		w := newWorld(t.Fatalf, 20)
		w.addRound(70, Rest)
		w.reply = func(*thing) reply { return reply{took: 50 * time.Millisecond, lost: lost} }
		w.until(seconds(4.9))
		first := len(w.starts)
		w.refresh()
		w.until(seconds(60))
		for i, s := range w.starts[first:min(2*first, len(w.starts))] {
			if s.thing != w.starts[i].thing {
				t.Fatalf("lost: %v: %v came as number %d of %d", lost, s.Subject, i, first)
			}
		}
	}
}

// A source that its owner no longer has is not asked for again after the request in flight. One that was put meanwhile
// is.
func TestSourcesChangeWhileTheyAreInFlight(t *testing.T) {
	t.Parallel()
	w := newWorld(t.Fatalf, 5)
	stays := Source{Subject: Subject{Kind: "page", Of: "p1"}, Lane: FollowUp, Rank: Rest}
	goes := Source{Subject: Subject{Kind: "gap", Of: "p1"}, Lane: FollowUp, Rank: First}
	w.Put(quiet{}, "p1", stays, goes)
	requests, _ := w.Next(seconds(0))
	w.Put(quiet{}, "p1", stays)
	if more, _ := w.Next(seconds(1)); len(requests) != 2 || len(more) != 0 || !w.Due(goes.Subject) {
		t.Errorf("%d requests, and %d while those were in flight", len(requests), len(more))
	}
	for _, r := range requests {
		w.Poller.Receive(r.Do(t.Context()), seconds(2))
	}
	more, _ := w.Next(seconds(2))
	if len(more) != 1 || more[0].Subject != stays.Subject || w.Due(goes.Subject) {
		t.Errorf("then %+v", more)
	}
}

// However often sources are put again, with whatever times and ranks, the queues are no longer than a few times the
// number of sources.
func TestMemoryIsBounded(t *testing.T) {
	t.Parallel()
	w := newWorld(t.Fatalf, 1)
	const things = 100
	for i := range 20_000 {
		s := Source{Subject: Subject{Kind: "page", Of: string(rune('a' + i%things))}, Lane: Round, Rank: Rank(i / things % 3)}
		switch i / things % 4 {
		case 0:
			s.From = seconds(float64(3600 + i))
		case 1:
			s.Lane, s.Round = FollowUp, true
		}
		w.Put(quiet{}, s.Of, s)
		if i%5000 == 0 {
			w.Refresh(quiet{}, seconds(0))
		}
	}
	kept := len(w.waiting)
	for lane := range w.service.queues {
		for rank := range w.service.queues[lane] {
			kept += len(w.service.queues[lane][rank])
		}
	}
	if kept > 30*things {
		t.Errorf("%d entries are kept for %d things", kept, things)
	}
}

// Subjects that come and go, such as single operations, are not kept for ever, except for a few of each owner.
func TestSubjectsThatComeAndGoAreNotKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t.Fatalf, 20)
	page := Source{Subject: Subject{Kind: "page", Of: "p1"}, Lane: Round, Rank: Rest, From: seconds(0)}
	w.Put(quiet{}, "p1", page)
	requests, _ := w.Next(w.now)
	w.Poller.Receive(requests[0].Do(t.Context()), seconds(0))
	for i := range 1000 {
		one := Source{Subject: Subject{Kind: "operation", Of: "p1", ID: string(rune(1000 + i))}, Lane: User, Rank: First}
		w.Put(quiet{}, "p1", page, one)
	}
	if n := len(w.items); n > 20 {
		t.Errorf("%d subjects are kept", n)
	}
	for range 100 {
		w.Put(quiet{}, "p1")
	}
	if f := w.Freshness(page.Subject); !f.AsOf.Equal(seconds(0)) {
		t.Errorf("of what is not read for a while, known is %+v", f)
	}
}

// quiet is a reader that needs nothing.
type quiet struct{}

// Call implements [Reader].
func (quiet) Call(s Subject, _ time.Time) (Call, time.Time) { return answer(s), time.Time{} }

// Receive implements [Reader].
func (quiet) Receive(Answer, time.Time) {}
