// Package client calls the control API over HTTP. Section numbers in the comments are those of its specification.
//
// All calls use one path (see do): it authenticates, bounds every wait and every body, and refuses redirects. It sends a
// request immediately, and only once. Package pgtower/models/poll decides when a request is due, and when it is repeated.
// Every error of a call is a [*models.Error]. A Client is safe for concurrent use.
package client

import (
	"cmp"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"pgtower/models"
)

// maxBody is the size limit of a response, in bytes, and maxCommas the limit of values in it: several times the longest
// list. Decoding takes about a hundred bytes for each value, whatever its size.
const maxBody, maxCommas = 8 << 20, 400_000

// Options configure a [Client].
type Options struct {
	BaseURL   string        // see [models.ParseBaseURL]
	Key       models.Secret // authenticates every request (section 5)
	ReadOnly  bool          // refuses every change without a request, with [models.KindReadOnly]
	UserAgent string        // the program and its version, "pgtower" by default
	// Clock is required. Requests are dated by it, and dates in Retry-After are compared with it.
	Clock func() time.Time
	// Steady is a clock that never goes back, as its times have a monotonic reading. It bounds the service's time. The
	// default is Clock.
	Steady   func() time.Time
	Timeouts Timeouts       // of each request
	Log      *slog.Logger   // logs each request, without secrets; may be nil
	RootCAs  *x509.CertPool // the trusted certificate authorities, nil for the system's
	// Transport replaces the client's own, and with it Timeouts.Connect, Timeouts.Headers and RootCAs.
	Transport http.RoundTripper
}

// Timeouts limit a request. Zero fields mean the defaults.
type Timeouts struct {
	Connect time.Duration // to connect, and again for the TLS handshake: 10 s by default
	Headers time.Duration // from the request to the response's headers: 20 s by default
	Body    time.Duration // between two parts of the response's body: 15 s by default
	Whole   time.Duration // for the whole attempt: 60 s by default
}

func (t Timeouts) orDefaults() Timeouts {
	return Timeouts{
		Connect: cmp.Or(t.Connect, 10*time.Second),
		Headers: cmp.Or(t.Headers, 20*time.Second),
		Body:    cmp.Or(t.Body, 15*time.Second),
		Whole:   cmp.Or(t.Whole, time.Minute),
	}
}

// Client is a session with one account of the service.
type Client struct {
	options Options // with the defaults, but without the key
	base    *url.URL
	keys    atomic.Pointer[keys] // with a zero key in a client that only probes
	maxBody int64
	skew    skew // of Clock
	bounds  skew // of Steady
	block   block
	route   route
	changes http.RoundTripper // sends changes on new connections; nil: the same transport as for reads

	longBodies chan struct{} // has a value for each long body that is being read
}

// keys are the current key and a redactor of all keys so far.
type keys struct {
	inUse    models.Secret
	redactor models.Redactor
}

// New returns a client. The errors are those of [models.ParseBaseURL] and [models.Secret.Check].
func New(o Options) (*Client, error) {
	base, err := models.ParseBaseURL(o.BaseURL)
	if err != nil {
		return nil, err
	}
	if o.Clock == nil {
		return nil, errors.New("client: Options.Clock is required")
	}
	if o.Steady == nil {
		o.Steady = o.Clock
	}
	key := o.Key
	o.Key = models.Secret{}
	o.UserAgent = cmp.Or(o.UserAgent, "pgtower")
	o.Timeouts = o.Timeouts.orDefaults()
	c := &Client{base: base, maxBody: maxBody, longBodies: make(chan struct{}, longBodies)}
	if o.Transport == nil {
		o.Transport, c.route = newTransport(base, o.Timeouts, o.RootCAs), routeOf(base)
		fresh := newTransport(base, o.Timeouts, o.RootCAs)
		fresh.DisableKeepAlives = true
		c.changes = fresh
	}
	c.options = o
	c.keys.Store(&keys{})
	if err := c.UseKey(key); err != nil {
		return nil, err
	}
	return c, nil
}

// UseKey replaces the key of all later requests. The error is that of [models.Secret.Check].
func (c *Client) UseKey(key models.Secret) error {
	if err := key.Check(); err != nil {
		return fmt.Errorf("the API key cannot be used: %w", err)
	}
	c.keys.Store(&keys{inUse: key, redactor: c.redactor().With(key)})
	return nil
}

// redactor returns a redactor of all keys so far.
func (c *Client) redactor() models.Redactor { return c.keys.Load().redactor }

// Close closes idle connections. Requests in flight are ended by their contexts.
func (c *Client) Close() {
	(&http.Client{Transport: c.options.Transport}).CloseIdleConnections()
}
