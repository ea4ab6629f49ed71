package client

import (
	"compress/flate"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
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

// read decodes an answer's body, which must be JSON.
func read[T any](h http.Header, body *reader, decode func(*reader) (T, error)) (T, error) {
	if err := checkContentType(h); err != nil {
		var none T
		return none, err
	}
	return decodeOnly(body, decode)
}

// unread completes the failure for an answer that could not be read.
func (c *Client) unread(ctx context.Context, failure *models.Error, body *cappedBody, err error) *models.Error {
	var limit limitError
	switch {
	case errors.As(err, &limit), errors.As(body.err, &limit):
		failure.Kind, failure.Err = models.KindTooLarge, limit
		return failure
	case body.err != nil && !garbled(body.err):
		return c.failed(ctx, failure, body.err)
	case body.err != nil:
		err = body.err
	}
	failure.Kind, failure.Err = models.KindMalformed, c.sealed(err)
	return failure
}

// garbled says that a body did arrive, but is not compressed as its header says.
func garbled(err error) bool {
	var corrupt flate.CorruptInputError
	return errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum) || errors.As(err, &corrupt)
}

// checkContentType accepts JSON and, because the body decides then, no type at all.
func checkContentType(h http.Header) error {
	v := h.Get("Content-Type")
	if v == "" {
		return nil
	}
	t, _, err := mime.ParseMediaType(v)
	if err != nil && !errors.Is(err, mime.ErrInvalidMediaParameter) {
		return fmt.Errorf("its content type is %s and not JSON", v)
	}
	if t == "application/json" || strings.HasPrefix(t, "application/") && strings.HasSuffix(t, "+json") {
		return nil
	}
	if t == "text/html" {
		return errWebPage
	}
	// As it came: in lower case, an echo of the key would not be known as one.
	return fmt.Errorf("it is %s and not JSON", v)
}

// refused completes the failure for an answer whose status is not 2xx.
func (c *Client) refused(failure *models.Error, req *http.Request, resp *http.Response, from io.Reader) *models.Error {
	failure.Kind = kindOfStatus(resp.StatusCode)
	failure.RetryAfter = retryAfter(resp.Header, c.clock())
	if failure.Kind == models.KindRedirect {
		failure.Err = c.sealed(redirectTarget(req, resp))
		return failure
	}
	// A body that breaks off still says what it said.
	body, _ := io.ReadAll(io.LimitReader(from, maxErrorBody))
	message, id := readErrorBody(body)
	failure.Message = c.safe(message)
	if id != "" {
		failure.RequestID = c.safe(id)
	}
	return failure
}

func kindOfStatus(status int) models.Kind {
	switch status {
	case http.StatusUnauthorized:
		return models.KindUnauthorized
	case http.StatusForbidden:
		return models.KindForbidden
	case http.StatusNotFound:
		return models.KindNotFound
	case http.StatusLocked:
		return models.KindLocked
	case http.StatusTooManyRequests:
		return models.KindRateLimited
	}
	switch status / 100 {
	case 3:
		return models.KindRedirect
	case 4:
		return models.KindInvalid
	case 5:
		return models.KindServer
	}
	return models.KindUnknown
}

var (
	errSameHost  = errors.New("it points to another address on the same host")
	errOtherHost = errors.New("it points to another host")
)

// redirectTarget names where a redirect points, without what may be secret in it.
func redirectTarget(req *http.Request, resp *http.Response) error {
	location := resp.Header.Get("Location")
	if location == "" {
		return errors.New("it points nowhere")
	}
	to, err := req.URL.Parse(location)
	if err != nil {
		return errors.New("it points to something that is not an address")
	}
	where := errOtherHost
	if to.Host == req.URL.Host {
		where = errSameHost
	}
	return fmt.Errorf("%w: %s://%s%s", where, to.Scheme, to.Host, to.EscapedPath())
}

// readErrorBody takes the service's text and request id out of an error's body. Its
// shape is not specified: it is read as the live service's object where it is one,
// else as a line of text.
func readErrorBody(body []byte) (message, requestID string) {
	var fields map[string]json.RawMessage
	if json.Unmarshal(body, &fields) != nil {
		line, _, _ := strings.Cut(strings.TrimSpace(string(body)), "\n")
		if strings.HasPrefix(line, "<") {
			return "", "" // the first line of a web page says nothing
		}
		return strings.TrimSpace(line), ""
	}
	text := func(name string) string {
		var s string
		_ = json.Unmarshal(fields[name], &s)
		return strings.TrimSpace(s)
	}
	message = text("message")
	for _, other := range []string{"error", "code"} {
		if message == "" {
			message = text(other)
		}
	}
	return message, text("request_id")
}
