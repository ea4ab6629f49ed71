package client

import (
	"context"
	"sync"
	"time"

	"pgtower/models"
)

// maxPause is the longest that all requests wait because one of them was told to. A
// service that wants more is tried by one request at a time after that, and only if
// somebody asks: Retry-After may be a mistake, and whoever pressed a key wants an answer.
const maxPause = 10 * time.Second

// pause holds back all requests of a client once the service has said, with Retry-After,
// that it wants to be left alone: the limit is the account's and not that of one call.
type pause struct {
	clock func() time.Time

	mu     sync.Mutex
	state  pauseState
	kind   models.Kind // why
	until  time.Time   // as long as the service asked for
	round  int         // numbers the pauses, from 1
	timer  *time.Timer
	change chan struct{} // closed and replaced with the state
}

type pauseState int

const (
	goOn    pauseState = iota
	wait               // nobody asks
	tryOne             // the next who asks finds out
	tried              // somebody is finding out
	stopped            // the client is closed: nobody waits any more
)

func newPause(clock func() time.Time) *pause {
	return &pause{clock: clock, change: make(chan struct{})}
}

// set changes the state; the mutex is held.
func (p *pause) set(s pauseState) {
	p.state = s
	close(p.change)
	p.change = make(chan struct{})
}

// begin takes in an answer's Retry-After, where it has one. One that ends before the
// pause that is on changes nothing.
func (p *pause) begin(failure *models.Error) {
	length := failure.RetryAfter
	if length <= 0 || failure.Kind != models.KindRateLimited && failure.Kind != models.KindServer {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	until := p.clock().Add(length)
	if p.state == stopped || p.state == wait && !until.After(p.until) {
		return
	}
	if p.timer != nil {
		p.timer.Stop()
	}
	p.kind, p.until = failure.Kind, until
	p.round++
	round, next := p.round, goOn
	if length > maxPause {
		next = tryOne
	}
	p.set(wait)
	p.timer = time.AfterFunc(min(length, maxPause), func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.round == round && p.state == wait {
			p.set(next)
		}
	})
}

// pass waits until a request may go out. trial is 0, or what [pause.learn] wants to hear
// of when the request that finds out is over. Where ctx ends the wait, its error comes
// back.
func (p *pause) pass(ctx context.Context) (trial int, waited bool, err error) {
	for {
		p.mu.Lock()
		change := p.change
		switch p.state {
		case tryOne:
			trial = p.round
			p.set(tried)
			p.mu.Unlock()
			return trial, waited, nil
		case goOn, stopped:
			p.mu.Unlock()
			return 0, waited, nil
		case wait, tried:
		}
		p.mu.Unlock()
		waited = true
		select {
		case <-change:
		case <-ctx.Done():
			return 0, waited, ctx.Err()
		}
	}
}

// learn takes in how the request of a trial went: an answer ends the pause, unless it
// began another one. Without any answer, the next request finds out.
func (p *pause) learn(trial int, answered bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case trial == 0 || trial != p.round || p.state != tried:
	case answered:
		p.set(goOn)
	default:
		p.set(tryOne)
	}
}

// left is how much of the pause is still to come, and why it is there.
func (p *pause) left() (time.Duration, models.Kind) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return max(0, p.until.Sub(p.clock())), p.kind
}

// stop ends the pause for good.
func (p *pause) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.timer != nil {
		p.timer.Stop()
	}
	p.set(stopped)
}
