package mock

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"sync/atomic"
	"time"
)

// The bounds that keep a stuck client from holding on to the server. The one on
// writing includes a fault's latency, and so is far longer than any that is of use.
const (
	headerTimeout = 5 * time.Second
	readTimeout   = 15 * time.Second
	writeTimeout  = 10 * time.Minute
	idleTimeout   = 2 * time.Minute
	maxHeader     = 64 << 10
)

// defaultGrace is short: it is a test that waits, or a program that is being closed.
const defaultGrace = 2 * time.Second

// ListenOptions says where and how to listen.
type ListenOptions struct {
	// Addr is host:port. Port 0 is any free one, and no host is 127.0.0.1: what other
	// machines reach has to be written out. Empty is 127.0.0.1:0.
	Addr string
	// Grace is how long, once the server is told to stop, it goes on with what is being
	// answered: 0 for 2 seconds.
	Grace time.Duration
	// PublicControl keeps the control surface, which needs no key, where other machines reach
	// the server. It is not found there otherwise.
	PublicControl bool
	// Log receives what goes wrong with connections; nothing is logged where it is nil.
	Log *log.Logger
}

// Listener is a server that listens.
type Listener struct {
	base string
	addr *net.TCPAddr

	pending atomic.Int64 // requests that are being answered

	stop context.CancelFunc
	done chan struct{}
	err  error // readable once done is closed
}

// Listen serves h, mostly a [Server], until ctx is done or [Listener.Close] is called.
// It returns once connections are accepted. The error says why the address cannot be
// listened on.
func Listen(ctx context.Context, h http.Handler, o ListenOptions) (*Listener, error) {
	if o.Addr == "" {
		o.Addr = ":0"
	}
	host, port, err := net.SplitHostPort(o.Addr)
	if err != nil {
		return nil, fmt.Errorf("%q is not host:port", o.Addr)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	network := "tcp"
	if ip, err := netip.ParseAddr(host); err == nil && ip.Is4() {
		network = "tcp4" // else the system listens on all IPv6 addresses, too, for 0.0.0.0
	}
	ln, err := new(net.ListenConfig).Listen(ctx, network, net.JoinHostPort(host, port))
	if err != nil {
		return nil, err
	}
	addr, ok := ln.Addr().(*net.TCPAddr)
	if !ok {
		_ = ln.Close() // Nothing was accepted on it.
		return nil, fmt.Errorf("%s is not an address of TCP", ln.Addr())
	}
	if o.Log == nil {
		// By default net/http writes to stderr, across whatever is on the screen.
		o.Log = log.New(io.Discard, "", 0)
	}
	if o.Grace == 0 {
		o.Grace = defaultGrace
	}
	ctx, stop := context.WithCancel(ctx)
	l := &Listener{base: "http://" + reachable(addr) + BasePath, addr: addr, stop: stop, done: make(chan struct{})}
	srv := newHTTPServer(l.counted(h), o.Log)
	if l.Public() && !o.PublicControl {
		// Without its end: what is being answered then goes on for the grace.
		base := context.WithValue(context.WithoutCancel(ctx), noControlKey{}, true)
		srv.BaseContext = func(net.Listener) context.Context { return base }
	}
	go l.run(ctx, ln, o.Grace, srv)
	return l, nil
}

// noControlKey is in the context of the requests for which there is no control surface.
type noControlKey struct{}

// counted returns the handler, counting what it is answering.
func (l *Listener) counted(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		l.pending.Add(1)
		defer l.pending.Add(-1)
		h.ServeHTTP(w, r)
	})
}

// newHTTPServer returns a server that no client can hold up.
func newHTTPServer(h http.Handler, to *log.Logger) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeader,
		// OPTIONS * is no more a part of this API than any other path.
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     to,
	}
}

// reachable returns an address that a client on this machine can connect to: a server
// that listens everywhere is, among others, on the loopback.
func reachable(addr *net.TCPAddr) string {
	if !addr.IP.IsUnspecified() {
		return addr.String()
	}
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(addr.Port))
}

// run serves until ctx is done, lets requests under way finish within grace, and ends
// the rest.
func (l *Listener) run(ctx context.Context, ln net.Listener, grace time.Duration, srv *http.Server) {
	defer close(l.done)
	defer l.stop()
	served := make(chan error, 1)
	go func() { served <- srv.Serve(ln) }()
	select {
	case l.err = <-served:
		return
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	if srv.Shutdown(last) != nil {
		_ = srv.Close() // They had their moment.
	}
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		l.err = err
	}
}

// BaseURL returns the base URL of the API, [BasePath] included (section 4).
func (l *Listener) BaseURL() string { return l.base }

// Addr returns the address that is listened on, with the port that was taken.
func (l *Listener) Addr() string { return l.addr.String() }

// Pending returns how many requests are being answered.
func (l *Listener) Pending() int { return int(l.pending.Load()) }

// Public reports whether other machines reach the server. The name in an address may
// resolve to anything: what counts is what was bound.
func (l *Listener) Public() bool { return !l.addr.IP.IsLoopback() }

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
