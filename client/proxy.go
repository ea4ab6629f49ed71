package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
)

// errProxyAddress does not repeat the address, which may have a password in it.
var errProxyAddress = errors.New("HTTPS_PROXY is not the address of a proxy")

// proxyError is a proxy that refused to make a tunnel.
type proxyError struct{ status int }

func (e *proxyError) Error() string { return fmt.Sprintf("the proxy refused (status %d)", e.status) }

// environmentProxy is [http.ProxyFromEnvironment], which takes an address that it cannot read for no proxy: the request
// would go out by a way that was not meant.
func environmentProxy(r *http.Request) (*url.URL, error) {
	if address := cmp.Or(os.Getenv("HTTPS_PROXY"), os.Getenv("https_proxy")); address != "" && !isProxy(address) {
		return nil, errProxyAddress
	}
	return http.ProxyFromEnvironment(r)
}

// isProxy reports whether an address is that of a proxy. One without a scheme is that of an http proxy.
func isProxy(address string) bool {
	if !strings.Contains(address, "://") {
		address = "http://" + address
	}
	u, err := url.Parse(address)
	return err == nil && u.Hostname() != "" && slices.Contains([]string{"http", "https", "socks5", "socks5h"}, u.Scheme)
}

// tunnelMade returns a [*proxyError] where the proxy answers CONNECT with anything but 200.
func tunnelMade(_ context.Context, _ *url.URL, _ *http.Request, answer *http.Response) error {
	if answer.StatusCode != http.StatusOK {
		return &proxyError{answer.StatusCode}
	}
	return nil
}
