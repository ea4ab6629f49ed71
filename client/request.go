package client

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"time"

	"pgtower/models"
)

type call struct {
	doing  string // such as "list projects"
	method string
	path   []string // segments below the base path, unescaped
	query  url.Values
	body   []byte // JSON, or nil for none
}

type attempt struct {
	call

	number     int // from 1
	key        models.Secret
	began      time.Time
	uri        string // path and query
	status     int    // 0 without an answer
	requestID  string // as the service named it, or empty
	retryAfter time.Duration
	bytes      int64 // of the body, decompressed, as far as it was read
}

// fetch is the one way to the service. decode, which is called again when a request is repeated, returns the answer.
func fetch[T any](ctx context.Context, c *Client, k call, decode func(*reader) (T, error)) (T, error) {
	patience := maxPatience
	doubted := false // a good key was refused, once
	for tries := 0; ; tries++ {
		keys := c.keys.Load()
		v, failure := once(ctx, c, &attempt{call: k, number: tries + 1, key: keys.inUse}, &patience, decode)
		if failure == nil {
			keys.good.Store(true)
			return v, nil
		}
		// A request that was refused was not carried out, whatever its method.
		if failure.Kind == models.KindUnauthorized {
			if c.keys.Load() != keys { // another one took its place meanwhile
				continue
			}
			if keys.good.Load() && !doubted {
				if doubted = true; sleep(ctx, refusalDoubt) == nil {
					continue
				}
			}
		}
		wait, again := retryIn(k.method, tries, failure)
		if !again || wait > patience || ctx.Err() != nil {
			return v, failure
		}
		patience -= wait
		// Where ctx ends the wait, the next attempt says so.
		_ = sleep(ctx, wait)
	}
}

// once makes one attempt, and logs it if it was sent.
func once[T any](
	ctx context.Context, c *Client, a *attempt, patience *time.Duration, decode func(*reader) (T, error),
) (v T, _ *models.Error) {
	if c.options.ReadOnly && a.method != http.MethodGet {
		return v, a.failure(&models.Error{Kind: models.KindReadOnly})
	}
	// Waiting for its turn is not the service's time.
	probe, failure := c.acquire(ctx, patience)
	if failure != nil {
		return v, a.failure(failure)
	}
	a.began = c.options.Clock()
	v, failure = exchange(ctx, c, a, decode)
	if failure != nil {
		failure = a.failure(failure)
	}
	c.cooldown.settle(c.options.Clock(), probe, a.status, a.retryAfter)
	c.logAttempt(ctx, a, failure)
	return v, failure
}

// exchange sends a request and reads its answer. The attempt then says what it came to, the failure what only it knows.
func exchange[T any](
	ctx context.Context, c *Client, a *attempt, decode func(*reader) (T, error),
) (v T, _ *models.Error) {
	within, cancel := context.WithTimeout(ctx, c.options.Timeouts.Whole)
	defer cancel()
	req, err := c.request(within, a.call, a.key)
	if err != nil {
		return v, &models.Error{Kind: models.KindInvalid, Err: err}
	}
	a.uri = req.URL.RequestURI()

	// Not an http.Client: that follows redirects, and takes Authorization along to other ports and to http.
	resp, err := c.options.Transport.RoundTrip(req)
	if err != nil {
		return v, c.transportError(ctx, err)
	}
	defer resp.Body.Close() //nolint:errcheck // nothing is lost: what matters of the body was read
	received := c.options.Clock()
	c.skew.learn(resp.Header, a.began, received)
	a.status, a.requestID = resp.StatusCode, c.safe(resp.Header.Get("X-Request-Id"))
	body := newReader(resp.Body, c.maxBody, c.options.Timeouts.Body, c.redactor(), cancel)
	defer func() { body.idle.Stop(); a.bytes = body.read }()
	if resp.StatusCode/100 != 2 {
		a.retryAfter = retryAfter(resp.Header, received)
		// What is left of an error's body is not worth waiting for.
		defer time.AfterFunc(errorPatience, cancel).Stop()
		return v, c.statusError(a.call, req, resp, body)
	}
	decoded, err := decodeBody(resp.Header, body, decode)
	if err != nil {
		return v, c.decodeError(ctx, body, err)
	}
	return decoded, nil
}

func (a *attempt) failure(e *models.Error) *models.Error {
	e.Doing, e.Method, e.Path, e.Status = a.doing, a.method, a.uri, a.status
	e.RequestID = cmp.Or(e.RequestID, a.requestID)
	e.RetryAfter = cmp.Or(e.RetryAfter, a.retryAfter)
	return e
}

// logAttempt logs an attempt, without headers and bodies: the answer to a creation has a key in it.
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
	r.Add("method", a.method, "path", c.safe(a.uri), "attempt", a.number, "status", a.status, "kind", kind,
		"request_id", a.requestID, "duration", now.Sub(a.began), "bytes", a.bytes)
	if failure != nil {
		r.Add("error", c.safe(failure.Error()))
	}
	if a.retryAfter > 0 {
		r.Add("retry_after", a.retryAfter)
	}
	// A log that cannot be written is no reason for a request to fail.
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
	if !key.IsZero() { // as it is in a probe only
		req.Header.Set("Authorization", "Bearer "+key.Reveal())
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", c.options.UserAgent)
	return req, nil
}

// url puts segments below the base path, each escaped as a whole: an id must not choose another endpoint.
func (c *Client) url(segments []string, query url.Values) (*url.URL, error) {
	if slices.ContainsFunc(segments, c.leaksKey) || c.leaksKey(query.Get("cursor")) {
		return nil, errors.New("an id or a cursor repeats the API key, which must not be in an address")
	}
	var escaped []string
	for _, s := range segments {
		// Escaping cannot help these: dots stay as they are, and an escaped dot means a dot to many servers.
		if s == "" || s == "." || s == ".." || models.NoID(s) {
			return nil, fmt.Errorf("the id %q cannot be part of an address", s)
		}
		escaped = append(escaped, url.PathEscape(s))
	}
	u := c.base.JoinPath(escaped...)
	u.RawQuery = query.Encode()
	return u, nil
}

const (
	maxRetries   = 2
	firstBackoff = 400 * time.Millisecond // the longest wait before the first repetition; it doubles
	maxPatience  = 2 * time.Second        // for all waits of a call: beyond it, the caller learns of the trouble
	// refusalDoubt is the wait before a request is repeated whose key was refused, but taken before: one instance of
	// the service that does not know the key must not end a session.
	refusalDoubt = time.Second
)

// retryIn returns whether a failed attempt is worth another one, and after how long. Only a GET is repeated: a change
// may have been carried out. A timeout took long enough.
func retryIn(method string, attempt int, failure *models.Error) (time.Duration, bool) {
	if method != http.MethodGet || attempt >= maxRetries || !transient(failure) {
		return 0, false
	}
	backoff := firstBackoff << attempt
	// Clients that failed together would otherwise come back together.
	wait := backoff/2 + rand.N(backoff/2) //nolint:gosec // spreads load, guards nothing
	return max(wait, failure.RetryAfter), true
}

func transient(failure *models.Error) bool {
	switch failure.Kind {
	case models.KindUnreachable, models.KindCutOff, models.KindRateLimited, models.KindLocked:
		return true
	default:
	}
	switch failure.Status {
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return failure.Kind == models.KindServer // and not an answer that stalled
	}
	return false
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
