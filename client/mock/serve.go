package mock

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strconv"
	"time"
)

// ErrNotLoopback is returned by [Listen] for an address that other machines reach.
var ErrNotLoopback = errors.New("not a loopback address, so that other machines would reach the mock: listen on 127.0.0.1, [::1] or localhost")

// The bounds that keep a stuck client from holding on to the server. There is none
// on writing: an answer may have to wait for a fault's latency.
const (
	headerTimeout   = 5 * time.Second
	readTimeout     = 15 * time.Second
	idleTimeout     = 2 * time.Minute
	shutdownTimeout = 2 * time.Second
	maxHeader       = 64 << 10
)

// ListenOptions says where and how to listen.
type ListenOptions struct {
	// Addr is host:port; port 0 is any free one. Empty is 127.0.0.1:0.
	Addr string
	// Public allows addresses that other machines reach.
	Public bool
	// Log receives what goes wrong with connections; nothing is logged where it is nil.
	Log *log.Logger
}

// Listener is a server that listens.
type Listener struct {
	base string
	stop context.CancelFunc
	done chan struct{}
	err  error // readable once done is closed
}

// Listen serves h, mostly a [Server], until ctx is done or [Listener.Close] is called.
// It returns once connections are accepted. The error is [ErrNotLoopback], or why the
// address cannot be listened on.
func Listen(ctx context.Context, h http.Handler, o ListenOptions) (*Listener, error) {
	if o.Addr == "" {
		o.Addr = "127.0.0.1:0"
	}
	ln, err := new(net.ListenConfig).Listen(ctx, "tcp", o.Addr)
	if err != nil {
		return nil, fmt.Errorf("mock: %w", err)
	}
	// The name may resolve to anything: what counts is what was bound.
	if addr, ok := ln.Addr().(*net.TCPAddr); !o.Public && (!ok || !addr.IP.IsLoopback()) {
		_ = ln.Close() // Nothing was accepted on it.
		return nil, fmt.Errorf("mock: %s: %w", o.Addr, ErrNotLoopback)
	}
	if o.Log == nil {
		// By default net/http writes to stderr, across whatever is on the screen.
		o.Log = log.New(io.Discard, "", 0)
	}
	ctx, stop := context.WithCancel(ctx)
	l := &Listener{base: "http://" + reachable(ln.Addr()) + BasePath, stop: stop, done: make(chan struct{})}
	go l.run(ctx, ln, &http.Server{
		Handler:           h,
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       readTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeader,
		// OPTIONS * is no more a part of this API than any other path.
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     o.Log,
	})
	return l, nil
}

// reachable returns an address that a client on this machine can connect to: a server
// that listens everywhere is, among others, on the loopback.
func reachable(addr net.Addr) string {
	tcp, ok := addr.(*net.TCPAddr)
	if !ok || !tcp.IP.IsUnspecified() {
		return addr.String()
	}
	return net.JoinHostPort("localhost", strconv.Itoa(tcp.Port))
}

// run serves until ctx is done, lets requests under way finish for a moment, and ends
// the rest.
func (l *Listener) run(ctx context.Context, ln net.Listener, srv *http.Server) {
	defer close(l.done)
	defer l.stop()
	served := make(chan error, 1)
	go func() { served <- srv.Serve(ln) }()
	select {
	case l.err = <-served:
		return
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
	defer cancel()
	if srv.Shutdown(grace) != nil {
		_ = srv.Close() // They had their moment.
	}
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		l.err = err
	}
}

// BaseURL returns the base URL of the API, [BasePath] included (section 4).
func (l *Listener) BaseURL() string { return l.base }

// Wait returns when the server has stopped: nil when it was told to.
func (l *Listener) Wait() error {
	<-l.done
	return l.err
}

// Close stops the server and waits until it has stopped.
func (l *Listener) Close() error {
	l.stop()
	return l.Wait()
}
