package models

import (
	"context"
	"errors"
	"testing"
	"time"
)

// A longer interval sends fewer reads. A change is sent once.
func TestAdviceOnRateLimits(t *testing.T) {
	t.Parallel()
	for want, e := range map[string]Error{
		"A longer interval sends fewer requests.": {Method: "GET", RetryAfter: time.Second},
		"Try again in 1m30s.":                     {Method: "POST", RetryAfter: 90 * time.Second},
		"Try again in 1s.":                        {Method: "POST", RetryAfter: 400 * time.Millisecond},
		"Try again in a moment.":                  {Method: "DELETE"},
	} {
		e.Kind = KindRateLimited
		if got := e.Advice(); got != want {
			t.Errorf("%s: %q, want %q", e.Method, got, want)
		}
	}
}

// A request that took too long is said once, in the program's words.
func TestErrorOfATimeout(t *testing.T) {
	t.Parallel()
	for want, cause := range map[string]error{
		"no answer in time":              context.DeadlineExceeded,
		"no answer in time: i/o timeout": errors.New("i/o timeout"),
	} {
		e := &Error{Kind: KindTimeout, Err: cause}
		if got := e.Error(); got != want || Reason(e) != want {
			t.Errorf("%q, and the reason %q, want %q", got, Reason(e), want)
		}
	}
}
