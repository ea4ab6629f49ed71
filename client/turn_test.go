package client

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"pgtower/internal/faultserver"
	"pgtower/models"
)

func TestBudgetThatCannotBeMet(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := connect(t, Options{BaseURL: "https://console.example", Budget: 1, Transport: tripper(func(*http.Request) (*http.Response, error) {
			return answer(200, "[]"), nil
		})})
		if _, err := c.APIKeys(t.Context()); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second/2)
		defer cancel()
		wantKind(t, ignoreNil(c.APIKeys(ctx)), models.KindTimeout)

		ctx, cancel = context.WithCancel(t.Context())
		time.AfterFunc(time.Millisecond, cancel)
		start := time.Now()
		wantKind(t, ignoreNil(c.APIKeys(ctx)), models.KindCanceled)
		if took := time.Since(start); took != time.Millisecond {
			t.Errorf("cancelled after %v", took)
		}
	})
}

// The same over a real socket: nothing arrives before the second is over.
func TestPauseOnTheWire(t *testing.T) {
	t.Parallel()
	s := faultserver.Start(t, faultserver.InTurn(faultserver.JSON(429, "{}", "Retry-After: 1"), faultserver.JSON(200, emptyPage)))
	c := connect(t, Options{BaseURL: s.URL()})
	_, err := c.RevokeAPIKey(t.Context(), 1)
	wantKind(t, err, models.KindRateLimited)
	start := time.Now()
	if err := listOperations(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if passed := time.Since(start); passed < 900*time.Millisecond {
		t.Errorf("asked again after %v", passed)
	}
}
