package mock

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"time"
)

// ListenOptions configure a listener.
type ListenOptions struct {
	// Addr is host:port. Port 0 is any free one, and the default host is 127.0.0.1: serving other machines must be
	// explicit. Empty is 127.0.0.1:0.
	Addr  string
	Grace time.Duration // how long requests in flight may take after a stop: 0 for 2 seconds
	Log   *log.Logger   // logs connection errors; may be nil
}

// Listener is a listening server.
type Listener struct {
	addr *net.TCPAddr
	stop context.CancelFunc
	done chan struct{}
	err  error // readable after done is closed
}

// Listen serves h, usually a [Server], until ctx is done or [Listener.Close] is called. It returns when connections are
// accepted. The error says why it cannot listen on the address.
func Listen(ctx context.Context, h http.Handler, o ListenOptions) (*Listener, error) {
	host, port, err := net.SplitHostPort(cmp.Or(o.Addr, ":0"))
	if err != nil {
		return nil, fmt.Errorf("%q is not host:port", o.Addr)
	}
	host = cmp.Or(host, "127.0.0.1")
	network := "tcp"
	if ip, err := netip.ParseAddr(host); err == nil && ip.Is4() {
		network = "tcp4" // else 0.0.0.0 includes all IPv6 addresses, too
	}
	ln, err := new(net.ListenConfig).Listen(ctx, network, net.JoinHostPort(host, port))
	if err != nil {
		return nil, err
	}
	srv := &http.Server{
		// No client blocks it for long. A fault's delay counts towards the write timeout.
		Handler: h, MaxHeaderBytes: 64 << 10,
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 15 * time.Second,
		WriteTimeout: 10 * time.Minute, IdleTimeout: 2 * time.Minute,
		// By default net/http writes to stderr, over whatever is on the screen.
		ErrorLog: cmp.Or(o.Log, log.New(io.Discard, "", 0)),
		// The API has no OPTIONS *.
		DisableGeneralOptionsHandler: true,
	}
	ctx, stop := context.WithCancel(ctx)
	l := &Listener{addr: ln.Addr().(*net.TCPAddr), stop: stop, done: make(chan struct{})}
	go l.run(ctx, ln, cmp.Or(o.Grace, 2*time.Second), srv)
	return l, nil
}

// run serves until ctx is done, gives requests in flight the grace time to finish, and aborts the rest.
func (l *Listener) run(ctx context.Context, ln net.Listener, grace time.Duration, srv *http.Server) {
	defer close(l.done)
	defer l.stop()
	served := make(chan error, 1)
	go func() { served <- srv.Serve(ln) }()
	select {
	case l.err = <-served:
	case <-ctx.Done():
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
		defer cancel()
		if srv.Shutdown(last) != nil {
			_ = srv.Close() // the grace time is over
		}
	}
}

// BaseURL returns the base URL of the API, including [BasePath] (section 4), for a client on this machine. A server
// that listens on all addresses is reached over loopback.
func (l *Listener) BaseURL() string {
	addr := l.Addr()
	if l.addr.IP.IsUnspecified() {
		addr = net.JoinHostPort("127.0.0.1", strconv.Itoa(l.addr.Port))
	}
	return "http://" + addr + BasePath
}

// Addr returns the address of the listener, with the actual port.
func (l *Listener) Addr() string { return l.addr.String() }

// Public reports whether other machines can reach the server. It checks the bound address: a name may resolve to
// anything.
func (l *Listener) Public() bool { return !l.addr.IP.IsLoopback() }

// Wait returns when the server has stopped: nil after a regular stop.
func (l *Listener) Wait() error {
	<-l.done
	return l.err
}

// Close stops the server and waits until it has stopped.
func (l *Listener) Close() error {
	l.stop()
	return l.Wait()
}
