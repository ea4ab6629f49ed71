package client

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"pgtower/models"
)

func TestRetries(t *testing.T) {
	t.Parallel()
	status := func(status int, header ...string) tripper {
		return func(*http.Request) (*http.Response, error) { return answer(status, "{}", header...), nil }
	}
	get := func(ctx context.Context, c *Client) error { _, err := c.APIKeys(ctx); return err }
	post := func(ctx context.Context, c *Client) error { _, err := c.CreateAPIKey(ctx, "n"); return err }
	remove := func(ctx context.Context, c *Client) error { _, err := c.RevokeAPIKey(ctx, 1); return err }
	broken := func(*http.Request) (*http.Response, error) { return nil, errors.New("connection reset by peer") }
	late := func(*http.Request) (*http.Response, error) { return nil, context.DeadlineExceeded }
	for _, c := range []struct {
		name  string
		call  func(context.Context, *Client) error
		trip  tripper
		times int
	}{
		{"GET, connection broken", get, broken, 3},
		{"GET, 423", get, status(423), 3},
		{"GET, 429", get, status(429), 3},
		{"GET, 502", get, status(502), 3},
		{"GET, 503", get, status(503), 3},
		{"GET, 504", get, status(504), 3},
		{"GET, 429 with a little patience", get, status(429, "Retry-After", "1"), 3},
		{"GET, 429 with all of the patience", get, status(429, "Retry-After", "2"), 2},
		{"GET, 503 with all of the patience", get, status(503, "Retry-After", "2"), 2},
		{"GET, 429 with much patience", get, status(429, "Retry-After", "3"), 1},
		{"GET, 503 with much patience", get, status(503, "Retry-After", "3600"), 1},
		{"GET, 400", get, status(400), 1},
		{"GET, 401", get, status(401), 1},
		{"GET, 404", get, status(404), 1},
		{"GET, 500", get, status(500), 1},
		{"GET, 501", get, status(501), 1},
		{"GET, redirect", get, status(302, "Location", "/"), 1},
		{"GET, timeout", get, late, 1},
		{"GET, malformed", get, status(200), 1},
		{"POST, connection broken", post, broken, 1},
		{"POST, 423", post, status(423), 1},
		{"POST, 429", post, status(429), 1},
		{"POST, 503", post, status(503), 1},
		{"DELETE, connection broken", remove, broken, 1},
		{"DELETE, 429", remove, status(429), 1},
		{"DELETE, 502", remove, status(502), 1},
		{"DELETE, 503", remove, status(503), 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				times := 0
				client := through(t, func(r *http.Request) (*http.Response, error) {
					times++
					return c.trip(r)
				})
				if err := c.call(t.Context(), client); err == nil {
					t.Error("no error")
				}
				if times != c.times {
					t.Errorf("asked %d times, want %d", times, c.times)
				}
			})
		})
	}
}

func TestRetriesUntilSuccess(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var at []time.Duration
		start := time.Now()
		c := through(t, func(*http.Request) (*http.Response, error) {
			at = append(at, time.Since(start))
			switch len(at) {
			case 1:
				return answer(503, ""), nil
			case 2:
				return answer(429, "", "Retry-After", "1"), nil
			}
			return answer(200, `[{"id":1}]`), nil
		})
		keys, err := c.APIKeys(t.Context())
		if err != nil || len(keys) != 1 {
			t.Fatalf("got %v, %v", keys, err)
		}
		if first := at[1]; first < firstBackoff/2 || first >= firstBackoff {
			t.Errorf("repeated after %v", first)
		}
		if second := at[2] - at[1]; second != time.Second {
			t.Errorf("repeated after %v although a second was asked for", second)
		}
	})
}

func TestBackoffGrowsAndSpreads(t *testing.T) {
	t.Parallel()
	failure := &models.Error{Kind: models.KindUnreachable}
	seen := map[time.Duration]bool{}
	for attempt := range maxRetries {
		for range 100 {
			wait, again := retryIn(http.MethodGet, attempt, failure)
			most := firstBackoff << attempt
			if !again || wait < most/2 || wait >= most {
				t.Errorf("attempt %d: got %v, %v", attempt, wait, again)
			}
			seen[wait] = true
		}
	}
	if len(seen) < 100 {
		t.Errorf("only %d different waits", len(seen))
	}
}

func TestRetryAfterReachesTheCaller(t *testing.T) {
	t.Parallel()
	c := through(t, func(*http.Request) (*http.Response, error) {
		return answer(503, `{"message":"maintenance"}`, "Retry-After", "120"), nil
	})
	_, err := c.APIKeys(t.Context())
	if e := wantError(t, err, models.KindServer); e.RetryAfter != 2*time.Minute || e.Message != "maintenance" {
		t.Errorf("got %+v", e)
	}
}

func TestCancelBetweenAttempts(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		c := through(t, func(*http.Request) (*http.Response, error) {
			time.AfterFunc(time.Millisecond, cancel)
			return answer(503, ""), nil
		})
		start := time.Now()
		_, err := c.APIKeys(ctx)
		e := wantError(t, err, models.KindCanceled)
		if took := time.Since(start); took != time.Millisecond || e.Status != 0 {
			t.Errorf("took %v, status %d", took, e.Status)
		}
	})
}

// TestARefusalAfterASuccessIsRetriedOnce refuses a key before it was ever good, in between, and permanently.
func TestARefusalAfterASuccessIsRetriedOnce(t *testing.T) {
	t.Parallel()
	get := func(ctx context.Context, c *Client) error { _, err := c.APIKeys(ctx); return err }
	post := func(ctx context.Context, c *Client) error { _, err := c.CreateAPIKey(ctx, "n"); return err }
	for name, call := range map[string]func(context.Context, *Client) error{"GET": get, "POST": post} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				statuses := []int{401, 200, 401, 200, 401, 401}
				asked := 0
				c := through(t, func(r *http.Request) (*http.Response, error) {
					status, body := statuses[asked], `[{"id":1}]`
					if r.Method == http.MethodPost {
						body = `{"id":1,"key":"napi_created"}`
					}
					asked++
					return answer(status, body), nil
				})
				start := time.Now()
				wantKind(t, call(t.Context(), c), models.KindUnauthorized)
				if asked != 1 {
					t.Fatalf("a key that was never good was tried %d times", asked)
				}
				for range 2 { // good, and good after a refusal
					if err := call(t.Context(), c); err != nil {
						t.Fatal(err)
					}
				}
				if took := time.Since(start); asked != 4 || took != refusalRetryDelay {
					t.Errorf("asked %d times within %v", asked, took)
				}
				wantKind(t, call(t.Context(), c), models.KindUnauthorized)
				if took := time.Since(start); asked != 6 || took != 2*refusalRetryDelay {
					t.Errorf("asked %d times within %v", asked, took)
				}
			})
		})
	}
}

func TestARefusalIsNotRetriedAfterTheSession(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		c := through(t, func(*http.Request) (*http.Response, error) {
			if asked++; asked == 1 {
				return answer(200, `[{"id":1}]`), nil
			}
			return answer(401, `{}`), nil
		})
		ctx, cancel := context.WithCancel(t.Context())
		if _, err := c.APIKeys(ctx); err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(time.Millisecond, cancel)
		_, err := c.APIKeys(ctx)
		wantKind(t, err, models.KindUnauthorized) // a refused request was not carried out
		if asked != 2 {
			t.Errorf("asked %d times", asked)
		}
	})
}
