package metrics

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"syscall"
	"time"
)

// ErrRemote is the error of an address that other machines can reach.
var ErrRemote = errors.New("other machines could read the names of projects and organizations there")

// Listener accepts scrapes.
type Listener struct {
	net.Listener

	host string // as it was given
}

// Listen listens on host:port; without a host, on 127.0.0.1. Unless remote allows it, the error of an address that other machines
// can reach is [ErrRemote].
func Listen(ctx context.Context, address string, remote bool) (*Listener, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("%q is not host:port, such as 127.0.0.1:9187", address)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	resolved, err := net.ResolveTCPAddr("tcp", net.JoinHostPort(host, port))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%q is not host:port, such as 127.0.0.1:9187: %w", address, err)
	case !remote && !resolved.IP.IsLoopback():
		return nil, fmt.Errorf("%s: %w", address, ErrRemote)
	}
	network := "tcp"
	if resolved.IP.To4() != nil {
		network = "tcp4" // else 0.0.0.0 includes all IPv6 addresses, too
	}
	listener, err := new(net.ListenConfig).Listen(ctx, network, resolved.String())
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("%s is already in use: choose another port, or port 0 for any that is free", address)
	}
	if err != nil {
		return nil, err
	}
	return &Listener{listener, host}, nil
}

// URL returns the address of the metrics: that of loopback, if the server listens on all addresses.
func (l *Listener) URL() string {
	address := l.bound()
	if address.Addr().IsUnspecified() {
		address = netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), address.Port())
	}
	return "http://" + address.String() + "/metrics"
}

// Remote reports whether other machines can reach the listener.
func (l *Listener) Remote() bool { return !l.bound().Addr().IsLoopback() }

func (l *Listener) bound() netip.AddrPort {
	address := l.Addr().(*net.TCPAddr).AddrPort() //nolint:forcetypeassert // it listens on TCP
	return netip.AddrPortFrom(address.Addr().Unmap(), address.Port())
}

// Serve answers scrapes until ctx ends. Then it finishes those that have begun.
func (l *Listener) Serve(ctx context.Context, metrics http.Handler) error {
	const grace = 2 * time.Second
	server := &http.Server{
		Handler: l.handler(metrics), MaxHeaderBytes: 16 << 10, ErrorLog: log.New(io.Discard, "", 0),
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second,
		WriteTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute,
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	if server.Shutdown(last) != nil {
		_ = server.Close() // some scrapes did not end in time
	}
	return nil
}

// handler returns the pages of the server.
func (l *Listener) handler(metrics http.Handler) http.Handler {
	pages := http.NewServeMux()
	pages.Handle("GET /metrics", metrics)
	pages.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "pgtower: the metrics are at /metrics\n")
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		if !l.Remote() && !l.named(r.Host) {
			http.Error(w, "this server is for the names of this computer only", http.StatusMisdirectedRequest)
			return
		}
		pages.ServeHTTP(w, r)
	})
}

// named reports whether a Host header names this computer. The name of a web page can lead to the loopback address, so that the
// browser lets the page read the metrics. But then the header has the name of the page.
func (l *Listener) named(header string) bool {
	host := header
	if name, _, err := net.SplitHostPort(header); err == nil {
		host = name
	}
	host = strings.Trim(host, "[]")
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback() || strings.EqualFold(host, "localhost") || strings.EqualFold(host, l.host)
}
