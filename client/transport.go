package client

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"
)

// newTransport returns the client's own transport. A proxy is used for https only, so that it never sees the key.
func newTransport(base *url.URL, t Timeouts, roots *x509.CertPool) *http.Transport {
	dialer := &net.Dialer{Timeout: t.Connect, KeepAlive: 30 * time.Second}
	proxy := environmentProxy
	if base.Scheme == "http" {
		dialer.Control, proxy = loopbackOnly, nil
	}
	return &http.Transport{
		Proxy: proxy,
		OnProxyConnectResponse: func(_ context.Context, _ *url.URL, _ *http.Request, answer *http.Response) error {
			if answer.StatusCode != http.StatusOK {
				return &proxyError{answer.StatusCode}
			}
			return nil
		},
		DialContext:            dialer.DialContext,
		TLSClientConfig:        &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:    t.Connect,
		ResponseHeaderTimeout:  t.Headers,
		MaxResponseHeaderBytes: 256 << 10,
		IdleConnTimeout:        90 * time.Second,
		MaxIdleConnsPerHost:    8,
		ForceAttemptHTTP2:      true,
		// Without pings, polls would use a connection that died while the machine slept.
		HTTP2: &http.HTTP2Config{SendPingTimeout: 15 * time.Second, PingTimeout: 10 * time.Second},
	}
}

// loopbackOnly keeps plain http on this machine even if the name localhost resolves to another one.
func loopbackOnly(_, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil || !to.Addr().Unmap().IsLoopback() {
		return fmt.Errorf("%s is not this machine, and plain http would expose the API key", address)
	}
	return nil
}

// errProxyAddress does not repeat the address, which may contain a password.
var errProxyAddress = errors.New("HTTPS_PROXY is not a valid proxy address")

type proxyError struct{ status int }

func (e *proxyError) Error() string { return fmt.Sprintf("the proxy refused (status %d)", e.status) }

// environmentProxy is [http.ProxyFromEnvironment], but fails for malformed addresses, which that ignores.
func environmentProxy(r *http.Request) (*url.URL, error) {
	address := cmp.Or(os.Getenv("HTTPS_PROXY"), os.Getenv("https_proxy"))
	if address != "" && !isProxy(address) {
		return nil, errProxyAddress
	}
	return http.ProxyFromEnvironment(r)
}

// isProxy reports whether an address is that of a proxy. The default scheme is http.
func isProxy(address string) bool {
	if !strings.Contains(address, "://") {
		address = "http://" + address
	}
	u, err := url.Parse(address)
	schemes := []string{"http", "https", "socks5", "socks5h"}
	return err == nil && u.Hostname() != "" && slices.Contains(schemes, u.Scheme)
}
