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
	"html"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
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
	hintHost    = "The base URL's host answers, but not as the API: check its spelling."
	hintBetween = "Something between pgtower and the service may have changed the answer: check proxies and filters."
	hintSignIn  = "Something between pgtower and the service may require a sign-in: open any web page in a browser."

	hintClock     = "Check this computer's clock. If it is right, the service's certificate is out of date."
	hintHostname  = "The certificate is for another host: check the base URL, and whether a proxy intercepts the connection."
	hintAuthority = "The certificate is not signed by a trusted authority: check the base URL, and whether a proxy intercepts " +
		"the connection. If it is your own authority, pass its certificate with --ca-file."
	hintOldTLS = "The service supports only TLS 1.1 or older, which is insecure: check the base URL, and whether a proxy " +
		"intercepts the connection."
	hintPlain = "The port does not speak TLS: check the base URL's scheme and port."

	hintName = "The base URL's host cannot be resolved: check its spelling and your DNS."

	hintProxyAddress = "Set it to an address such as http://proxy.example:3128, or unset it."
	hintProxyLogin   = "The proxy requires a login: set HTTPS_PROXY to http://name:password@proxy.example:3128."
	hintProxyRefused = "The proxy does not connect to the service: ask its administrator, or add the service's host " +
		"to NO_PROXY."
	hintProxyFailed = "The proxy could not reach the service, or is overloaded."
	hintProxyPortal = "The network may require a sign-in first: open any web page in a browser."
	hintProxyGone   = "The proxy cannot be reached: check the address in HTTPS_PROXY, or unset it."
	hintProxyName   = "The name of the proxy cannot be resolved: check the address in HTTPS_PROXY and your DNS."
	hintNoProxy     = "What HTTPS_PROXY names does not answer as a proxy: check its address, port and scheme."
	hintNotLoopback = "Plain http is for this computer only: use https in the base URL, or check what the name resolves to."

	hintRefused = "Nothing listens there: check the base URL's host and port."
)

// transportError returns the error of a failed request: a network error, or that of the context if it is done. connected
// reports whether there was a connection to the service: then the request may have been sent.
func (c *Client) transportError(ctx context.Context, err error, connected bool) *models.Error {
	if errors.Is(ctx.Err(), context.Canceled) || errors.Is(err, context.Canceled) {
		return &models.Error{Kind: models.KindCanceled, Err: context.Canceled} // also if the connection broke at that moment
	}
	e := &models.Error{Kind: models.KindUnreachable, Err: c.sanitized(err)}
	for _, cause := range causes {
		if cause.of(err) {
			e.Kind, e.Hint, e.Block = cause.kind, cause.hint, cause.block
			e.NotConnected = e.Kind == models.KindUnreachable // so are all causes of this kind
			break
		}
	}
	e.NotConnected = e.NotConnected || !connected
	if !connected {
		c.advise(e)
	}
	return e
}

// advise completes the hint of a request without a connection: by the proxy, or by a setting of one that has no effect.
func (c *Client) advise(e *models.Error) {
	switch {
	case c.route.proxied && e.Kind == models.KindMalformed: // it was the proxy that answered
		e.Kind, e.Hint, e.Block = models.KindUnreachable, hintNoProxy, models.UserBlock
	case c.route.proxied && e.Kind == models.KindUnreachable && e.Hint == "":
		e.Hint = hintProxyGone
	}
	if c.route.disobeyed != "" {
		e.Hint = strings.TrimSpace(cmp.Or(e.Hint, e.Kind.Advice()) + " " + c.route.disobeyed)
	}
}

// bodyError returns the error of a response whose body is incomplete.
func (c *Client) bodyError(ctx context.Context, body *body, err error) *models.Error {
	switch {
	case garbled(err):
		return c.decodeError(err)
	case body.stalled.Load() && ctx.Err() == nil:
		return &models.Error{Kind: models.KindStalled, Err: fmt.Errorf("no data for %s", body.patience)}
	}
	e := c.transportError(ctx, err, true)
	e.Hint, e.Block, e.NotConnected = "", models.NoBlock, false
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
	case !models.EndsInVersion(c.base):
		e.Hint = hintBaseURL
	default:
		e.Hint = hintBetween
	}
	return e
}

// pageError returns the error of a response that is a web page: the API has none.
func (c *Client) pageError(status int, from io.Reader) *models.Error {
	page, _ := io.ReadAll(io.LimitReader(from, maxErrorBody)) // a part of it can still be read
	return &models.Error{Kind: models.KindMalformed, Err: errWebPage, Hint: c.pageHint(status, page), Body: models.WebPage}
}

// pageHint returns the hint about a web page. It is about the base URL, unless that looks right.
func (c *Client) pageHint(status int, page []byte) string {
	if !models.EndsInVersion(c.base) {
		return hintWebPage
	}
	hint := fmt.Sprintf("Something between pgtower and the service answered %d", status)
	title := c.safe(titleOf(page))
	if title == "" {
		return hint + " with a web page."
	}
	return hint + fmt.Sprintf(": “%s”.", models.Shorten(title, maxTitle))
}

// maxTitle is the maximum length of the title of a web page in a hint, in bytes.
const maxTitle = 100

var titleTag = regexp.MustCompile(`(?is)<title[^>]*>([^<]*)`)

// titleOf returns the title of a web page, or "".
func titleOf(page []byte) string {
	found := titleTag.FindSubmatch(page)
	if found == nil {
		return ""
	}
	return strings.Join(strings.Fields(html.UnescapeString(string(found[1]))), " ")
}

// garbled reports whether a body is not compressed in the way that its header says.
func garbled(err error) bool {
	var corrupt flate.CorruptInputError
	return errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum) || errors.As(err, &corrupt)
}

func (c *Client) statusError(k call, req *http.Request, resp *http.Response, from io.Reader) *models.Error {
	e := &models.Error{Kind: cmp.Or(kinds[resp.StatusCode], kinds[resp.StatusCode/100])}
	if e.Kind == models.KindRedirect {
		hint, target := c.redirectTarget(req, resp)
		e.Hint, e.Err = hint, c.sanitized(target)
		return e
	}
	// A part of a body can still be read.
	body, _ := io.ReadAll(io.LimitReader(models.NewTextReader(from), maxErrorBody))
	message, id, written := readErrorBody(body)
	e.Status, e.Message, e.RequestID, e.Body = resp.StatusCode, c.safe(message), c.safe(id), written
	switch {
	case e.Kind == models.KindUnauthorized, e.Kind == models.KindRateLimited, models.RefusalOf(e) != models.NoRefusal:
	case written == models.WebPage && e.Kind != models.KindServer: // a gateway sends one when its service is down
		e.Hint = c.pageHint(resp.StatusCode, body)
	case e.Kind == models.KindNotFound && len(k.path) == 1 && k.method == http.MethodGet:
		e.Hint = hintHost // the account's lists exist wherever the API does
		if !models.EndsInVersion(c.base) {
			e.Hint = hintBaseURL
		}
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

// redirectTarget returns the hint about a redirect, and an error that names its target without possible secrets.
func (c *Client) redirectTarget(req *http.Request, resp *http.Response) (hint string, target error) {
	resp.Request = req
	location, err := resp.Location()
	switch {
	case err != nil:
		return "", fmt.Errorf("redirected without a valid target (%d), which pgtower does not follow", resp.StatusCode)
	case location.Host == req.URL.Host && models.EndsInVersion(c.base):
		hint = hintSignIn
	case location.Host == req.URL.Host:
		hint = hintBaseURL
	}
	const text = "redirected to %s (%d), which pgtower does not follow"
	return hint, fmt.Errorf(text, models.Shorten(withoutQuery(location), maxAddress), resp.StatusCode)
}

// maxAddress is the maximum length of the address of a redirect in an error, in bytes. It leaves room for the words after it.
const maxAddress = 300

func withoutQuery(u *url.URL) string { return u.Scheme + "://" + u.Host + u.EscapedPath() }

// readErrorBody returns the message and the request id in an error's body. The body is an object of the live service, an
// object in the field error (the service's own client reads that, too), or a line of text.
func readErrorBody(body []byte) (message, requestID string, written models.ErrorBody) {
	var fields map[string]any
	if json.Unmarshal(body, &fields) != nil {
		line, _, _ := strings.Cut(strings.TrimSpace(string(body)), "\n")
		if strings.HasPrefix(line, "<") {
			return "", "", models.WebPage
		}
		return strings.TrimSpace(line), "", models.UnknownBody
	}
	inner, _ := fields["error"].(map[string]any)
	message = cmp.Or(textOf(fields, "message"), textOf(inner, "message"), textOf(fields, "error"),
		textOf(fields, "code"), textOf(inner, "code"))
	if message != "" {
		written = models.APIBody
	}
	return message, cmp.Or(textOf(fields, "request_id"), textOf(inner, "request_id")), written
}

// textOf returns the text of a field, or "".
func textOf(fields map[string]any, name string) string {
	s, _ := fields[name].(string)
	return strings.TrimSpace(s)
}

// cause is a kind of network error.
type cause struct {
	of    func(error) bool
	kind  models.Kind
	hint  string
	block models.Block
}

// causes classify network errors; the first match counts. Most match by type and value, the others by text.
var causes = []cause{
	{is(context.DeadlineExceeded), models.KindTimeout, "", models.NoBlock},
	{fits(timeoutError.Timeout), models.KindTimeout, "", models.NoBlock},

	{fits(hasExpired), models.KindTLS, hintClock, models.UserBlock},
	{isA[x509.HostnameError], models.KindTLS, hintHostname, models.UserBlock},
	{isA[x509.UnknownAuthorityError], models.KindTLS, hintAuthority, models.UserBlock},
	{isA[tls.RecordHeaderError], models.KindTLS, hintPlain, models.UserBlock},
	{is(http.ErrSchemeMismatch), models.KindTLS, hintPlain, models.UserBlock},
	{containing("tls: protocol version not supported"), models.KindTLS, hintOldTLS, models.UserBlock},
	{containing("tls: server selected unsupported protocol version"), models.KindTLS, hintOldTLS, models.UserBlock},
	{isA[x509.CertificateInvalidError], models.KindTLS, "", models.UserBlock},
	{isA[*tls.CertificateVerificationError], models.KindTLS, "", models.UserBlock},
	{fits(isAlert), models.KindTLS, "", models.NoBlock},

	{containing("headers exceeded"), models.KindTooLarge, "", models.NoBlock},
	{containing("header list larger"), models.KindTooLarge, "", models.NoBlock},
	{containing("malformed HTTP"), models.KindMalformed, "", models.NoBlock},

	{isA[*proxyAddressError], models.KindUnreachable, hintProxyAddress, models.UserBlock},
	{is(errNotLoopback), models.KindUnreachable, hintNotLoopback, models.UserBlock},
	{fits((*proxyError).wantsLogin), models.KindUnreachable, hintProxyLogin, models.UserBlock},
	{fits((*proxyError).failed), models.KindUnreachable, hintProxyFailed, models.NoBlock},
	{fits((*proxyError).portal), models.KindUnreachable, hintProxyPortal, models.UserBlock},
	{isA[*proxyError], models.KindUnreachable, hintProxyRefused, models.UserBlock},
	{socks("authentication", "username/password"), models.KindUnreachable, hintProxyLogin, models.UserBlock},
	{socks("not allowed", "not supported"), models.KindUnreachable, hintProxyRefused, models.UserBlock},
	{socks("unexpected protocol version"), models.KindUnreachable, hintNoProxy, models.UserBlock},
	{socks(""), models.KindUnreachable, hintProxyFailed, models.NoBlock},
	{isProxyUnknown, models.KindUnreachable, hintProxyName, models.NameBlock},
	{fits(isProxyConnect), models.KindUnreachable, hintProxyGone, models.NoBlock},
	{fits(isNameUnknown), models.KindUnreachable, hintName, models.NameBlock},
	{is(syscall.ECONNREFUSED), models.KindUnreachable, hintRefused, models.NoBlock},
}

func hasExpired(e x509.CertificateInvalidError) bool { return e.Reason == x509.Expired }

// isAlert reports whether crypto/tls received or sent an alert. Some servers send one when they are overloaded.
func isAlert(e *net.OpError) bool { return e.Op == "remote error" || e.Op == "local error" }

func isProxyConnect(e *net.OpError) bool { return e.Op == "proxyconnect" }

func isNameUnknown(e *net.DNSError) bool { return e.IsNotFound }

// isProxyUnknown reports whether the name of the proxy cannot be resolved.
func isProxyUnknown(err error) bool { return fits(isProxyConnect)(err) && fits(isNameUnknown)(err) }

// socks matches errors of a SOCKS proxy that contain one of the words.
func socks(words ...string) func(error) bool {
	return fits(func(e *net.OpError) bool { return isSOCKS(e, words) })
}

func isSOCKS(e *net.OpError, words []string) bool {
	if !strings.HasPrefix(e.Op, "socks") || e.Err == nil {
		return false
	}
	text := e.Err.Error()
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, word) })
}

type timeoutError interface {
	error
	Timeout() bool
}

// is matches one error.
func is(target error) func(error) bool {
	return func(err error) bool { return errors.Is(err, target) }
}

// isA matches all errors of a type.
func isA[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// fits matches the errors of a type for which a condition holds.
func fits[E error](condition func(E) bool) func(error) bool {
	return func(err error) bool {
		e, ok := errors.AsType[E](err)
		return ok && condition(e)
	}
}

// containing matches errors by their text.
func containing(text string) func(error) bool {
	return func(err error) bool { return strings.Contains(err.Error(), text) }
}

// sanitizedError is a cause with a text that is safe to show, even if the server wrote it. It can be matched. It cannot be
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

// safe returns an untrusted text that is cleaned, shortened, and without anything that looks like a key.
func (c *Client) safe(s string) string {
	return models.Shorten(models.Clean(models.MaskKeys(c.Redact(s))), maxText)
}

// masked returns the error of a creation without any word that may be the new key. The form of keys is not specified, and
// the service may repeat a new key anywhere. Ids of requests are hexadecimal or UUIDs.
func masked(e *models.Error) *models.Error {
	e.Message, e.Hint = models.MaskDoubtful(e.Message), models.MaskDoubtful(e.Hint)
	if strings.Trim(strings.ToLower(e.RequestID), "-0123456789abcdef") != "" {
		e.RequestID = models.MaskDoubtful(e.RequestID)
	}
	if e.Err != nil {
		e.Err = &sanitizedError{text: models.MaskDoubtful(e.Err.Error()), err: e.Err}
	}
	return e
}

// Redact replaces every key that the client has used by dots.
func (c *Client) Redact(s string) string { return c.redactor().Text(s) }

// leaksKey reports whether a part of an address contains the key. Addresses are logged in many places.
func (c *Client) leaksKey(s string) bool { return c.Redact(s) != s }
