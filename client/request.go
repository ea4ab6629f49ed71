package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"pgtower/models"
)

// call is a request as an endpoint's method describes it.
type call struct {
	doing  string // such as "list projects"
	method string
	path   []string // segments below the base path, unescaped
	query  url.Values
	body   any // marshalled as JSON; nil for none
}

// fetch is the one way to the service. What decode returns is the answer; decode is
// called again when the request is repeated, and reads no further than its value.
func fetch[T any](ctx context.Context, c *Client, k call, decode func(*reader) (T, error)) (T, error) {
	var none T
	patience := maxPatience
	doubted := false // a good key was refused, once
	for tries := 0; ; tries++ {
		keys := c.keys.Load()
		v, failure := once(ctx, c, k, attempt{number: tries + 1, key: keys.inUse}, &patience, decode)
		// A request that was refused was not carried out, whatever its method.
		refused := failure != nil && failure.Kind == models.KindUnauthorized
		switch {
		case failure == nil:
			keys.good.Store(true)
			return v, nil
		case refused && c.key() != keys.inUse: // another one took its place meanwhile
			continue
		case refused && keys.good.Load() && !doubted:
			if doubted = true; sleep(ctx, refusalDoubt) == nil {
				continue
			}
		}
		wait, again := retryIn(k.method, tries, failure)
		if !again || wait > patience || ctx.Err() != nil {
			failure.Hint = hint(k, failure)
			return none, failure
		}
		patience -= wait
		// Where ctx ends the wait, the next attempt says so.
		_ = sleep(ctx, wait)
	}
}

// once makes one attempt.
func once[T any](
	ctx context.Context, c *Client, k call, a attempt, patience *time.Duration, decode func(*reader) (T, error),
) (T, *models.Error) {
	var none T
	about := &models.Error{Doing: k.doing, Method: k.method}
	if c.readOnly && k.method != http.MethodGet {
		about.Kind = models.KindReadOnly
		return none, about
	}
	// Waiting for its turn is not the service's time.
	probe, failure := c.acquire(ctx, about, patience)
	if failure != nil {
		return none, failure
	}
	a.began = c.clock()
	v, failure := exchange(ctx, c, k, &a, about, decode)
	c.cooldown.settle(probe, a.status, about.RetryAfter)
	c.note(ctx, a, about, failure != nil)
	return v, failure
}

// exchange sends a request and takes in its answer. What it learns on the way is noted
// in a and about; about is the failure if there is one.
func exchange[T any](
	ctx context.Context, c *Client, k call, a *attempt, about *models.Error, decode func(*reader) (T, error),
) (T, *models.Error) {
	var none T
	within, cancel := context.WithTimeout(ctx, c.timeouts.Whole)
	defer cancel()
	req, err := c.request(within, k, a.key)
	if err != nil {
		about.Kind, about.Err = models.KindInvalid, err
		return none, about
	}
	about.Path = req.URL.RequestURI()

	// The transport and not an http.Client: a client follows redirects, and takes
	// Authorization along to another port of the same host and from https to http.
	resp, err := c.transport.RoundTrip(req)
	if err != nil {
		return none, c.failed(ctx, about, err)
	}
	defer resp.Body.Close() //nolint:errcheck // nothing is lost: what matters of the body was read
	c.skew.learn(resp.Header, a.began, c.clock())
	a.status, a.id = resp.StatusCode, c.safe(resp.Header.Get("X-Request-Id"))
	body := newBody(resp.Body, c.maxBody, c.timeouts.Body, cancel)
	defer func() { body.idle.Stop(); a.bytes = body.read }()
	if resp.StatusCode/100 != 2 {
		// What is left of an error's body is not worth waiting for.
		defer time.AfterFunc(errorPatience, cancel).Stop()
		about.Status, about.RequestID = a.status, a.id
		return none, c.refused(about, req, resp, body)
	}
	v, err := read(resp.Header, newReader(body, c.redactor()), decode)
	if err == nil {
		return v, nil
	}
	about.Status, about.RequestID = a.status, a.id
	return none, c.unread(ctx, about, body, err)
}

// request builds the HTTP request with the headers of section 4.
func (c *Client) request(ctx context.Context, k call, key models.Secret) (*http.Request, error) {
	u, err := c.url(k.path, k.query)
	if err != nil {
		return nil, err
	}
	body := []byte(nil)
	if k.body != nil {
		if body, err = json.Marshal(k.body); err != nil {
			return nil, err
		}
	}
	req, err := http.NewRequestWithContext(ctx, k.method, u.String(), bytes.NewReader(body))
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
	req.Header.Set("User-Agent", c.userAgent)
	return req, nil
}

// url puts segments below the base path, each escaped as a whole: ids come from a
// server, and one that contains a slash or a question mark must not choose another
// endpoint.
func (c *Client) url(segments []string, query url.Values) (*url.URL, error) {
	if slices.ContainsFunc(segments, c.tells) || c.tells(query.Get("cursor")) {
		return nil, errors.New("an id or a cursor repeats the API key, which must not be in an address")
	}
	u := *c.base
	plain, escaped := strings.Builder{}, strings.Builder{}
	plain.WriteString(c.base.Path)
	escaped.WriteString(c.base.EscapedPath())
	for _, s := range segments {
		// Escaping cannot help these: dots stay as they are, and an escaped dot means
		// a dot to many servers.
		if s == "" || s == "." || s == ".." || models.NoID(s) {
			return nil, fmt.Errorf("the id %q cannot be part of an address", s)
		}
		plain.WriteString("/" + s)
		escaped.WriteString("/" + url.PathEscape(s))
	}
	u.Path, u.RawPath = plain.String(), escaped.String()
	u.RawQuery = query.Encode()
	return &u, nil
}

// pageQuery is the query of a list that is read page by page (section 4.5).
func pageQuery(page models.PageRequest) url.Values {
	query := url.Values{}
	if page.Limit > 0 {
		query.Set("limit", fmt.Sprint(page.Limit))
	}
	if page.Cursor != "" {
		query.Set("cursor", page.Cursor)
	}
	return query
}
