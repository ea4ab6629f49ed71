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
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"

	"pgtower/models"
)

const (
	maxErrorBody  = 64 << 10        // read of an error's body, in bytes
	errorPatience = 3 * time.Second // for an error's body: the status matters most
)

const (
	hintBaseURL = "Check the base URL: it should end in /api/v2, such as " + models.DefaultBaseURL + "."
	hintWebPage = "The server returned a web page, not the API. " + hintBaseURL

	hintClock     = "Check this computer's clock. If it is right, the service's certificate is out of date."
	hintHostname  = "The certificate is for another host: check the base URL, and whether a proxy intercepts the connection."
	hintAuthority = "The certificate is not signed by a trusted authority: check the base URL, and whether a proxy intercepts " +
		"the connection. If it is your own authority, pass its certificate with --ca-file."
	hintOldTLS = "The service supports only TLS 1.1 or older, which is insecure: check the base URL, and whether a proxy " +
		"intercepts the connection."
	hintPlain = "The port does not speak TLS: check the base URL's scheme and port."

	hintName         = "The base URL's host cannot be resolved: check its spelling and your DNS."
	hintProxyAddress = "Set HTTPS_PROXY to an address such as http://proxy.example:3128, or unset it."
	hintProxyLogin   = "The proxy requires a login: set HTTPS_PROXY to http://name:password@proxy.example:3128."
	hintProxyRefused = "The proxy does not connect to the service: ask its administrator, or add the service's host " +
		"to NO_PROXY."
	hintProxyGone = "The proxy cannot be reached: check the address in HTTPS_PROXY, or unset it."

	hintRefused = "Nothing listens there: check the base URL's host and port."
)

// transportError returns the error of a failed request: a network error, or that of the context if it is over.
func (c *Client) transportError(ctx context.Context, err error) *models.Error {
	if errors.Is(ctx.Err(), context.Canceled) || errors.Is(err, context.Canceled) {
		return &models.Error{Kind: models.KindCanceled, Err: context.Canceled} // whatever broke at that moment
	}
	e := &models.Error{Kind: models.KindUnreachable, Err: c.sanitized(err)}
	for _, cause := range causes {
		if cause.of(err) {
			e.Kind, e.Hint = cause.kind, cause.hint
			e.NotConnected = e.Kind == models.KindUnreachable // so are all causes of this kind
			break
		}
	}
	return e
}

// bodyError returns the error of a response that did not arrive to its end.
func (c *Client) bodyError(ctx context.Context, body *body, err error) *models.Error {
	switch {
	case garbled(err):
		return c.decodeError(err)
	case body.stalled.Load() && ctx.Err() == nil:
		return &models.Error{Kind: models.KindStalled, Err: fmt.Errorf("no data for %s", body.patience)}
	}
	e := c.transportError(ctx, err)
	e.Hint, e.NotConnected = "", false
	switch e.Kind {
	case models.KindTimeout:
		e.Kind = models.KindStalled
	case models.KindUnreachable, models.KindTLS:
		e.Kind = models.KindCutOff
	default:
	}
	return e
}

func (c *Client) decodeError(err error) *models.Error {
	e := &models.Error{Kind: models.KindMalformed, Err: c.sanitized(err)}
	switch {
	case slices.Contains(errTooLarge, err):
		e.Kind, e.Err = models.KindTooLarge, err
	case errors.Is(err, errWebPage):
		e.Hint = hintWebPage
	}
	return e
}

// garbled reports whether a body arrived that is not compressed as its header says.
func garbled(err error) bool {
	var corrupt flate.CorruptInputError
	return errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum) || errors.As(err, &corrupt)
}

func (c *Client) statusError(k call, req *http.Request, resp *http.Response, from io.Reader) *models.Error {
	e := &models.Error{Kind: cmp.Or(kinds[resp.StatusCode], kinds[resp.StatusCode/100])}
	if e.Kind == models.KindRedirect {
		hint, target := redirectTarget(req, resp)
		e.Hint, e.Err = hint, c.sanitized(target)
		return e
	}
	// A part of a body can still be read.
	body, _ := io.ReadAll(io.LimitReader(from, maxErrorBody))
	message, id, written := readErrorBody(body)
	e.Status, e.Message, e.RequestID, e.Body = resp.StatusCode, c.safe(message), c.safe(id), written
	switch {
	case e.Kind == models.KindUnauthorized, e.Kind == models.KindRateLimited, models.RefusalOf(e) != models.NoRefusal:
	case written == models.WebPage && e.Kind != models.KindServer: // such as that of a gateway whose service is down
		e.Hint = hintWebPage
	case e.Kind == models.KindNotFound && len(k.path) == 1 && k.method == http.MethodGet:
		e.Hint = hintBaseURL // the account's lists exist wherever the API does
	}
	return e
}

// kinds has the kinds of error by status, or by the first digit of a status.
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

// redirectTarget returns where a redirect leads, without possible secrets, and what to do about it.
func redirectTarget(req *http.Request, resp *http.Response) (hint string, target error) {
	resp.Request = req
	to, err := resp.Location()
	switch {
	case err != nil:
		return "", errors.New("its target is invalid")
	case to.Host == req.URL.Host:
		return hintBaseURL, fmt.Errorf("to another address on the same host: %s", withoutQuery(to))
	}
	return "", fmt.Errorf("to another host: %s", withoutQuery(to))
}

func withoutQuery(u *url.URL) string { return u.Scheme + "://" + u.Host + u.EscapedPath() }

// readErrorBody extracts text and request id from an error's body: the live service's object, or a line of text.
func readErrorBody(body []byte) (message, requestID string, written models.ErrorBody) {
	var fields map[string]any
	if json.Unmarshal(body, &fields) != nil {
		line, _, _ := strings.Cut(strings.TrimSpace(string(body)), "\n")
		if strings.HasPrefix(line, "<") {
			return "", "", models.WebPage
		}
		return strings.TrimSpace(line), "", models.UnknownBody
	}
	text := func(name string) string {
		s, _ := fields[name].(string)
		return strings.TrimSpace(s)
	}
	message = cmp.Or(text("message"), text("error"), text("code"))
	if message != "" {
		written = models.APIBody
	}
	return message, text("request_id"), written
}

// causes classify network errors; the first match counts. Most match by type and value, the others by text.
var causes = []struct {
	of   func(error) bool
	kind models.Kind
	hint string
}{
	{is(context.DeadlineExceeded), models.KindTimeout, ""},
	{isA(timeoutError.Timeout), models.KindTimeout, ""},

	{isA(func(e x509.CertificateInvalidError) bool { return e.Reason == x509.Expired }), models.KindTLS, hintClock},
	{isA(func(x509.HostnameError) bool { return true }), models.KindTLS, hintHostname},
	{isA(func(x509.UnknownAuthorityError) bool { return true }), models.KindTLS, hintAuthority},
	{isA(func(tls.RecordHeaderError) bool { return true }), models.KindTLS, hintPlain},
	{is(http.ErrSchemeMismatch), models.KindTLS, hintPlain},
	{containing("tls: protocol version not supported"), models.KindTLS, hintOldTLS},
	{containing("tls: server selected unsupported protocol version"), models.KindTLS, hintOldTLS},
	{isA(func(x509.CertificateInvalidError) bool { return true }), models.KindTLS, ""},
	{isA(func(*tls.CertificateVerificationError) bool { return true }), models.KindTLS, ""},
	// The alerts of crypto/tls, received and sent.
	{isA(func(e *net.OpError) bool { return e.Op == "remote error" || e.Op == "local error" }), models.KindTLS, ""},

	{containing("headers exceeded"), models.KindTooLarge, ""},
	{containing("header list larger"), models.KindTooLarge, ""},
	{containing("malformed HTTP"), models.KindMalformed, ""},

	{is(errProxyAddress), models.KindUnreachable, hintProxyAddress},
	{
		isA(func(e *proxyError) bool { return e.status == http.StatusProxyAuthRequired }),
		models.KindUnreachable, hintProxyLogin,
	},
	{isA(func(*proxyError) bool { return true }), models.KindUnreachable, hintProxyRefused},
	{isA(func(e *net.OpError) bool { return e.Op == "proxyconnect" }), models.KindUnreachable, hintProxyGone},
	{isA(func(e *net.DNSError) bool { return e.IsNotFound }), models.KindUnreachable, hintName},
	{is(syscall.ECONNREFUSED), models.KindUnreachable, hintRefused},
}

type timeoutError interface {
	error
	Timeout() bool
}

func is(target error) func(error) bool {
	return func(err error) bool { return errors.Is(err, target) }
}

func isA[E error](fits func(E) bool) func(error) bool {
	return func(err error) bool {
		e, ok := errors.AsType[E](err)
		return ok && fits(e)
	}
}

func containing(text string) func(error) bool {
	return func(err error) bool { return strings.Contains(err.Error(), text) }
}

// sanitizedError is a cause with a text that is safe to show, even if the server wrote it. It can be matched, but not
// unwrapped, so that the cause is not printed by accident.
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

// maxText is the maximum length of an untrusted text in an error, in bytes.
const maxText = 500

// safe returns an untrusted text cleaned, without what looks like a key, known or not, and shortened.
func (c *Client) safe(s string) string {
	return models.Shorten(models.Clean(models.MaskKeys(c.Redact(s))), maxText)
}

// masked returns the error of a creation without any word that may be the new key: the form of keys is the service's
// business, and it may repeat a new one anywhere. Ids of requests are hexadecimal or UUIDs.
func masked(e *models.Error) *models.Error {
	e.Message = models.MaskDoubtful(e.Message)
	if strings.Trim(strings.ToLower(e.RequestID), "-0123456789abcdef") != "" {
		e.RequestID = models.MaskDoubtful(e.RequestID)
	}
	if e.Err != nil {
		e.Err = &sanitizedError{text: models.MaskDoubtful(e.Err.Error()), err: e.Err}
	}
	return e
}

// Redact replaces every key that the client has had by dots.
func (c *Client) Redact(s string) string { return c.redactor().Text(s) }

// leaksKey reports whether a part of an address contains the key, which would then get into logs of addresses.
func (c *Client) leaksKey(s string) bool { return c.Redact(s) != s }
