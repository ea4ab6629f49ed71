package poll

import (
	"errors"
	"time"

	"pgtower/models"
)

// service is the state of a host, and its queues.
type service struct {
	host   string // empty: the account's service
	queues queues
	turns  turns
	unread int // how many due sources of the round were never read
	chosen int // how many of the round the user chose, due or not

	all, ranged, failed, ahead *budget

	last    time.Time // when the last response arrived, good or bad
	silent  int       // the number of requests in a row without a response
	only    Subject   // the subject of all of these, or none: it may be the only one that gets no response
	retry   time.Time // until when nothing is asked for after those
	asked   time.Time // when the last of those had failed
	err     error     // why there was no response
	limited limit

	accepted bool      // the service has accepted the key
	refused  time.Time // when it first refused the key since then, or zero
}

func newService(perSecond int) service {
	return service{
		all: newBudget(perSecond, 1), ranged: newBudget(perSecond, rangeShare),
		failed: newBudget(perSecond, failedShare), ahead: newBudget(perSecond, aheadShare),
	}
}

func (s *service) budgets() []*budget { return []*budget{s.all, s.ranged, s.failed, s.ahead} }

// doubtFor is how long a key that was accepted counts as accepted after a refusal: one instance of the service that does not
// know the key must not end a session.
const doubtFor = time.Second

// doubts reports whether an answer refuses the key, and may be a mistake. The request then counts as canceled.
func (s *service) doubts(a *Answer, now time.Time) bool {
	if models.KindOf(a.Err) != models.KindUnauthorized || !s.accepted {
		return false
	}
	if s.refused.IsZero() {
		s.refused = now
	}
	if !a.AsOf.Before(s.refused.Add(doubtFor)) {
		return false
	}
	a.Value, a.Err = nil, &models.Error{Kind: models.KindCanceled, Err: a.Err}
	return true
}

// part returns the part of the budget that a rank may use, or nil for all of it.
func (s *service) part(l Lane, r Rank) *budget {
	switch {
	case l == Range:
		return s.ranged
	case l == FollowUp && r == Last:
		return s.failed
	}
	return nil
}

// limit is a rate limit of the service. It ends with the first other answer to a request that was made after it.
type limit struct {
	from  time.Time // the last response that told of it
	until time.Time // when one request may find out whether it is over
	fails int       // how often that failed in a row
}

const (
	// firstProbe is how long to wait after a limit that does not say how long it lasts: it may have been of one request.
	firstProbe = time.Second
	// nextProbe is how long to wait after that probe was limited, too.
	nextProbe = 15 * time.Second
	// maxLimit is how long a limit holds up a user's wish. After that, one more request cannot hurt the service.
	maxLimit = time.Minute
)

// errPause is why a request is not sent.
var errPause = errors.New("not sent: the service's rate limit still applies")

// Change counts a request without a source, such as a change of a key: it waits for no turn, and others wait for it. The
// error is a rate limit of less than a minute ago: then the request must not be sent.
func (p *Poller) Change(now time.Time) error {
	p.tick(now)
	if err := p.service.limited.err(now); err != nil && now.Sub(p.service.limited.from) < maxLimit {
		return err
	}
	p.service.all.Spend(1, now)
	return nil
}

// err returns why nothing is sent because of a limit, or nil.
func (l *limit) err(now time.Time) error {
	if left := l.until.Sub(now); left > 0 {
		return &models.Error{Kind: models.KindRateLimited, RetryAfter: left, Err: errPause}
	}
	return nil
}

// Held returns why nothing is asked for now, or nil.
func (p *Poller) Held(now time.Time) error {
	err := p.service.limited.err(now)
	if err == nil && p.Paused().After(now) {
		return p.service.err
	}
	return err
}

// Changed handles the answer to such a request. A rate limit holds up reading, too, and other changes.
func (p *Poller) Changed(err error, now time.Time) {
	p.tick(now)
	if limited(err) && models.Answered(err) { // else it was not sent
		p.service.limit(now, now, models.RetryAfterOf(err))
	}
}

// Pace returns how long to wait before the next one of several changes, so that together they keep to the budget.
func (p *Poller) Pace(now time.Time) time.Duration {
	p.tick(now)
	return p.service.all.Wait(now)
}

// Health is how the service responds, whatever is asked for.
type Health struct {
	Last    time.Time // when the last response arrived, good or bad, or zero
	Silent  int       // the number of requests in a row without a response
	Err     error     // why there was none
	Retry   time.Time // when it is asked again after those
	Limited time.Time // until when a rate limit lasts, or zero
	// Budget is how many requests a second are in force, and Configured how many are configured. After a rate limit, it is less.
	Budget, Configured int
}

// Health returns how the service responds.
func (p *Poller) Health(now time.Time) Health {
	s := &p.service
	h := Health{Last: s.last, Silent: s.silent, Err: s.err, Retry: s.retry}
	if s.limited.until.After(now) {
		h.Limited = s.limited.until
	}
	h.Budget, h.Configured = s.all.InForce(now)
	return h
}

// Paused returns until when the account's service is not asked for anything, or a time that is over.
func (p *Poller) Paused() time.Time { return p.service.paused() }

func (s *service) paused() time.Time {
	if s.only != (Subject{}) {
		return s.limited.until
	}
	return latest(s.limited.until, s.retry)
}

// SetBudget changes how many requests a second are sent on average.
func (p *Poller) SetBudget(perSecond int, now time.Time) {
	for _, b := range p.service.budgets() {
		b.Set(perSecond, now)
	}
}

// pause returns how long nothing is asked for, and whether only one request at a time may find out what the host does.
func (s *service) pause(now time.Time) (left time.Duration, single bool) {
	return max(0, s.paused().Sub(now)), s.silent > 0 || s.limited.fails > 0
}

// responded records a response of the service, good or bad.
func (s *service) responded(now time.Time) {
	s.last, s.silent, s.retry, s.err, s.only = now, 0, time.Time{}, nil, Subject{}
}

// noResponse records a request without a response. Those that were in flight together count once.
func (s *service) noResponse(a Answer, now time.Time) {
	if s.silent == 0 {
		s.only = a.Subject
	} else if s.only != a.Subject {
		s.only = Subject{}
	}
	if s.silent == 0 || a.AsOf.After(s.asked) {
		s.silent++
		s.asked, s.retry = now, now.Add(models.Backoff(firstBackoff, maxBackoff, s.silent))
	}
	s.err = a.Err
}

// reduce lowers the budgets after a request exceeded the rate limit.
func (s *service) reduce(now time.Time) {
	for _, b := range s.budgets() {
		b.Limited(now)
	}
}

// limit records a rate limit. Requests that were in flight together count once.
func (s *service) limit(asOf, now time.Time, retryAfter time.Duration) {
	s.reduce(now)
	l := &s.limited
	if l.fails == 0 || asOf.After(l.from) {
		l.fails++
	}
	l.from = now
	wait := retryAfter
	if wait == 0 {
		wait = firstProbe
		if l.fails > 1 {
			wait = nextProbe
		}
	}
	l.until = latest(l.until, now.Add(wait))
}

// passed records an answer other than a limit.
func (l *limit) passed(asOf time.Time) {
	if asOf.After(l.from) {
		l.fails = 0
	}
}

func (s *service) refresh(now time.Time) {
	s.retry = time.Time{}
	if now.Sub(s.limited.from) >= maxLimit {
		s.limited.until = time.Time{}
	}
}

// shift moves all times after the clock was set back.
func (s *service) shift(back time.Duration) {
	shift(back, &s.last, &s.retry, &s.asked, &s.refused, &s.limited.from, &s.limited.until)
	for l := range s.queues {
		for r := range s.queues[l] {
			s.queues[l][r].shift(back)
		}
	}
}

// TryNow ends the wait after requests without a response: the user wants to see something else.
func (p *Poller) TryNow() {
	p.service.retry = time.Time{}
	p.Retry(p.service.only)
}
