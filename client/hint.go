package client

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"strings"
	"syscall"

	"pgtower/models"
)

const (
	hintBaseURL = "Check the base URL: the API's ends in /api/v2, such as " + DefaultBaseURL + "."
	hintWebPage = "A web page answered, not the API. " + hintBaseURL

	hintClock     = "Check this computer's clock. If it is right, the service's certificate is out of date."
	hintHostname  = "The certificate is for another host: check the base URL, and whether a proxy answers in its place."
	hintAuthority = "Nobody whom this computer trusts has signed the certificate: check the base URL, and whether a proxy " +
		"answers in its place. If its authority is your own, name its certificate with --ca-file."
	hintOldTLS = "The service has TLS 1.1 or older only, which is not safe: check the base URL, and whether a proxy answers " +
		"in its place."
	hintPlain = "The port does not speak TLS: check the base URL's scheme and port."

	hintOrg = "The key can list the projects of an organisation only: give its id with --org-id, or as org_id of the profile."

	hintName         = "The base URL's host has no address: check its spelling, and the network's DNS."
	hintProxyAddress = "Set HTTPS_PROXY to an address such as http://proxy.example:3128, or unset it."
	hintProxyLogin   = "The proxy wants a name and a password: put them into HTTPS_PROXY, as in " +
		"http://name:password@proxy.example:3128."
	hintProxyRefused = "The proxy does not connect to the service: ask its administrator, or put the service's host " +
		"into NO_PROXY."
	hintProxyGone = "The proxy cannot be reached: check the address in HTTPS_PROXY, or unset it."

	hintRefused = "Nothing listens there: check the base URL's host and port."
)

// errWebPage is an answer that was made for a browser.
var errWebPage = errors.New("it is a web page and not JSON")

// hint is what a person can do about the failure of a call, where that is more than
// the advice of the failure's kind, or nothing.
func hint(k call, failure *models.Error) string {
	switch failure.Kind {
	case models.KindMalformed:
		if errors.Is(failure.Err, errWebPage) {
			return hintWebPage
		}
	case models.KindNotFound:
		// The lists of the account are there as long as the API is.
		if len(k.path) == 1 && k.method == http.MethodGet {
			return hintBaseURL
		}
	case models.KindInvalid:
		if strings.Contains(failure.Message, "org_id") {
			return hintOrg
		}
	case models.KindRedirect:
		if errors.Is(failure.Err, errSameHost) {
			return hintBaseURL
		}
	case models.KindTLS:
		return hintOfTLS(failure.Err)
	case models.KindUnreachable:
		return hintOfNetwork(failure.Err)
	default:
	}
	return ""
}

func hintOfTLS(err error) string {
	var (
		invalid   x509.CertificateInvalidError
		hostname  x509.HostnameError
		authority x509.UnknownAuthorityError
		header    tls.RecordHeaderError
	)
	switch {
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return hintClock
	case errors.As(err, &hostname):
		return hintHostname
	case errors.As(err, &authority):
		return hintAuthority
	case errors.As(err, &header), errors.Is(err, http.ErrSchemeMismatch):
		return hintPlain
	case isOldTLS(err):
		return hintOldTLS
	}
	return ""
}

func hintOfNetwork(err error) string {
	var (
		dns    *net.DNSError
		op     *net.OpError
		tunnel *proxyError
	)
	switch {
	case errors.Is(err, errProxyAddress):
		return hintProxyAddress
	case errors.As(err, &tunnel) && tunnel.status == http.StatusProxyAuthRequired:
		return hintProxyLogin
	case errors.As(err, &tunnel):
		return hintProxyRefused
	case errors.As(err, &op) && op.Op == "proxyconnect":
		return hintProxyGone
	case errors.As(err, &dns) && dns.IsNotFound:
		return hintName
	case errors.Is(err, syscall.ECONNREFUSED):
		return hintRefused
	}
	return ""
}
