package feed

import (
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"pgregory.net/rapid"

	"pgtower/models"
)

// draw returns a poller of a platform with bursts of operations, some of which fail, and with trouble of these kinds for
// some minutes.
func draw(t *rapid.T, minutes int, kinds ...models.Kind) *run {
	p := newPlatform(rapid.IntRange(1, 8).Draw(t, "projects"), rapid.IntRange(1, 40).Draw(t, "past"))
	p.lives["empty"] = nil
	p.busy = rapid.Bool().Draw(t, "busy")
	names := slices.Sorted(maps.Keys(p.lives))
	second := rapid.IntRange(1, 60*minutes)
	for range rapid.IntRange(0, 6).Draw(t, "bursts") {
		name, from := rapid.SampledFrom(names).Draw(t, "burst of"), at(float64(second.Draw(t, "burst at")))
		if lives := p.lives[name]; len(lives) > 0 && !from.After(lives[0].born) {
			from = lives[0].born.Add(time.Second)
		}
		n := rapid.IntRange(1, 200).Draw(t, "size")
		p.born(name, n, from, time.Millisecond+drawSpan(t, "apart", 300*time.Millisecond), drawSpan(t, "lasts", 2*time.Minute))
		drawTries(t, p.lives[name][:n])
	}
	for range rapid.IntRange(0, 4).Draw(t, "faults") {
		p.faults = append(p.faults, drawFault(t, names, at(float64(second.Draw(t, "fault at"))), kinds))
	}
	r := newRun(t.Fatalf, p, Options{
		Interval: 5 * time.Second, Budget: rapid.IntRange(5, 20).Draw(t, "budget"), PageSize: rapid.SampledFrom([]int{20, 25, 50, 100, 1000}).Draw(t, "page"),
	})
	latency := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "latencies"), 1))
	r.latency = func() time.Duration { return time.Duration(1+latency.IntN(900)) * time.Millisecond }
	return r
}

// drawTries makes every third operation fail, some of them again and again, and some for good.
func drawTries(t *rapid.T, lives []life) {
	fails, again := drawSpan(t, "fails after", time.Minute), drawSpan(t, "tried again after", 90*time.Second)
	tries, tells := rapid.IntRange(0, 3).Draw(t, "tries"), rapid.Bool().Draw(t, "tells")
	for i := 0; i < len(lives); i += 3 {
		l := &lives[i]
		ran, from := l.end.Sub(l.born), l.born
		for range tries {
			one := try{failed: from.Add(fails), tells: tells}
			one.again = one.failed.Add(again)
			l.tries, from = append(l.tries, one), one.again
		}
		if l.end = from.Add(ran); i%2 == 0 || tries == 0 {
			l.as = models.StatusFailed
		}
	}
}

func drawFault(t *rapid.T, names []string, from time.Time, kinds []models.Kind) fault {
	f := fault{from: from, to: from.Add(drawSpan(t, "for", 90*time.Second)), kind: rapid.SampledFrom(kinds).Draw(t, "kind")}
	f.every, f.below = rapid.IntRange(1, 4).Draw(t, "one in"), rapid.Bool().Draw(t, "below")
	if rapid.Bool().Draw(t, "one project") {
		f.project = rapid.SampledFrom(names).Draw(t, "of")
	}
	switch f.kind {
	case models.KindTimeout:
		f.after = 15 * time.Second
	case models.KindRateLimited:
		f.retry, f.below, f.project = drawSpan(t, "retry after", 20*time.Second), false, ""
	case models.KindNotFound:
		f.below, f.project = false, rapid.SampledFrom(names).Draw(t, "gone")
	default:
	}
	if rapid.IntRange(0, 2).Draw(t, "breaks paging") == 0 {
		f.paging = rapid.SampledFrom([]string{"damaged", "circle"}).Draw(t, "paging")
	}
	return f
}

// drawSpan draws a duration in milliseconds.
func drawSpan(t *rapid.T, name string, most time.Duration) time.Duration {
	return time.Duration(rapid.IntRange(0, int(most.Milliseconds())).Draw(t, name)) * time.Millisecond
}
