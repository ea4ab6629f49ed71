package feed

import (
	"fmt"
	"testing"
	"time"
)

// rangedFleet returns a run of quiet projects, with few operations in many days, and of busy ones, with many in the last day
// and one a minute from now on. The range is the last day.
func rangedFleet(t *testing.T, quiet, busy, each int) *run {
	t.Helper()
	p := &platform{lives: map[string][]life{}}
	for i := range quiet {
		p.born(fmt.Sprintf("q%05d", i), 20, epoch().Add(-20*24*time.Hour), 24*time.Hour-time.Minute, time.Second)
	}
	for i := range busy {
		id := fmt.Sprintf("b%05d", i)
		p.born(id, each, epoch().Add(-23*time.Hour), 22*time.Hour/time.Duration(each), 3*time.Second)
		p.born(id, 30, epoch(), time.Minute, 3*time.Second)
	}
	r := newRun(t.Fatalf, p, Options{Interval: 5 * time.Second, Budget: 20, PageSize: 10})
	r.check = false
	return r
}

// complete returns how many projects lack nothing of the range.
func (r *run) complete() (n int) {
	for id, lives := range r.platform.lives {
		feed, lacks := r.Feed(id), 0
		for i := range lives {
			if l := &lives[i]; l.born.After(r.Range().Since) && !l.born.After(feed.AsOf()) && feed.byID[l.id] == nil {
				lacks++
			}
		}
		if lacks == 0 {
			n++
		}
	}
	return n
}

// The range of thousands of projects becomes complete if it fits. If not, the number of complete projects is right, and
// no more is kept than the first pages and the bound.
func TestRangeOfThousandsOfProjects(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("other tests run the same code in smaller fleets")
	}
	share, minutes := 10, 6 // of the fleet
	if thorough() {
		share, minutes = 1, 25
	}
	for _, c := range []struct {
		each int
		fits bool
	}{{200, true}, {600, false}} {
		r := rangedFleet(t, 4700/share, 300/share, c.each)
		r.SetRange(Range{Since: epoch().Add(-24 * time.Hour), Most: MostLoaded / share})
		most := 0
		for minute := 1; minute <= minutes; minute++ {
			r.until(at(60 * float64(minute)))
			r.list()
			most = max(most, r.Timeline().Loaded())
		}
		got, want := r.Span(r.now), r.complete()
		if got.Unread > 0 || got.Ranged > want || c.fits && got.Ranged < 5000/share || (got.Capped > 0) == c.fits {
			t.Errorf("%+v: %+v, complete are %d", c, got, want)
		}
		if most > (MostLoaded+MostLoaded/2)/share*17/16 {
			t.Errorf("%+v: %d are loaded", c, most)
		}
	}
}
