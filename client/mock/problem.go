package mock

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// problem is an answer that is not a 200.
type problem struct {
	status  int
	message string
}

func newProblem(status int, format string, args ...any) *problem {
	return &problem{status, fmt.Sprintf(format, args...)}
}

// problemOf is the problem that an error of this package is, in its words.
func problemOf(status int, err error) *problem {
	return &problem{status, strings.TrimPrefix(err.Error(), "mock: ")}
}

// unacceptable is what is well-formed and cannot be.
func unacceptable(err error) *problem { return problemOf(http.StatusUnprocessableEntity, err) }

func noSuchPath() *problem {
	return newProblem(http.StatusNotFound, "there is no such path in this API")
}

// write sends the problem in the live service's shape: message is always there,
// because published clients fail silently without it.
func (p *problem) write(w http.ResponseWriter, r *http.Request) {
	id := callOf(r).requestID
	w.Header().Set(requestIDHeader, id)
	writeJSON(w, p.status, wireError{RequestID: id, Message: p.message})
}

// writeJSON sends a body whole, with its length, so that a broken connection can be
// told from a short answer.
func writeJSON(w http.ResponseWriter, status int, body any) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // People read this with curl.
	if err := enc.Encode(body); err != nil {
		// The wire types hold text, numbers and lists of them: this is a bug here.
		panic("mock: " + err.Error())
	}
	h := w.Header()
	h.Set("Content-Type", "application/json; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(b.Len()))
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes()) // The client may be gone.
}
