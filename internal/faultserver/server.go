// Package faultserver answers HTTP requests in all the ways that a server, a proxy or a
// network can get wrong, over real sockets. Tests of a client point it at one:
//
//	s := faultserver.Start(t, faultserver.Truncate(`{"operations":[]}`, 7))
//	c := client.New(client.Options{BaseURL: s.URL(), …})
//
// A [Fault] writes to the connection itself: what it sends need not be HTTP.
package faultserver

import (
	"bufio"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"sync"
	"testing"
)

// Fault answers a request. The connection is closed when it returns, so nothing is kept
// alive. It ends when writing fails: the client, or the test, has gone.
type Fault func(conn net.Conn, r *http.Request)

// Server listens on loopback.
type Server struct {
	scheme   string
	listener net.Listener
	fault    Fault

	mu      sync.Mutex
	conns   map[net.Conn]struct{}
	closed  bool
	asked   []string
	workers sync.WaitGroup
}

// Start serves plain HTTP for the length of the test.
func Start(tb testing.TB, f Fault) *Server {
	tb.Helper()
	return start(tb, "http", f, func(l net.Listener) net.Listener { return l })
}

// StartTLS serves HTTP/1.1 over TLS with a certificate.
func StartTLS(tb testing.TB, cert tls.Certificate, f Fault) *Server {
	tb.Helper()
	config := &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12}
	return start(tb, "https", f, func(l net.Listener) net.Listener { return tls.NewListener(l, config) })
}

func start(tb testing.TB, scheme string, f Fault, wrap func(net.Listener) net.Listener) *Server {
	tb.Helper()
	l, err := (&net.ListenConfig{}).Listen(tb.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	s := &Server{scheme: scheme, listener: wrap(l), fault: f, conns: map[net.Conn]struct{}{}}
	s.workers.Go(s.accept)
	tb.Cleanup(s.close)
	return s
}

// URL is the server's address, without a path.
func (s *Server) URL() string { return s.scheme + "://" + s.listener.Addr().String() }

// Asked returns method and path of the requests that arrived so far.
func (s *Server) Asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.asked...)
}

func (s *Server) accept() {
	for {
		conn, err := s.listener.Accept()
		if err != nil {
			return
		}
		if !s.keep(conn) {
			_ = conn.Close()
			return
		}
		s.workers.Go(func() { s.serve(conn) })
	}
}

// keep remembers a connection, so that closing the server ends what its fault does.
func (s *Server) keep(conn net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.conns[conn] = struct{}{}
	return true
}

func (s *Server) serve(conn net.Conn) {
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.conns, conn)
		_ = conn.Close()
	}()
	r, err := http.ReadRequest(bufio.NewReader(conn))
	if err != nil {
		return
	}
	// What is left unread when a connection closes resets it, and the answer is lost.
	_, _ = io.Copy(io.Discard, r.Body)
	s.mu.Lock()
	s.asked = append(s.asked, r.Method+" "+r.RequestURI)
	s.mu.Unlock()
	s.fault(conn, r)
}

func (s *Server) close() {
	_ = s.listener.Close()
	s.mu.Lock()
	s.closed = true
	for conn := range s.conns {
		_ = conn.Close()
	}
	s.mu.Unlock()
	s.workers.Wait()
}
