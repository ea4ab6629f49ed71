package client

import (
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

// maxErrorBody is how much of an error's body is looked at, in bytes.
const maxErrorBody = 64 << 10

// errTooLarge ends the reading of a body that is beyond the cap.
var errTooLarge = errors.New("it is longer than pgtower reads")

// cappedBody reads at most left bytes, and keeps the error that ended the reading:
// a JSON decoder reports a connection that broke and a document that is incomplete
// alike.
type cappedBody struct {
	from io.Reader
	left int64
	err  error // other than io.EOF
}

func (b *cappedBody) Read(p []byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	// One byte beyond tells a body that is too long from one that just fits.
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.from.Read(p)
	if int64(n) > b.left {
		n, err = int(b.left), errTooLarge
	}
	b.left -= int64(n)
	if err != nil && err != io.EOF {
		b.err = err
	}
	return n, err
}

// checkContentType accepts JSON and, because the body decides then, no type at all.
func checkContentType(h http.Header) error {
	v := h.Get("Content-Type")
	if v == "" {
		return nil
	}
	t, _, err := mime.ParseMediaType(v)
	if err != nil && !errors.Is(err, mime.ErrInvalidMediaParameter) {
		return fmt.Errorf("its content type is %q and not JSON", v)
	}
	if t == "application/json" || strings.HasPrefix(t, "application/") && strings.HasSuffix(t, "+json") {
		return nil
	}
	if t == "text/html" {
		return errWebPage
	}
	return fmt.Errorf("it is %s and not JSON", t)
}

// refused completes the failure for an answer whose status is not 2xx.
func (c *Client) refused(failure *models.Error, req *http.Request, resp *http.Response) *models.Error {
	failure.Kind = kindOfStatus(resp.StatusCode)
	failure.RetryAfter = retryAfter(resp.Header, c.clock())
	failure.RequestID = c.safe(resp.Header.Get("X-Request-Id"))
	if failure.Kind == models.KindRedirect {
		failure.Err = c.sealed(redirectTarget(req, resp))
		return failure
	}
	// A body that breaks off still says what it said.
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
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
	return fmt.Errorf("it points to %s://%s%s", to.Scheme, to.Host, to.EscapedPath())
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

// maxRetryAfter bounds what a server can ask for: longer is a mistake, not a plan.
const maxRetryAfter = 24 * time.Hour

// retryAfter reads the header of that name, in seconds or as a date; 0 where it is
// missing, past or neither.
func retryAfter(h http.Header, now time.Time) time.Duration {
	v := strings.TrimSpace(h.Get("Retry-After"))
	if v == "" {
		return 0
	}
	if strings.Trim(v, "0123456789") == "" {
		// What no duration can hold is more than the most.
		d, err := time.ParseDuration(v + "s")
		if err != nil {
			return maxRetryAfter
		}
		return min(d, maxRetryAfter)
	}
	at, err := http.ParseTime(v)
	if err != nil {
		return 0
	}
	return min(max(at.Sub(now), 0), maxRetryAfter)
}
