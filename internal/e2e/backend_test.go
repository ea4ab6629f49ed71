//go:build unix

package e2e

import (
	"encoding/json"
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
	base     string // its base URL

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
	b.base = b.listener.BaseURL()
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
	u, err := url.Parse(b.base)
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
func (b *backend) createdKey() (id int64, secret string) {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	var created struct {
		ID  int64
		Key string
	}
	if err := json.Unmarshal([]byte(b.created), &created); err != nil || created.Key == "" {
		b.t.Fatalf("no key was created: %v", err)
	}
	return created.ID, created.Key
}

// keyName returns the name of a key of the account, or "".
func (b *backend) keyName(id int64) string {
	for _, k := range b.Keys("") {
		if k.ID == id {
			return k.Name
		}
	}
	return ""
}

// accepts reports whether the service accepts a key.
func (b *backend) accepts(secret string) bool { return b.KeyID(secret) != 0 }

// begin starts an operation that runs for an hour of the mock's clock, and then fails.
func (b *backend) begin(project, action string) {
	b.t.Helper()
	task := mock.Task{ProjectID: project, Action: action, Wait: time.Millisecond, Run: time.Hour, Fail: true}
	if _, err := b.Start(task); err != nil {
		b.t.Fatal(err)
	}
}

// env returns the environment of a program that uses the backend with its key.
func (b *backend) env() []string {
	return []string{"PGTOWER_BASE_URL=" + b.base, "PGTOWER_API_KEY=" + b.APIKey()}
}

// program runs pgtower on the backend.
func (b *backend) program(args ...string) *program {
	b.t.Helper()
	return start(b.t, termtest.Options{Args: args, Env: b.env()})
}

// project returns the id of the project with a name.
func (b *backend) project(name string) string {
	b.t.Helper()
	found, err := b.Projects("", name, "", 1)
	if err != nil || len(found) != 1 || found[0].Name != name {
		b.t.Fatalf("no project is called %s: %v, %v", name, found, err)
	}
	return found[0].ID
}
