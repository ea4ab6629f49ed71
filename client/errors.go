package client

import (
	"cmp"
	"compress/flate"
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"time"

	"pgtower/models"
)

const (
	// maxErrorBody is how much of an error's body is looked at, in bytes.
	maxErrorBody = 64 << 10
	// errorPatience is how long an error's body is waited for: the status has said what
	// matters most.
	errorPatience = 3 * time.Second
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

// transportError is the failure of a request for an error of the network or of the context.
func (c *Client) transportError(ctx context.Context, err error) *models.Error {
	kind, hint := classify(ctx, err)
	return &models.Error{Kind: kind, Hint: hint, Err: c.sanitized(err)}
}

// decodeError is the failure of a request whose answer could not be read.
func (c *Client) decodeError(ctx context.Context, body *cappedBody, err error) *models.Error {
	var limit limitError
	switch {
	case errors.As(err, &limit), errors.As(body.err, &limit):
		return &models.Error{Kind: models.KindTooLarge, Err: limit}
	case body.err != nil && !garbled(body.err):
		// The service did answer, but not to the end.
		e := c.transportError(ctx, body.err)
		switch e.Hint = ""; e.Kind {
		case models.KindTimeout:
			e.Kind = models.KindStalled
		case models.KindUnreachable, models.KindTLS:
			e.Kind = models.KindCutOff
		default:
		}
		return e
	case body.err != nil:
		err = body.err
	}
	e := &models.Error{Kind: models.KindMalformed, Err: c.sanitized(err)}
	if errors.Is(err, errWebPage) {
		e.Hint = hintWebPage
	}
	return e
}

// garbled reports whether a body did arrive, but is not compressed as its header says.
func garbled(err error) bool {
	var corrupt flate.CorruptInputError
	return errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum) || errors.As(err, &corrupt)
}

// statusError is the failure of a request that was answered with a status other than 2xx.
func (c *Client) statusError(k call, req *http.Request, resp *http.Response, from io.Reader) *models.Error {
	e := &models.Error{Kind: cmp.Or(kinds[resp.StatusCode], kinds[resp.StatusCode/100])}
	if e.Kind == models.KindRedirect {
		hint, target := redirectTarget(req, resp)
		e.Hint, e.Err = hint, c.sanitized(target)
		return e
	}
	// A body that breaks off still says what it said.
	body, _ := io.ReadAll(io.LimitReader(from, maxErrorBody))
	message, id := readErrorBody(body)
	e.Message, e.RequestID = c.safe(message), c.safe(id)
	switch {
	case e.Kind == models.KindNotFound && len(k.path) == 1 && k.method == http.MethodGet:
		e.Hint = hintBaseURL // the lists of the account are there as long as the API is
	case e.Kind == models.KindInvalid && strings.Contains(message, "org_id"):
		e.Hint = hintOrg
	}
	return e
}

// kinds are the kinds of error of a status, or of all that begin with a digit.
var kinds = map[int]models.Kind{
	http.StatusUnauthorized:    models.KindUnauthorized,
	http.StatusForbidden:       models.KindForbidden,
	http.StatusNotFound:        models.KindNotFound,
	http.StatusLocked:          models.KindLocked,
	http.StatusTooManyRequests: models.KindRateLimited,

	3: models.KindRedirect,
	4: models.KindInvalid,
	5: models.KindServer,
}

// redirectTarget names where a redirect points, without what may be secret in it, and what to
// do about it.
func redirectTarget(req *http.Request, resp *http.Response) (hint string, target error) {
	location := resp.Header.Get("Location")
	if location == "" {
		return "", errors.New("it points nowhere")
	}
	to, err := req.URL.Parse(location)
	if err != nil {
		return "", errors.New("it points to something that is not an address")
	}
	where := "host"
	if to.Host == req.URL.Host {
		where, hint = "address on the same host", hintBaseURL
	}
	return hint, fmt.Errorf("it points to another %s: %s://%s%s", where, to.Scheme, to.Host, to.EscapedPath())
}

// readErrorBody takes the service's text and request id out of an error's body. Its
// shape is not specified: it is read as the live service's object where it is one,
// else as a line of text.
func readErrorBody(body []byte) (message, requestID string) {
	var fields map[string]any
	if json.Unmarshal(body, &fields) != nil {
		line, _, _ := strings.Cut(strings.TrimSpace(string(body)), "\n")
		if strings.HasPrefix(line, "<") {
			return "", "" // the first line of a web page says nothing
		}
		return strings.TrimSpace(line), ""
	}
	text := func(name string) string {
		s, _ := fields[name].(string)
		return strings.TrimSpace(s)
	}
	return cmp.Or(text("message"), text("error"), text("code")), text("request_id")
}

// classify tells apart what a user would do different things about. The caller's context
// comes first: when it is over, whatever else broke did so because of that.
func classify(ctx context.Context, err error) (kind models.Kind, hint string) {
	var timeout interface{ Timeout() bool }
	if errors.Is(ctx.Err(), context.Canceled) || errors.Is(err, context.Canceled) {
		return models.KindCanceled, ""
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout() {
		return models.KindTimeout, ""
	}
	if hint, ok := tlsHint(err); ok {
		return models.KindTLS, hint
	}
	// Package net/http has only texts for what is no HTTP, or too much of it.
	switch text := err.Error(); {
	case strings.Contains(text, "headers exceeded"), strings.Contains(text, "header list larger"):
		return models.KindTooLarge, ""
	case strings.Contains(text, "malformed HTTP"):
		return models.KindMalformed, ""
	}
	return models.KindUnreachable, networkHint(err)
}

// tlsHint is what a user can do about an error of TLS, and whether the error is one.
func tlsHint(err error) (hint string, ok bool) {
	invalid, isInvalid := errors.AsType[x509.CertificateInvalidError](err)
	op, isOp := errors.AsType[*net.OpError](err)
	switch {
	case isInvalid && invalid.Reason == x509.Expired:
		return hintClock, true
	case is[x509.HostnameError](err):
		return hintHostname, true
	case is[x509.UnknownAuthorityError](err):
		return hintAuthority, true
	case is[tls.RecordHeaderError](err), errors.Is(err, http.ErrSchemeMismatch):
		return hintPlain, true
	// The two sides have no version in common: crypto/tls has no type for either of its errors.
	case strings.Contains(err.Error(), "tls: protocol version not supported"),
		strings.Contains(err.Error(), "tls: server selected unsupported protocol version"):
		return hintOldTLS, true
	case isInvalid, is[*tls.CertificateVerificationError](err):
		return "", true
	}
	// What crypto/tls calls an alert, received and sent; its type is its own.
	return "", isOp && (op.Op == "remote error" || op.Op == "local error")
}

// networkHint is what a user can do about a connection that could not be made, or nothing.
func networkHint(err error) string {
	tunnel, isTunnel := errors.AsType[*proxyError](err)
	op, isOp := errors.AsType[*net.OpError](err)
	dns, isDNS := errors.AsType[*net.DNSError](err)
	switch {
	case errors.Is(err, errProxyAddress):
		return hintProxyAddress
	case isTunnel && tunnel.status == http.StatusProxyAuthRequired:
		return hintProxyLogin
	case isTunnel:
		return hintProxyRefused
	case isOp && op.Op == "proxyconnect":
		return hintProxyGone
	case isDNS && dns.IsNotFound:
		return hintName
	case errors.Is(err, syscall.ECONNREFUSED):
		return hintRefused
	}
	return ""
}

// is reports whether an error of type E is in err's chain.
func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// sanitizedError is a cause whose text is safe to show. Texts of the network contain
// what the other side sent: a certificate's names, a status line. The cause can be
// matched, but not unwrapped, so that no one prints it by the way.
type sanitizedError struct {
	text string
	err  error
}

func (e *sanitizedError) Error() string        { return e.text }
func (e *sanitizedError) Is(target error) bool { return errors.Is(e.err, target) }
func (e *sanitizedError) As(target any) bool   { return errors.As(e.err, target) }

func (c *Client) sanitized(err error) error {
	return &sanitizedError{text: c.safe(err.Error()), err: err}
}

// maxText is how much of a text from outside is kept in an error, in bytes.
const maxText = 500

// safe is a text from outside, cleaned, without the key (a server may quote the
// header that it refuses), and of a length that fits a screen.
func (c *Client) safe(s string) string {
	return models.Shorten(models.Clean(c.Redact(s)), maxText)
}

// Redact puts dots in the place of every key that the client was given so far.
func (c *Client) Redact(s string) string { return c.redactor().Text(s) }

// leaksKey reports whether a text would take the key along into an address, and with it into
// the logs of every server and proxy on the way. Ids and cursors come from the service.
func (c *Client) leaksKey(s string) bool { return c.Redact(s) != s }
