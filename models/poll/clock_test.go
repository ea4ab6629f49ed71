package poll

import (
	"testing"
	"time"
)

// After the clock was set back, or ahead, nothing waits longer than before.
func TestClockThatWasSetMakesNothingWaitLonger(t *testing.T) {
	t.Parallel()
	for _, by := range []time.Duration{-2 * time.Hour, -time.Minute, -time.Second, time.Second, time.Minute, 2 * time.Hour} {
		w := newWorld(t.Fatalf, 5)
		w.addRound(20, Rest) // the budget is empty
		w.reply = func(th *thing) reply {
			if th == w.list[0] {
				return reply{err: failure(500, 40*time.Second)}
			}
			return reply{took: time.Second}
		}
		w.until(epoch().Add(500 * time.Millisecond))
		w.setClock(by)
		w.until(epoch().Add(39 * time.Second))
		for _, th := range w.list[1:] {
			if n := w.count(epoch(), func(o *thing) bool { return o == th }); n < 5 {
				t.Errorf("set by %v: %v was asked %d times in 39 s", by, th.Subject, n)
			}
		}
		w.until(epoch().Add(46 * time.Second))
		if n := w.count(epoch(), func(o *thing) bool { return o == w.list[0] }); n < 2 {
			t.Errorf("set by %v: %v has not been tried again", by, w.list[0].Subject)
		}
	}
}

// While the service is silent, a clock that was set back changes nothing: it is the service that is silent, not each subject.
func TestSilenceAfterTheClockWasSetBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t.Fatalf, 5)
	w.addRound(20, Rest)
	w.until(epoch().Add(10 * time.Second))
	w.reply = func(*thing) reply { return reply{err: failure(0, 0), took: 4 * time.Second} }
	w.until(epoch().Add(11 * time.Second))
	w.setClock(-time.Hour)
	w.until(epoch().Add(30 * time.Second))
	for _, th := range w.list {
		if f := w.Freshness(th.Subject); f.Fails > 0 {
			t.Fatalf("%v: %+v", th.Subject, f)
		}
	}
	if h := w.Health(w.clock()); h.Silent != 3 || h.Last.After(w.clock()) {
		t.Errorf("%+v at %v", h, w.clock())
	}
}

// After a computer was asleep, earlier requests count as lost, and everything is soon current again.
func TestClockAfterSleep(t *testing.T) {
	t.Parallel()
	w := newWorld(t.Fatalf, 5)
	w.addRound(20, Rest)
	w.reply = func(*thing) reply { return reply{lost: true} }
	w.until(epoch().Add(time.Second))
	w.reply = func(*thing) reply { return reply{took: time.Second} }
	w.sleep(time.Hour)
	awake := w.now
	w.until(awake.Add(10 * time.Second))
	for _, th := range w.list {
		if th.known.AsOf.Before(awake) {
			t.Errorf("%v: %+v", th.Subject, th.known)
		}
	}
}
