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

// Lists are decoded record by record from the connection, so that the body and what becomes of it are never in memory
// together. What is tolerated inside a record is the record's matter (see package models); the envelope around it must
// be what the specification says, because otherwise this is not the API.

const (
	// maxValue is how long a record, or any other value that is gathered before it is
	// understood, may be in bytes. What it becomes takes several times as much memory.
	maxValue = 1 << 20
	// maxRecords is how many records an answer may have, in however many lists, together with
	// what is skipped beside them. The shortest takes two bytes, and becomes hundreds.
	maxRecords = 100_000
)

// How many records a list may have. A longer one is refused as a whole: the cursor after
// it is beyond what would be left out, which then could never be asked for.
const (
	// maxOperations is the most that can be asked for at once; a service that pays no heed
	// to the limit may send as many all the same.
	maxOperations = 1000
	// maxProjects is far more than the live service sends at once, because the specification
	// has no pages of projects: a service may send all of an account's together.
	maxProjects = 10_000
	// maxKeys is ten times what an account is recommended to have. Keys have no pages.
	maxKeys = 10 * models.RecommendedMaxAPIKeys
)

// reader decodes a document value by value, none of them longer than [maxValue].
type reader struct {
	json     *json.Decoder
	body     *cappedBody
	redactor models.Redactor
	raw      json.RawMessage // the last record
	records  int             // with what is skipped
}

func newReader(body *cappedBody, redactor models.Redactor) *reader {
	return &reader{json: json.NewDecoder(body), body: body, redactor: redactor}
}

// read decodes an answer's body, which must be JSON and one value.
func read[T any](h http.Header, r *reader, decode func(*reader) (T, error)) (v T, err error) {
	if err := checkContentType(h); err != nil {
		return v, err
	}
	v, err = decode(r)
	var syntax *json.SyntaxError
	switch {
	case err == nil:
		if _, err := r.value().Token(); !errors.Is(err, io.EOF) {
			return v, fmt.Errorf("something follows it, at byte %d", r.json.InputOffset())
		}
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		err = fmt.Errorf("it is empty or incomplete: %w", err)
	case errors.As(err, &syntax):
		err = fmt.Errorf("it is not JSON: %w", err)
	}
	return v, err
}

// checkContentType accepts JSON and, because the body decides then, no type at all.
func checkContentType(h http.Header) error {
	v := h.Get("Content-Type")
	t, _, _ := mime.ParseMediaType(v) // what it cannot read at all is empty
	switch {
	case v == "", t == "application/json", strings.HasPrefix(t, "application/") && strings.HasSuffix(t, "+json"):
		return nil
	case t == "text/html":
		return errWebPage
	}
	// As it came: in lower case, an echo of the key would not be known as one.
	return fmt.Errorf("it is %s and not JSON", v)
}

// errWebPage is an answer that was made for a browser.
var errWebPage = errors.New("it is a web page and not JSON")

// value begins another value.
func (r *reader) value() *json.Decoder { return r.valueOf(maxValue) }

func (r *reader) valueOf(most int64) *json.Decoder {
	r.body.until = r.json.InputOffset() + most
	return r.json
}

// record reads a value of at most that many bytes as it is, but for the keys that are
// quoted in it. It is valid until the next one is read.
func (r *reader) record(most int64) (json.RawMessage, error) {
	if r.records++; r.records > maxRecords {
		return nil, errTooMany
	}
	r.raw = r.raw[:0]
	err := r.valueOf(most).Decode(&r.raw)
	return r.redactor.JSON(r.raw), err
}

// enter reads the delimiter that opens an object or an array.
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

// decodeMembers reads an object and hands the members that are named in read to
// their functions, which decode the value. Others are skipped.
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
			_, err = r.record(maxValue)
		}
		if err != nil {
			return err
		}
	}
	_, err := r.value().Token()
	return err
}

// decodable is what records are: a pointer to one decodes it.
type decodable[T any] interface {
	*T
	json.Unmarshaler
}

// decodeList reads an array of at most that many records.
func decodeList[T any, P decodable[T]](what string, most int) func(*reader) ([]T, error) {
	return func(r *reader) ([]T, error) {
		if err := r.enter(what, '['); err != nil {
			return nil, err
		}
		list := []T{}
		for r.value().More() {
			if len(list) == most {
				return nil, errTooMany
			}
			raw, err := r.record(maxValue)
			if err != nil {
				return nil, err
			}
			var v T
			if err := P(&v).UnmarshalJSON(raw); err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err := r.value().Token()
		return list, err
	}
}

// decodeObject reads one record that must be an object.
func decodeObject[T any, P decodable[T]](what string) func(*reader) (T, error) {
	return func(r *reader) (v T, err error) {
		raw, err := r.record(maxValue)
		if err != nil {
			return v, err
		}
		if raw[0] != '{' {
			return v, fmt.Errorf("%s is not an object", what)
		}
		return v, P(&v).UnmarshalJSON(raw)
	}
}

// decodePage reads an object that holds a list under a name, and a pagination object (section 2.4). The cursor is
// opaque and returned as it came; it is empty where there is none. Where it cannot be read, the damage says so.
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
	raw, err := r.record(maxValue)
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

// limitError ends the reading of an answer that is beyond what pgtower reads.
type limitError string

func (e limitError) Error() string { return string(e) }

const (
	errTooLong   limitError = "it is longer than pgtower reads"
	errLongValue limitError = "a value in it is longer than pgtower reads"
	errTooMany   limitError = "it has more records than pgtower reads"
)

// cappedBody reads at most a number of bytes of a body, decompressed, and keeps the error that ended the reading: a
// JSON decoder reports a connection that broke and a document that is incomplete alike.
type cappedBody struct {
	from io.Reader
	most int64
	// until is where the value that is being read has to end, or 0. A decoder gathers all
	// of a value before it hands it out.
	until int64
	read  int64
	err   error // other than io.EOF

	// patience is how long a part of the body may take to come; idle runs meanwhile.
	patience time.Duration
	idle     *time.Timer
	stalled  atomic.Bool
}

// stalledError is a body of which nothing more came for so long.
type stalledError time.Duration

func (e stalledError) Error() string {
	return "nothing more of it came for " + time.Duration(e).String()
}

// Timeout makes it one of the errors of time.
func (stalledError) Timeout() bool { return true }

// newBody returns a reader of a body, which calls giveUp where no byte comes for patience.
func newBody(from io.Reader, most int64, patience time.Duration, giveUp func()) *cappedBody {
	b := &cappedBody{from: from, most: most, patience: patience}
	b.idle = time.AfterFunc(patience, func() {
		b.stalled.Store(true)
		giveUp()
	})
	return b
}

func (b *cappedBody) Read(p []byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	// One byte beyond tells a body that is too long from one that just fits.
	room := b.most + 1 - b.read
	if b.until > 0 && b.until-b.read < room {
		room = b.until - b.read
	}
	if room <= 0 {
		b.err = errLongValue
		return 0, b.err
	}
	b.idle.Reset(b.patience)
	n, err := b.from.Read(p[:min(int64(len(p)), room)])
	b.idle.Stop()
	b.read += int64(n)
	if b.read > b.most {
		b.read, n, err = b.most, n-1, errTooLong
	}
	if err != nil && !errors.Is(err, io.EOF) {
		if b.stalled.Load() {
			err = stalledError(b.patience)
		}
		b.err = err
	}
	return n, err
}
