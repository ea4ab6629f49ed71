//go:build unix

package e2e

import (
	"crypto/tls"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgtower/internal/faultserver"
)

// service responds as the API does to one key, and records its requests.
type service struct {
	*httptest.Server

	key    string
	change func(w http.ResponseWriter, r *http.Request) bool // reports whether it has responded

	mu   sync.Mutex
	sent []string // the Authorization of each request
	asks []string // the path and query of each request
}

// newService returns a service that does not listen yet.
func newService(t *testing.T, key string) *service {
	t.Helper()
	s := &service{key: key}
	s.Server = httptest.NewUnstartedServer(s)
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	t.Cleanup(s.Close)
	return s
}

// plain listens on loopback with http.
func plain(t *testing.T, key string) *service {
	t.Helper()
	s := newService(t, key)
	s.Start()
	return s
}

// changing calls change with each request before the response.
func (s *service) changing(change func(http.ResponseWriter, *http.Request) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.change = change
}

func (s *service) base() string { return s.URL + "/api/v2" }

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.sent = append(s.sent, r.Header.Get("Authorization"))
	s.asks = append(s.asks, r.URL.RequestURI())
	change := s.change
	s.mu.Unlock()
	if change != nil && change(w, r) {
		return
	}
	w.Header().Set("Content-Type", "application/json")
	switch {
	case !strings.HasPrefix(r.URL.Path, "/api/v2/"):
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, `{"message":"this route does not exist"}`)
	case r.Header.Get("Authorization") != "Bearer "+s.key:
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = io.WriteString(w, `{"message":"authorization failed"}`)
	case strings.HasPrefix(r.URL.Path, "/api/v2/projects"):
		_, _ = io.WriteString(w, `{"projects":[],"operations":[]}`)
	case r.URL.Path == "/api/v2/api_keys":
		_, _ = io.WriteString(w, `[]`)
	default:
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, `{"message":"this route does not exist"}`)
	}
}

// keys returns the keys of all requests, each once where it was sent several times in a row.
func (s *service) keys() (keys []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, header := range s.sent {
		if key := strings.TrimPrefix(header, "Bearer "); key != "" {
			keys = append(keys, key)
		}
	}
	return slices.Compact(keys)
}

// certificate returns the authority's certificate for a host and this computer, valid until a time.
func certificate(a *faultserver.Authority, host string, until time.Time) tls.Certificate {
	return a.Certificate(until.Add(-48*time.Hour), until, host, "127.0.0.1")
}

// secured listens on loopback with https.
func secured(t *testing.T, key string, c tls.Certificate) *service {
	t.Helper()
	s := newService(t, key)
	s.TLS = &tls.Config{Certificates: []tls.Certificate{c}}
	s.StartTLS()
	return s
}

// proxyTo returns the variable that sends all https requests through a proxy to the service, whatever their host.
func proxyTo(t *testing.T, s *service) string {
	t.Helper()
	var dialer net.Dialer
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		to, err := dialer.DialContext(r.Context(), "tcp", s.Listener.Addr().String())
		if r.Method != http.MethodConnect || err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		from, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		_, _ = io.WriteString(from, "HTTP/1.1 200 OK\r\n\r\n")
		go func() { _, _ = io.Copy(to, from); _ = to.Close() }()
		go func() { _, _ = io.Copy(from, to); _ = from.Close() }()
	}))
	t.Cleanup(proxy.Close)
	return "HTTPS_PROXY=" + proxy.URL
}
