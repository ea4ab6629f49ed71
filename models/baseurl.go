package models

import (
	"cmp"
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// DefaultBaseURL is the public base address of the live service, including the version segment (section 9).
const DefaultBaseURL = "https://console.neon.tech/api/v2"

// ParseBaseURL parses a base address (section 9): https, or http to this machine, because every request carries the
// key. The result's Host is lower case and without the scheme's default port, so that keys can be stored by host.
//
// An error says what is wrong and what to write, and quotes nothing: any part may be a key.
func ParseBaseURL(s string) (*url.URL, error) {
	s = strings.TrimSpace(s)
	u, err := url.Parse(s)
	if err != nil {
		u = &url.URL{}
	}
	port, badPort := strconv.ParseUint(cmp.Or(u.Port(), "443"), 10, 16)
	const inFull = "write it in full, such as " + DefaultBaseURL
	for _, check := range []struct {
		wrong           bool
		reason, instead string
	}{
		{s == "", "it is empty", inFull},
		{!strings.Contains(s, "://"), "it has no scheme", inFull},
		{err != nil, "it is malformed", inFull},
		{u.User != nil, "it contains a user name or a password", "remove them: the API key is set separately"},
		{u.RawQuery != "" || u.ForceQuery, "it has a query", "remove the ? and everything after it"},
		{strings.Contains(s, "#"), "it has a fragment", "remove the # and everything after it"},
		{u.Hostname() == "", "it has no host", inFull},
		// Letters of other scripts can imitate another host.
		{
			strings.ContainsFunc(u.Host, isForeign), "its host is not plain ASCII",
			"write an international name in its xn-- form",
		},
		{badPort != nil || port == 0, "its port is invalid", "write a number from 1 to 65535"},
		{u.Scheme != "https" && u.Scheme != "http", "its scheme is not https", "write https:// before the host"},
		{
			u.Scheme == "http" && !isLoopback(u.Hostname()),
			"plain http would expose the API key to the network", "write https:// before the host",
		},
	} {
		if check.wrong {
			return nil, fmt.Errorf("invalid base URL: %s; %s", check.reason, check.instead)
		}
	}
	ownPort := map[string]string{"https": ":443", "http": ":80"}[u.Scheme]
	u.Host = strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(u.Host), ":"), ownPort)
	u.Path = strings.TrimRight(u.Path, "/")
	u.RawPath = strings.TrimRight(u.RawPath, "/")
	return u, nil
}

// EndsInVersion reports whether a base address ends in /api/v2, as that of every service does (section 9).
func EndsInVersion(base *url.URL) bool { return strings.HasSuffix(base.Path, "/api/v2") }

func isForeign(r rune) bool { return r <= ' ' || r > '~' }

func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}
