package client

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"pgtower/models"
)

func TestMain(m *testing.M) {
	// The tests over a network wait more than they work; -parallel on the command line still wins.
	if err := flag.Set("test.parallel", "16"); err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(m)
}

const testKey = "napi_s3cret-of-the-test"

func now() time.Time { return time.Date(2025, 3, 2, 12, 0, 0, 0, time.UTC) }

// serve runs a server and returns a client for a base path on it.
func serve(t *testing.T, h http.HandlerFunc) *Client {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	return connect(t, Options{BaseURL: srv.URL + "/api/v2/"})
}

// connect returns a client that is closed with the test.
func connect(t *testing.T, o Options) *Client {
	t.Helper()
	o.Key = models.NewSecret(testKey)
	if o.Clock == nil {
		o.Clock = now
	}
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// tripper responds without a network.
type tripper func(*http.Request) (*http.Response, error)

func (f tripper) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	return f(r)
}

// answer returns a response with a JSON body and pairs of headers.
func answer(status int, body string, header ...string) *http.Response {
	h := http.Header{"Content-Type": {"application/json"}}
	for i := 0; i+1 < len(header); i += 2 {
		h.Set(header[i], header[i+1])
	}
	return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(body))}
}

// respond is a transport with the same response to every request.
func respond(status int, body string, header ...string) tripper {
	return func(*http.Request) (*http.Response, error) { return answer(status, body, header...), nil }
}

// respondAt is a transport with a JSON response to every request. The requests must be for one address.
func respondAt(t *testing.T, uri, body string) tripper {
	t.Helper()
	return func(r *http.Request) (*http.Response, error) {
		if r.URL.RequestURI() != uri {
			t.Errorf("requested %s, want %s", r.URL.RequestURI(), uri)
		}
		return answer(http.StatusOK, body), nil
	}
}

// through returns a client with a transport and the real clock.
func through(t *testing.T, f tripper) *Client {
	t.Helper()
	return connect(t, Options{BaseURL: "https://console.example/api/v2", Transport: f, Clock: time.Now})
}

// writeJSON sends a JSON response.
func writeJSON(w http.ResponseWriter, body string) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_, _ = io.WriteString(w, body)
}

// wantError checks the kind of an error, that it names the task, and that it does not contain the key.
func wantError(t *testing.T, err error, want models.Kind) *models.Error {
	t.Helper()
	var e *models.Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want a *models.Error", err)
	}
	if e.Kind != want {
		t.Errorf("got %q (%v), want %q", e.Kind, err, want)
	}
	if e.Doing == "" || e.Method == "" {
		t.Errorf("%#v does not say what was being done", e)
	}
	for deep := err; deep != nil; deep = errors.Unwrap(deep) {
		if s := fmt.Sprintf("%v %+v %q", deep, deep, deep); strings.Contains(s, testKey) {
			t.Errorf("%s contains the key", s)
		}
	}
	return e
}

// wantKind is wantError for tests that look no further.
func wantKind(t *testing.T, err error, want models.Kind) {
	t.Helper()
	_ = wantError(t, err, want)
}

// keyOf is an API key of the account.
func keyOf(id int64) models.APIKey { return models.APIKey{ID: id} }

// keysList returns a response with n API keys, as long as the live service's are.
func keysList(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteByte("[,"[min(i, 1)])
		fmt.Fprintf(&b, `{"id":%d,"name":"deploy-%d","created_at":"2022-11-09T20:47:27Z","last_used_at":"2025-11-09T20:47:27Z",`+
			`"last_used_from_addr":"198.51.100.7","created_by":{"id":"7","name":"someone","image":"https://images.example/7.png"}}`, 165_000+i, i)
	}
	b.WriteByte(']')
	return b.String()
}

// projectsPage returns a response with n projects.
func projectsPage(n int) string {
	var b strings.Builder
	b.WriteString(`{"projects":`)
	for i := range n {
		b.WriteByte("[,"[min(i, 1)])
		fmt.Fprintf(&b, `{"id":"floral-king-%d","name":"shop-%d","platform_id":"aws","region_id":"aws-us-east-2","provisioner":"k8s-neonvm",`+
			`"pg_version":17,"cpu_used_sec":1200,"proxy_host":"us-east-2.aws.example","branch_logical_size_limit":512,`+
			`"created_at":"2022-11-09T20:47:27Z","updated_at":"2025-11-09T20:47:27Z","settings":{"quota":{}},"owner_id":"o"}`, i, i)
	}
	b.WriteString(`],"pagination":{"cursor":"floral-king"}}`)
	return b.String()
}
