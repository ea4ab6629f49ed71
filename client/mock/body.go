package mock

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
)

const (
	maxBody = 64 << 10 // the largest accepted request body, in bytes
	// maxDrained is how much of a larger one is read, in bytes, so that a client that is still sending sees the
	// response.
	maxDrained = 16 << 20
)

// readBody reads a request's body of up to maxBody bytes.
func readBody(r *http.Request) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	switch {
	case len(body) > maxBody:
		_, _ = io.CopyN(io.Discard, r.Body, maxDrained)
		return nil, newProblem(http.StatusRequestEntityTooLarge, "the body is larger than %d bytes", maxBody)
	case err != nil:
		return nil, newProblem(http.StatusBadRequest, "the body is incomplete")
	}
	return body, nil
}

// checkMedia returns a problem unless the body is sent as plain JSON.
func checkMedia(r *http.Request) error {
	const plain = "application/json"
	sent := cmp.Or(r.Header.Get("Content-Type"), plain) + r.Header.Get("Content-Encoding")
	if media, _, err := mime.ParseMediaType(sent); err != nil || media != plain {
		return newProblem(http.StatusUnsupportedMediaType, "the body is sent as %q, not as %s", sent, plain)
	}
	return nil
}

// readJSON decodes a request's body: one JSON object and nothing after it.
func readJSON(r *http.Request, into any) error {
	body, err := readBody(r)
	if err != nil {
		return err
	}
	body = bytes.TrimSpace(body)
	if !bytes.HasPrefix(body, []byte("{")) {
		return newProblem(http.StatusBadRequest, "the body is not a JSON object")
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	err = d.Decode(into)
	if err == nil {
		if _, rest := d.Token(); !errors.Is(rest, io.EOF) {
			err = errors.New("extra data after the JSON object")
		}
	}
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		err = fmt.Errorf("%s: unexpected %s", strings.ToLower(wrong.Field), wrong.Value)
	}
	if err != nil {
		return newProblem(http.StatusBadRequest, "invalid body: %s", strings.TrimPrefix(err.Error(), "json: "))
	}
	return nil
}

// problem is a response other than 200.
type problem struct {
	status  int
	message string
}

func newProblem(status int, format string, args ...any) *problem {
	return &problem{status, fmt.Sprintf(format, args...)}
}

// Error returns the message for the client.
func (p *problem) Error() string { return p.message }

// write sends the problem in the live service's format. It always has a message, because published clients fail
// silently without one.
func (p *problem) write(w http.ResponseWriter, r *http.Request) {
	id := callOf(r).requestID
	w.Header().Set(requestIDHeader, id)
	writeJSON(w, p.status, struct {
		RequestID string `json:"request_id"`
		Code      string `json:"code"`
		Message   string `json:"message"`
	}{RequestID: id, Message: p.message})
}

// writeJSON sends a body with its length, so that a broken connection differs from a short response.
func writeJSON(w http.ResponseWriter, status int, body any) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // for people with curl
	if err := enc.Encode(body); err != nil {
		panic("mock: " + err.Error()) // records hold only text, numbers and lists
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(b.Len()))
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes()) // the client may have gone
}
