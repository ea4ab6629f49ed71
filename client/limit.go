package client

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"pgtower/models"
)

// budget limits how many requests start within any second: each takes a slot, which is released a second later. A nil
// budget has no limit.
type budget struct {
	slots chan struct{} // those that are taken, also the ones beyond the limit
	mu    sync.Mutex
	limit int
	owed  int // slots that stay taken when they are released, as the limit was lowered
}

const maxBudget = 100 // of SetBudget

func newBudget(limit int) *budget {
	b := &budget{slots: make(chan struct{}, max(limit, maxBudget)), limit: limit}
	for range cap(b.slots) - limit {
		b.slots <- struct{}{}
	}
	return b
}

// SetBudget changes [Options].Budget where there is one, to 1 up to 100. A lower one is in force after a second.
func (c *Client) SetBudget(limit int) {
	b := c.budget
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	limit = max(1, min(limit, cap(b.slots)))
	b.owed += b.limit - limit
	b.limit = limit
	for ; b.owed < 0; b.owed++ {
		<-b.slots
	}
	for ; b.owed > 0; b.owed-- {
		select {
		case b.slots <- struct{}{}:
		default:
			return // the slots in use are kept when they are released
		}
	}
}

// errBudget is the error of a request that was not sent.
var errBudget = errors.New("the request budget is used up")

// take waits for a slot, or until ctx is done.
func (b *budget) take(ctx context.Context) error {
	if b == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	select {
	case b.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return errBudget
		}
		return ctx.Err()
	}
}

// freeAfter releases the slot after a delay.
func (b *budget) freeAfter(d time.Duration) {
	if b != nil {
		time.AfterFunc(d, b.free)
	}
}

func (b *budget) free() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.owed > 0 {
		b.owed--
		return
	}
	<-b.slots
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

// admit returns 0 if a request may start, which then must call settle, or how long the limit still lasts.
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

// settle records the status of a response, 0 for none. Any response to a probe but 429 closes the breaker.
func (c *cooldown) settle(now time.Time, probe bool, status int, retryAfter time.Duration) {
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
func (c *Client) acquire(ctx context.Context, patience *time.Duration) (probe bool, _ *models.Error) {
	switch err := c.budget.take(ctx); {
	case errors.Is(err, errBudget):
		return false, &models.Error{Kind: models.KindRateLimited, Err: err}
	case err != nil:
		return false, c.transportError(ctx, err)
	}
	for {
		left, probe := c.cooldown.admit(c.options.Clock())
		if left == 0 {
			c.budget.freeAfter(time.Second)
			return probe, nil
		}
		err := context.DeadlineExceeded
		if left <= *patience {
			*patience -= left
			if err = sleep(ctx, left); err == nil {
				continue
			}
		}
		c.budget.freeAfter(0)
		if errors.Is(err, context.Canceled) {
			return false, c.transportError(ctx, err)
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
