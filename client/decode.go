package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Lists are decoded record by record from the connection, so that the body and what
// becomes of it are never in memory together. What is tolerated inside a record is
// the record's matter (see package models); the envelope around it must be what the
// specification says, because otherwise this is not the API.

// decodeOnly decodes a document that consists of one value.
func decodeOnly[T any](d *json.Decoder, decode func(*json.Decoder) (T, error)) (T, error) {
	v, err := decode(d)
	if err != nil {
		return v, explain(d, err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return v, fmt.Errorf("something follows it, at byte %d", d.InputOffset())
	}
	return v, nil
}

// explain words the decoder's error for a person.
func explain(d *json.Decoder, err error) error {
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		if d.InputOffset() == 0 {
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
func decodeMembers(d *json.Decoder, what string, read map[string]func() error) error {
	if err := enter(d, what, '{'); err != nil {
		return err
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		decode, known := read[fmt.Sprint(name)]
		if !known {
			decode = func() error { return skip(d) }
		}
		if err := decode(); err != nil {
			return err
		}
	}
	_, err := d.Token()
	return err
}

// decodeList reads an array of records.
func decodeList[T any](d *json.Decoder, what string) ([]T, error) {
	if err := enter(d, what, '['); err != nil {
		return nil, err
	}
	list := []T{}
	for d.More() {
		var v T
		if err := d.Decode(&v); err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	_, err := d.Token()
	return list, err
}

// decodeObject reads one record that must be an object.
func decodeObject[T any](d *json.Decoder, what string) (T, error) {
	var v T
	var raw json.RawMessage
	if err := d.Decode(&raw); err != nil {
		return v, err
	}
	if raw[0] != '{' {
		return v, fmt.Errorf("%s is not an object", what)
	}
	return v, json.Unmarshal(raw, &v)
}

// decodePage reads an object that holds a list under a name, and a pagination object
// (section 2.4). The cursor is opaque and returned as it came; it is empty where
// there is none or where it is not text.
func decodePage[T any](d *json.Decoder, name string) (list []T, next string, err error) {
	err = decodeMembers(d, "it", map[string]func() error{
		name: func() (err error) {
			list, err = decodeList[T](d, name)
			return err
		},
		"pagination": func() (err error) {
			next, err = decodeCursor(d)
			return err
		},
	})
	if err == nil && list == nil {
		err = fmt.Errorf("%s is missing", name)
	}
	return list, next, err
}

func decodeCursor(d *json.Decoder) (string, error) {
	var raw json.RawMessage
	if err := d.Decode(&raw); err != nil {
		return "", err
	}
	var pagination struct {
		Cursor json.RawMessage `json:"cursor"`
	}
	var cursor string
	// Each of these may be of another type: then no page follows that could be asked for.
	_ = json.Unmarshal(raw, &pagination)
	_ = json.Unmarshal(pagination.Cursor, &cursor)
	return cursor, nil
}

// enter reads the delimiter that opens an object or an array.
func enter(d *json.Decoder, what string, want json.Delim) error {
	t, err := d.Token()
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
func skip(d *json.Decoder) error {
	for depth := 0; ; {
		t, err := d.Token()
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
