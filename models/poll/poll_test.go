package poll

import (
	"testing"
	"time"
)

// A limit is one, also if nothing is known any more of what was asked for.
func TestALimitOfWhatWasForgotten(t *testing.T) {
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

// What is forgotten leaves nothing behind, and what was in flight may be asked for again.
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
