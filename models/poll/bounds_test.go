package poll

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// crowded returns a world in which some of everything is always due, but for the round and gaps.
func crowded(t *rapid.T, perSecond int) *world {
	w := newWorld(t.Fatalf, perSecond)
	w.light = true
	everything := rapid.Bool().Draw(t, "everything")
	for _, b := range everyRank() {
		if b.Lane != Round && b != (backlog{FollowUp, First}) && (everything || rapid.Bool().Draw(t, "busy")) {
			w.addAll(10, b.Lane, b.Rank)
		}
	}
	return w
}

// ahead reports whether a thing is of the user, or a pin.
func ahead(th *thing) bool { return th.Lane == User || is(Round, First)(th) }

// used returns the budget since a time without what was used by things that meet a condition.
func (w *world) used(perSecond int, since time.Time, not func(*thing) bool) float64 {
	return float64(perSecond)*w.now.Sub(since).Seconds() - float64(w.count(since, not))
}

// The shares of the table keep the bounds while everything is always due.
func TestSharesKeepTheBounds(t *testing.T) {
	t.Parallel()
	sum := func(of [ranks]float64) (total float64) {
		for _, share := range of {
			total += share
		}
		return total
	}
	for i, least := range []float64{1 / 1.5, 1. / 3} {
		now := shares[i]
		rest, followed, chosen := now[Round][Rest], sum(now[FollowUp])+sum(now[Range]), now[Round][Preferred]
		if part := rest / (rest + followed); part < least {
			t.Errorf("of what the user leaves, the round has %.3f, and should have %.3f", part, least)
		}
		if part := 2 * rest / (2*rest + followed + chosen); part < least {
			t.Errorf("beside chosen ones, the round has %.3f, and should have %.3f", part, least)
		}
		if user := sum(now[User]); user < rest+followed || user < 0.4*(user+2*rest+followed+chosen) {
			t.Errorf("the user has %v of %v, and less than half", user, user+2*rest+followed+chosen)
		}
		if gap := now[FollowUp][First]; i == 1 && (gap < (rest+followed)/3 || gap < (2*rest+followed)/4) {
			t.Errorf("gaps have %v of %v, or of %v beside chosen ones", gap, rest+followed, 2*rest+followed)
		}
	}
}

// A round is read within 1.5 s for each source and request a second that the user and pins leave, and later ones within twice
// that, whatever else is due, and whatever the user chose. What was read just before a round is due in an interval only.
func TestRoundsAreBounded(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		perSecond := rapid.IntRange(1, 20).Draw(t, "budget")
		w := crowded(t, perSecond)
		w.addAll(rapid.SampledFrom([]int{0, 10}).Draw(t, "gaps"), FollowUp, First)
		w.addRound(rapid.IntRange(0, 5*perSecond/4).Draw(t, "pins"), First)
		w.addRound(rapid.IntRange(0, 30).Draw(t, "chosen"), Preferred)
		n := rapid.IntRange(50, 400).Draw(t, "others")
		w.addRound(n, Rest)
		for i := range rapid.IntRange(0, n/2).Draw(t, "also followed up") {
			th := w.list[len(w.list)-1-i]
			th.Lane, th.Rank, th.Round = FollowUp, []Rank{Preferred, Rest}[i%2], true
			w.put(th.Of)
		}
		others := w.list[len(w.list)-n:]
		for _, bound := range []float64{1.5, 3, 3} {
			begin := w.now
			for w.oldest(others).Before(begin) {
				w.until(w.now.Add(time.Second))
				if w.now.Sub(begin) > 3*time.Hour {
					t.Fatal("a round does not end")
				}
			}
			slack := (interval.Seconds() + 3) * float64(perSecond)
			if used := w.used(perSecond, begin, ahead); used > bound*float64(n)+slack {
				t.Fatalf("a round of %d took %v, and used %v requests", n, w.now.Sub(begin), used)
			}
		}
	})
}

// oldest returns when the thing that was asked for longest ago was asked for.
func (w *world) oldest(list []*thing) time.Time {
	oldest := w.now
	for _, th := range list {
		if th.known.AsOf.Before(oldest) {
			oldest = th.known.AsOf
		}
	}
	return oldest
}

// A gap waits only for the older ones: at most 3 s for each request of these and its own, if the user and pins leave one
// request a second, and 4 s while the user has chosen projects.
func TestGapsAreBounded(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		perSecond := rapid.IntRange(1, 20).Draw(t, "budget")
		w := crowded(t, perSecond)
		w.addRound(rapid.IntRange(0, 5*perSecond/4).Draw(t, "pins"), First)
		w.addRound(rapid.IntRange(1, 100).Draw(t, "others"), Rest)
		bound := 3.0
		if n := rapid.SampledFrom([]int{0, 0, 1, 30}).Draw(t, "chosen"); n > 0 {
			w.addRound(n, Preferred)
			bound = 4
		}
		w.until(seconds(600))
		begin, pages := w.now, map[*thing]int{}
		for range rapid.IntRange(1, 30).Draw(t, "gaps") {
			n := rapid.IntRange(1, 8).Draw(t, "pages")
			w.add(thing{Source: Source{Lane: FollowUp, Rank: First, From: w.now}, left: n, found: true})
			pages[w.list[len(w.list)-1]] = n
			w.until(w.now.Add(time.Millisecond))
		}
		requests := 0
		for _, gap := range w.list {
			if !is(FollowUp, First)(gap) {
				continue
			}
			requests += pages[gap]
			for gap.left > 0 && w.now.Sub(begin) < time.Hour {
				w.until(w.now.Add(100 * time.Millisecond))
			}
			used := w.used(perSecond, begin, func(th *thing) bool { return ahead(th) || is(Round, Preferred)(th) })
			if used > bound*float64(requests)+5*float64(perSecond) {
				t.Fatalf("a gap and older ones of %d pages were open for %v, and used %v requests", requests, w.now.Sub(begin), used)
			}
		}
	})
}

// What the user asks for comes with the next turn, or the one after it, however much is due.
func TestUserWaitsForOneTurn(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		perSecond := rapid.IntRange(1, 20).Draw(t, "budget")
		w := newWorld(t.Fatalf, perSecond)
		w.light = true
		for _, b := range everyRank() {
			if b.Lane != User {
				w.addAll(10, b.Lane, b.Rank)
			}
		}
		w.addRound(100, Rest)
		w.until(seconds(float64(rapid.IntRange(10, 600).Draw(t, "at"))))
		rank := rapid.SampledFrom([]Rank{First, Rest}).Draw(t, "rank")
		begin := w.now
		w.add(thing{Source: Source{Lane: User, Rank: rank}, left: 1})
		w.until(begin.Add(10 * time.Second))
		most := time.Duration(2 * float64(time.Second) / float64(perSecond))
		if got := w.asked(User, rank)[0].Sub(begin); got > most {
			t.Fatalf("the user waited for %v, and may for %v", got, most)
		}
	})
}
