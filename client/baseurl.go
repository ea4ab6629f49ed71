package client

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// ErrBaseURL is in the chain of every error of [ParseBaseURL].
var ErrBaseURL = errors.New("the base URL cannot be used")

// ParseBaseURL reads a service base address (section 9): https, or http to this
// machine, because the API key travels with every request. Slashes at the end are
// dropped. The result's Host is lower case and without the scheme's own port, so that
// it can name the host that a key belongs to.
//
// An error says what is wrong and what to write instead. It quotes the scheme and the
// host at most: what was typed may contain a password or a key.
func ParseBaseURL(s string) (*url.URL, error) {
	s = strings.TrimSpace(s)
	if s == "" {
		return nil, refuse("it is empty", "write it in full, such as "+DefaultBaseURL)
	}
	if !strings.Contains(s, "://") {
		return nil, refuse("it has no scheme", "write it in full, such as "+DefaultBaseURL)
	}
	u, err := url.Parse(s)
	if err != nil {
		return nil, refuse("it is not an address", "write it in full, such as "+DefaultBaseURL)
	}
	switch {
	case u.User != nil:
		return nil, refuse("it has a user name or a password in it", "leave that out; the API key is given separately")
	case u.RawQuery != "" || u.ForceQuery:
		return nil, refuse("it has a query", "leave out the ? and what follows")
	case strings.Contains(s, "#"):
		return nil, refuse("it has a fragment", "leave out the # and what follows")
	}
	if err := checkHost(u); err != nil {
		return nil, err
	}
	if err := checkScheme(u); err != nil {
		return nil, err
	}
	u.Host = canonicalHost(u)
	u.Path = strings.TrimRight(u.Path, "/")
	u.RawPath = strings.TrimRight(u.RawPath, "/")
	return u, nil
}

func checkHost(u *url.URL) error {
	if u.Hostname() == "" {
		return refuse("it names no host", "write it in full, such as "+DefaultBaseURL)
	}
	for _, r := range u.Host {
		// Letters of other scripts can look like those of another host.
		if r <= ' ' || r > '~' {
			return refuse("its host is not in plain ASCII", "write an international name in its xn-- form")
		}
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return refuse("its port is not one", "write a number from 1 to 65535")
		}
	}
	return nil
}

func checkScheme(u *url.URL) error {
	switch {
	case u.Scheme == "https":
		return nil
	case u.Scheme != "http":
		return refuse("its scheme is "+u.Scheme, "write https://"+u.Host)
	case !isLoopback(u.Hostname()):
		return refuse("plain http would show the API key to the network between", "write https://"+u.Host)
	}
	return nil
}

// isLoopback reports whether the host can only be this machine.
func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

func canonicalHost(u *url.URL) string {
	host := strings.ToLower(u.Host)
	switch port := u.Port(); {
	case port == "":
		return strings.TrimSuffix(host, ":")
	case u.Scheme == "https" && port == "443", u.Scheme == "http" && port == "80":
		return strings.TrimSuffix(host, ":"+port)
	}
	return host
}

func refuse(reason, instead string) error {
	return fmt.Errorf("%w: %s; %s", ErrBaseURL, reason, instead)
}
