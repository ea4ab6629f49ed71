package budget

import (
	"testing"
	"time"
)

func at(seconds float64) time.Time {
	return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC).Add(time.Duration(seconds * float64(time.Second)))
}

// taken counts the requests that start in each second.
func taken(b *Budget, from, to float64) (n int) {
	for s := from; s < to; s += 0.05 {
		for b.Allow(at(s)) {
			n++
		}
	}
	return n
}

func TestBudgetIsAnAverageWithBursts(t *testing.T) {
	t.Parallel()
	b := New(5, 1)
	ready := b.Ready(at(0))
	if n := taken(b, 0, 0.01); n != 20 || ready != 20 || b.Ready(at(0.1)) != 0 || b.Ready(at(0.45)) != 2 {
		t.Errorf("a burst of %d, of which %d were ready", n, ready)
	}
	if n := taken(b, 0.05, 60); n < 298 || n > 300 {
		t.Errorf("%d in a minute", n)
	}
	if wait := b.Wait(at(60)); wait > 200*time.Millisecond {
		t.Errorf("waits for %v", wait)
	}
}

// A small share of a small budget is slow, and not nothing.
func TestBudgetShareOfASmallOne(t *testing.T) {
	t.Parallel()
	if n := taken(New(2, 0.1), 0, 59.9); n != 12 {
		t.Errorf("%d in a minute", n)
	}
}

// A limit halves the budget, once for requests that were in flight together, and it grows by one a minute.
func TestBudgetIsHalvedByALimit(t *testing.T) {
	t.Parallel()
	b := New(10, 1)
	b.Limited(at(9), at(10))
	b.Limited(at(9.5), at(11))
	for minute, want := range []int{5, 6, 7, 8, 9, 10, 10} {
		if got, most := b.InForce(at(10 + 60*float64(minute))); got != want || most != 10 {
			t.Errorf("after %d minutes: %d of %d", minute, got, most)
		}
	}
	b.Limited(at(30), at(31))
	if got, _ := b.InForce(at(31)); got != 2 {
		t.Errorf("after the second limit: %d", got)
	}
	taken(b, 31, 32)
	if n := taken(b, 32, 62); n < 58 || n > 62 {
		t.Errorf("%d in 30 s at 2 a second", n)
	}
	if got, _ := b.InForce(at(0)); got != 10 { // the clock was set back
		t.Errorf("before the limit: %d", got)
	}
}
