package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"pgtower/models"
)

const (
	maxValue   = 1 << 20 // of a value, such as a record, in bytes; decoded, it takes several times as much memory
	maxRecords = 100_000 // of a response, skipped ones included; even the shortest takes hundreds of bytes
)

// The longest accepted lists. Longer ones are refused: the next cursor would skip what is left out.
const (
	maxOperations = 1000   // the maximum page size; a service may ignore the limit
	maxProjects   = 10_000 // far more than the live service sends; the specification allows all projects at once
	maxKeys       = 10 * models.RecommendedMaxAPIKeys
)

// reader decodes the body of a response value by value, so that the body and its result are never in memory together.
// The envelope must be as specified: otherwise this is not the API.
//
// It is also the decoder's input. So it limits the decompressed body and each value, which a decoder buffers before it
// returns it, and keeps the read error, which a decoder hides.
type reader struct {
	json     *json.Decoder
	redactor models.Redactor
	raw      json.RawMessage // the last record
	records  int             // skipped ones included

	from       io.Reader
	read, most int64         // bytes
	valueEnd   int64         // the maximum end of the current value, or 0
	err        error         // other than io.EOF
	patience   time.Duration // the longest wait for a part of the body
	idle       *time.Timer   // runs during that wait
	stalled    atomic.Bool   // the wait was too long
}

func newReader(from io.Reader, most int64, patience time.Duration, redactor models.Redactor, giveUp func()) *reader {
	r := &reader{from: from, most: most, patience: patience, redactor: redactor}
	r.json = json.NewDecoder(r)
	r.idle = time.AfterFunc(patience, func() {
		r.stalled.Store(true)
		giveUp()
	})
	return r
}

// Read reads the body for the decoder.
func (r *reader) Read(p []byte) (int, error) {
	if r.err != nil {
		return 0, r.err
	}
	// One more byte tells a body that is too long from one that just fits.
	left := r.most + 1 - r.read
	if r.valueEnd > 0 {
		left = min(left, r.valueEnd-r.read)
	}
	if left <= 0 {
		r.err = errLongValue
		return 0, r.err
	}
	r.idle.Reset(r.patience)
	n, err := r.from.Read(p[:min(int64(len(p)), left)])
	r.idle.Stop()
	r.read += int64(n)
	if r.read > r.most {
		r.read, n, err = r.most, n-1, errTooLong
	}
	if err != nil && !errors.Is(err, io.EOF) {
		r.err = err
	}
	return n, err
}

// limitError ends the reading of a response that is larger than pgtower accepts.
type limitError string

func (e limitError) Error() string { return string(e) }

const (
	errTooLong   limitError = "it is longer than the limit"
	errLongValue limitError = "a value is longer than the limit"
	errTooMany   limitError = "it has more records than the limit"
)

// decodeBody decodes a response's body, which must be one JSON value.
func decodeBody(h http.Header, r *reader, decode func(*reader) error) error {
	if err := checkContentType(h); err != nil {
		return err
	}
	err := decode(r)
	var syntax *json.SyntaxError
	switch {
	case err == nil:
		if _, err := r.value().Token(); !errors.Is(err, io.EOF) {
			return fmt.Errorf("extra data at byte %d", r.json.InputOffset())
		}
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("empty or incomplete: %w", err)
	case errors.As(err, &syntax):
		return fmt.Errorf("not JSON: %w", err)
	}
	return err
}

// checkContentType accepts JSON, or no type at all: then the body decides.
func checkContentType(h http.Header) error {
	v := h.Get("Content-Type")
	t, _, _ := mime.ParseMediaType(v) // empty if it is malformed
	switch {
	case v == "", t == "application/json", strings.HasPrefix(t, "application/") && strings.HasSuffix(t, "+json"):
		return nil
	case t == "text/html":
		return errWebPage
	}
	// Unchanged: in lower case, an echoed key would not be recognised.
	return fmt.Errorf("%s instead of JSON", v)
}

var errWebPage = errors.New("a web page instead of JSON")

func (r *reader) value() *json.Decoder {
	r.valueEnd = r.json.InputOffset() + maxValue
	return r.json
}

// record reads a value, with its quoted keys redacted. It is valid until the next call.
func (r *reader) record() (json.RawMessage, error) {
	if r.records++; r.records > maxRecords {
		return nil, errTooMany
	}
	r.raw = r.raw[:0]
	err := r.value().Decode(&r.raw)
	return r.redactor.JSON(r.raw), err
}

func (r *reader) enter(what string, open json.Delim) error {
	switch t, err := r.value().Token(); {
	case err != nil:
		return err
	case t == open:
		return nil
	case open == '[':
		return fmt.Errorf("%s is not an array", what)
	}
	return fmt.Errorf("%s is not an object", what)
}

// decodeMembers reads an object. The functions decode the members named in read; others are skipped.
func decodeMembers(r *reader, what string, read map[string]func() error) error {
	if err := r.enter(what, '{'); err != nil {
		return err
	}
	for r.value().More() {
		name, err := r.value().Token()
		if err != nil {
			return err
		}
		if decode, known := read[fmt.Sprint(name)]; known {
			err = decode()
		} else {
			_, err = r.record()
		}
		if err != nil {
			return err
		}
	}
	_, err := r.value().Token()
	return err
}

// decodeElements reads an array of at most that many records.
func decodeElements(r *reader, what string, most int, decode func(raw []byte) error) error {
	if err := r.enter(what, '['); err != nil {
		return err
	}
	for n := 0; r.value().More(); n++ {
		if n == most {
			return errTooMany
		}
		raw, err := r.record()
		if err != nil {
			return err
		}
		if err := decode(raw); err != nil {
			return err
		}
	}
	_, err := r.value().Token()
	return err
}

// decodable is a record type whose pointer decodes it.
type decodable[T any] interface {
	*T
	json.Unmarshaler
}

func decodeList[T any, P decodable[T]](what string, most int) func(*reader) ([]T, error) {
	return func(r *reader) ([]T, error) {
		list := []T{}
		err := decodeElements(r, what, most, func(raw []byte) error {
			list = append(list, *new(T))
			return P(&list[len(list)-1]).UnmarshalJSON(raw)
		})
		return list, err
	}
}

func decodeObject[T any, P decodable[T]](what string) func(*reader) (T, error) {
	return func(r *reader) (v T, err error) {
		raw, err := r.record()
		if err != nil {
			return v, err
		}
		if raw[0] != '{' {
			return v, fmt.Errorf("%s is not an object", what)
		}
		return v, P(&v).UnmarshalJSON(raw)
	}
}

// decodePage reads an object with a named list and a pagination object (section 2.4).
func decodePage[T any, P decodable[T]](name string, most int) func(*reader) (models.Page[T], error) {
	return func(r *reader) (p models.Page[T], err error) {
		err = decodeMembers(r, "it", map[string]func() error{
			name: func() (err error) {
				p.Items, err = decodeList[T, P](name, most)(r)
				return err
			},
			"pagination": func() (err error) {
				p.Next, p.Damage, err = decodeCursor(r)
				return err
			},
		})
		if err == nil && p.Items == nil {
			err = fmt.Errorf("%s is missing", name)
		}
		return p, err
	}
}

// maxCursor is the longest cursor that is sent back, in bytes: servers refuse long addresses.
const maxCursor = 4 << 10

func decodeCursor(r *reader) (cursor, damage string, err error) {
	raw, err := r.record()
	if err != nil {
		return "", "", err
	}
	var pagination struct {
		Cursor any `json:"cursor"`
	}
	if raw[0] != 'n' && json.Unmarshal(raw, &pagination) != nil {
		damage = "pagination is not an object"
	}
	cursor, text := pagination.Cursor.(string)
	switch {
	case len(cursor) > maxCursor:
		return "", "pagination.cursor is too long to be sent back", nil
	case !text && pagination.Cursor != nil:
		damage = "pagination.cursor is not text"
	}
	return cursor, damage, nil
}
