package poll

import (
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pgtower/models"
)

// refusals makes the service refuse requests while a condition holds, and counts them.
func (w *world) refusals(after time.Duration, when func() bool) *int {
	n := new(int)
	w.reply = func(*thing) reply {
		if when() {
			*n++
			return reply{err: failure(429, after), took: 50 * time.Millisecond}
		}
		return reply{took: 50 * time.Millisecond}
	}
	return n
}

// seconds returns a time of a world.
func seconds(s float64) time.Time { return epoch().Add(time.Duration(s * float64(time.Second))) }

// A limit that does not tell how long it lasts is found out with one request after a second and then one every 15 s. With
// the first good answer half of the budget is in force, and all of it again 100 s after the last 429.
func TestLimitWithoutAnEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(t.Fatalf, 5)
	w.addRound(400, Rest)
	w.until(seconds(10))
	refused := w.refusals(0, func() bool { return w.now.Before(seconds(64)) })
	begin := len(w.starts)
	w.sleep(10 * time.Second) // so that as many as possible start at once
	w.until(seconds(64))
	var probes []time.Duration
	for _, s := range w.starts[begin+20:] {
		probes = append(probes, s.at.Sub(w.starts[begin].at).Round(time.Second))
	}
	if want := []time.Duration{1 * time.Second, 16 * time.Second, 31 * time.Second}; *refused != 23 || !equal(probes, want) {
		t.Errorf("%d were refused; single ones after %v", *refused, probes)
	}
	w.until(seconds(79))
	if w.last.Before(seconds(64)) || w.Health(w.now).Budget != 2 {
		t.Errorf("the first answer came at %v: %+v", w.last, w.Health(w.now))
	}
	w.reply = func(*thing) reply { return reply{took: time.Second} }
	w.until(seconds(180))
	if n := w.count(seconds(160), is(Round, Rest)); n < 80 {
		t.Errorf("%d requests in 20 s after the limit", n)
	}
	last := seconds(20 + 31)
	for s, want := range map[time.Duration]int{59 * time.Second: 2, 80 * time.Second: 3, 102 * time.Second: 5} {
		if got := w.Health(last.Add(s)).Budget; got != want {
			t.Errorf("%v after the last 429: %d of 5 a second", s, got)
		}
	}
}

func equal(x, y []time.Duration) bool {
	for i := range x {
		if len(x) != len(y) || x[i] != y[i] {
			return false
		}
	}
	return len(x) == len(y)
}

// If some requests are refused for a while, few are sent, and the whole budget is back two minutes after the service is.
func TestLimitOfSomeRequests(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		w := newWorld(t.Fatalf, 5)
		w.light = true
		w.addRound(400, Rest)
		chance := rand.New(rand.NewPCG(seed, 1))
		refused := w.refusals(0, func() bool {
			return w.now.After(seconds(10)) && w.now.Before(seconds(30)) && chance.IntN(10) < 3
		})
		w.until(seconds(150))
		if h := w.Health(w.now); *refused > 12 || h.Budget != 5 || !h.Limited.IsZero() {
			t.Errorf("%d were refused; two minutes later: %+v", *refused, h)
		}
		if n := len(w.starts); n < 300 {
			t.Errorf("%d requests in 150 s", n)
		}
	}
}

// A good answer to a request from before a limit does not end the limit.
func TestLimitIsNotOverWithAnEarlierRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t.Fatalf, 5)
	w.addRound(400, Rest)
	w.reply = func(*thing) reply {
		if len(w.starts) <= 10 {
			return reply{took: 700 * time.Millisecond}
		}
		return reply{err: failure(429, 0), took: 50 * time.Millisecond}
	}
	w.until(seconds(10))
	if n := len(w.starts); n != 21 {
		t.Errorf("%d requests, and not one after the first 20", n)
	}
}

// The service's own end of a limit is honored, and no longer. The user may end the limit after a minute.
func TestLimitWithAnEnd(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ after, refresh, again float64 }{
		{20, 0, 20},
		{3, 0, 3},
		{7200, 0, 7200},
		{50, 30, 50},
		{300, 59, 300},
		{300, 61, 61},
	} {
		w := newWorld(t.Fatalf, 5)
		w.addRound(400, Rest)
		w.refusals(time.Duration(c.after*float64(time.Second)), func() bool { return w.now.Before(seconds(1)) })
		if c.refresh > 0 {
			w.events = []event{{seconds(c.refresh), w.refresh}}
		}
		w.until(seconds(c.after + 10))
		first := w.starts[20].at.Sub(seconds(c.again))
		if first < 0 || first > 60*time.Millisecond {
			t.Errorf("%+v: asked again %v after that", c, first)
		}
	}
}

// However many 429s come, they halve the budget at most once in a minute.
func TestLimitHalvesTheBudgetOnceAMinute(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.IntRange(1, 100).Draw(t, "budget")
		w := newWorld(t.Fatalf, most)
		w.addRound(rapid.IntRange(1, 100).Draw(t, "things"), Rest)
		chance := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "chance"), 1))
		one := rapid.IntRange(1, 100).Draw(t, "of 100")
		end := seconds(rapid.Float64Range(1, 300).Draw(t, "end"))
		after := time.Duration(rapid.IntRange(0, 20).Draw(t, "after")) * time.Second
		w.refusals(after, func() bool { return w.now.Before(end) && chance.IntN(100) < one })
		before, reduced := most, time.Time{}
		for w.now.Before(end.Add(2 * time.Minute)) {
			w.until(w.now.Add(100 * time.Millisecond))
			budget := w.Health(w.now).Budget
			if budget < before && (w.now.Sub(reduced) < time.Minute || budget < before/2) {
				t.Fatalf("%d of %d a second %v after it was reduced", budget, before, w.now.Sub(reduced))
			}
			if budget < before {
				reduced = w.now
			}
			before = budget
		}
		if before != most {
			t.Fatalf("two minutes after the service was back: %d of %d", before, most)
		}
	})
}

// While nothing answers, single requests find out whether something does, after 1, 2, 4 and at most 30 s. When it answers,
// everything goes on at once.
func TestSilence(t *testing.T) {
	t.Parallel()
	w := newWorld(t.Fatalf, 5)
	w.addRound(100, Rest)
	w.until(seconds(10))
	begin := len(w.starts)
	w.reply = func(*thing) reply { return reply{err: failure(0, 0), took: time.Second} }
	w.until(seconds(150))
	var apart []time.Duration
	last, silent := time.Time{}, w.starts[begin].at.Add(time.Second)
	for _, s := range w.starts[begin:] {
		if s.at.After(silent) {
			apart = append(apart, s.at.Sub(latest(last, silent.Add(-time.Second))).Round(time.Second)-time.Second)
			last = s.at
		}
	}
	want := []time.Duration{1 * time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 16 * time.Second, 30 * time.Second, 30 * time.Second, 30 * time.Second}
	if !equal(apart, want) {
		t.Errorf("asked after %v", apart)
	}
	w.reply = func(*thing) reply { return reply{took: time.Second} }
	w.TryNow()
	w.until(seconds(152))
	if n := w.count(seconds(151), is(Round, Rest)); n < 18 {
		t.Errorf("%d requests after the service was back", n)
	}
	for _, th := range w.list {
		if f := w.Freshness(th.Subject); f.Fails > 0 || f.Err != nil {
			t.Errorf("%v failed: %+v", th.Subject, f)
		}
	}
}

// A subject that alone gets no response holds up nothing else, also if nothing else is asked for meanwhile.
func TestSilenceOfASubjectHoldsUpOnlyThat(t *testing.T) {
	t.Parallel()
	w := newWorld(t.Fatalf, 5)
	w.addAll(1, User, First)
	w.reply = func(th *thing) reply {
		if th == w.list[0] {
			return reply{err: failure(0, 0), took: time.Millisecond}
		}
		return reply{took: 50 * time.Millisecond}
	}
	w.until(seconds(40))
	var apart []time.Duration
	for i, at := range w.asked(User, First)[1:] {
		apart = append(apart, at.Sub(w.starts[i].at).Round(time.Second))
	}
	if want := []time.Duration{1 * time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 16 * time.Second}; !equal(apart, want) {
		t.Errorf("asked after %v", apart)
	}
	w.addRound(10, Rest)
	w.until(seconds(41))
	if n := len(w.asked(Round, Rest)); n != 10 || w.Health(w.clock()).Silent > 0 {
		t.Errorf("%d requests for the others: %+v", n, w.Health(w.clock()))
	}
}

// If others get no response either, the whole service is silent. A subject that was held up alone continues with all
// others when the service is back.
func TestSilenceOfASubjectEndsWithThatOfTheOthers(t *testing.T) {
	t.Parallel()
	w := newWorld(t.Fatalf, 5)
	w.addAll(1, Range, Rest)
	w.reply = func(*thing) reply { return reply{err: failure(0, 0), took: time.Millisecond} }
	w.until(seconds(40)) // it was asked after 31 s, and waits for 30 s
	w.addRound(10, Rest)
	w.until(seconds(41))
	w.reply = func(*thing) reply { return reply{took: 50 * time.Millisecond} }
	w.TryNow()
	w.until(seconds(42))
	if n := w.count(seconds(41), is(Range, Rest)); n < 1 {
		t.Errorf("of %d requests, none is for what was held up", len(w.starts))
	}
}

// A subject that fails is asked for again after 1 s, or 5 s if the service itself fails, doubling up to 30 s, or when the
// service says. It holds up only itself.
func TestFailureHoldsUpOnlyItsSubject(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status int
		after  time.Duration
		want   []time.Duration
	}{
		{503, 0, []time.Duration{1, 2, 4, 8, 16, 30, 30}},
		{500, 0, []time.Duration{5, 10, 20, 30, 30}},
		{404, 0, []time.Duration{5, 10, 20, 30, 30}},
		{503, 40 * time.Second, []time.Duration{40, 40}},
		{0, 0, []time.Duration{1, 2, 4, 8, 16}},
	} {
		w := newWorld(t.Fatalf, 5)
		w.addRound(10, Rest)
		var times []time.Time
		w.reply = func(th *thing) reply {
			if th == w.list[3] {
				times = append(times, w.now)
				if c.status == 0 {
					return reply{err: failure(0, 0), took: 6 * time.Second} // others respond meanwhile
				}
				return reply{err: failure(c.status, c.after), took: 200 * time.Millisecond}
			}
			return reply{took: 50 * time.Millisecond}
		}
		w.until(seconds(110))
		for i, want := range c.want {
			if c.status == 0 {
				want += 6
			}
			if len(times) < i+2 || times[i+1].Sub(times[i]).Round(time.Second) != want*time.Second {
				t.Errorf("%d %v: asked at %v", c.status, c.after, times)
				break
			}
		}
		for _, th := range w.list {
			if age := w.now.Sub(th.known.AsOf); th != w.list[3] && age > interval+time.Second {
				t.Errorf("%d: %v is %v old", c.status, th.Subject, age)
			}
		}
	}
}

// A refresh, or the wish to try a subject again, ends the wait after a failure.
func TestFailureWaitsUntilTheUserWishes(t *testing.T) {
	t.Parallel()
	wishes := map[string]func(*world){
		"refresh": (*world).refresh,
		"retry":   func(w *world) { w.Retry(w.list[0].Subject) },
	}
	for name, wish := range wishes {
		w := newWorld(t.Fatalf, 5)
		w.addAll(1, User, First)
		w.reply = func(*thing) reply { return reply{err: failure(503, time.Hour)} }
		w.events = []event{{seconds(10), func() { wish(w) }}}
		w.until(seconds(20))
		if times := w.asked(User, First); len(times) != 2 || !times[1].Equal(seconds(10)) {
			t.Errorf("%s: asked at %v", name, times)
		}
	}
}

// A canceled request tells nothing about the service or the subject.
func TestCanceledRequestTellsNothing(t *testing.T) {
	t.Parallel()
	err := &models.Error{Kind: models.KindCanceled}
	w := newWorld(t.Fatalf, 5)
	w.addAll(1, User, First)
	w.reply = func(*thing) reply {
		if len(w.starts) <= 1 {
			return reply{err: err}
		}
		return reply{took: time.Second}
	}
	w.until(seconds(0.5))
	h, f := w.Health(w.now), w.Freshness(w.list[0].Subject)
	if h.Budget != 5 || h.Silent > 0 || !h.Last.IsZero() || f.Fails > 0 || f.Err != nil {
		t.Errorf("%+v, %+v", h, f)
	}
	w.until(seconds(5))
	if errors.Is(w.list[0].known.Err, err) || w.list[0].known.AsOf.IsZero() {
		t.Errorf("%+v", w.list[0].known)
	}
}

// A key that was accepted counts as refused once a request made a second after the first refusal is refused as well: one
// instance of the service may not know it. A key that was never accepted is refused at once.
func TestRefusalIsDoubted(t *testing.T) {
	t.Parallel()
	refused := &models.Error{Kind: models.KindUnauthorized, Status: 401}
	for name, c := range map[string]struct {
		from, to float64 // when the key is refused
		told     float64 // when that is told, 0: never
	}{
		"never accepted":     {0, 100, 0.1},
		"by one instance":    {10, 10.5, 0},
		"from then on":       {10, 100, 11.1},
		"for less than long": {10, 10.99, 0},
	} {
		w := newWorld(t.Fatalf, 5)
		w.addAll(3, User, Rest)
		told := time.Time{}
		w.reply = func(*thing) reply {
			if !w.now.Before(seconds(c.from)) && w.now.Before(seconds(c.to)) {
				return reply{took: 100 * time.Millisecond, err: refused}
			}
			return reply{took: 100 * time.Millisecond}
		}
		w.hear = func(a Answer) {
			if models.KindOf(a.Err) == models.KindUnauthorized && told.IsZero() {
				told = w.now
			}
		}
		w.until(seconds(20))
		if (c.told == 0) != told.IsZero() || c.told > 0 && told.Sub(seconds(c.told)).Abs() > time.Second {
			t.Errorf("%s: told at %v", name, told)
		}
	}
}

// A change waits for nothing but a rate limit of less than a minute ago, and reads wait for it.
func TestChangeComesBeforeReads(t *testing.T) {
	t.Parallel()
	p := New(5)
	for range 30 {
		if err := p.Change(seconds(0)); err != nil {
			t.Fatal(err)
		}
	}
	if wait := p.Pace(seconds(0)); wait < 2*time.Second || wait > 2300*time.Millisecond {
		t.Errorf("after 30 changes of a burst of 20, others wait for %s", wait)
	}
	p.Put(quiet{}, "p1", Source{Subject: Subject{Kind: "page", Of: "p1"}, Lane: User})
	if requests, _ := p.Next(seconds(1)); len(requests) > 0 {
		t.Errorf("%+v at once", requests)
	}
	requests, _ := p.Next(seconds(3))
	for _, r := range requests {
		p.Receive(Answer{Request: r, Err: failure(429, 2*time.Minute)}, seconds(4))
	}
	err := p.Change(seconds(5))
	if models.KindOf(err) != models.KindRateLimited || models.RetryAfterOf(err) != 119*time.Second {
		t.Errorf("in a limit: %v", err)
	}
	if err := p.Change(seconds(65)); err != nil {
		t.Errorf("a minute later: %v", err)
	}
}

// A rate limit that answers a change holds for everything. A change that was not sent because of it tells nothing new.
func TestLimitOfAChange(t *testing.T) {
	t.Parallel()
	p := New(5)
	p.Put(quiet{}, "p1", Source{Subject: Subject{Kind: "page", Of: "p1"}, Lane: User})
	p.Changed(failure(429, 30*time.Second), seconds(1))
	held := p.Change(seconds(2))
	p.Changed(held, seconds(2))
	if h := p.Health(seconds(2)); held == nil || !h.Limited.Equal(seconds(31)) || h.Budget != 2 {
		t.Errorf("%v, %+v", held, h)
	}
	if requests, wait := p.Next(seconds(2)); len(requests) > 0 || wait != 29*time.Second {
		t.Errorf("%d requests in the limit, the next one in %s", len(requests), wait)
	}
	if requests, _ := p.Next(seconds(31)); len(requests) != 1 || p.Change(seconds(31)) != nil {
		t.Errorf("%d requests after it", len(requests))
	}
}
