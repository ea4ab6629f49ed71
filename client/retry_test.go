package client

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgtower/models"
	keymodel "pgtower/models/keys"
)

func TestRetries(t *testing.T) {
	t.Parallel()
	status := func(status int, header ...string) tripper {
		return func(*http.Request) (*http.Response, error) { return answer(status, "{}", header...), nil }
	}
	broken := func(*http.Request) (*http.Response, error) { return nil, errors.New("connection reset by peer") }
	late := func(*http.Request) (*http.Response, error) { return nil, context.DeadlineExceeded }
	for _, c := range []struct {
		name  string
		trip  tripper
		times int
	}{
		{"connection broken", broken, 3},
		{"423", status(423), 3},
		{"429", status(429), 3},
		{"502", status(502), 3},
		{"503", status(503), 3},
		{"504", status(504), 3},
		{"429, Retry-After 1", status(429, "Retry-After", "1"), 3},
		{"429, Retry-After 2", status(429, "Retry-After", "2"), 2},
		{"503, Retry-After 2", status(503, "Retry-After", "2"), 2},
		{"429, Retry-After 3", status(429, "Retry-After", "3"), 1},
		{"503, Retry-After 3600", status(503, "Retry-After", "3600"), 1},
		{"400", status(400), 1},
		{"401", status(401), 1},
		{"404", status(404), 1},
		{"500", status(500), 1},
		{"501", status(501), 1},
		{"redirect", status(302, "Location", "/"), 1},
		{"timeout", late, 1},
		{"malformed", status(200), 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				times := 0
				client := through(t, func(r *http.Request) (*http.Response, error) {
					times++
					return c.trip(r)
				})
				var call models.Call
				if _, err := client.APIKeys(models.WithCall(t.Context(), &call), models.ListID{}); err == nil {
					t.Error("no error")
				}
				if times != c.times {
					t.Errorf("asked %d times, want %d", times, c.times)
				}
				if limited := strings.HasPrefix(c.name, "429"); call.Attempts != times || call.Limited != limited {
					t.Errorf("the caller is told %+v", call)
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
		keys, err := c.APIKeys(t.Context(), models.ListID{})
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

// TestRetryOnceAfterARefusalThatFollowsASuccess refuses a key before it was ever good, in between, and permanently.
func TestRetryOnceAfterARefusalThatFollowsASuccess(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		statuses := []int{401, 200, 401, 200, 401, 401}
		asked := 0
		c := through(t, func(*http.Request) (*http.Response, error) {
			asked++
			return answer(statuses[asked-1], `[{"id":1}]`), nil
		})
		read := func() error { return ignoreNil(c.APIKeys(t.Context(), models.ListID{})) }
		start := time.Now()
		wantKind(t, read(), models.KindUnauthorized)
		if asked != 1 {
			t.Fatalf("a key that was never good was tried %d times", asked)
		}
		for range 2 { // good, and good after a refusal
			if err := read(); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(start); asked != 4 || took != refusalRetryDelay {
			t.Errorf("asked %d times within %v", asked, took)
		}
		wantKind(t, read(), models.KindUnauthorized)
		if took := time.Since(start); asked != 6 || took != 2*refusalRetryDelay {
			t.Errorf("asked %d times within %v", asked, took)
		}
	})
}

// What refuses a change may not be what carries it out, so a good key repeats none; nor does one that was replaced.
func TestRetryNeverOfAChangeAfterARefusal(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(context.Context, *Client) error{
		"create": func(ctx context.Context, c *Client) error {
			return ignoreNil(c.CreateAPIKey(ctx, "n", models.Reach{}))
		},
		"revoke": func(ctx context.Context, c *Client) error { return ignoreNil(c.RevokeAPIKey(ctx, keyOf(1))) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				changes := 0
				var c *Client
				c = through(t, func(r *http.Request) (*http.Response, error) {
					if r.Method == http.MethodGet {
						return answer(200, `[{"id":1}]`), nil
					}
					changes++
					if err := c.UseKey(models.NewSecret("napi_another")); err != nil {
						t.Error(err)
					}
					return answer(401, `{}`), nil
				})
				if _, err := c.APIKeys(t.Context(), models.ListID{}); err != nil {
					t.Fatal(err)
				}
				err := change(t.Context(), c)
				wantKind(t, err, models.KindUnauthorized)
				if changes != 1 || keymodel.Refused(err) {
					t.Errorf("sent %d times; may it be done: %t", changes, !keymodel.Refused(err))
				}
			})
		})
	}
}

func TestRetryOfARefusalNotAfterTheSession(t *testing.T) {
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
		if _, err := c.APIKeys(ctx, models.ListID{}); err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(time.Millisecond, cancel)
		_, err := c.APIKeys(ctx, models.ListID{})
		wantKind(t, err, models.KindUnauthorized)
		if asked != 2 {
			t.Errorf("asked %d times", asked)
		}
	})
}
