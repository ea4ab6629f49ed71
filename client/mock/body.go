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
	"strings"
	"unicode/utf8"
)

const (
	// maxBody is the largest request body that is looked at, in bytes.
	maxBody = 64 << 10
	// maxDrained is how much of a larger one is taken in, in bytes, so that a client that
	// is still sending gets to see its answer.
	maxDrained = 16 << 20
)

// readBody reads a request's body of up to maxBody bytes.
func readBody(r *http.Request) ([]byte, *problem) {
	tooLarge := newProblem(http.StatusRequestEntityTooLarge, "the body is larger than %d bytes", maxBody)
	// Who asks before sending is told before reading: to read is to say yes.
	if r.ContentLength > maxBody && r.Header.Get("Expect") != "" {
		return nil, tooLarge
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	switch {
	case len(body) > maxBody:
		_, _ = io.CopyN(io.Discard, r.Body, maxDrained) // However it ends, the answer is the same.
		return nil, tooLarge
	case err != nil:
		return nil, newProblem(http.StatusBadRequest, "the body did not arrive whole")
	}
	return body, nil
}

// readFields reads a request's body: one JSON object, whose names are unique and
// nothing after it. The names are compared as they stand: key_name is not KEY_NAME.
func readFields(r *http.Request) (map[string]json.RawMessage, *problem) {
	if sent := r.Header.Get("Content-Type"); sent != "" {
		media, params, err := mime.ParseMediaType(sent)
		if err != nil || media != "application/json" {
			return nil, newProblem(http.StatusUnsupportedMediaType, "the body is sent as %q, and has to be application/json", sent)
		}
		if charset, ok := params["charset"]; ok && !strings.EqualFold(charset, "utf-8") {
			return nil, newProblem(http.StatusUnsupportedMediaType, "the body is sent in %q, and has to be in UTF-8", charset)
		}
	}
	if sent := r.Header.Get("Content-Encoding"); sent != "" {
		return nil, newProblem(http.StatusUnsupportedMediaType, "the body is sent as %q, and has to be plain", sent)
	}
	body, trouble := readBody(r)
	switch {
	case trouble != nil:
		return nil, trouble
	case len(bytes.TrimSpace(body)) == 0:
		return nil, newProblem(http.StatusBadRequest, "the request has no body, and needs a JSON object")
	case !utf8.Valid(body):
		return nil, newProblem(http.StatusBadRequest, "the body is not UTF-8")
	}
	fields, err := uniqueFields(body)
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, newProblem(http.StatusBadRequest, "the body is not one JSON object: %v", err)
	}
	return fields, nil
}

// uniqueFields splits a JSON object. One that says two things under the same name is
// refused, because which of them counts is anybody's guess.
func uniqueFields(body []byte) (map[string]json.RawMessage, error) {
	fields := map[string]json.RawMessage{}
	d := json.NewDecoder(bytes.NewReader(body))
	if begin, err := d.Token(); err != nil || begin != json.Delim('{') {
		return nil, cmp.Or(err, errors.New("it begins with something else"))
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, err
		}
		text := fmt.Sprint(name)
		if _, twice := fields[text]; twice {
			return nil, fmt.Errorf("%q is given more than once", text)
		}
		fields[text] = value
	}
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows it")
	}
	return fields, nil
}
