// Package faultserver answers HTTP requests with the faults of servers, proxies and networks, over real sockets. A test of a
// client starts one:
//
//	s := faultserver.Start(t, faultserver.Reset(faultserver.OK))
//	c := client.New(client.Options{BaseURL: s.URL(), …})
package faultserver

import (
	"context"
	"crypto/tls"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
)

// Fault responds to a request by writing to its connection, not necessarily HTTP. Writing and reading fail once the client
// has hung up or the test has ended: then it must return. The connection is closed after it.
type Fault func(conn net.Conn, r *http.Request)

// Server listens on loopback.
type Server struct {
	http    *httptest.Server
	fault   Fault
	closed  context.Context //nolint:containedctx // done: hangs up on every client
	hangUp  context.CancelFunc
	workers sync.WaitGroup

	mu    sync.Mutex
	asked []string
}

// Start serves plain HTTP until the test ends.
func Start(tb testing.TB, f Fault) *Server {
	tb.Helper()
	s := newServer(tb, f)
	s.http.Start()
	return s
}

// StartTLS serves HTTP/1.1 over TLS with a certificate.
func StartTLS(tb testing.TB, cert tls.Certificate, f Fault) *Server {
	tb.Helper()
	s := newServer(tb, f)
	s.http.TLS = &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12}
	s.http.StartTLS()
	return s
}

func newServer(tb testing.TB, f Fault) *Server {
	tb.Helper()
	ctx, hangUp := context.WithCancel(tb.Context())
	s := &Server{fault: f, closed: ctx, hangUp: hangUp}
	s.http = httptest.NewUnstartedServer(s)
	s.http.Config.ErrorLog = log.New(io.Discard, "", 0)
	tb.Cleanup(s.close)
	return s
}

func (s *Server) close() {
	s.hangUp()
	s.http.Close()
	s.workers.Wait()
}

// URL returns the server's address, without a path.
func (s *Server) URL() string { return s.http.URL }

// Asked returns method and path of all requests so far.
func (s *Server) Asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

// ServeHTTP hands the connection to the fault.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.workers.Add(1)
	defer s.workers.Done()
	// Closing a connection with unread data resets it, and the response is lost.
	_, _ = io.Copy(io.Discard, r.Body)
	s.mu.Lock()
	s.asked = append(s.asked, r.Method+" "+r.RequestURI)
	s.mu.Unlock()
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer func() { _ = conn.Close() }()
	defer context.AfterFunc(s.closed, func() { _ = conn.Close() })() //nolint:contextcheck // it outlives the request
	s.fault(conn, r)
}
