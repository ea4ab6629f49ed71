package client

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"pgtower/models"
	keymodel "pgtower/models/keys"
)

// A call is sent once, whatever its outcome: the poller decides about repeats.
func TestCallsAreSentOnce(t *testing.T) {
	t.Parallel()
	for name, trip := range map[string]tripper{
		"connection broken":  func(*http.Request) (*http.Response, error) { return nil, errors.New("connection reset by peer") },
		"timeout":            func(*http.Request) (*http.Response, error) { return nil, context.DeadlineExceeded },
		"401":                respond(401, "{}"),
		"423":                respond(423, "{}"),
		"429":                respond(429, "{}"),
		"429, Retry-After 1": respond(429, "{}", "Retry-After", "1"),
		"500":                respond(500, "{}"),
		"503":                respond(503, "{}"),
		"redirect":           respond(302, "{}", "Location", "/"),
		"malformed":          respond(200, "{}"),
	} {
		times := 0
		client := through(t, func(r *http.Request) (*http.Response, error) {
			times++
			return trip(r)
		})
		if _, err := client.APIKeys(t.Context(), models.ListID{}); err == nil || times != 1 {
			t.Errorf("%s: asked %d times, %v", name, times, err)
		}
	}
}

// The refusal of a key that was replaced meanwhile is not reported as a refusal of the key in use.
func TestRefusalOfAnEarlierKey(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		replace bool
		want    models.Kind
	}{"replaced": {true, models.KindCanceled}, "in use": {false, models.KindUnauthorized}} {
		var client *Client
		client = through(t, func(*http.Request) (*http.Response, error) {
			if c.replace {
				if err := client.UseKey(models.NewSecret("napi_another")); err != nil {
					t.Error(err)
				}
			}
			return answer(401, "{}"), nil
		})
		if _, err := client.APIKeys(t.Context(), models.ListID{}); models.KindOf(err) != c.want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The refusal of a change is reported also after the key was replaced. It does not prove that the change was not carried out.
func TestRefusedChangeMayBeDone(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(context.Context, *Client) error{
		"create": func(ctx context.Context, c *Client) error {
			return ignoreNil(c.CreateAPIKey(ctx, "n", models.Reach{}))
		},
		"revoke": func(ctx context.Context, c *Client) error { return ignoreNil(c.RevokeAPIKey(ctx, keyOf(1))) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			changes := 0
			var c *Client
			c = through(t, func(*http.Request) (*http.Response, error) {
				changes++
				if err := c.UseKey(models.NewSecret("napi_another")); err != nil {
					t.Error(err)
				}
				return answer(401, `{}`), nil
			})
			err := change(t.Context(), c)
			wantKind(t, err, models.KindUnauthorized)
			if changes != 1 || keymodel.Refused(err) {
				t.Errorf("sent %d times; may it be done: %t", changes, !keymodel.Refused(err))
			}
		})
	}
}

// A date in Retry-After is compared with the response's own date, not with this computer's clock.
func TestRetryAfterOfAnotherClock(t *testing.T) {
	t.Parallel()
	theirs := now().Add(-time.Hour)
	h := http.Header{"Date": {theirs.Format(http.TimeFormat)}, "Retry-After": {theirs.Add(4 * time.Second).Format(http.TimeFormat)}}
	if got := retryAfter(h, now()); got != 4*time.Second {
		t.Errorf("got %v", got)
	}
}

// ignoreNil returns the error of a call.
func ignoreNil[T any](_ T, err error) error { return err }
