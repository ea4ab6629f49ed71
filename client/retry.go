package client

import (
	"context"
	"math/rand/v2"
	"net/http"
	"time"

	"pgtower/models"
)

const (
	// maxRetries is how often a request is repeated.
	maxRetries = 2
	// firstBackoff is the longest wait before the first repetition; it doubles.
	firstBackoff = 400 * time.Millisecond
	// maxPatience is how long a call waits in all, before its attempts and between them. Beyond
	// it, the caller learns of the trouble and can say so.
	maxPatience = 2 * time.Second
	// refusalDoubt is the wait before a request is repeated because a key was refused that
	// the service took before: one instance that does not know the key must not end a session.
	refusalDoubt = time.Second
)

// retryIn says whether a failed attempt is worth another one, and after how long.
// Attempts count from 0. Only a GET is repeated: a change may have been carried out
// although its answer is lost. A timeout is not: it took long enough.
func retryIn(method string, attempt int, failure *models.Error) (time.Duration, bool) {
	if method != http.MethodGet || attempt >= maxRetries || !transient(failure) {
		return 0, false
	}
	backoff := firstBackoff << attempt
	// Clients that failed together would otherwise come back together.
	wait := backoff/2 + rand.N(backoff/2) //nolint:gosec // spreads load, guards nothing
	return max(wait, failure.RetryAfter), true
}

// transient reports whether the same request may well succeed in a moment.
func transient(failure *models.Error) bool {
	switch failure.Kind {
	case models.KindUnreachable, models.KindCutOff, models.KindRateLimited, models.KindLocked:
		return true
	case models.KindServer:
		switch failure.Status {
		case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
			return true
		}
	default:
	}
	return false
}

// sleep waits, or returns the context's error.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
