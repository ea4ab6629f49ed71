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

// ListenOptions says where and how to listen.
type ListenOptions struct {
	// Addr is host:port. Port 0 is any free one, and no host is 127.0.0.1: what other machines reach has to be written
	// out. Empty is 127.0.0.1:0.
	Addr  string
	Grace time.Duration // for what is being answered when the server is told to stop: 0 for 2 seconds
	Log   *log.Logger   // receives what goes wrong with connections, if not nil
}

// Listener is a server that listens.
type Listener struct {
	addr *net.TCPAddr
	stop context.CancelFunc
	done chan struct{}
	err  error // readable once done is closed
}

// Listen serves h, mostly a [Server], until ctx is done or [Listener.Close] is called. It returns once connections are
// accepted. The error says why the address cannot be listened on.
func Listen(ctx context.Context, h http.Handler, o ListenOptions) (*Listener, error) {
	host, port, err := net.SplitHostPort(cmp.Or(o.Addr, ":0"))
	if err != nil {
		return nil, fmt.Errorf("%q is not host:port", o.Addr)
	}
	host = cmp.Or(host, "127.0.0.1")
	network := "tcp"
	if ip, err := netip.ParseAddr(host); err == nil && ip.Is4() {
		network = "tcp4" // else the system listens on all IPv6 addresses, too, for 0.0.0.0
	}
	ln, err := new(net.ListenConfig).Listen(ctx, network, net.JoinHostPort(host, port))
	if err != nil {
		return nil, err
	}
	srv := &http.Server{
		// No client holds it up for long. A fault's latency is a part of the time to write.
		Handler: h, MaxHeaderBytes: 64 << 10, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 15 * time.Second,
		WriteTimeout: 10 * time.Minute, IdleTimeout: 2 * time.Minute,
		// By default net/http writes to stderr, across whatever is on the screen.
		ErrorLog: cmp.Or(o.Log, log.New(io.Discard, "", 0)),
		// OPTIONS * is no more a part of this API than any other path.
		DisableGeneralOptionsHandler: true,
	}
	ctx, stop := context.WithCancel(ctx)
	l := &Listener{addr: ln.Addr().(*net.TCPAddr), stop: stop, done: make(chan struct{})}
	go l.run(ctx, ln, cmp.Or(o.Grace, 2*time.Second), srv)
	return l, nil
}

// run serves until ctx is done, lets requests under way finish within grace, and ends the rest.
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
			_ = srv.Close() // they had their moment
		}
	}
}

// BaseURL returns the base URL of the API, [BasePath] included (section 4), for a client on this machine: a server that
// listens everywhere is, among others, on the loopback.
func (l *Listener) BaseURL() string {
	addr := l.Addr()
	if l.addr.IP.IsUnspecified() {
		addr = net.JoinHostPort("127.0.0.1", strconv.Itoa(l.addr.Port))
	}
	return "http://" + addr + BasePath
}

// Addr returns the address that is listened on, with the port that was taken.
func (l *Listener) Addr() string { return l.addr.String() }

// Public reports whether other machines reach the server. The name in an address may resolve to anything: what counts
// is what was bound.
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
