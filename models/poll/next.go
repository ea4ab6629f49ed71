package poll

import (
	"cmp"
	"container/heap"
	"errors"
	"slices"
	"time"

	"pgtower/models"
)

const (
	firstBackoff = time.Second      // after no answer, or one that is not of the service itself
	slowBackoff  = 5 * time.Second  // after another failure
	maxBackoff   = 30 * time.Second // bounds how long a recovered service looks down
	// slowAfter is the time after which a request in flight holds up no others.
	slowAfter = 5 * time.Second
	// maxWait is the longest time until the next call.
	maxWait = time.Minute
)

// ErrLost is the error of a request whose answer never came.
var ErrLost error = &models.Error{Kind: models.KindTimeout, Err: errors.New("the answer was lost")}

// Next returns the requests to make now, and how long to wait until the next call: at most a minute. Call it after each answer
// and each change, too. Without those, something starts after the wait, or an answer counts as lost.
func (p *Poller) Next(now time.Time) ([]Request, time.Duration) {
	p.tick(now)
	p.endLost(now)
	p.wake(now)
	start, wait := p.startDue(&p.service, now)
	for _, s := range p.others {
		due, next := p.startDue(s, now)
		start, wait = append(start, due...), min(wait, next)
	}
	return start, max(time.Millisecond, min(wait, p.untilLost(now), maxWait))
}

// startDue starts what is due of a host, as far as its budget allows. It returns how long until more may start.
func (p *Poller) startDue(s *service, now time.Time) (start []Request, wait time.Duration) {
	wait, single := s.pause(now)
	if wait > 0 {
		return nil, wait
	}
	room, slow := p.room(s, single, now)
	for {
		blocked := s.all.Wait(now)
		if room <= 0 {
			blocked = slow
		}
		it, lane, rank, delay := s.pick(now)
		if it == nil {
			return start, max(blocked, min(delay, p.untilDue(now)))
		}
		if blocked > 0 {
			return start, blocked
		}
		if request, ok := p.start(it, now); ok {
			s.spend(lane, rank, now)
			start = append(start, request)
			room--
		}
	}
}

// room returns how many requests to a host may start now, and how long until it is more. Those in flight for long do not count, so that
// what is not answered delays nothing else.
func (p *Poller) room(s *service, single bool, now time.Time) (room int, wait time.Duration) {
	room, wait = 1, slowAfter
	if !single {
		perSecond, _ := s.all.InForce(now)
		room = burstOf(perSecond)
	}
	for _, it := range p.flights {
		if left := slowAfter - now.Sub(it.Tried); left > 0 && it.Host == s.host {
			room--
			wait = min(wait, left)
		}
	}
	return room, wait
}

// wake queues the items that became due.
func (p *Poller) wake(now time.Time) {
	for {
		first, found := p.waiting.first()
		if !found || first.from.After(now) {
			return
		}
		heap.Pop(&p.waiting)
		p.move(first.it, queued)
		p.enqueue(first.it)
	}
}

// untilDue returns how long until the next item becomes due.
func (p *Poller) untilDue(now time.Time) time.Duration {
	if first, found := p.waiting.first(); found {
		return first.from.Sub(now)
	}
	return maxWait
}

// untilLost returns how long until an answer counts as lost.
func (p *Poller) untilLost(now time.Time) time.Duration {
	wait := maxWait
	for _, it := range p.flights {
		wait = min(wait, it.Tried.Add(lostAfter).Sub(now))
	}
	return wait
}

// pick returns the due item whose turn it is, or nil and how long others wait for their part of the budget.
func (s *service) pick(now time.Time) (it *item, lane Lane, rank Rank, wait time.Duration) {
	lane, rank = Round, First
	if s.ahead.Ready(now) == 0 || s.blocked(lane, rank, now) > 0 {
		var found bool
		if lane, rank, found, wait = s.next(now); !found {
			return nil, 0, 0, wait
		}
	}
	first, _ := s.queues[lane][rank].first()
	return first.it, lane, rank, 0
}

// next returns the queue whose turn it is of those that are due or, if there is none, how long until there may be one.
func (s *service) next(now time.Time) (lane Lane, rank Rank, found bool, wait time.Duration) {
	wait = maxWait
	for l := range lanes {
		for r := range ranks {
			left := s.blocked(l, r, now)
			wait = min(wait, left)
			if left == 0 && (!found || s.turns[l][r] < s.turns[lane][rank]) {
				lane, rank, found = l, r, true
			}
		}
	}
	return lane, rank, found, wait
}

// blocked returns how long a queue waits for its part of the budget, 0 if it does not, and [maxWait] if nothing in it is due.
func (s *service) blocked(l Lane, r Rank, now time.Time) time.Duration {
	part := s.part(l, r)
	switch {
	case !s.queues.rank(l, r):
		return maxWait
	case part == nil || part.Ready(now) > 0:
		return 0
	}
	return max(1, part.Wait(now)) // which may round to 0
}

// start begins a request, unless its reader needs none.
func (p *Poller) start(it *item, now time.Time) (Request, bool) {
	call, due := it.reader.Call(it.Subject, now)
	if call == nil {
		it.put = due.After(now)
		it.from = due
		p.settle(it)
		return Request{}, false
	}
	p.sent++
	p.move(it, busy)
	it.put, it.Tried, it.sent = false, now, p.sent
	return Request{Subject: it.Subject, AsOf: now, call: call, host: it.Host, sent: it.sent}, true
}

func (s *service) spend(l Lane, r Rank, now time.Time) {
	s.all.Spend(1, now)
	if part := s.part(l, r); part != nil {
		part.Spend(1, now)
	}
	if l == Round && r == First && s.ahead.Ready(now) > 0 {
		s.ahead.Spend(1, now)
	} else {
		s.turns.advance(l, r, s.share(l, r))
	}
}

// endLost ends the requests whose answers will not come.
func (p *Poller) endLost(now time.Time) {
	p.end(ErrLost, now, lostAfter)
}

// Drop ends all requests in flight: their answers go to a session that is over. What is to be read is asked for again.
func (p *Poller) Drop() {
	p.end(&models.Error{Kind: models.KindCanceled}, p.now, 0)
}

// end answers the requests that are in flight for at least a time with an error, the first one first.
func (p *Poller) end(err error, now time.Time, least time.Duration) {
	var ended []Request
	for _, it := range p.flights {
		if now.Sub(it.Tried) >= least {
			ended = append(ended, Request{Subject: it.Subject, AsOf: it.Tried, host: it.Host, sent: it.sent})
		}
	}
	slices.SortFunc(ended, func(x, y Request) int { return cmp.Compare(x.sent, y.sent) })
	for _, r := range ended {
		p.Receive(Answer{Request: r, Err: err}, now)
	}
}

// Receive gives an answer to its reader, and returns it as the reader got it. The reader gets a good one even if the
// request was given up before.
func (p *Poller) Receive(a Answer, now time.Time) Answer {
	p.tick(now)
	it := p.items[a.Subject]
	if it == nil || it.state != busy || it.sent != a.sent {
		return p.late(it, a, now)
	}
	delete(p.flights, a.Subject)
	p.move(it, idle)
	a.AsOf = it.Tried // by the clock as it is now
	if p.at(it.Host).doubts(&a, now) {
		it.Next = now.Add(doubtFor)
	}
	a.Own = p.learn(it, a, now)
	p.settle(it)
	it.reader.Receive(a, now)
	return a
}

// late handles the answer to a request that was given up before. The item is nil if its subject was dropped.
func (p *Poller) late(it *item, a Answer, now time.Time) Answer {
	a.Late = true
	switch {
	case limited(a.Err):
		p.at(a.host).limit(a.AsOf, now, models.RetryAfterOf(a.Err))
	case a.Err == nil && it != nil:
		it.reader.Receive(a, now)
	}
	return a
}

// limited reports whether the service answered with its rate limit.
func limited(err error) bool { return models.KindOf(err) == models.KindRateLimited }

// learn updates the host and the subject with an answer. It reports whether a failure is of the subject alone.
func (p *Poller) learn(it *item, a Answer, now time.Time) (alone bool) {
	s, wait := p.at(it.Host), models.RetryAfterOf(a.Err)
	switch kind := models.KindOf(a.Err); {
	case a.Err == nil:
		s.responded(now)
		s.limited.passed(a.AsOf)
		s.accepted, s.refused = true, time.Time{}
		it.AsOf, it.Fails, it.Err, it.Next = a.AsOf, 0, nil, time.Time{}
	case kind == models.KindCanceled:
	case kind == models.KindUnauthorized: // the session ends, or goes on with another key
		s.responded(now)
	case limited(a.Err):
		s.responded(now)
		s.limit(a.AsOf, now, wait)
	case unanswered(a.Err) && !s.last.After(a.AsOf): // something else finds out whether the service is back
		p.noResponse(it, a, now)
	default:
		if !unanswered(a.Err) {
			s.responded(now)
			s.limited.passed(a.AsOf)
		}
		it.fail(a.Err, now, wait)
		return true
	}
	return false
}

// noResponse handles a request without a response. As long as it is always the same subject, only that waits.
func (p *Poller) noResponse(it *item, a Answer, now time.Time) {
	s := p.at(it.Host)
	first := s.only
	s.noResponse(a, now)
	if s.only == it.Subject {
		it.Next = s.retry
	} else {
		p.Retry(first)
	}
}

func (it *item) fail(err error, now time.Time, wait time.Duration) {
	it.Fails++
	it.Err = err
	if wait == 0 {
		first := slowBackoff
		if gateway(err) {
			first = firstBackoff
		}
		wait = models.Backoff(first, maxBackoff, it.Fails)
	}
	it.Next = now.Add(wait)
}

// unanswered reports whether there was no response at all.
func unanswered(err error) bool {
	e, ok := errors.AsType[*models.Error](err)
	if !ok || e.Status != 0 {
		return false
	}
	switch e.Kind {
	case models.KindUnreachable, models.KindTLS, models.KindTimeout:
		return true
	default:
		return false
	}
}

// gateway reports whether a failure may be of something between, which may reach the service the next time.
func gateway(err error) bool {
	e, ok := errors.AsType[*models.Error](err)
	if !ok {
		return false
	}
	return e.Status == 0 || e.Status >= 502 && e.Status <= 504
}

func latest(x, y time.Time) time.Time {
	if y.After(x) {
		return y
	}
	return x
}
