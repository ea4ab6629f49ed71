package mock_test

import (
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"pgtower/client/mock"
)

// The server listens on this machine unless other addresses are given; a malformed address is refused.
func TestListenAddresses(t *testing.T) {
	t.Parallel()
	srv, _ := newServer(t, mock.Options{})
	for addr, public := range map[string]bool{
		"": false, ":0": false, "localhost:0": false, "127.0.0.1:0": false, "[::1]:0": false, "0.0.0.0:0": true, "[::]:0": true,
	} {
		l, err := mock.Listen(t.Context(), srv, mock.ListenOptions{Addr: addr})
		if err != nil && strings.HasPrefix(addr, "[") {
			continue // a machine without IPv6
		}
		if err != nil {
			t.Fatal(err)
		}
		if l.Public() != public || strings.HasSuffix(l.Addr(), ":0") {
			t.Errorf("%q: listens on %s, public: %v", addr, l.Addr(), l.Public())
		}
		if host := strings.TrimSuffix(addr, ":0"); strings.ContainsAny(host, ".[") && !strings.HasPrefix(l.Addr(), host+":") {
			t.Errorf("%q: says that it listens on %s", addr, l.Addr())
		}
		c := target{base: l.BaseURL(), key: srv.APIKey(), client: &http.Client{Transport: &http.Transport{}}}
		c.get(t, "/projects", &projectPage{})
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}
	for _, addr := range []string{"127.0.0.1", "8787", "::1", "127.0.0.1:no", "127.0.0.1:65536"} {
		if _, err := mock.Listen(t.Context(), srv, mock.ListenOptions{Addr: addr}); err == nil {
			t.Errorf("%s was listened on", addr)
		}
	}
}

// held is a handler that reports each request and waits for a release.
type held struct{ asked, release chan struct{} }

func newHeld() held { return held{make(chan struct{}, 1), make(chan struct{})} }

func (h held) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.asked <- struct{}{}
	select {
	case <-h.release:
		_, _ = io.WriteString(w, "{}")
	case <-r.Context().Done():
	}
}

// A request in flight is answered before the server stops, and new ones are refused.
func TestListenStopsGracefully(t *testing.T) {
	t.Parallel()
	h := newHeld()
	l, err := mock.Listen(t.Context(), h, mock.ListenOptions{Addr: "localhost:0", Grace: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	c := target{base: l.BaseURL(), client: &http.Client{Transport: &http.Transport{}}}
	answered := make(chan answer)
	go func() { answered <- c.call(t, http.MethodGet, "/projects", "") }()
	<-h.asked
	closed := make(chan error)
	go func() { closed <- l.Close() }()
	for refused := false; !refused; {
		conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", l.Addr())
		if refused = err != nil; !refused {
			_ = conn.Close()
		}
	}
	close(h.release)
	if a := <-answered; a.status != http.StatusOK || string(a.body) != "{}" {
		t.Errorf("status %d, %s", a.status, a.body)
	}
	if err := <-closed; err != nil {
		t.Error(err)
	}
}

// A request that takes longer than the grace time is aborted: the server does stop.
func TestListenStopsInSpiteOfASlowRequest(t *testing.T) {
	t.Parallel()
	h := newHeld()
	l, err := mock.Listen(t.Context(), h, mock.ListenOptions{Grace: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	c := target{base: l.BaseURL(), client: &http.Client{Transport: &http.Transport{}}}
	broken := make(chan error)
	go func() {
		resp, err := c.client.Do(c.request(t, http.MethodGet, "/projects", ""))
		if err == nil {
			_ = resp.Body.Close()
		}
		broken <- err
	}()
	<-h.asked
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	if <-broken == nil {
		t.Error("the request was answered")
	}
}
