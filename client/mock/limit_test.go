package mock_test

import (
	"net/http"
	"testing"
	"time"

	"pgtower/client/mock"
)

// Forty requests may come at once, and then as many as the limit allows; refusals have a Retry-After.
func TestRateLimit(t *testing.T) {
	t.Parallel()
	srv, clock := newServer(t, mock.Options{Speed: new(0.0)})
	if err := srv.LimitRequests("600/m"); err != nil {
		t.Fatal(err)
	}
	c := handlerTarget(srv)
	answered := func(n int) (ok int) {
		for range n {
			a := c.call(t, http.MethodGet, "/api_keys", "")
			if a.status == http.StatusOK {
				ok++
				continue
			}
			a.problem(t, http.StatusTooManyRequests)
			if got := a.header.Get("Retry-After"); got != "1" {
				t.Errorf("Retry-After %q", got)
			}
		}
		return ok
	}
	if n := answered(50); n != 40 {
		t.Errorf("%d of 50 were answered at once", n)
	}
	clock.advance(time.Second)
	if n := answered(50); n != 10 {
		t.Errorf("%d were answered a second later", n)
	}
	clock.advance(time.Hour)
	if n := answered(50); n != 40 {
		t.Errorf("%d were answered an hour later", n)
	}
	c.key = "unknown"
	c.call(t, http.MethodGet, "/api_keys", "").problem(t, http.StatusUnauthorized)
}

// A rate limit must be a number a second, minute or hour.
func TestRateLimitRefuses(t *testing.T) {
	t.Parallel()
	srv, _ := newServer(t, mock.Options{})
	for _, text := range []string{"700", "0/m", "-1/s", "700/d", "a/m", "700/m/s"} {
		if err := srv.LimitRequests(text); err == nil {
			t.Errorf("%s was taken", text)
		}
	}
	if err := srv.LimitRequests("3/h"); err != nil {
		t.Error(err)
	}
}
