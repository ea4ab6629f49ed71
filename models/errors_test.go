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

// What broke a connection has no ports, whichever connection it was.
func TestReasonHasNoPorts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"read tcp 127.0.0.1:46104->127.0.0.1:18787: read: connection reset by peer":                            "connection reset by peer",
		"write tcp 127.0.0.1:46104->127.0.0.1:18787: write: broken pipe":                                       "broken pipe",
		"dial tcp: lookup console.example on 10.0.0.53:53: read udp 10.0.0.5:43122->10.0.0.53:53: i/o timeout": "dial tcp: lookup console.example on 10.0.0.53:53: i/o timeout",
		"dial tcp 127.0.0.1:1: connect: connection refused":                                                    "dial tcp 127.0.0.1:1: connect: connection refused",
	} {
		if got := Reason(&Error{Kind: KindUnreachable, Err: errors.New(text)}); got != want {
			t.Errorf("%q, not %q", got, want)
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
