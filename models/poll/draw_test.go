package poll

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pgtower/models"
)

// fault is what the service does for a while to some of the requests, or to those of one subject.
type fault struct {
	reply

	from, to time.Time
	every    int
	of       *thing
}

// draw returns a world of all lanes, in which things come, change and go, while the service, the network and the clock have
// trouble.
func draw(t *rapid.T, minutes int) *world {
	perSecond := rapid.IntRange(1, 20).Draw(t, "budget")
	w := newWorld(t.Fatalf, perSecond)
	w.addRound(rapid.IntRange(0, max(1, 5*perSecond/4)).Draw(t, "pins"), First)
	w.addRound(rapid.IntRange(0, 10).Draw(t, "chosen"), Preferred)
	w.addRound(rapid.IntRange(0, 60).Draw(t, "others"), Rest)
	for range rapid.IntRange(0, 20).Draw(t, "things") {
		w.add(drawThing(t, w.clock()))
	}
	seconds := rapid.IntRange(1, 60*minutes)
	for range rapid.IntRange(0, 12).Draw(t, "events") {
		w.events = append(w.events, event{epoch().Add(time.Duration(seconds.Draw(t, "at")) * time.Second), drawEvent(t, w)})
	}
	slices.SortStableFunc(w.events, func(x, y event) int { return x.at.Compare(y.at) })
	w.reply = drawReplies(t, w, seconds)
	return w
}

func drawThing(t *rapid.T, now time.Time) thing {
	lane := rapid.SampledFrom([]Lane{User, FollowUp, Range}).Draw(t, "lane")
	rank := rapid.SampledFrom(map[Lane][]Rank{User: {First, Rest}, FollowUp: {First, Preferred, Rest, Last}, Range: {Rest}}[lane]).Draw(t, "rank")
	th := thing{Source: Source{Lane: lane, Rank: rank}, left: rapid.SampledFrom([]int{1, 3, 30, -1}).Draw(t, "left")}
	th.Round = lane == FollowUp && rank != Last && rank != First && rapid.Bool().Draw(t, "in the round")
	th.skips = rapid.SampledFrom([]int{0, 0, 0, 2}).Draw(t, "not needed")
	switch {
	case rank == First && lane == FollowUp:
		th.found, th.From = true, now
	case rapid.Bool().Draw(t, "regular"):
		th.every = time.Duration(rapid.IntRange(1, 60).Draw(t, "every")) * time.Second
	}
	th.Of = rapid.SampledFrom([]string{"", "", "p1", "p2"}).Draw(t, "of")
	return th
}

// drawEvent returns what happens at some time.
func drawEvent(t *rapid.T, w *world) func() {
	span := func(name string, most int) time.Duration {
		return time.Duration(rapid.IntRange(1, most).Draw(t, name)) * time.Second
	}
	switch rapid.SampledFrom([]string{"add", "change", "go", "clock", "sleep", "refresh", "retry", "budget"}).Draw(t, "event") {
	case "add":
		th := drawThing(t, w.clock())
		return func() {
			if th.found {
				th.From = w.clock()
			}
			w.add(th)
		}
	case "change":
		n, rank := rapid.Int().Draw(t, "which"), rapid.SampledFrom([]Rank{First, Preferred, Rest}).Draw(t, "to")
		return func() { w.change(n, rank) }
	case "go":
		n := rapid.Int().Draw(t, "which")
		return func() { w.stop(n) }
	case "clock":
		by := span("by", 7200)
		if rapid.Bool().Draw(t, "back") {
			by = -by
		}
		return func() { w.setClock(w.ahead + by) }
	case "sleep":
		d := span("for", 600)
		return func() { w.sleep(d) }
	case "refresh":
		return w.refresh
	case "retry":
		return w.TryNow
	}
	n := rapid.IntRange(1, 20).Draw(t, "new budget")
	return func() {
		w.SetBudget(n, w.clock())
		w.setLimits(n)
	}
}

// change makes something of the round change its rank.
func (w *world) change(n int, rank Rank) {
	if len(w.list) == 0 {
		return
	}
	if th := w.list[(n%len(w.list)+len(w.list))%len(w.list)]; th.Lane == Round && (rank != First || th.Rank == First) {
		th.Rank = rank
		w.put(th.Of)
	}
}

// stop ends the need of something, also while it is in flight.
func (w *world) stop(n int) {
	if len(w.list) == 0 {
		return
	}
	th := w.list[(n%len(w.list)+len(w.list))%len(w.list)]
	th.left = 0
	w.put(th.Of)
}

// refresh makes everything due.
func (w *world) refresh() {
	w.Refresh(w, w.clock())
	for _, th := range w.list {
		if th.owned && th.since.After(w.clock()) {
			th.since = w.clock()
		}
	}
}

// drawReplies returns how the service answers.
func drawReplies(t *rapid.T, w *world, seconds *rapid.Generator[int]) func(*thing) reply {
	var faults []fault
	for range rapid.IntRange(0, 5).Draw(t, "faults") {
		f := fault{every: rapid.SampledFrom([]int{1, 1, 2, 5}).Draw(t, "one in")}
		f.from = epoch().Add(time.Duration(seconds.Draw(t, "fault at")) * time.Second)
		f.to = f.from.Add(time.Duration(rapid.IntRange(1, 120).Draw(t, "fault for")) * time.Second)
		if len(w.list) > 0 && rapid.Bool().Draw(t, "of one") {
			f.of = rapid.SampledFrom(w.list).Draw(t, "of")
		}
		f.reply = drawReply(t)
		faults = append(faults, f)
	}
	number, latency := 0, rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "latencies"), 1))
	most := rapid.SampledFrom([]int{50, 900, 9000}).Draw(t, "latency")
	return func(th *thing) reply {
		number++
		took := time.Duration(1+latency.IntN(most)) * time.Millisecond
		for _, f := range faults {
			if w.now.Before(f.from) || w.now.After(f.to) || number%f.every > 0 || f.of != nil && f.of != th {
				continue
			}
			return reply{f.err, max(took, f.took), f.lost}
		}
		return reply{took: took}
	}
}

func drawReply(t *rapid.T) reply {
	after := time.Duration(rapid.SampledFrom([]int{0, 0, 3, 40, 300}).Draw(t, "retry after")) * time.Second
	switch rapid.SampledFrom([]string{"status", "silent", "lost", "late", "canceled"}).Draw(t, "fault") {
	case "silent":
		return reply{err: failure(0, 0), took: 15 * time.Second}
	case "lost":
		return reply{lost: true}
	case "late":
		return reply{took: 70 * time.Second}
	case "canceled":
		return reply{err: &models.Error{Kind: models.KindCanceled}}
	}
	return reply{err: failure(rapid.SampledFrom([]int{404, 429, 500, 502, 503}).Draw(t, "status"), after)}
}

// Whatever happens, what must always hold does: see [world]. When the trouble is over, a request costs at most three calls: the
// one that starts it, its answer, and one in vain, when it is due but has to wait for its part of the budget.
func TestWhateverHappensTheRulesHold(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		const minutes = 5
		w := draw(t, minutes)
		w.until(epoch().Add(minutes * time.Minute))
		w.until(w.now.Add(6 * time.Minute)) // a limit may last as long
		calls, idle := w.calls, w.idle
		w.until(w.now.Add(5 * time.Minute))
		if n := w.calls - calls; 3*(w.idle-idle) > n+100 {
			t.Fatalf("of %d calls, %d were in vain", n, w.idle-idle)
		}
	})
}
