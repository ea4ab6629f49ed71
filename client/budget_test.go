package client_test

import (
	"math"
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
		for _, perSecond := range []int{10, 2, 20, 1, 40} {
			c.SetBudget(perSecond)
			time.Sleep(time.Minute)
			began := time.Now()
			var wg sync.WaitGroup
			for range 100 {
				wg.Go(func() {
					if _, err := c.APIKeys(t.Context(), models.ListID{}); err != nil {
						t.Error(err)
					}
				})
			}
			wg.Wait()
			// A burst of four seconds' requests starts at once.
			want := float64(max(0, 100-4*perSecond)) / float64(perSecond)
			if took := time.Since(began).Seconds(); math.Abs(took-want) > 0.01 {
				t.Errorf("100 requests at %d a second took %v s, not %v s", perSecond, took, want)
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
