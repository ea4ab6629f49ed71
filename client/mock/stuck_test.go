package mock

import (
	"io"
	"log"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// pipes is a listener whose connections are in memory, so that time can be fake.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
}

func newPipes() *pipes { return &pipes{make(chan net.Conn), make(chan struct{})} }

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { close(p.closed); return nil }
func (p *pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1} }

// dial connects to the server.
func (p *pipes) dial() net.Conn {
	client, server := net.Pipe()
	p.conns <- server
	return client
}

// servePipes serves a mock in a bubble of fake time.
func servePipes(t *testing.T) (p *pipes, key string) {
	t.Helper()
	mock, err := New(Options{Clock: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	p = newPipes()
	srv := newHTTPServer(mock, log.New(io.Discard, "", 0))
	go func() { _ = srv.Serve(p) }()
	t.Cleanup(func() {
		if err := srv.Close(); err != nil {
			t.Error(err)
		}
	})
	return p, mock.APIKey()
}

// A client that never finishes its request is let go.
func TestStuckClients(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		sent   string
		after  time.Duration
		answer string
	}{
		"nothing is sent":           {"", headerTimeout, ""},
		"the header does not end":   {"GET /api/v2/projects HTTP/1.1\r\nHost:", headerTimeout, ""},
		"the body does not come":    {"POST /api/v2/api_keys HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer KEY\r\nContent-Length: 100\r\n\r\n{", readTimeout, "HTTP/1.1 400"},
		"nothing follows an answer": {"GET /api/v2/ HTTP/1.1\r\nHost: x\r\n\r\n", idleTimeout, "HTTP/1.1 401"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				p, key := servePipes(t)
				conn, begun := p.dial(), time.Now()
				go func() { _, _ = io.WriteString(conn, strings.Replace(tc.sent, "KEY", key, 1)) }()
				got, err := io.ReadAll(conn)
				if err != nil || !strings.HasPrefix(string(got), tc.answer) {
					t.Errorf("answered %q, %v", got, err)
				}
				if took := time.Since(begun); took != tc.after {
					t.Errorf("let go after %s, want %s", took, tc.after)
				}
			})
		})
	}
}

// A client that does not read its answer is let go as well.
func TestClientThatDoesNotRead(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p, key := servePipes(t)
		conn := p.dial()
		if _, err := io.WriteString(conn, "GET /api/v2/projects HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "+key+"\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(writeTimeout + time.Second)
		if got, _ := io.ReadAll(conn); len(got) > 0 {
			t.Errorf("%d bytes were still sent", len(got))
		}
	})
}
