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

// budget bounds how many requests start within any second: each takes a place, which is free a second after it started.
// A nil budget has no bound.
type budget chan struct{}

// errBudget is of a request that was not sent: that is not an answer that did not come.
var errBudget = errors.New("the budget of requests was used up by others")

// take waits for a place, or until ctx is done.
func (b budget) take(ctx context.Context) error {
	if b == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	select {
	case b <- struct{}{}:
		return nil
	case <-ctx.Done():
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return errBudget
		}
		return ctx.Err()
	}
}

// freeAfter gives the place back after a time.
func (b budget) freeAfter(d time.Duration) {
	if b != nil {
		time.AfterFunc(d, func() { <-b })
	}
}

// maxCooldown is for how long the service's limit is taken at its word. After that, one request at a time may try: the
// limit may be a mistake, and a user who presses a key wants an answer.
const maxCooldown = time.Minute

// cooldown is a circuit breaker for the limit of the account. It opens when a 429 says, with Retry-After, how long no
// request is wanted, and is half-open after [maxCooldown]. Other answers with Retry-After speak of their own request.
type cooldown struct {
	mu              sync.Mutex
	halfOpen, until time.Time
	probing         bool // a request of the half-open state is under way
}

// admit returns 0 for a request that may start, which settle is then told about, or how long the limit still lasts.
func (c *cooldown) admit(now time.Time) (left time.Duration, probe bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case !now.Before(c.until):
		return 0, false
	case c.probing || now.Before(c.halfOpen):
		return c.until.Sub(now), false
	}
	c.probing = true
	return 0, true
}

// settle takes in how a request ended; status is 0 for no answer. A probe closes the breaker with any answer but 429.
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
		c.until, c.halfOpen = now.Add(retryAfter), now.Add(min(retryAfter, maxCooldown))
	}
}

// acquire waits until a request may start, and reports whether it is a probe. It uses up patience.
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

var errPause = errors.New("the service asked for a pause, so the request was not sent")

// maxRetryAfter bounds what a server can ask for: longer is a mistake, not a plan.
const maxRetryAfter = 24 * time.Hour

// retryAfter reads Retry-After, in seconds or as a date, which is compared with the answer's own. It is 0 by default.
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
