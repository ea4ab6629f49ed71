package client

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"slices"
	"sync/atomic"
	"time"

	"pgtower/models"
)

type call struct {
	doing  string // such as "list projects"
	method string
	path   []string // segments below the base path, unescaped
	query  url.Values
	body   []byte // JSON, or nil for none

	// asOf receives the time of the facts in the response; may be nil.
	asOf *models.Moment
}

type attempt struct {
	call

	key        models.Secret
	began      time.Time
	steady     time.Time // the same by [Options].Steady
	uri        string    // path and query
	status     int       // 0 without a response
	requestID  string    // the service's, or empty
	retryAfter time.Duration
	bytes      int64 // read of the body, decompressed
}

// fetch makes a call and returns its decoded response, zero after an error. wanted goes to decode: the record that
// was asked for, or the name of the response in errors.
func fetch[T, W any](
	ctx context.Context, c *Client, k call, wanted W, decode func(doc []byte, wanted W) (T, error),
) (T, error) {
	var v T
	failure := c.do(ctx, k, func(doc []byte) (err error) {
		v, err = decode(doc, wanted)
		return err
	})
	if failure != nil {
		return *new(T), failure
	}
	return v, nil
}

// do makes every call, and only once: package poll repeats what failed.
func (c *Client) do(ctx context.Context, k call, decode func(doc []byte) error) *models.Error {
	keys := c.keys.Load()
	failure := c.once(ctx, &attempt{call: k, key: keys.inUse}, decode)
	refused := failure != nil && failure.Kind == models.KindUnauthorized
	if refused && k.method == http.MethodGet && c.keys.Load() != keys {
		failure.Kind, failure.Err = models.KindCanceled, errReplaced // it says nothing about the key in use
	}
	return failure
}

var errReplaced = errors.New("the key was replaced meanwhile")

// once makes an attempt, and logs it unless it is refused before anything is sent.
func (c *Client) once(ctx context.Context, a *attempt, decode func(doc []byte) error) *models.Error {
	if c.options.ReadOnly && a.method != http.MethodGet {
		return a.failure(&models.Error{Kind: models.KindReadOnly})
	}
	if a.method == http.MethodGet { // a user asked for a change: it is always tried
		if failure := c.block.repeat(c.options.Clock()); failure != nil {
			return a.failure(failure)
		}
	}
	if err := ctx.Err(); err != nil {
		return a.failure(c.transportError(ctx, err, false))
	}
	a.began, a.steady = c.options.Clock(), c.options.Steady()
	failure := c.exchange(ctx, a, decode)
	if failure != nil {
		failure = a.failure(failure)
	}
	c.block.learn(failure, a.status, c.options.Clock())
	c.logAttempt(ctx, a, failure)
	return failure
}

// exchange sends a request and reads the response. It fills in the attempt.
func (c *Client) exchange(ctx context.Context, a *attempt, decode func(doc []byte) error) *models.Error {
	within, cancel := context.WithTimeout(ctx, c.options.Timeouts.Whole)
	defer cancel()
	within, connected := watched(within)
	req, err := c.request(within, a.call, a.key)
	if err != nil {
		return &models.Error{Kind: models.KindInvalid, Err: err}
	}
	a.uri = req.URL.RequestURI()

	// An http.Client would follow redirects, and send Authorization to other ports and over http.
	resp, err := c.transport(a.method).RoundTrip(req)
	if err != nil {
		return c.transportError(ctx, err, connected.Load() || !c.route.own)
	}
	defer resp.Body.Close() //nolint:errcheck // everything needed was read
	received, steady := c.options.Clock(), c.options.Steady()
	c.skew.learn(resp.Header, a.began, received)
	c.bounds.learn(resp.Header, a.steady, steady)
	if a.asOf != nil {
		*a.asOf = c.bounds.moment(resp.Header, a.steady, steady)
	}
	a.status, a.requestID = resp.StatusCode, c.safe(resp.Header.Get("X-Request-Id"))
	body := newBody(resp.Body, c.options.Timeouts.Body, cancel)
	defer func() { body.idle.Stop(); a.bytes = body.read }()
	if resp.StatusCode/100 != 2 {
		a.retryAfter = retryAfter(resp.Header, received)
		// The rest of an error's body is not worth waiting for.
		defer time.AfterFunc(errorPatience, cancel).Stop()
		return c.statusError(a.call, req, resp, body)
	}
	switch err := checkContentType(resp.Header); {
	case errors.Is(err, errWebPage):
		return c.pageError(resp.StatusCode, body)
	case err != nil:
		return c.decodeError(err)
	}
	doc, done, err := c.readDocument(within, models.NewTextReader(body))
	defer done()
	switch {
	case errors.Is(err, models.ErrUTF16):
		return c.decodeError(err)
	case err != nil:
		return c.bodyError(ctx, body, err)
	case int64(len(doc)) > c.maxBody:
		return c.decodeError(errTooLong)
	case bytes.Count(doc, []byte(",")) > maxCommas:
		return c.decodeError(errTooMany)
	}
	if err := decode(c.redactor().JSON(doc)); err != nil {
		return c.decodeError(err)
	}
	return nil
}

// watched returns a context for a request, and a flag that is set once the request has a connection to the service. Until
// then, nothing of it was sent.
func watched(ctx context.Context) (_ context.Context, connected *atomic.Bool) {
	connected = &atomic.Bool{}
	trace := &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { connected.Store(true) }}
	return httptrace.WithClientTrace(ctx, trace), connected
}

// transport returns the transport of a request. A change uses a new connection: a proxy may have closed an idle one, and a
// change is never repeated.
func (c *Client) transport(method string) http.RoundTripper {
	if method != http.MethodGet && c.changes != nil {
		return c.changes
	}
	return c.options.Transport
}

func (a *attempt) failure(e *models.Error) *models.Error {
	e.Doing, e.Method, e.Path, e.Status = a.doing, a.method, models.MaskKeys(a.uri), a.status
	e.RequestID = cmp.Or(e.RequestID, a.requestID)
	e.RetryAfter = cmp.Or(e.RetryAfter, a.retryAfter)
	if a.method == http.MethodPost {
		e = masked(e)
		a.requestID = e.RequestID
	}
	return e
}

// logAttempt logs an attempt without headers and bodies: the response to a creation contains a key.
func (c *Client) logAttempt(ctx context.Context, a *attempt, failure *models.Error) {
	level, kind := slog.LevelDebug, "ok"
	if failure != nil {
		level, kind = slog.LevelWarn, failure.Kind.String()
	}
	if c.options.Log == nil || !c.options.Log.Enabled(ctx, level) {
		return
	}
	now := c.options.Clock()
	r := slog.NewRecord(now, level, "request", 0)
	r.Add("method", a.method, "path", c.safe(a.uri), "status", a.status, "kind", kind,
		"request_id", a.requestID, "duration", now.Sub(a.began), "bytes", a.bytes)
	if failure != nil {
		r.Add("error", c.safe(failure.Error()))
	}
	if a.retryAfter > 0 {
		r.Add("retry_after", a.retryAfter)
	}
	// A request does not fail if its log cannot be written.
	_ = c.options.Log.Handler().Handle(ctx, r)
}

func (c *Client) request(ctx context.Context, k call, key models.Secret) (*http.Request, error) {
	u, err := c.url(k.path, k.query)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, k.method, u.String(), bytes.NewReader(k.body))
	if err != nil {
		return nil, err
	}
	if k.body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if !key.IsZero() { // zero only in a probe
		req.Header.Set("Authorization", "Bearer "+key.Reveal())
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", c.options.UserAgent)
	if id := models.RequestIDOf(ctx); id != "" {
		req.Header.Set("X-Request-Id", id)
	}
	return req, nil
}

// url joins escaped segments to the base path, so that an id cannot select another endpoint.
func (c *Client) url(segments []string, query url.Values) (*url.URL, error) {
	values := slices.Concat(slices.Collect(maps.Values(query))...)
	if slices.ContainsFunc(append(values, segments...), c.leaksKey) {
		return nil, errors.New("the id or cursor contains the API key, which must not appear in a URL")
	}
	var escaped []string
	for _, s := range segments {
		// Escaping does not help here: dots stay as they are, and many servers treat an escaped dot as a dot.
		if s == "" || s == "." || s == ".." || models.NoID(s) {
			return nil, fmt.Errorf("the id %q cannot be used in a URL", s)
		}
		escaped = append(escaped, url.PathEscape(s))
	}
	u := c.base.JoinPath(escaped...)
	u.RawQuery = query.Encode()
	return u, nil
}
