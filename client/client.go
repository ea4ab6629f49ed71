// Package client speaks the control API over HTTP. Section numbers in the comments are those of its specification.
//
// All calls take one path (see fetch): it authenticates, bounds every wait and every body, refuses redirects, repeats a
// GET where that is safe, and keeps to the budget and to the limit of the service. Every error of a call is a
// [*models.Error]. A Client may be used from several goroutines.
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

// DefaultBaseURL is the public base address of the live service. It includes the version segment (section 9).
const DefaultBaseURL = "https://console.neon.tech/api/v2"

// maxBody is how much of an answer is read, in bytes: several times the longest list that is taken.
const maxBody = 32 << 20

// Options say whom a [Client] talks to, and how.
type Options struct {
	BaseURL   string        // what [ParseBaseURL] takes
	Key       models.Secret // authenticates every request (section 5)
	ReadOnly  bool          // refuses every change before a request is made, with [models.KindReadOnly]
	OrgID     string        // the organisation whose projects are listed; some keys can list none without it
	UserAgent string        // the program and its version, "pgtower" by default
	// Clock tells the time. It is required; requests are dated by it, and dates in Retry-After are compared with it.
	Clock func() time.Time
	// Budget is how many requests start at most within any one second; the others wait in order. Zero means no bound.
	Budget   int
	Timeouts Timeouts       // of each request
	Log      *slog.Logger   // gets a record of each attempt of a request, without its secrets; nil for none
	RootCAs  *x509.CertPool // the certificate authorities that are trusted, nil for the system's
	// Transport replaces the client's own, and with it Timeouts.Connect, Timeouts.Headers and RootCAs.
	Transport http.RoundTripper
}

// Timeouts bound one attempt of a request. Zero fields mean the defaults.
type Timeouts struct {
	Connect time.Duration // for the connection, and again for the TLS handshake: 10 s by default
	Headers time.Duration // from the request sent to the headers of its answer: 20 s by default
	Body    time.Duration // from one part of the answer's body to the next: 15 s by default
	Whole   time.Duration // from the start to the last byte of the answer: 60 s by default
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
	options  Options // with the defaults, but for the key
	base     *url.URL
	keys     atomic.Pointer[keys] // of a zero key in a client that only probes
	maxBody  int64
	budget   budget
	cooldown cooldown
	skew     skew
}

// keys are the key in use, and what knows it and those that were in use before.
type keys struct {
	inUse    models.Secret
	redactor models.Redactor
	good     atomic.Bool // the service took the key in use
}

// New returns a client. The errors are those of [ParseBaseURL] and [models.Secret.Check].
func New(o Options) (*Client, error) {
	base, err := ParseBaseURL(o.BaseURL)
	if err != nil {
		return nil, err
	}
	if o.Clock == nil {
		return nil, errors.New("client: Options.Clock is required")
	}
	key := o.Key
	o.Key = models.Secret{}
	o.UserAgent = cmp.Or(o.UserAgent, "pgtower")
	o.Timeouts = o.Timeouts.orDefaults()
	if o.Transport == nil {
		o.Transport = newTransport(base, o.Timeouts, o.RootCAs)
	}
	// Without a bound, there are more places than requests: they take no memory.
	c := &Client{options: o, base: base, maxBody: maxBody}
	if o.Budget > 0 {
		c.budget = make(budget, o.Budget)
	}
	c.keys.Store(&keys{})
	if err := c.UseKey(key); err != nil {
		return nil, err
	}
	return c, nil
}

// UseKey authenticates the requests from now on with another key. The error is that of [models.Secret.Check].
func (c *Client) UseKey(key models.Secret) error {
	if err := key.Check(); err != nil {
		return fmt.Errorf("the API key cannot be used: %w", err)
	}
	c.keys.Store(&keys{inUse: key, redactor: c.redactor().With(key)})
	return nil
}

// redactor takes every key that was ever in use out of what comes from the service.
func (c *Client) redactor() models.Redactor { return c.keys.Load().redactor }

// Close closes the connections that no request uses. Requests under way are ended by their contexts.
func (c *Client) Close() {
	(&http.Client{Transport: c.options.Transport}).CloseIdleConnections()
}
