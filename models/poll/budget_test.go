package poll

import (
	"testing"
	"time"
)

// taken counts the requests that start in each second.
func taken(b *budget, from, to float64) (n int) {
	for s := from; s < to; s += 0.05 {
		for b.Ready(seconds(s)) > 0 {
			b.Spend(1, seconds(s))
			n++
		}
	}
	return n
}

// A budget allows a burst of four seconds' requests, and its average in the long run.
func TestBudgetIsAnAverageWithBursts(t *testing.T) {
	t.Parallel()
	b := newBudget(5, 1)
	ready := b.Ready(seconds(0))
	if n := taken(b, 0, 0.01); n != 20 || ready != 20 || b.Ready(seconds(0.1)) != 0 || b.Ready(seconds(0.45)) != 2 {
		t.Errorf("a burst of %d, of which %d were ready", n, ready)
	}
	if n := taken(b, 0.05, 60); n < 298 || n > 300 {
		t.Errorf("%d in a minute", n)
	}
	if wait := b.Wait(seconds(60)); wait > 200*time.Millisecond {
		t.Errorf("waits for %v", wait)
	}
}

// A small share of a small budget is slow, and not nothing.
func TestBudgetShareOfASmallOne(t *testing.T) {
	t.Parallel()
	if n := taken(newBudget(2, 0.1), 0, 59.9); n != 12 {
		t.Errorf("%d in a minute", n)
	}
}

// A limit halves the budget once, however many 429s come within a minute of each other. A minute after the last one the
// budget grows, and it is whole after 100 s.
func TestBudgetIsHalvedByALimit(t *testing.T) {
	t.Parallel()
	b := newBudget(10, 1)
	for _, s := range []float64{10, 11, 40, 99} {
		b.Limited(seconds(s))
	}
	for s, want := range map[float64]int{99: 5, 158: 5, 179: 7, 198: 9, 199: 10, 500: 10} {
		if got, most := b.InForce(seconds(s)); got != want || most != 10 {
			t.Errorf("after %v s: %d of %d", s, got, most)
		}
	}
	b.Limited(seconds(500))
	b.Limited(seconds(561))
	if got, _ := b.InForce(seconds(561)); got != 2 {
		t.Errorf("after another limit: %d", got)
	}
	taken(b, 561, 562)
	if n := taken(b, 562, 592); n < 74 || n > 78 {
		t.Errorf("%d in 30 s at 2.5 a second", n)
	}
	if got, _ := b.InForce(seconds(0)); got != 10 { // the clock was set back
		t.Errorf("before the limit: %d", got)
	}
}

// An empty budget fills after the clock was set back, as it would have before.
func TestBudgetAfterTheClockWasSetBack(t *testing.T) {
	t.Parallel()
	b := newBudget(5, 1)
	taken(b, 3600, 3601)
	b.Ready(seconds(0))
	if n := taken(b, 0, 10.1); n != 50 {
		t.Errorf("%d in 10 s", n)
	}
}
