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
	"strconv"
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
		Proxy:                  proxy,
		OnProxyConnectResponse: checkProxy,
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

// checkProxy returns an error unless the proxy has connected to the service.
func checkProxy(_ context.Context, _ *url.URL, _ *http.Request, answer *http.Response) error {
	if answer.StatusCode != http.StatusOK {
		return &proxyError{answer.StatusCode}
	}
	return nil
}

// loopbackOnly keeps plain http on this machine even if the name localhost resolves to another one.
func loopbackOnly(_, address string, _ syscall.RawConn) error {
	endpoint, err := netip.ParseAddrPort(address)
	if err != nil || !endpoint.Addr().Unmap().IsLoopback() {
		return fmt.Errorf("%s %w", address, errNotLoopback)
	}
	return nil
}

var errNotLoopback = errors.New("is not this machine, and plain http would expose the API key")

// proxyAddressError does not repeat the address, which may contain a password.
type proxyAddressError struct{ variable string }

func (e *proxyAddressError) Error() string { return e.variable + " is not a valid proxy address" }

// proxyError is the answer of a proxy that did not connect to the service.
type proxyError struct{ status int }

func (e *proxyError) Error() string {
	if e.failed() {
		return fmt.Sprintf("the proxy could not connect (status %d)", e.status)
	}
	return fmt.Sprintf("the proxy refused (status %d)", e.status)
}

func (e *proxyError) wantsLogin() bool { return e.status == http.StatusProxyAuthRequired }

// failed reports whether the proxy may succeed the next time. Any other status is the proxy's policy, or not a proxy's.
func (e *proxyError) failed() bool {
	passing := []int{
		http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests, http.StatusInternalServerError,
		http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout,
	}
	return slices.Contains(passing, e.status) || e.status > http.StatusNetworkAuthenticationRequired
}

// portal reports whether the network leads to a page where users sign in.
func (e *proxyError) portal() bool {
	return e.status/100 == 3 || e.status == http.StatusNetworkAuthenticationRequired
}

// environmentProxy is [http.ProxyFromEnvironment], but fails for malformed addresses instead of ignoring them.
func environmentProxy(r *http.Request) (*url.URL, error) {
	variable, address := variableOf("HTTPS_PROXY")
	if address != "" && !isProxy(address) {
		return nil, &proxyAddressError{variable}
	}
	return http.ProxyFromEnvironment(r)
}

// variableOf returns the environment variable with a name, or else with that name in lower case, and its value.
func variableOf(name string) (variable, value string) {
	for _, variable := range []string{name, strings.ToLower(name)} {
		if value := os.Getenv(variable); value != "" {
			return variable, value
		}
	}
	return "", ""
}

// isProxy reports whether an address is that of a proxy. The default scheme is http.
func isProxy(address string) bool {
	if !strings.Contains(address, "://") {
		address = "http://" + address
	}
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	port, err := strconv.ParseUint(cmp.Or(u.Port(), "1"), 10, 16)
	schemes := []string{"http", "https", "socks5", "socks5h"}
	return err == nil && port > 0 && u.Hostname() != "" && slices.Contains(schemes, u.Scheme)
}

// route is how a client's requests reach the service.
type route struct {
	own       bool   // with the client's own transport: only that reports connections
	proxied   bool   // through a proxy
	disobeyed string // which setting of a proxy has no effect and which has, as a sentence; or empty
}

// routeOf returns the route to a base URL with the client's own transport.
func routeOf(base *url.URL) route {
	if base.Scheme != "https" || isLoopback(base.Hostname()) {
		return route{own: true}
	}
	proxy, err := environmentProxy(&http.Request{URL: base})
	if err != nil || proxy != nil {
		return route{own: true, proxied: true, disobeyed: otherSpelling()}
	}
	if _, set := variableOf("HTTPS_PROXY"); set != "" {
		return route{own: true, disobeyed: otherSpelling()} // NO_PROXY has the host
	}
	for _, name := range []string{"ALL_PROXY", "HTTP_PROXY"} {
		if variable, _ := variableOf(name); variable != "" {
			return route{
				own: true, disobeyed: variable + " is set, but has no effect here: set HTTPS_PROXY to use the proxy.",
			}
		}
	}
	return route{own: true}
}

// isLoopback reports whether a host is this machine. Requests to it never use a proxy.
func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.Unmap().IsLoopback()
}

// otherSpelling returns a sentence if https_proxy differs from the HTTPS_PROXY in use, else "". Other programs prefer it.
func otherSpelling() string {
	upper, lower := os.Getenv("HTTPS_PROXY"), os.Getenv("https_proxy")
	if upper == "" || lower == "" || upper == lower {
		return ""
	}
	return "https_proxy has no effect, as HTTPS_PROXY is set, too, to another address."
}
