package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

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
func fetch[T any](ctx context.Context, c *Client, k call, decode func(*json.Decoder) (T, error)) (T, error) {
	var none T
	for attempt := 0; ; attempt++ {
		key := c.key()
		v, failure := once(ctx, c, k, key, decode)
		switch {
		case failure == nil:
			return v, nil
		case failure.Kind == models.KindUnauthorized && c.key() != key:
			// Another key took its place meanwhile. A request that was refused was not
			// carried out, whatever its method.
			continue
		}
		wait, again := retryIn(k.method, attempt, failure)
		if !again {
			failure.Hint = hint(k, failure)
			return none, failure
		}
		// Where ctx ends the wait, the next attempt says so.
		_ = sleep(ctx, wait)
	}
}

// once makes one attempt.
func once[T any](ctx context.Context, c *Client, k call, key models.Secret, decode func(*json.Decoder) (T, error)) (T, *models.Error) {
	var none T
	failure := &models.Error{Doing: k.doing, Method: k.method}
	if c.readOnly && k.method != http.MethodGet {
		failure.Kind = models.KindReadOnly
		return none, failure
	}
	// Waiting for a turn is not the service's time.
	if err := c.budget.Wait(ctx); err != nil {
		return none, c.failed(ctx, failure, err)
	}
	within, cancel := context.WithTimeout(ctx, c.whole)
	defer cancel()
	req, err := c.request(within, k, key)
	if err != nil {
		failure.Kind, failure.Err = models.KindInvalid, err
		return none, failure
	}
	failure.Path = req.URL.RequestURI()

	// The transport and not an http.Client: a client follows redirects, and takes
	// Authorization along to another port of the same host and from https to http.
	resp, err := c.transport.RoundTrip(req)
	if err != nil {
		return none, c.failed(ctx, failure, err)
	}
	defer resp.Body.Close() //nolint:errcheck // nothing is lost: what matters of the body was read
	failure.Status = resp.StatusCode
	if resp.StatusCode/100 != 2 {
		return none, c.refused(failure, req, resp)
	}
	if err := checkContentType(resp.Header); err != nil {
		return none, c.malformed(failure, err)
	}
	body := &cappedBody{from: resp.Body, left: c.maxBody}
	v, err := decodeOnly(json.NewDecoder(body), decode)
	switch {
	case err == nil:
		return v, nil
	case errors.Is(body.err, errTooLarge):
		failure.Kind, failure.Err = models.KindTooLarge, body.err
		return none, failure
	case body.err != nil:
		return none, c.failed(ctx, failure, body.err)
	}
	return none, c.malformed(failure, err)
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
	u := *c.base
	plain, escaped := strings.Builder{}, strings.Builder{}
	plain.WriteString(c.base.Path)
	escaped.WriteString(c.base.EscapedPath())
	for _, s := range segments {
		// Escaping cannot help these: dots stay as they are, and an escaped dot means
		// a dot to many servers.
		if s == "" || s == "." || s == ".." {
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
