package mock_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"pgtower/client/mock"
)

// inject adds a fault.
func inject(t *testing.T, srv *mock.Server, text string) (remove func()) {
	t.Helper()
	remove, err := srv.Inject(text)
	if err != nil {
		t.Fatal(err)
	}
	return remove
}

// A trickling body takes the time that was asked for, and is complete.
func TestFaultTrickle(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		srv, _ := newServer(t, mock.Options{})
		c := handlerTarget(srv)
		want := c.call(t, http.MethodGet, "/projects", "").body
		inject(t, srv, "trickle=10s")
		began := time.Now()
		got := c.call(t, http.MethodGet, "/projects", "")
		if took := time.Since(began); took != 10*time.Second {
			t.Errorf("it took %s", took)
		}
		if string(got.body) != string(want) {
			t.Errorf("%s became %s", want, got.body)
		}
	})
}

// empty ends a connection in an orderly way, reset does not, and the next request is answered.
func TestFaultsWithoutAResponse(t *testing.T) {
	t.Parallel()
	srv, _ := newServer(t, mock.Options{})
	c := overHTTP(t, srv)
	for _, text := range []string{"empty count=1", "reset count=1"} {
		inject(t, srv, text)
		// A POST, because the transport repeats a GET on its own.
		resp, err := c.client.Do(c.request(t, http.MethodPost, "/api_keys", `{"key_name":"hangs up"}`))
		if err == nil {
			_ = resp.Body.Close()
			t.Errorf("%s: an answer", text)
		}
		if empty := errors.Is(err, io.EOF); empty != (text == "empty count=1") {
			t.Errorf("%s: %v", text, err)
		}
	}
	c.get(t, "/projects", &projectPage{})
}

// Each status that clients have to handle, with the default body.
func TestFaultStatuses(t *testing.T) {
	t.Parallel()
	srv, _ := newServer(t, mock.Options{})
	c := handlerTarget(srv)
	for _, status := range []int{401, 423, 429, 500, 502, 503, 504} {
		inject(t, srv, fmt.Sprintf("%d count=1 retry-after=1500ms", status))
		a := c.call(t, http.MethodGet, "/projects", "")
		a.problem(t, status)
		if got := a.header.Get("Retry-After"); got != "2" {
			t.Errorf("%d: Retry-After %q", status, got)
		}
	}
}
