package poll

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"pgtower/models"
)

// interval is how often the sources of the round are due.
const interval = 5 * time.Second

func epoch() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

// thing is a source of a world, and what is known of it from what the poller was told.
type thing struct {
	Source

	every time.Duration // it is due again so long after it was asked for; 0: at once
	left  int           // how many good answers it still needs; less than 0: it always needs another one
	found bool          // it keeps the time since when it is due, like a gap
	skips int           // how often it is not needed for three seconds when it has its turn

	owned bool      // it is among the sources of its owner
	since time.Time // since when it is due, or will be, as the poller should see it
	sent  bool      // a request is in flight
	known Freshness
}

// reply is how the service answers a request.
type reply struct {
	err  error
	took time.Duration
	lost bool // the answer never comes
}

// start is when a thing was asked for, by the true time.
type start struct {
	*thing

	at time.Time
}

type arrival struct {
	Answer

	at time.Time
}

// world is a service, and a reader of many things of it, in simulated time. It checks at every step what must always hold.
type world struct {
	*Poller

	fatalf func(format string, args ...any)
	now    time.Time     // the true time
	ahead  time.Duration // of the poller's clock
	things map[Subject]*thing
	list   []*thing
	owners map[string][]*thing
	reply  func(*thing) reply
	coming []arrival // ordered by time
	starts []start
	limits map[string]*bucket
	last   time.Time // when the last response arrived, by the poller's clock
	late   int       // how many answers came after their requests were given up
	calls  int       // of Next
	idle   int       // how many of them neither started nor ended anything, although the time was over that Next had told
	lost   int
	told   bool // an answer, or another call, changed something since the last call of Next
	events []event
	hear   func(Answer)            // gets each answer; may be nil
	silent map[*thing]bool         // what got no response since the last one
	light  bool                    // it does not check each thing at each step
	served [lanes][ranks]time.Time // when a rank last had its turn, or nothing waited for it
}

// event happens at a time.
type event struct {
	at time.Time
	do func()
}

func newWorld(fatalf func(string, ...any), perSecond int) *world {
	w := &world{
		Poller: New(perSecond), fatalf: fatalf, now: epoch(), things: map[Subject]*thing{}, owners: map[string][]*thing{},
		silent: map[*thing]bool{},
		reply:  func(*thing) reply { return reply{took: 50 * time.Millisecond} },
	}
	w.tick(w.now)
	w.setLimits(perSecond)
	return w
}

func (w *world) clock() time.Time { return w.now.Add(w.ahead) }

// add adds a thing, and hands it over with the others of its owner.
func (w *world) add(th thing) {
	th.Kind, th.ID = fmt.Sprint(th.Lane, th.Rank), strconv.Itoa(len(w.list))
	th.Of = cmp.Or(th.Of, "x"+th.ID)
	one := &th
	w.things[th.Subject] = one
	w.list = append(w.list, one)
	w.owners[th.Of] = append(w.owners[th.Of], one)
	w.put(th.Of)
}

// addAll adds so many things of a rank that always need another answer.
func (w *world) addAll(n int, lane Lane, rank Rank) {
	for range n {
		w.add(thing{Source: Source{Lane: lane, Rank: rank}, left: -1})
	}
}

// addRound adds so many things that are read in turn.
func (w *world) addRound(n int, rank Rank) {
	for range n {
		w.add(thing{Source: Source{Lane: Round, Rank: rank}, left: -1, every: interval})
	}
}

// put hands over the things of an owner that need an answer.
func (w *world) put(of string) {
	w.told = true
	sources, now := []Source(nil), w.Now()
	for _, th := range w.owners[of] {
		switch {
		case th.left == 0:
			th.owned = false
			continue
		case !th.From.IsZero():
			th.since = th.From
		case th.known.Tried.IsZero() && (th.Lane == Round || th.Round):
			th.since = time.Time{}
		case !th.owned || th.since.After(now):
			th.since = now
		}
		th.owned = true
		sources = append(sources, th.Source)
	}
	w.Put(w, of, sources...)
}

// Call implements [Reader].
func (w *world) Call(s Subject, now time.Time) (Call, time.Time) {
	th := w.things[s]
	if th == nil || !th.owned {
		w.fatalf("%v: has its turn, and is no source", s)
	}
	if th.skips > 0 {
		th.skips--
		th.since = now.Add(3 * time.Second)
		w.told = true
		return nil, th.since
	}
	return answer(s), time.Time{}
}

// answer returns a call that answers with its subject.
func answer(s Subject) Call { return func(context.Context) (any, error) { return s, nil } }

// Receive implements [Reader].
func (w *world) Receive(a Answer, now time.Time) {
	th := w.things[a.Subject]
	if a.Late {
		w.late++
		if a.Err != nil {
			w.fatalf("%v: told a failure that comes too late: %v", a.Subject, a.Err)
		}
		w.put(th.Of)
		return
	}
	if !th.sent {
		w.fatalf("%v: told an answer to no request", a.Subject)
	}
	if age := now.Sub(th.known.Tried); errors.Is(a.Err, ErrLost) && age < 45*time.Second {
		w.fatalf("%v: given up after %v", a.Subject, age)
	} else if errors.Is(a.Err, ErrLost) {
		w.lost++
	}
	th.sent, th.From = false, th.kept()
	w.learn(th, a, now)
	if w.hear != nil {
		w.hear(a)
	}
	if a.Err == nil && th.left > 0 {
		th.left--
	}
	if a.Err == nil && th.every > 0 {
		th.From = th.known.Tried.Add(th.every)
	}
	w.put(th.Of)
}

// kept returns since when a thing is due that keeps this time.
func (th *thing) kept() time.Time {
	if th.found {
		return th.From
	}
	return time.Time{}
}

// learn notes how current a thing is after an answer.
func (w *world) learn(th *thing, a Answer, now time.Time) {
	asked, f := th.known.Tried, &th.known
	others := []models.Kind{models.KindRateLimited, models.KindCanceled, models.KindUnauthorized}
	own := a.Err != nil && !slices.Contains(others, models.KindOf(a.Err))
	if responds := !unanswered(a.Err) && models.KindOf(a.Err) != models.KindCanceled; responds || a.Err == nil {
		w.last = now
		clear(w.silent)
	} else if own && !w.last.After(asked) {
		own, w.silent[th] = false, true
	}
	if a.Own != own {
		w.fatalf("%v: of the subject alone: %v, of %v", a.Subject, a.Own, a.Err)
	}
	if a.Err == nil {
		f.AsOf, f.Fails, f.Err = asked, 0, nil
	} else if own {
		f.Fails, f.Err = f.Fails+1, a.Err
	}
}

// start checks a request, and sends it.
func (w *world) start(r Request) {
	th, now := w.things[r.Subject], w.clock()
	if th.sent {
		w.fatalf("%v: asked for twice at once", r.Subject)
	}
	if !r.AsOf.Equal(now) {
		w.fatalf("%v: asked for at %v, and it is %v", r.Subject, r.AsOf, now)
	}
	if !w.light {
		w.checkOrder(th)
	}
	w.spend(th)
	w.checkAllowed(th)
	th.sent, th.owned, th.known.Tried = true, false, now
	w.starts = append(w.starts, start{th, w.now})
	w.served[th.Lane][th.Rank] = w.now
	answer := w.reply(th)
	if answer.lost {
		return
	}
	a := arrival{Answer{Request: r, Err: answer.err}, w.now.Add(answer.took)}
	i, _ := slices.BinarySearchFunc(w.coming, a.at.Add(1), func(x arrival, t time.Time) int { return x.at.Compare(t) })
	w.coming = slices.Insert(w.coming, i, a)
}

// checkAllowed checks that nothing is asked for while the service wants it, or before it is time to find out whether it responds,
// and then one thing at a time.
func (w *world) checkAllowed(th *thing) {
	h, now := w.Health(w.clock()), w.clock()
	if !h.Limited.IsZero() || h.Retry.After(now) && (w.silent[th] || len(w.silent) > 1) {
		w.fatalf("%v: asked for although the service should have a rest: %+v", th.Subject, h)
	}
	for _, o := range w.list {
		if h.Silent > 0 && o.sent && now.Sub(o.known.Tried) < slowAfter {
			w.fatalf("%v: asked for beside %v while nothing answers", th.Subject, o.Subject)
		}
	}
}

// checkOrder checks that of each rank the first that became due comes first.
func (w *world) checkOrder(th *thing) {
	first := func(lane Lane, rank Rank) bool {
		return !slices.ContainsFunc(w.list, func(o *thing) bool {
			in := o.Lane == lane && o.Rank == rank || o.Round && lane == Round && rank == Rest
			return in && o != th && w.queued(o) && o.since.Before(th.since)
		})
	}
	if !first(th.Lane, th.Rank) && (!th.Round || !first(Round, Rest)) {
		w.fatalf("%v: comes before what became due earlier", th.Subject)
	}
}

// queued reports whether a thing waits for its turn.
func (w *world) queued(th *thing) bool {
	return th.owned && !th.sent && !th.since.After(w.clock()) && !w.Freshness(th.Subject).Next.After(w.clock())
}

// until drives the poller until a time.
func (w *world) until(end time.Time) {
	for {
		for len(w.events) > 0 && !w.events[0].at.After(w.now) {
			w.told = true
			do := w.events[0].do
			w.events = w.events[1:]
			do()
		}
		wait := w.next()
		next := w.now.Add(wait)
		if len(w.coming) > 0 && w.coming[0].at.Before(next) {
			next = w.coming[0].at
		}
		if len(w.events) > 0 && w.events[0].at.Before(next) {
			next = w.events[0].at
		}
		if next.After(end) {
			w.now, w.told = latest(w.now, end), true
			return
		}
		w.now = latest(w.now, next)
		for len(w.coming) > 0 && !w.coming[0].at.After(w.now) {
			a := w.coming[0].Answer
			w.coming, w.told = w.coming[1:], true
			w.Poller.Receive(a, w.clock())
		}
	}
}

// next calls Next, and checks what it tells.
func (w *world) next() time.Duration {
	lost := w.lost
	requests, wait := w.Next(w.clock())
	for _, r := range requests {
		w.start(r)
	}
	w.calls++
	if !w.told && len(requests) == 0 && w.lost == lost {
		w.idle++
	}
	w.told = wait >= maxWait
	if wait <= 0 || wait > maxWait {
		w.fatalf("the next call is in %v", wait)
	}
	if !w.light {
		w.checkServed()
	}
	return wait
}

// checkServed checks that every rank of which something waits has its turn, unless the service has trouble.
func (w *world) checkServed() {
	var waits [lanes][ranks]bool
	for _, th := range w.list {
		w.checkFreshness(th)
		if !th.Round && w.queued(th) {
			waits[th.Lane][th.Rank] = true
		}
	}
	h := w.Health(w.clock())
	trouble := h.Silent > 0 || !h.Limited.IsZero()
	for lane := range waits {
		for rank := range waits[lane] {
			if trouble || !waits[lane][rank] {
				w.served[lane][rank] = w.now
			}
			if w.now.Sub(latest(epoch(), w.served[lane][rank])) > 10*time.Minute {
				w.fatalf("rank %d of lane %d had no turn since %v", rank, lane, w.served[lane][rank])
			}
		}
	}
}

// checkFreshness checks what the poller says of a thing. A thing that is no longer read may be forgotten.
func (w *world) checkFreshness(th *thing) {
	got, want := w.Freshness(th.Subject), th.known
	if th.left == 0 && got == (Freshness{}) {
		return
	}
	if good := got.AsOf.Equal(got.Tried); good && !got.Next.IsZero() {
		w.fatalf("%v: waits after no failure: %+v", th.Subject, got)
	}
	got.Next, want.Busy = time.Time{}, th.sent
	if got != want {
		w.fatalf("%v: known is %+v, told was %+v", th.Subject, got, want)
	}
}

// setClock sets how far the poller's clock is ahead. Where it is set back, all times that were told move with it.
func (w *world) setClock(ahead time.Duration) {
	w.next()
	back := w.ahead - ahead
	w.ahead = ahead
	if back <= 0 {
		w.fill()
		return
	}
	defer w.next()
	w.last = w.last.Add(-back)
	for _, th := range w.list {
		for _, t := range []*time.Time{&th.From, &th.since, &th.known.AsOf, &th.known.Tried} {
			if !t.IsZero() {
				*t = t.Add(-back)
			}
		}
	}
}

// sleep is what a computer does: no call is made for a while, and answers come after it.
func (w *world) sleep(d time.Duration) {
	w.now = w.now.Add(d)
	for lane := range w.served {
		for rank := range w.served[lane] {
			w.served[lane][rank] = w.now
		}
	}
	for i := range w.coming {
		w.coming[i].at = latest(w.coming[i].at, w.now.Add(time.Millisecond))
	}
}

// bucket allows an average with bursts.
type bucket struct {
	share, rate, most, tokens float64
	at                        time.Time
}

// setLimits sets what may be sent at most.
func (w *world) setLimits(perSecond int) {
	if w.limits == nil {
		w.limits = map[string]*bucket{"all": {share: 1}, "range": {share: rangeShare}, "failed": {share: failedShare}}
	}
	for _, b := range w.limits {
		first := b.at.IsZero()
		b.advance(w.now)
		b.rate = b.share * float64(perSecond)
		b.most = max(1, float64(int(4*b.rate)))
		if first {
			b.tokens = b.most
		}
	}
}

func (b *bucket) advance(now time.Time) {
	b.tokens = min(b.most, b.tokens+now.Sub(b.at).Seconds()*b.rate)
	b.at = now
}

// fill allows a burst: the poller's clock was set ahead.
func (w *world) fill() {
	for _, b := range w.limits {
		b.tokens = b.most
	}
}

// spend counts a request against what may be sent.
func (w *world) spend(th *thing) {
	limits := []string{"all"}
	switch {
	case th.Lane == Range:
		limits = append(limits, "range")
	case th.Lane == FollowUp && th.Rank == Last:
		limits = append(limits, "failed")
	}
	for _, name := range limits {
		b := w.limits[name]
		b.advance(w.now)
		b.tokens--
		if b.tokens < -0.01 {
			w.fatalf("%v: more than the budget of %s", th.Subject, name)
		}
	}
}

// since returns the requests that started since a time and that meet a condition.
func (w *world) count(since time.Time, when func(*thing) bool) (n int) {
	for _, s := range w.starts {
		if !s.at.Before(since) && when(s.thing) {
			n++
		}
	}
	return n
}

// is returns a condition: to be of a rank.
func is(lane Lane, rank Rank) func(*thing) bool {
	return func(th *thing) bool { return th.Lane == lane && th.Rank == rank }
}

// failure returns the error of a response, or of none if the status is 0.
func failure(status int, after time.Duration) error {
	kind := models.KindServer
	switch status {
	case 0:
		kind = models.KindTimeout
	case 404:
		kind = models.KindNotFound
	case 429:
		kind = models.KindRateLimited
	}
	return &models.Error{Kind: kind, Status: status, RetryAfter: after}
}

// asked returns when things of a rank were asked for.
func (w *world) asked(lane Lane, rank Rank) (times []time.Time) {
	for _, s := range w.starts {
		if is(lane, rank)(s.thing) {
			times = append(times, s.at)
		}
	}
	return times
}
