package mock_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgtower/client/mock"
)

// manual is a clock that only moves on request.
type manual struct {
	mu  sync.Mutex
	now time.Time
}

func newManual() *manual {
	return &manual{now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
}

func (m *manual) Now() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.now
}

func (m *manual) advance(d time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.now = m.now.Add(d)
}

// tb is the common part of testing.T, testing.B and rapid.T.
type tb interface {
	Helper()
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
}

type record = map[string]any

type operationPage struct {
	Operations []record
	Pagination *struct{ Cursor string }
}

type projectPage struct {
	Projects   []record
	Pagination *struct{ Cursor string }
}

// target is a server and a key.
type target struct {
	base   string
	key    string
	client *http.Client
}

// answer is a response.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// send makes a request.
func (c target) send(t tb, r *http.Request) answer {
	t.Helper()
	resp, err := c.client.Do(r)
	if err != nil {
		t.Fatalf("%s %s: %v", r.Method, r.URL, err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("%s %s: %v", r.Method, r.URL, err)
	}
	return answer{resp.StatusCode, resp.Header, body}
}

func (c target) request(t tb, method, path, body string) *http.Request {
	t.Helper()
	var content io.Reader
	if body != "" {
		content = strings.NewReader(body)
	}
	r, err := http.NewRequest(method, c.base+path, content) //nolint:noctx // Clients in these tests have a timeout.
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	r.Header.Set("Authorization", "Bearer "+c.key)
	r.Header.Set("Accept", "application/json")
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	return r
}

// call makes a request as section 4 says.
func (c target) call(t tb, method, path, body string) answer {
	t.Helper()
	return c.send(t, c.request(t, method, path, body))
}

// get makes a GET that must succeed and decodes its body.
func (c target) get(t tb, path string, into any) {
	t.Helper()
	c.call(t, http.MethodGet, path, "").ok(t, into)
}

// ok decodes a 200.
func (a answer) ok(t tb, into any) {
	t.Helper()
	if a.status != http.StatusOK {
		t.Fatalf("status %d, want 200: %s", a.status, a.body)
	}
	d := json.NewDecoder(bytes.NewReader(a.body))
	d.UseNumber()
	if err := d.Decode(into); err != nil {
		t.Fatalf("%v in %s", err, a.body)
	}
}

// problem checks an error response: its status and the format of its body.
func (a answer) problem(t tb, status int) {
	t.Helper()
	if a.status != status {
		t.Errorf("status %d, want %d: %s", a.status, status, a.body)
		return
	}
	var fields map[string]*string
	if err := json.Unmarshal(a.body, &fields); err != nil {
		t.Errorf("the error body is not an object of texts: %s", a.body)
		return
	}
	for _, name := range []string{"request_id", "code", "message"} {
		if fields[name] == nil || *fields[name] == "" && name != "code" {
			t.Errorf("the error body lacks %s: %s", name, a.body)
		}
	}
	if got := a.header.Get("Content-Type"); !strings.HasPrefix(got, "application/json") {
		t.Errorf("Content-Type %q of an error", got)
	}
}

// after returns the cursor parameter: an empty one is not sent.
func after(cursor string) string {
	if cursor == "" {
		return ""
	}
	return "&cursor=" + cursor
}

// utc returns a timestamp of a record.
func utc(t tb, r record, field string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339Nano, fmt.Sprint(r[field]))
	if err != nil {
		t.Fatalf("%s is %v: %v", field, r[field], err)
	}
	return at
}

func createKey(t tb, c target, name string) (id, secret string) {
	t.Helper()
	var created record
	c.call(t, http.MethodPost, "/api_keys", fmt.Sprintf(`{"key_name":%q}`, name)).ok(t, &created)
	return fmt.Sprint(created["id"]), fmt.Sprint(created["key"])
}

func findKey(t tb, c target, id string) record {
	t.Helper()
	var keys []record
	c.get(t, "/api_keys", &keys)
	if i := slices.IndexFunc(keys, func(k record) bool { return fmt.Sprint(k["id"]) == id }); i >= 0 {
		return keys[i]
	}
	return nil
}

// newServer returns a server with its own clock.
func newServer(t tb, o mock.Options) (*mock.Server, *manual) {
	t.Helper()
	clock := newManual()
	o.Clock = clock.Now
	srv, err := mock.New(o)
	if err != nil {
		t.Fatalf("New: %v", err)
	}
	return srv, clock
}

// handlerTarget calls the server without a network.
func handlerTarget(srv *mock.Server) target {
	return target{
		base:   "http://mock.example" + mock.BasePath,
		key:    srv.APIKey(),
		client: &http.Client{Transport: direct{srv}},
	}
}

// direct is a transport that passes requests to a handler.
type direct struct{ handler http.Handler }

func (d direct) RoundTrip(r *http.Request) (*http.Response, error) {
	in := r.Clone(r.Context())
	in.RequestURI, in.RemoteAddr = r.URL.RequestURI(), "192.0.2.7:4242"
	if in.Body == nil {
		in.Body = http.NoBody
	}
	w := httptest.NewRecorder()
	d.handler.ServeHTTP(w, in)
	return w.Result(), nil
}

// overHTTP calls the server over loopback.
func overHTTP(t *testing.T, srv *mock.Server) target {
	t.Helper()
	listener, err := mock.Listen(t.Context(), srv, mock.ListenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{}, Timeout: 10 * time.Second}
	t.Cleanup(func() {
		client.CloseIdleConnections()
		if err := listener.Close(); err != nil {
			t.Error(err)
		}
	})
	return target{base: listener.BaseURL(), key: srv.APIKey(), client: client}
}
