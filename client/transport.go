package client

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"syscall"
	"time"
)

// newTransport returns a transport of the client's own, so that closing its idle
// connections closes nobody else's. A proxy of the environment carries https only, as a
// tunnel, so that it never sees the key.
func newTransport(base *url.URL, t Timeouts, roots *x509.CertPool) *http.Transport {
	dialer := &net.Dialer{Timeout: t.Connect, KeepAlive: 30 * time.Second}
	proxy := environmentProxy
	if base.Scheme == "http" {
		dialer.Control, proxy = loopbackOnly, nil
	}
	return &http.Transport{
		Proxy:                  proxy,
		OnProxyConnectResponse: tunnelMade,
		DialContext:            dialer.DialContext,
		TLSClientConfig:        &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:    t.Connect,
		ResponseHeaderTimeout:  t.Headers,
		MaxResponseHeaderBytes: 256 << 10,
		IdleConnTimeout:        90 * time.Second,
		MaxIdleConnsPerHost:    8,
		ForceAttemptHTTP2:      true,
		// Without pings, a connection that died while the machine slept would be
		// chosen again by every poll until the kernel gives it up.
		HTTP2: &http.HTTP2Config{SendPingTimeout: 15 * time.Second, PingTimeout: 10 * time.Second},
	}
}

// loopbackOnly keeps plain http on this machine even where the name localhost
// resolves to another one.
func loopbackOnly(_, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil || !to.Addr().Unmap().IsLoopback() {
		return fmt.Errorf("%s is not this machine, and plain http would show the API key on the way", address)
	}
	return nil
}
