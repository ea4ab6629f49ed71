package client

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"pgtower/models"
	"pgtower/models/budget"
)

// limiter is a budget that the requests of all goroutines share. Dozens of polls may wait at a few a second: what a user
// waits for comes before them. Requests of a priority start in the order in which they came.
type limiter struct {
	mu      sync.Mutex
	budget  *budget.Budget // nil: no limit
	clock   func() time.Time
	waiting [priorities][]chan struct{} // each is closed when its request may start
	timer   *time.Timer                 // calls start when there is room for the next one
}

// priority is how soon a request that waits for the budget starts.
type priority int

const (
	usual     priority = iota
	urgent             // see [models.Call]
	aboutKeys          // a user has confirmed a change, or waits for its outcome
	priorities
)

// SetBudget changes [Options].Budget where there is one.
func (c *Client) SetBudget(perSecond int) {
	l := &c.limiter
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.budget != nil {
		l.budget.Set(perSecond, l.clock())
		l.start()
	}
}

// errBudget is the error of a request that was not sent.
var errBudget = errors.New("the request budget is used up")

// wait waits until the budget has room for a request. It gives up as soon as ctx is done.
func (l *limiter) wait(ctx context.Context, p priority) error {
	if l.budget == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	turn := l.enqueue(p)
	select {
	case <-turn:
	case <-ctx.Done():
	}
	if ctx.Err() == nil {
		return nil
	}
	l.leave(p, turn)
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return errBudget
	}
	return ctx.Err()
}

// enqueue adds a request to those that wait, and returns what is closed when it may start.
func (l *limiter) enqueue(p priority) chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	turn := make(chan struct{})
	l.waiting[p] = append(l.waiting[p], turn)
	l.start()
	return turn
}

// leave removes a request that waits no longer. If it might have started by now, it gives that back.
func (l *limiter) leave(p priority, turn chan struct{}) {
	l.mu.Lock()
	at := slices.Index(l.waiting[p], turn)
	if at >= 0 {
		l.waiting[p] = slices.Delete(l.waiting[p], at, at+1)
	}
	l.mu.Unlock()
	if at < 0 {
		l.refund()
	}
}

// refund gives back the part of the budget of a request that might have started, and was not sent.
func (l *limiter) refund() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.budget != nil {
		l.budget.Refund(l.clock())
		l.start()
	}
}

// start starts what the budget has room for, and sets the timer for the next one. The caller holds the lock.
func (l *limiter) start() {
	for p := aboutKeys; p >= usual; p-- {
		for len(l.waiting[p]) > 0 {
			if !l.budget.Allow(l.clock()) {
				l.startIn(max(l.budget.Wait(l.clock()), time.Millisecond))
				return
			}
			close(l.waiting[p][0])
			l.waiting[p] = l.waiting[p][1:]
		}
	}
}

func (l *limiter) startIn(wait time.Duration) {
	if l.timer != nil {
		l.timer.Stop()
	}
	l.timer = time.AfterFunc(wait, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.start()
	})
}

// limited reduces the budget after a 429.
func (l *limiter) limited() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.budget != nil {
		l.budget.Limited(l.clock())
	}
}

// maxCooldown is the longest rate limit that is fully respected. After that, one request at a time may try: the limit
// may be a mistake, and a user who presses a key wants a response.
const maxCooldown = time.Minute

// cooldown is a circuit breaker for the rate limit of the account. A 429 with Retry-After opens it; it is half-open
// after [maxCooldown]. Retry-After of other statuses concerns only its own request.
type cooldown struct {
	mu                     sync.Mutex
	since, halfOpen, until time.Time
	probing                bool // a request of the half-open state is in flight
}

// admit returns 0 if a request may start, which then must call record, or how long the limit still lasts.
func (c *cooldown) admit(now time.Time) (left time.Duration, probe bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case !now.Before(c.until), now.Before(c.since): // or the clock was set back
		return 0, false
	case c.probing || now.Before(c.halfOpen):
		return c.until.Sub(now), false
	}
	c.probing = true
	return 0, true
}

// record takes in the status of a response, 0 for none. Any response to a probe but 429 closes the breaker.
func (c *cooldown) record(now time.Time, probe bool, status int, retryAfter time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	limited := status == http.StatusTooManyRequests
	if probe {
		c.probing = false
		if status != 0 && (!limited || retryAfter > 0) {
			c.until = time.Time{}
		}
	}
	if limited && now.Add(retryAfter).After(c.until) {
		c.since, c.halfOpen, c.until = now, now.Add(min(retryAfter, maxCooldown)), now.Add(retryAfter)
	}
}

// acquire waits until a request may start, and reports whether it is a probe. It reduces patience by the wait.
func (c *Client) acquire(ctx context.Context, p priority, patience *time.Duration) (probe bool, _ *models.Error) {
	err := c.limiter.wait(ctx, p)
	switch {
	case errors.Is(err, errBudget):
		return false, &models.Error{Kind: models.KindRateLimited, Err: err}
	case err != nil:
		return false, c.transportError(ctx, err, false)
	}
	for {
		left, probe := c.cooldown.admit(c.options.Clock())
		if left == 0 {
			return probe, nil
		}
		err := context.DeadlineExceeded
		if left <= *patience {
			*patience -= left
			err = Sleep(ctx, left)
			if err == nil {
				continue
			}
		}
		c.limiter.refund()
		if errors.Is(err, context.Canceled) {
			return false, c.transportError(ctx, err, false)
		}
		return false, &models.Error{Kind: models.KindRateLimited, RetryAfter: left, Err: errPause}
	}
}

var errPause = errors.New("not sent: the service's rate limit still applies")

// maxRetryAfter is the longest accepted Retry-After: a longer one is a mistake.
const maxRetryAfter = 24 * time.Hour

// retryAfter parses Retry-After, in seconds or as a date, which is compared with the response's own. The default is 0.
func retryAfter(h http.Header, now time.Time) time.Duration {
	v := strings.TrimSpace(h.Get("Retry-After"))
	if n, err := strconv.ParseUint(v, 10, 64); err == nil || errors.Is(err, strconv.ErrRange) {
		return time.Duration(min(n, uint64(maxRetryAfter/time.Second))) * time.Second
	}
	at, err := http.ParseTime(v)
	if err != nil {
		return 0
	}
	if date, err := http.ParseTime(h.Get("Date")); err == nil {
		now = date
	}
	return min(max(at.Sub(now), 0), maxRetryAfter)
}
