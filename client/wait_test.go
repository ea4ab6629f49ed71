package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"pgtower/models"
)

// scripted answers each reading of an operation with the next line of a script: a
// status of the operation, or a response. The last one stays.
func scripted(t *testing.T, at *[]time.Duration, script ...any) *Client {
	t.Helper()
	start := time.Now()
	return through(t, func(*http.Request) (*http.Response, error) {
		next := script[min(len(*at), len(script)-1)]
		*at = append(*at, time.Since(start))
		switch next := next.(type) {
		case string:
			return answer(200, fmt.Sprintf(`{"operation":{"id":"o","status":%q}}`, next)), nil
		case error:
			return nil, next
		case reply:
			return answer(next.status, "{}", next.header...), nil
		}
		return nil, errors.New("not in the script")
	})
}

// reply is a response without an operation.
type reply struct {
	status int
	header []string
}

func status(code int, header ...string) reply { return reply{code, header} }

func TestWaitOperation(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		script []any
		end    models.Status
		seen   []models.Status
		took   time.Duration
	}{
		{"done at once", []any{"finished"}, "finished", []models.Status{"finished"}, 0},
		{
			"through every status",
			[]any{"scheduling", "running", "finished"},
			"finished",
			[]models.Status{"scheduling", "running", "finished"},
			2 * DefaultWait,
		},
		{"failed is a result", []any{"running", "failed"}, "failed", []models.Status{"running", "failed"}, DefaultWait},
		{"so is cancelled", []any{"cancelling", "cancelled"}, "cancelled", []models.Status{"cancelling", "cancelled"}, DefaultWait},
		{"an unknown status is not an end", []any{"reticulating", "skipped"}, "skipped", []models.Status{"reticulating", "skipped"}, DefaultWait},
		{
			"trouble that passes",
			[]any{"running", status(500), status(429, "Retry-After", "30"), status(503, "Retry-After", "3"), context.DeadlineExceeded, "finished"},
			"finished",
			[]models.Status{"running", "finished"},
			4*DefaultWait + 30*time.Second,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var at []time.Duration
				var seen []models.Status
				client := scripted(t, &at, c.script...)
				start := time.Now()
				op, err := client.WaitOperation(t.Context(), "p", "o", 0, func(op models.Operation) { seen = append(seen, op.Status) })
				if err != nil || op.Status != c.end || !slices.Equal(seen, c.seen) {
					t.Errorf("got %q, %v, having seen %v", op.Status, err, seen)
				}
				if took := time.Since(start); took != c.took {
					t.Errorf("took %v, want %v", took, c.took)
				}
			})
		})
	}
}

func TestWaitOperationStops(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		response reply
		want     models.Kind
	}{
		"401":       {status(401), models.KindUnauthorized},
		"403":       {status(403), models.KindForbidden},
		"404":       {status(404), models.KindNotFound},
		"400":       {status(400), models.KindInvalid},
		"redirect":  {status(302), models.KindRedirect},
		"malformed": {status(200), models.KindMalformed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var at []time.Duration
				op, err := scripted(t, &at, "running", c.response).WaitOperation(t.Context(), "p", "o", time.Second, nil)
				wantKind(t, err, c.want)
				if op.Status != models.StatusRunning || len(at) != 2 {
					t.Errorf("got %q after %v", op.Status, at)
				}
			})
		})
	}
}

func TestWaitOperationEndsWithItsContext(t *testing.T) {
	t.Parallel()
	for name, script := range map[string][]any{"running": {"running"}, "trouble": {"running", status(500)}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var at []time.Duration
				c := scripted(t, &at, script...)
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(12*time.Second, cancel)
				start := time.Now()
				op, err := c.WaitOperation(ctx, "p", "o", 0, nil)
				wantKind(t, err, models.KindCanceled)
				if took := time.Since(start); took != 12*time.Second || op.Status != models.StatusRunning || len(at) != 3 {
					t.Errorf("got %q after %v and %v", op.Status, took, at)
				}

				ctx, cancel = context.WithTimeout(t.Context(), 12*time.Second)
				defer cancel()
				_, err = c.WaitOperation(ctx, "p", "o", 0, nil)
				wantKind(t, err, models.KindTimeout)
			})
		})
	}
}
