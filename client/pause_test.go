package client

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgtower/models"
)

// busy is a service that refuses with Retry-After as long as refuse says so, and notes
// when it was asked.
type busy struct {
	mu     sync.Mutex
	start  time.Time
	at     []time.Duration
	refuse func(n int) (status int, retryAfter string)
}

func (b *busy) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.at = append(b.at, time.Since(b.start))
	if status, after := b.refuse(len(b.at)); status != 0 {
		return answer(status, "{}", "Retry-After", after), nil
	}
	return answer(200, "[]"), nil
}

func (b *busy) client(t *testing.T) *Client {
	t.Helper()
	b.start = time.Now()
	c, err := New(Options{BaseURL: "https://console.example", Key: models.NewSecret(testKey), Clock: time.Now, Transport: b})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// onlyFirst refuses the first n requests.
func onlyFirst(n, status int, retryAfter string) func(int) (int, string) {
	return func(i int) (int, string) {
		if i <= n {
			return status, retryAfter
		}
		return 0, ""
	}
}

// One refusal holds back every other request of the client, reading or changing.
func TestOnePauseForAll(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status     int
		retryAfter func(time.Time) string
		held       time.Duration
	}{
		"429, seconds": {429, func(time.Time) string { return "7" }, 7 * time.Second},
		"503, seconds": {503, func(time.Time) string { return "7" }, 7 * time.Second},
		"429, a date":  {429, func(now time.Time) string { return now.Add(9 * time.Second).UTC().Format(http.TimeFormat) }, 9 * time.Second},
		"negative":     {429, func(time.Time) string { return "-7" }, 0},
		"past":         {429, func(now time.Time) string { return now.Add(-time.Hour).UTC().Format(http.TimeFormat) }, 0},
		"absurd":       {429, func(time.Time) string { return "99999999999999999999" }, maxPause},
		"far future":   {503, func(now time.Time) string { return now.AddDate(50, 0, 0).UTC().Format(http.TimeFormat) }, maxPause},
		"423":          {423, func(time.Time) string { return "7" }, 0},
		"500":          {500, func(time.Time) string { return "7" }, 7 * time.Second},
		"400":          {400, func(time.Time) string { return "7" }, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				b := &busy{refuse: onlyFirst(1, c.status, c.retryAfter(time.Now()))}
				own := b.client(t)
				_, _ = own.RevokeAPIKey(t.Context(), 1)
				var all sync.WaitGroup
				for _, call := range everyCall() {
					all.Go(func() {
						if err := call(t.Context(), own); errors.Is(err, context.Canceled) {
							t.Error(err)
						}
					})
				}
				all.Wait()
				for i, at := range b.at[1:] {
					if at != c.held {
						t.Errorf("request %d went out after %v, want %v", i, at, c.held)
					}
				}
				if len(b.at) != 1+len(everyCall()) {
					t.Errorf("asked %d times", len(b.at))
				}
			})
		})
	}
}

func everyCall() map[string]func(context.Context, *Client) error {
	return map[string]func(context.Context, *Client) error{
		"keys":   func(ctx context.Context, c *Client) error { _, err := c.APIKeys(ctx); return err },
		"create": func(ctx context.Context, c *Client) error { _, err := c.CreateAPIKey(ctx, "n"); return ignore(err) },
		"revoke": func(ctx context.Context, c *Client) error { _, err := c.RevokeAPIKey(ctx, 2); return ignore(err) },
		"projects": func(ctx context.Context, c *Client) error {
			_, err := c.Projects(ctx, models.PageRequest{})
			return ignore(err)
		},
		"operations": func(ctx context.Context, c *Client) error { return ignore(listOperations(ctx, c)) },
	}
}

// ignore is for a body that is not what the call wants: it did go out.
func ignore(err error) error {
	if models.KindOf(err) == models.KindMalformed {
		return nil
	}
	return err
}

// A service that wants to be left alone for very long is tried by one request at a time;
// the first that gets an answer lets the others go.
func TestLongPauseIsTriedByOne(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := &busy{refuse: onlyFirst(3, 429, "3600")}
		c := b.client(t)
		if e := wantError(t, ignoreNil(c.APIKeys(t.Context())), models.KindRateLimited); e.RetryAfter != time.Hour {
			t.Errorf("the caller is told %v", e.RetryAfter)
		}
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() { _, _ = c.APIKeys(t.Context()) })
		}
		all.Wait()
		if len(b.at) != 11 || b.at[1] != maxPause || b.at[2] != 2*maxPause || b.at[3] != 3*maxPause || b.at[10] != 3*maxPause {
			t.Errorf("asked at %v", b.at)
		}
	})
}

func ignoreNil[T any](_ T, err error) error { return err }

// A refusal that says no time does not end the pause.
func TestTrialThatIsRefused(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := &busy{refuse: func(n int) (int, string) {
			return []int{429, 429, 503, 0}[min(n, 4)-1], []string{"3600", "", "", ""}[min(n, 4)-1]
		}}
		c := b.client(t)
		for range 3 {
			_, _ = c.RevokeAPIKey(t.Context(), 1)
		}
		if left, _ := c.pause.left(); c.pause.state != tryOne || left != time.Hour-maxPause {
			t.Errorf("the pause is in state %d with %v left", c.pause.state, left)
		}
		if _, err := c.APIKeys(t.Context()); err != nil || c.pause.state != goOn {
			t.Errorf("%v, in state %d", err, c.pause.state)
		}
	})
}

// A trial that is given up leaves the next one to find out.
func TestTrialThatIsCancelled(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := &busy{refuse: onlyFirst(1, 503, "3600")}
		own := b.client(t)
		_, _ = own.APIKeys(t.Context())
		own.transport = tripper(func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		})
		ctx, cancel := context.WithTimeout(t.Context(), maxPause+time.Second)
		defer cancel()
		wantKind(t, ignoreNil(own.APIKeys(ctx)), models.KindTimeout)
		own.transport = b
		if _, err := own.APIKeys(t.Context()); err != nil || b.at[1] != maxPause+time.Second {
			t.Errorf("%v, asked at %v", err, b.at)
		}
	})
}

func TestWaitingForThePauseEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := &busy{refuse: onlyFirst(1, 429, "9")}
		c := b.client(t)
		_, _ = c.APIKeys(t.Context())

		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		wantKind(t, ignoreNil(c.CreateAPIKey(ctx, "n")), models.KindCanceled)

		// What ran into its deadline is told why, and how long the rest will be.
		ctx, cancel = context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		e := wantError(t, ignoreNil(c.APIKeys(ctx)), models.KindRateLimited)
		if e.RetryAfter != 6*time.Second || e.Status != 0 || len(b.at) != 1 {
			t.Errorf("got %+v, asked at %v", e, b.at)
		}
		if passed := time.Since(b.start); passed != 3*time.Second {
			t.Errorf("it took %v", passed)
		}
	})
}

// The longest of several pauses counts.
func TestPausesDoNotShorten(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPause(time.Now)
		defer p.stop()
		start := time.Now()
		for _, length := range []time.Duration{3, 9, 2} {
			p.begin(&models.Error{Kind: models.KindRateLimited, RetryAfter: length * time.Second})
		}
		if _, _, err := p.pass(t.Context()); err != nil || time.Since(start) != 9*time.Second {
			t.Errorf("%v after %v", err, time.Since(start))
		}
	})
}

// Requests that wait when the client is closed go on, to where their contexts end them.
func TestCloseEndsThePause(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := &busy{refuse: onlyFirst(1, 429, "9")}
		c := b.client(t)
		_, _ = c.APIKeys(t.Context())
		time.AfterFunc(time.Second, c.Close)
		_, err := c.APIKeys(t.Context())
		if err != nil || b.at[1] != time.Second {
			t.Errorf("%v, asked at %v", err, b.at)
		}
	})
}
