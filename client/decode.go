package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"pgtower/models"
)

// Lists are decoded record by record from the connection, so that the body and what
// becomes of it are never in memory together. What is tolerated inside a record is
// the record's matter (see package models); the envelope around it must be what the
// specification says, because otherwise this is not the API.

const (
	// maxValue is how long a record, or any other value that is gathered before it is
	// understood, may be in bytes. What it becomes takes several times as much memory.
	maxValue = 1 << 20
	// maxSteps is how many records an answer may have, in however many lists, together with
	// what is skipped beside them. The shortest takes two bytes, and becomes hundreds.
	maxSteps = 100_000
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
	steps    int             // records, and what is skipped
}

func newReader(body *cappedBody, redactor models.Redactor) *reader {
	return &reader{json: json.NewDecoder(body), body: body, redactor: redactor}
}

// another counts what is read, and ends it where there is too much.
func (r *reader) another() error {
	if r.steps++; r.steps > maxSteps {
		return errTooMany
	}
	return nil
}

// value begins another value.
func (r *reader) value() *json.Decoder { return r.valueOf(maxValue) }

// valueOf begins a value of at most that many bytes.
func (r *reader) valueOf(most int64) *json.Decoder {
	r.body.until = r.json.InputOffset() + most
	return r.json
}

// record reads a value of at most that many bytes as it is, but for the keys that are
// quoted in it. It is valid until the next one is read.
func (r *reader) record(most int64) (json.RawMessage, error) {
	r.raw = r.raw[:0]
	err := r.valueOf(most).Decode(&r.raw)
	return r.redactor.JSON(r.raw), err
}

// decodeOnly decodes a document that consists of one value.
func decodeOnly[T any](r *reader, decode func(*reader) (T, error)) (T, error) {
	v, err := decode(r)
	if err != nil {
		return v, r.explain(err)
	}
	if _, err := r.value().Token(); !errors.Is(err, io.EOF) {
		return v, fmt.Errorf("something follows it, at byte %d", r.json.InputOffset())
	}
	return v, nil
}

// explain words the decoder's error for a person.
func (r *reader) explain(err error) error {
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		if r.json.InputOffset() == 0 {
			return fmt.Errorf("it is empty or incomplete: %w", err)
		}
		return fmt.Errorf("it is incomplete: %w", err)
	case errors.As(err, &syntax):
		return fmt.Errorf("it is not JSON: %w", err)
	}
	return err
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
		decode, known := read[fmt.Sprint(name)]
		if !known {
			decode = r.skip
		}
		if err := decode(); err != nil {
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
func decodeList[T any, P decodable[T]](r *reader, what string, most int) ([]T, error) {
	if err := r.enter(what, '['); err != nil {
		return nil, err
	}
	list := []T{}
	for r.value().More() {
		if err := r.another(); err != nil {
			return nil, err
		}
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

// decodeObject reads one record that must be an object.
func decodeObject[T any, P decodable[T]](r *reader, what string) (T, error) {
	var v T
	raw, err := r.record(maxValue)
	if err != nil {
		return v, err
	}
	if raw[0] != '{' {
		return v, fmt.Errorf("%s is not an object", what)
	}
	return v, P(&v).UnmarshalJSON(raw)
}

// page is a list with what follows it.
type page[T any] struct {
	list   []T
	next   string
	damage string
}

// decodePage reads an object that holds a list under a name, and a pagination object
// (section 2.4). The cursor is opaque and returned as it came; it is empty where
// there is none. Where it cannot be read, the damage says so.
func decodePage[T any, P decodable[T]](r *reader, name string, most int) (p page[T], err error) {
	err = decodeMembers(r, "it", map[string]func() error{
		name: func() (err error) {
			p.list, err = decodeList[T, P](r, name, most)
			return err
		},
		"pagination": func() (err error) {
			p.next, p.damage, err = decodeCursor(r)
			return err
		},
	})
	if err == nil && p.list == nil {
		err = fmt.Errorf("%s is missing", name)
	}
	return p, err
}

// maxCursor is the longest cursor that is sent back, in bytes: servers refuse long
// addresses.
const maxCursor = 4 << 10

func decodeCursor(r *reader) (cursor, damage string, err error) {
	var raw json.RawMessage
	if err := r.value().Decode(&raw); err != nil {
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

// enter reads the delimiter that opens an object or an array.
func (r *reader) enter(what string, want json.Delim) error {
	t, err := r.value().Token()
	if err != nil {
		return err
	}
	if t == want {
		return nil
	}
	due := "an object"
	if want == '[' {
		due = "an array"
	}
	return fmt.Errorf("%s is %s, not %s", what, kindOfToken(t), due)
}

func kindOfToken(t json.Token) string {
	switch t {
	case json.Delim('{'):
		return "an object"
	case json.Delim('['):
		return "an array"
	case nil:
		return "null"
	}
	switch t.(type) {
	case string:
		return "text"
	case bool:
		return "true or false"
	}
	return "a number"
}

// skip passes over a value token by token: what nobody asked for is not gathered.
func (r *reader) skip() error {
	for depth := 0; ; {
		if err := r.another(); err != nil {
			return err
		}
		t, err := r.value().Token()
		if err != nil {
			return err
		}
		switch t {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth == 0 {
			return nil
		}
	}
}
