package poll

import (
	"testing"
	"time"
)

// Next is called when something can start: not while the budget is empty, and not for a subject that cannot be asked for
// yet.
func TestNextIsCalledWhenSomethingCanStart(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		budget, things, ranged int
		took                   time.Duration
	}{
		{1, 5, 0, 50 * time.Millisecond},
		{1, 5, 3, 50 * time.Millisecond},
		{5, 1000, 3, 50 * time.Millisecond},
		{20, 300, 0, 3 * time.Second},
		{20, 0, 3, 50 * time.Millisecond},
		{2, 0, 0, 50 * time.Millisecond},
	} {
		w := newWorld(t.Fatalf, c.budget)
		w.reply, w.light = func(*thing) reply { return reply{took: c.took} }, true
		w.addRound(c.things, Rest)
		w.addAll(c.ranged, Range, Rest)
		w.until(epoch().Add(10 * time.Minute))
		if w.idle > 5 || w.calls > 2*len(w.starts)+20 {
			t.Errorf("%+v: %d requests took %d calls, and %d in vain", c, len(w.starts), w.calls, w.idle)
		}
	}
}

// Requests that are not answered delay the others by no more than five seconds, also if there was no room for them at
// first.
func TestNextIsDelayedByUnansweredRequestsForSecondsOnly(t *testing.T) {
	t.Parallel()
	w := newWorld(t.Fatalf, 5)
	w.addRound(20, First)
	w.reply = func(*thing) reply { return reply{took: 40 * time.Second} }
	w.until(epoch().Add(time.Second))
	w.addAll(1, User, First)
	w.addRound(30, Rest)
	w.until(epoch().Add(30 * time.Second))
	if n := len(w.starts); n != 51 {
		t.Errorf("%d of 51 requests were made", n)
	}
	if at := w.asked(User, First)[0].Sub(epoch()); at > 6*time.Second {
		t.Errorf("the user waited for %v", at)
	}
}

// An answer that did not come within 45 s counts as lost, and the subject is asked for again. If it comes later, the
// reader still gets it.
func TestAnswersAreLostAfterAWhile(t *testing.T) {
	t.Parallel()
	w := newWorld(t.Fatalf, 5)
	w.addAll(1, FollowUp, Rest)
	w.list[0].left = 2
	w.reply = func(*thing) reply { return reply{took: 50 * time.Second} }
	w.until(epoch().Add(44 * time.Second))
	w.reply = func(*thing) reply { return reply{took: time.Second} }
	w.until(epoch().Add(2 * time.Minute))
	if times := w.asked(FollowUp, Rest); len(times) != 3 || times[1].Sub(epoch()) != 46*time.Second {
		t.Errorf("asked at %v", times)
	}
	if w.late != 1 || w.lost != 1 {
		t.Errorf("%d answers were lost, and %d were late", w.lost, w.late)
	}
}

// A request that its reader does not need is made later, or not at all, and takes nothing from the budget.
func TestCallThatIsNotNeededCostsNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t.Fatalf, 1)
	for range 100 {
		w.add(thing{Source: Source{Lane: FollowUp, Rank: First}, left: 1, skips: 2})
	}
	w.until(epoch().Add(5 * time.Second))
	if len(w.starts) > 0 {
		t.Errorf("%d requests that nothing needs", len(w.starts))
	}
	w.until(epoch().Add(2 * time.Minute))
	if len(w.starts) != 100 || w.starts[2].at.Sub(epoch()) != 6*time.Second {
		t.Errorf("%d requests, the third at %v", len(w.starts), w.starts[2].at)
	}
}
