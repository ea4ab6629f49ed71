package cli

import (
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/zalando/go-keyring"
)

// memoryRing is a keyring in memory; locked, it fails.
type memoryRing struct {
	mu     sync.Mutex
	items  map[string]string
	locked bool
}

func (r *memoryRing) Get(_, user string) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if item, ok := r.items[user]; ok {
		return item, nil
	}
	return "", keyring.ErrNotFound
}

func (r *memoryRing) Set(_, user, secret string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.locked {
		return io.ErrClosedPipe
	}
	r.items[user] = secret
	return nil
}

func (r *memoryRing) Delete(_, user string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.items, user)
	return nil
}

// request is a request to a host, and its key.
type request struct{ host, key string }

// internet responds for every host, and records the requests.
type internet struct {
	mu     sync.Mutex
	good   map[string]bool // the keys that are accepted
	failed bool            // all services
	asked  []request
}

// RoundTrip responds after a while.
func (n *internet) RoundTrip(r *http.Request) (*http.Response, error) {
	time.Sleep(100 * time.Millisecond)
	key := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	n.mu.Lock()
	defer n.mu.Unlock()
	n.asked = append(n.asked, request{r.URL.Host, key})
	status, body := http.StatusOK, `[{"id":1,"name":"old","created_at":"2020-01-01T00:00:00Z"}]`
	switch {
	case !n.good[key]:
		status, body = http.StatusUnauthorized, `{"message":"no"}`
	case n.failed:
		status, body = http.StatusForbidden, `{"message":"no"}`
	case strings.HasSuffix(r.URL.Path, "/projects"):
		body = `{"projects":[{"id":"p","name":"storefront"}]}`
	case strings.HasSuffix(r.URL.Path, "/operations"):
		body = `{"operations":[]}`
	}
	return &http.Response{
		StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(strings.NewReader(body)), Request: r,
	}, nil
}

// take returns the requests since the last call.
func (n *internet) take() []request {
	n.mu.Lock()
	defer n.mu.Unlock()
	asked := n.asked
	n.asked = nil
	return asked
}
