package poll

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// Pins are read in every cycle, whatever else is due: as many as a quarter of the budget covers.
func TestPinsAreReadInEveryCycle(t *testing.T) {
	t.Parallel()
	for _, perSecond := range []int{1, 5, 20} {
		w := newWorld(t.Fatalf, perSecond)
		w.light = true
		w.addAll(20, User, First)
		w.addAll(20, User, Rest)
		w.addAll(20, FollowUp, First)
		w.addRound(300, Preferred)
		w.addRound(300, Rest)
		w.addRound(max(1, 5*perSecond/4), First)
		for range 60 {
			w.until(w.now.Add(interval))
			for _, th := range w.list {
				if age := w.now.Sub(th.known.Tried); is(Round, First)(th) && age > interval+2*time.Second {
					t.Fatalf("%d a second: %v was asked %v ago", perSecond, th.Subject, age)
				}
			}
		}
	}
}

// Sources that were never read come first in the round, in the order in which they were put last, and make it a first
// round.
func TestRoundBeginsWithWhatWasNeverRead(t *testing.T) {
	t.Parallel()
	w := newWorld(t.Fatalf, 5)
	w.addRound(400, Rest)
	w.until(seconds(200))
	if w.FirstRound() {
		t.Error("everything was read, and it is a first round")
	}
	w.addRound(10, Rest)
	for _, th := range w.list[400:405] {
		w.put(th.Of)
	}
	begin := len(w.starts)
	w.until(seconds(201))
	if !w.FirstRound() {
		t.Error("not everything was read, and it is no first round")
	}
	w.until(seconds(210))
	for i, s := range w.starts[begin : begin+10] {
		if want := w.list[400+(i+5)%10]; s.thing != want {
			t.Errorf("number %d is %v, and not %v", i, s.Subject, want.Subject)
		}
	}
}

// Too many pins, such as after the budget was made smaller, leave the others their turns.
func TestPinsThatAreTooManyLeaveTurns(t *testing.T) {
	t.Parallel()
	w := newWorld(t.Fatalf, 1)
	w.addRound(50, First)
	w.addRound(10, Rest)
	w.addAll(1, User, First)
	w.until(epoch().Add(10 * time.Minute))
	for _, rank := range []struct {
		Lane
		Rank
		least int
	}{{Round, First, 290}, {Round, Rest, 20}, {User, First, 100}} {
		if n := len(w.asked(rank.Lane, rank.Rank)); n < rank.least {
			t.Errorf("%+v: %d of %d requests", rank, n, len(w.starts))
		}
	}
}

// A source of a rank that its lane does not have takes turns with the rest of the lane.
func TestRanksTakeTurns(t *testing.T) {
	t.Parallel()
	for lane := range lanes {
		for rank := range ranks {
			w := newWorld(t.Fatalf, 1)
			w.light = true
			w.addAll(1, lane, rank)
			for _, b := range everyRank() {
				w.addAll(2, b.Lane, b.Rank)
			}
			w.until(seconds(3600))
			if n := w.count(seconds(0), func(th *thing) bool { return th == w.list[0] }); n < 3 {
				t.Errorf("lane %d, rank %d: %d requests in an hour", lane, rank, n)
			}
		}
	}
}

// backlog is so much of a rank that something of it is always due.
type backlog struct {
	Lane
	Rank
}

// everyRank are the ranks that take turns.
func everyRank() []backlog {
	return []backlog{
		{User, First},
		{User, Rest},
		{FollowUp, First},
		{FollowUp, Preferred},
		{FollowUp, Rest},
		{FollowUp, Last},
		{Round, Preferred},
		{Round, Rest},
		{Range, Rest},
	}
}

// ceiling returns how many requests a second a rank may have at most.
func (b backlog) ceiling(perSecond int) float64 {
	switch b {
	case backlog{Range, Rest}:
		return rangeShare * float64(perSecond)
	case backlog{FollowUp, Last}:
		return failedShare * float64(perSecond)
	}
	return float64(perSecond)
}

// Each rank has its share of the table while something of it is due, or as much as it may have, whatever else is due. What is
// not used is lent: the budget is used as far as anything may use it.
func TestSharesAreGuaranteedAndLent(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		perSecond := rapid.IntRange(1, 10).Draw(t, "budget")
		all := rapid.SliceOfNDistinct(rapid.SampledFrom(everyRank()), 1, -1, rapid.ID).Draw(t, "due")
		w := newWorld(t.Fatalf, perSecond)
		w.light = true
		for _, b := range all {
			w.addAll(20+perSecond, b.Lane, b.Rank)
		}
		for w.until(seconds(60)); w.FirstRound(); {
			w.until(w.now.Add(time.Minute))
		}
		checkShares(t, w, perSecond, all)
		// One that had nothing to request for a while has saved no turns, and lost none.
		idle := rapid.SampledFrom(all).Draw(t, "idle")
		for _, th := range w.list {
			if is(idle.Lane, idle.Rank)(th) {
				th.every = 10 * time.Minute
			}
		}
		w.until(w.now.Add(5 * time.Minute))
		for _, th := range w.list {
			if is(idle.Lane, idle.Rank)(th) {
				th.every, th.From = 0, time.Time{}
				w.put(th.Of)
			}
		}
		checkShares(t, w, perSecond, all)
	})
}

// checkShares checks that from now on each rank has its share.
func checkShares(t *rapid.T, w *world, perSecond int, all []backlog) {
	const span = 6 * time.Minute
	total, most, begin := 0.0, 0.0, w.now
	for _, b := range all {
		total += w.service.share(b.Lane, b.Rank)
		most += b.ceiling(perSecond)
	}
	w.until(begin.Add(span))
	budget := float64(perSecond) * span.Seconds()
	if n := float64(w.count(begin, func(*thing) bool { return true })); n < 0.98*min(budget, most*span.Seconds())-5 {
		t.Fatalf("%v requests of %v", n, min(budget, most*span.Seconds()))
	}
	for _, b := range all {
		due := min(budget*w.service.share(b.Lane, b.Rank)/total, b.ceiling(perSecond)*span.Seconds())
		if n := float64(w.count(begin, is(b.Lane, b.Rank))); n < 0.95*due-3 {
			t.Fatalf("%+v: %v requests, and %v are its share", b, n, due)
		}
	}
}
