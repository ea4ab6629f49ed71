package mock_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"pgtower/client/mock"
)

func TestListenRefusesOtherMachines(t *testing.T) {
	t.Parallel()
	srv, _ := newServer(t, mock.Options{})
	if _, err := mock.Listen(t.Context(), srv, mock.ListenOptions{Addr: ":0"}); !errors.Is(err, mock.ErrNotLoopback) {
		t.Errorf("error %v", err)
	}
	l, err := mock.Listen(t.Context(), srv, mock.ListenOptions{Addr: ":0", Public: true})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(l.BaseURL(), "http://localhost:") || !strings.HasSuffix(l.BaseURL(), mock.BasePath) {
		t.Errorf("base URL %s", l.BaseURL())
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	if _, err := mock.Listen(t.Context(), srv, mock.ListenOptions{Addr: "127.0.0.1:no"}); err == nil {
		t.Error("a port that is a word was taken")
	}
}

// A request under way is answered before the server goes.
func TestListenStopsGracefully(t *testing.T) {
	t.Parallel()
	srv, _ := newServer(t, mock.Options{})
	inject(t, srv, mock.Fault{Latency: 100 * time.Millisecond})
	ctx, cancel := context.WithCancel(t.Context())
	l, err := mock.Listen(ctx, srv, mock.ListenOptions{Addr: "localhost:0"})
	if err != nil {
		t.Fatal(err)
	}
	c := target{base: l.BaseURL(), key: srv.APIKey(), client: &http.Client{Transport: &http.Transport{}}}
	time.AfterFunc(30*time.Millisecond, cancel)
	if a := c.call(t, http.MethodGet, "/projects", ""); a.status != http.StatusOK {
		t.Errorf("status %d", a.status)
	}
	if err := l.Wait(); err != nil {
		t.Error(err)
	}
	if resp, err := c.client.Do(c.request(t, http.MethodGet, "/projects", "")); err == nil {
		_ = resp.Body.Close()
		t.Error("it still answers")
	}
}

// What net/http itself answers is no concern of the API, but must not hang.
func TestListenSurvivesNonsense(t *testing.T) {
	t.Parallel()
	srv, _ := newServer(t, mock.Options{})
	c := overHTTP(t, srv)
	addr := strings.TrimSuffix(strings.TrimPrefix(c.base, "http://"), mock.BasePath)
	for _, sent := range []string{
		"nonsense\r\n\r\n",
		"GET /api/v2/projects\r\n\r\n",
		"OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
		"CONNECT x:1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
	} {
		conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		_ = conn.SetDeadline(time.Now().Add(5 * time.Second))
		_, _ = io.WriteString(conn, sent)
		got, err := io.ReadAll(conn)
		if err != nil || !strings.HasPrefix(string(got), "HTTP/1.1 4") {
			t.Errorf("%q: %q, %v", sent, got, err)
		}
		_ = conn.Close()
	}
}
