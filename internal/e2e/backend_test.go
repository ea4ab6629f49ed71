//go:build unix

package e2e

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgtower/client/mock"
	"pgtower/internal/termtest"
)

// backend is a mock that can be stopped, and records its requests.
type backend struct {
	*mock.Server

	ahead atomic.Int64 // how far its clock is ahead of ours, as a [time.Duration]

	t        *testing.T
	listener *mock.Listener
	api      api

	mu      sync.Mutex
	shown   []string // the key of each request
	asked   []string // "GET /projects?limit=400" of each request
	created string   // the response to the last POST
}

// serve starts a mock until the test ends.
func serve(t *testing.T, o mock.Options) *backend {
	t.Helper()
	b := &backend{t: t}
	o.Seed = 7
	if o.Clock == nil {
		o.Clock = func() time.Time { return time.Now().Add(time.Duration(b.ahead.Load())) }
	}
	server, err := mock.New(o)
	if err != nil {
		t.Fatal(err)
	}
	b.Server = server
	b.listen("")
	b.api = api{t: t, base: b.listener.BaseURL(), key: server.APIKey()}
	t.Cleanup(b.stop)
	return b
}

func (b *backend) listen(addr string) {
	b.t.Helper()
	var err error
	if b.listener, err = mock.Listen(b.t.Context(), b, mock.ListenOptions{Addr: addr}); err != nil {
		b.t.Fatal(err)
	}
}

// stop makes the address refuse connections.
func (b *backend) stop() {
	b.t.Helper()
	if err := b.listener.Close(); err != nil {
		b.t.Error(err)
	}
}

// restart listens on the same address again.
func (b *backend) restart() {
	b.t.Helper()
	u, err := url.Parse(b.api.base)
	if err != nil {
		b.t.Fatal(err)
	}
	b.listen(u.Host)
}

// ServeHTTP records the request and lets the mock answer it.
func (b *backend) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	b.shown = append(b.shown, strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
	b.asked = append(b.asked, r.Method+" "+strings.TrimPrefix(r.URL.String(), mock.BasePath))
	b.mu.Unlock()
	if r.Method != http.MethodPost {
		b.Server.ServeHTTP(w, r)
		return
	}
	answer := httptest.NewRecorder()
	b.Server.ServeHTTP(answer, r)
	b.mu.Lock()
	b.created = answer.Body.String()
	b.mu.Unlock()
	maps.Copy(w.Header(), answer.Header())
	w.WriteHeader(answer.Code)
	_, _ = w.Write(answer.Body.Bytes())
}

// count returns the number of requests that begin with the text.
func (b *backend) count(prefix string) (n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, request := range b.asked {
		if strings.HasPrefix(request, prefix) {
			n++
		}
	}
	return n
}

// wasShown reports whether any request had the key.
func (b *backend) wasShown(key string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Contains(b.shown, key)
}

// createdSecret returns the secret in the response to the last POST.
func (b *backend) createdSecret() string {
	b.t.Helper()
	_, secret := b.createdKey()
	return secret
}

// createdKey returns the key in the response to the last POST.
func (b *backend) createdKey() (id json.Number, secret string) {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	var created struct {
		ID  json.Number
		Key string
	}
	if err := json.Unmarshal([]byte(b.created), &created); err != nil || created.Key == "" {
		b.t.Fatalf("no key was created: %v", err)
	}
	return created.ID, created.Key
}

// env returns the environment of a program that uses the backend with its key.
func (b *backend) env() []string {
	return []string{"PGTOWER_BASE_URL=" + b.api.base, "PGTOWER_API_KEY=" + b.APIKey()}
}

// program runs pgtower on the backend.
func (b *backend) program(args ...string) *program {
	b.t.Helper()
	return start(b.t, termtest.Options{Args: args, Env: b.env()})
}

// project returns the id of the project with a name.
func (b *backend) project(name string) string {
	b.t.Helper()
	for _, p := range b.api.projects() {
		if p["name"] == name {
			return p["id"].(string)
		}
	}
	b.t.Fatalf("no project is called %s", name)
	return ""
}

// api is a plain HTTP client of the control API.
type api struct {
	t         *testing.T
	base, key string
}

// call makes a request as section 4 of the specification says; into may be nil.
func (a api) call(method, path, body string, into any) int {
	a.t.Helper()
	r, err := http.NewRequestWithContext(a.t.Context(), method, a.base+path, strings.NewReader(body))
	if err != nil {
		a.t.Fatal(err)
	}
	if a.key != "" {
		r.Header.Set("Authorization", "Bearer "+a.key)
	}
	r.Header.Set("Accept", "application/json")
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		a.t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	got, err := io.ReadAll(answer.Body)
	if err != nil {
		a.t.Fatal(err)
	}
	if into != nil {
		d := json.NewDecoder(bytes.NewReader(got))
		d.UseNumber()
		if err := d.Decode(into); err != nil {
			a.t.Fatalf("%s %s: %v in %s", method, path, err, got)
		}
	}
	return answer.StatusCode
}

type record = map[string]any

func (a api) projects() []record {
	a.t.Helper()
	var page struct{ Projects []record }
	a.call(http.MethodGet, "/projects?limit=400", "", &page)
	return page.Projects
}

// createKey creates a key behind the program's back.
func (a api) createKey(name string) (secret string) {
	a.t.Helper()
	var created struct{ Key string }
	a.call(http.MethodPost, "/api_keys", `{"key_name":"`+name+`"}`, &created)
	return created.Key
}

// keys asks the service for the names of the keys, by their ids.
func (a api) keys() map[json.Number]string {
	a.t.Helper()
	var keys []struct {
		ID   json.Number
		Name string
	}
	a.call(http.MethodGet, "/api_keys", "", &keys)
	names := map[json.Number]string{}
	for _, k := range keys {
		names[k.ID] = k.Name
	}
	return names
}

// accepts reports whether the service accepts a key.
func (a api) accepts(key string) bool {
	a.t.Helper()
	a.key = key
	status := a.call(http.MethodGet, "/projects?limit=1", "", nil)
	return status == http.StatusOK
}
