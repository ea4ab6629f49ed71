package client

import (
	"context"
	"net/http"
	"path"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"pgtower/models"
	"pgtower/models/budget"
)

// busy is a service that refuses with Retry-After while refuse reports true, and records when it was called.
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

// A 429 with a Retry-After delays every other request of the client, reading or changing, for exactly that long. Any
// other response does not affect the others.
func TestRateLimitIsShared(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status     int
		retryAfter func(time.Time) string
		held       time.Duration
	}{
		"429, seconds": {429, func(time.Time) string { return "7" }, 7 * time.Second},
		"429, a date":  {429, func(now time.Time) string { return now.Add(9 * time.Second).UTC().Format(http.TimeFormat) }, 9 * time.Second},
		"negative":     {429, func(time.Time) string { return "-7" }, 0},
		"past":         {429, func(now time.Time) string { return now.Add(-time.Hour).UTC().Format(http.TimeFormat) }, 0},
		"absurd":       {429, func(time.Time) string { return "99999999999999999999" }, maxCooldown},
		"far future":   {429, func(now time.Time) string { return now.AddDate(50, 0, 0).UTC().Format(http.TimeFormat) }, maxCooldown},
		"503":          {503, func(time.Time) string { return "7" }, 0},
		"423":          {423, func(time.Time) string { return "7" }, 0},
		"500":          {500, func(time.Time) string { return "7" }, 0},
		"400":          {400, func(time.Time) string { return "7" }, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				b := &busy{refuse: onlyFirst(1, c.status, c.retryAfter(time.Now()))}
				own := b.client(t)
				_, _ = own.RevokeAPIKey(t.Context(), keyOf(1))
				if c.held > 0 {
					time.Sleep(c.held - maxPatience - 1)
					for what, call := range everyCall() {
						if e := wantError(t, call(t.Context(), own), models.KindRateLimited); e.RetryAfter <= maxPatience || e.Status != 0 {
							t.Errorf("%s: got %+v", what, e)
						}
					}
					time.Sleep(maxPatience + 1)
				}
				var all sync.WaitGroup
				for _, call := range everyCall() {
					all.Go(func() {
						if err := call(t.Context(), own); err != nil {
							t.Error(err)
						}
					})
					if c.held == maxCooldown {
						all.Wait() // after that, one at a time tries
					}
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

// Every request waits for a limit that ends soon.
func TestLimitThatIsShortIsWaitedFor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := &busy{refuse: onlyFirst(1, 429, "9")}
		own := b.client(t)
		_, _ = own.RevokeAPIKey(t.Context(), keyOf(1))
		time.Sleep(9*time.Second - maxPatience)
		for _, call := range everyCall() {
			if err := call(t.Context(), own); err != nil {
				t.Error(err)
			}
		}
		for _, at := range b.at[1:] {
			if at != 9*time.Second {
				t.Errorf("asked at %v", b.at)
			}
		}
	})
}

// If the service limits again and again, a call gives up after its patience.
func TestPatienceIsPerCall(t *testing.T) {
	t.Parallel()
	for _, after := range []string{"1", "2", "4"} {
		synctest.Test(t, func(t *testing.T) {
			b := &busy{refuse: onlyFirst(100, 429, after)}
			own := b.client(t)
			e := wantError(t, ignoreNil(own.APIKeys(t.Context(), models.ListID{})), models.KindRateLimited)
			if took := time.Since(b.start); took > maxPatience || e.RetryAfter == 0 || e.Status != 429 {
				t.Errorf("Retry-After %s: %+v after %v", after, e, took)
			}
		})
	}
}

func everyCall() map[string]func(context.Context, *Client) error {
	return map[string]func(context.Context, *Client) error{
		"keys": func(ctx context.Context, c *Client) error {
			_, err := c.APIKeys(ctx, models.ListID{})
			return ignore(err)
		},
		"create": func(ctx context.Context, c *Client) error {
			_, err := c.CreateAPIKey(ctx, "n", models.Reach{})
			return ignore(err)
		},
		"revoke": func(ctx context.Context, c *Client) error {
			_, err := c.RevokeAPIKey(ctx, keyOf(2))
			return ignore(err)
		},
		"projects": func(ctx context.Context, c *Client) error {
			_, err := c.Projects(ctx, models.ListID{}, models.PageRequest{})
			return ignore(err)
		},
		"operations": func(ctx context.Context, c *Client) error { return ignore(listOperations(ctx, c)) },
	}
}

// ignore discards the error of a call that was sent.
func ignore(err error) error {
	if models.KindOf(err) == models.KindMalformed {
		return nil
	}
	return err
}

// A very long limit may be a mistake: after a while one request at a time tries, and the first response other than a
// limit releases the others.
func TestLimitThatIsLongIsProbedByOne(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := &busy{refuse: onlyFirst(2, 429, "3600")}
		own := b.client(t)
		// The first is refused; a minute later one of ten tries and is refused; after another minute, one of ten
		// succeeds, and so do the others.
		for _, want := range []int{1, 2, 12} {
			var all sync.WaitGroup
			for range 10 {
				all.Go(func() { _, _ = own.APIKeys(t.Context(), models.ListID{}) })
				synctest.Wait()
			}
			all.Wait()
			if len(b.at) != want {
				t.Errorf("asked at %v, want %d requests", b.at, want)
			}
			time.Sleep(maxCooldown)
		}
	})
}

func ignoreNil[T any](_ T, err error) error { return err }

// A 429 without a Retry-After does not end the limit.
func TestProbeThatIsLimited(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var c cooldown
		c.record(time.Now(), false, 429, time.Hour)
		time.Sleep(maxCooldown)
		for _, end := range []struct {
			status int
			left   time.Duration
		}{{429, time.Hour - maxCooldown}, {0, time.Hour - maxCooldown}} {
			if left, probe := c.admit(time.Now()); left != 0 || !probe {
				t.Fatalf("left %v, probe %v", left, probe)
			}
			if left, probe := c.admit(time.Now()); left != end.left || probe {
				t.Errorf("beside the probe: left %v, probe %v", left, probe)
			}
			c.record(time.Now(), true, end.status, 0)
		}
		// The last value counts.
		_, probe := c.admit(time.Now())
		c.record(time.Now(), probe, 429, 3*time.Second)
		if left, _ := c.admit(time.Now()); left != 3*time.Second {
			t.Errorf("%v left", left)
		}
	})
}

// The longest of several limits counts.
func TestLimitsDoNotShorten(t *testing.T) {
	t.Parallel()
	var c cooldown
	for _, length := range []time.Duration{3, 9, 2} {
		c.record(now(), false, 429, length*time.Second)
	}
	c.record(now(), false, 200, 0) // of a request in flight
	if left, _ := c.admit(now()); left != 9*time.Second {
		t.Errorf("%v left", left)
	}
	if left, _ := c.admit(now().Add(-time.Hour)); left != 0 {
		t.Errorf("%v left after the clock was set back", left)
	}
}

func TestWaitingForTheLimitEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := &busy{refuse: onlyFirst(1, 429, "9")}
		c := b.client(t)
		_, _ = c.RevokeAPIKey(t.Context(), keyOf(1))
		time.Sleep(7500 * time.Millisecond)

		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second/2, cancel)
		wantKind(t, ignoreNil(c.CreateAPIKey(ctx, "n", models.Reach{})), models.KindCanceled)

		// A wait that exceeds the deadline returns the reason.
		ctx, cancel = context.WithTimeout(t.Context(), time.Second/2)
		defer cancel()
		if e := wantError(t, ignoreNil(c.APIKeys(ctx, models.ListID{})), models.KindRateLimited); e.Status != 0 || len(b.at) != 1 {
			t.Errorf("got %+v, asked at %v", e, b.at)
		}
		if passed := time.Since(b.start); passed != 8500*time.Millisecond {
			t.Errorf("it took %v", passed)
		}
	})
}

// A date is relative to the service's clock, as is the response's own.
func TestRetryAfterOfAnotherClock(t *testing.T) {
	t.Parallel()
	theirs := now().Add(-time.Hour)
	h := http.Header{"Date": {theirs.Format(http.TimeFormat)}, "Retry-After": {theirs.Add(4 * time.Second).Format(http.TimeFormat)}}
	if got := retryAfter(h, now()); got != 4*time.Second {
		t.Errorf("got %v", got)
	}
}

// Whenever requests are made and canceled, at most the average and a burst start, in the order of the calls.
func TestBudgetIsKept(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		size := rapid.IntRange(1, 5).Draw(rt, "budget")
		gaps := rapid.SliceOfN(rapid.IntRange(0, 700), 1, 60).Draw(rt, "milliseconds between requests")
		givesUp := rapid.SliceOfN(rapid.IntRange(0, 4000), len(gaps), len(gaps)).Draw(rt, "milliseconds of patience, 0 for all")
		synctest.Test(t, func(t *testing.T) {
			var mu sync.Mutex
			var starts []time.Time // of the requests that are not canceled
			var order []int
			c := connect(t, Options{BaseURL: "https://console.example", Clock: time.Now, Budget: size, Transport: tripper(func(r *http.Request) (*http.Response, error) {
				mu.Lock()
				defer mu.Unlock()
				starts = append(starts, time.Now())
				n, _ := strconv.Atoi(path.Base(r.URL.Path))
				order = append(order, n)
				return answer(200, "{}"), nil
			})})
			var all sync.WaitGroup
			for i, gap := range gaps {
				time.Sleep(time.Duration(gap) * time.Millisecond)
				ctx, cancel := t.Context(), context.CancelFunc(func() {})
				if givesUp[i] > 0 {
					ctx, cancel = context.WithTimeout(ctx, time.Duration(givesUp[i])*time.Millisecond)
				}
				all.Go(func() {
					defer cancel()
					_, _ = c.RevokeAPIKey(ctx, keyOf(int64(i)))
				})
				synctest.Wait()
			}
			all.Wait()
			burst, least := budget.Burst(size), time.Second/time.Duration(size)-time.Microsecond
			for i := burst; i < len(starts); i++ {
				if took := starts[i].Sub(starts[i-burst]); took < least {
					rt.Errorf("%d started within %v", burst+1, took)
				}
			}
			for i := 1; i < len(order); i++ {
				if order[i-1] > order[i] && starts[i-1].Before(starts[i]) {
					rt.Errorf("started in the order %v", order)
				}
			}
		})
	})
}

// A 429 halves the budget.
func TestBudgetIsHalvedByALimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var recovered atomic.Bool
		c := connect(t, Options{BaseURL: "https://console.example", Clock: time.Now, Budget: 10, Transport: tripper(func(*http.Request) (*http.Response, error) {
			if !recovered.Load() {
				return answer(429, "{}"), nil
			}
			return answer(200, "{}"), nil
		})})
		_, _ = c.RevokeAPIKey(t.Context(), keyOf(1))
		recovered.Store(true)
		time.Sleep(30 * time.Second)
		began := time.Now()
		for i := range 45 {
			_, _ = c.RevokeAPIKey(t.Context(), keyOf(int64(i)))
		}
		if took := time.Since(began); took < 4900*time.Millisecond || took > 5100*time.Millisecond {
			t.Errorf("25 requests beyond a burst of 20 took %v", took)
		}
	})
}

// A change, and the list that tells what became of it, come before what else a user waits for, and that before the polls
// that wait.
func TestLimitServesAUserBeforePolls(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var order []string
		c := connect(t, Options{BaseURL: "https://console.example", Clock: time.Now, Budget: 1, Transport: tripper(func(r *http.Request) (*http.Response, error) {
			mu.Lock()
			defer mu.Unlock()
			order = append(order, r.Method+" "+r.URL.Path)
			return answer(200, "{}"), nil
		})})
		var all sync.WaitGroup
		poll := func(project string, call *models.Call) {
			all.Go(func() { _, _ = c.Operations(models.WithCall(t.Context(), call), project, models.PageRequest{}) })
			synctest.Wait()
		}
		for range budget.Burst(1) {
			poll("started", &models.Call{})
		}
		poll("waits", &models.Call{})
		poll("urgent", &models.Call{Urgent: true})
		all.Go(func() { _, _ = c.OperationJSON(t.Context(), "p", "read") })
		synctest.Wait()
		all.Go(func() { _, _ = c.RevokeAPIKey(t.Context(), keyOf(1)) })
		synctest.Wait()
		all.Go(func() { _, _ = c.APIKeys(t.Context(), models.ListID{}) })
		all.Wait()
		want := []string{
			"DELETE /api_keys/1", "GET /api_keys", "GET /projects/urgent/operations", "GET /projects/p/operations/read",
			"GET /projects/waits/operations",
		}
		if got := order[budget.Burst(1):]; !slices.Equal(got, want) {
			t.Errorf("sent were %q", got)
		}
	})
}

// A request that was canceled when its turn came, or refused by a limit in force, was not sent: others start instead.
func TestRequestsThatAreNotSentUseNoBudget(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := connect(t, Options{BaseURL: "https://console.example", Clock: time.Now, Budget: 1, Transport: tripper(func(*http.Request) (*http.Response, error) {
			return answer(429, "{}", "Retry-After", "30"), nil
		})})
		began := time.Now()
		for range 2 * budget.Burst(1) {
			turn := c.limiter.enqueue(usual)
			<-turn
			c.limiter.leave(usual, turn)
		}
		for range 2 * budget.Burst(1) { // only the first is sent
			wantKind(t, ignoreNil(c.APIKeys(t.Context(), models.ListID{})), models.KindRateLimited)
		}
		if waited := time.Since(began); waited > 0 {
			t.Errorf("waited for %v", waited)
		}
	})
}

func TestBudgetThatCannotBeMet(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := connect(t, Options{BaseURL: "https://console.example", Clock: time.Now, Budget: 1, Transport: tripper(func(*http.Request) (*http.Response, error) {
			return answer(200, "[]"), nil
		})})
		for range budget.Burst(1) {
			if _, err := c.APIKeys(t.Context(), models.ListID{}); err != nil {
				t.Fatal(err)
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second/2)
		defer cancel()
		wantKind(t, ignoreNil(c.APIKeys(ctx, models.ListID{})), models.KindRateLimited)

		ctx, cancel = context.WithCancel(t.Context())
		time.AfterFunc(time.Millisecond, cancel)
		start := time.Now()
		wantKind(t, ignoreNil(c.APIKeys(ctx, models.ListID{})), models.KindCanceled)
		if took := time.Since(start); took != time.Millisecond {
			t.Errorf("cancelled after %v", took)
		}
	})
}
