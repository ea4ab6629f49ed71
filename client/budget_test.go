package client_test

import (
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgtower/client"
	"pgtower/models"
)

// answering is a transport that responds with one body at once.
type answering string

func (a answering) RoundTrip(*http.Request) (*http.Response, error) {
	rec := httptest.NewRecorder()
	rec.Header().Set("Content-Type", "application/json")
	_, err := rec.WriteString(string(a))
	return rec.Result(), err
}

func TestBudgetBoundsAllRequestsTogether(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, err := client.New(client.Options{
			BaseURL: "https://service.example/api/v2", Key: models.NewSecret("k"), Clock: time.Now,
			Transport: answering("[]"), Budget: 10,
		})
		if err != nil {
			t.Fatal(err)
		}
		// The budget is changed before all but the first.
		for i, budget := range []int{10, 10, 2, 20, 1, 40, 1000} {
			if i > 0 {
				c.SetBudget(budget)
				time.Sleep(time.Second)
			}
			began := time.Now()
			var wg sync.WaitGroup
			for range 40 {
				wg.Go(func() {
					if _, err := c.APIKeys(t.Context()); err != nil {
						t.Error(err)
					}
				})
			}
			wg.Wait()
			want := time.Duration(max(0, 40/budget-1)) * time.Second
			if took := time.Since(began); took != want {
				t.Errorf("40 requests at %d a second took %s, not %s", budget, took, want)
			}
		}
	})
}

func TestOperationJSONIsWhatTheServiceSent(t *testing.T) {
	t.Parallel()
	const sent = `{"operation": {"id":"x", "new_field": [1, 9007199254740993]}}`
	c, err := client.New(client.Options{
		BaseURL: "https://service.example/api/v2", Key: models.NewSecret("k"), Clock: time.Now,
		Transport: answering(sent + "\n"),
	})
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.OperationJSON(t.Context(), "p", "x")
	if err != nil || string(got) != sent {
		t.Errorf("%q, %v", got, err)
	}
}
