package contract

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"strings"
	"testing"
)

// maxBody bounds what is read of an answer, in bytes.
const maxBody = 64 << 20

// service is a target as one key sees it.
type service struct {
	base, key string
	exact     bool
	client    *http.Client
}

// as returns the service as the holder of another key sees it.
func (s *service) as(key string) *service {
	other := *s
	other.key = key
	return &other
}

// answer is what came back.
type answer struct {
	what   string // the request
	status int
	body   []byte
}

// call makes a request with the headers of section 4.
func (s *service) call(ctx context.Context, t *testing.T, method, path, body string) answer {
	t.Helper()
	return s.send(ctx, t, method, path, body, http.Header{"Authorization": {"Bearer " + s.key}})
}

// send makes a request; header goes before the usual headers.
func (s *service) send(ctx context.Context, t *testing.T, method, path, body string, header http.Header) answer {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, method, s.base+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = header
	r.Header.Set("Accept", "application/json")
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	a := answer{what: method + " " + path}
	resp, err := s.client.Do(r)
	if err != nil {
		t.Fatalf("%s: %v", a.what, err)
	}
	defer func() { _ = resp.Body.Close() }()
	if a.body, err = io.ReadAll(io.LimitReader(resp.Body, maxBody)); err != nil {
		t.Fatalf("%s: %v", a.what, err)
	}
	a.status = resp.StatusCode
	// Section 1: all bodies are JSON, those of errors too.
	if media, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); len(a.body) > 0 && (media != "application/json" || !json.Valid(a.body)) {
		t.Errorf("%s: the body of the %d is not JSON but %q: %s", a.what, a.status, media, a.body)
	}
	return a
}

// get makes a GET that has to succeed, and decodes its body.
func (s *service) get(t *testing.T, path string, into any) {
	t.Helper()
	s.call(t.Context(), t, http.MethodGet, path, "").decode(t, into)
}

// decode decodes a success into a variable of the body's type.
func (a answer) decode(t *testing.T, into any) {
	t.Helper()
	if a.status/100 != 2 {
		t.Fatalf("%s: status %d: %s", a.what, a.status, a.body)
	}
	d := json.NewDecoder(bytes.NewReader(a.body))
	d.UseNumber() // Ids have more digits than a floating-point number.
	if err := d.Decode(into); err != nil {
		t.Fatalf("%s: %v in %s", a.what, err, a.body)
	}
}

// refused checks that the answer is the status of section 7.
func (a answer) refused(t *testing.T) {
	t.Helper()
	if a.status != http.StatusUnauthorized {
		t.Errorf("%s: status %d, want 401: %s", a.what, a.status, a.body)
	}
}
