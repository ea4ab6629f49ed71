package client_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
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

// An operation's JSON is returned byte by byte, with unknown fields and long numbers.
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
