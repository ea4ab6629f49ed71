package poll

import (
	"testing"
	"time"
)

// Pins are read in every cycle, whatever else is due: as many as a quarter of the budget covers.
func TestPinsAreReadInEveryCycle(t *testing.T) {
	t.Parallel()
	for _, perSecond := range []int{1, 5, 20} {
		w := newWorld(t.Fatalf, perSecond)
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

// Too many pins, such as after the budget was made smaller, leave the others their turns.
func TestTooManyPinsLeaveTurns(t *testing.T) {
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
