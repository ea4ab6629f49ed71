package client

import (
	"bytes"
	"context"
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

// maxRecords is the longest accepted list. Longer ones are refused, not cut: the next cursor would skip the rest.
const maxRecords = 2 * models.RecommendedMaxAPIKeys

// body reads the body of a response. It cancels the request if no part of the body arrives for a while.
type body struct {
	from     io.Reader
	read     int64         // bytes
	patience time.Duration // the longest wait for a part of it
	idle     *time.Timer   // runs during that wait
	stalled  atomic.Bool   // the wait was too long
	cancel   context.CancelFunc
}

func newBody(from io.Reader, patience time.Duration, cancel context.CancelFunc) *body {
	b := &body{from: from, patience: patience, cancel: cancel}
	b.idle = time.AfterFunc(patience, b.giveUp)
	return b
}

func (b *body) giveUp() {
	b.stalled.Store(true)
	b.cancel()
}

func (b *body) Read(p []byte) (int, error) {
	b.idle.Reset(b.patience)
	n, err := b.from.Read(p)
	b.idle.Stop()
	b.read += int64(n)
	return n, err
}

const (
	// longBody is the length from which a body waits for its turn, in bytes. Usual pages are shorter.
	longBody = 1 << 20
	// longBodies is how many long bodies are read and decoded at once. Each takes several times its size of memory.
	longBodies = 2
)

// readDocument reads a body, at most one byte more than the limit. Call done once the document is decoded.
func (c *Client) readDocument(ctx context.Context, from io.Reader) (doc []byte, done func(), err error) {
	var b bytes.Buffer
	first := min(longBody, c.maxBody+1)
	n, err := b.ReadFrom(io.LimitReader(from, first))
	if err != nil || n < first {
		return b.Bytes(), func() {}, err
	}
	select {
	case c.longBodies <- struct{}{}:
	case <-ctx.Done():
		return nil, func() {}, ctx.Err()
	}
	_, err = b.ReadFrom(io.LimitReader(from, c.maxBody+1-first))
	return b.Bytes(), func() { <-c.longBodies }, err
}

var (
	errTooLong  = errors.New("it is longer than the limit")
	errTooMany  = errors.New("it has more records than the limit")
	errWebPage  = errors.New("a web page instead of JSON")
	errTooLarge = []error{errTooLong, errTooMany}
)

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

// parse unmarshals a document, or returns what is wrong with it.
func parse(doc []byte, target any, wrongType error) error {
	err := json.Unmarshal(doc, target)
	_, syntax := errors.AsType[*json.SyntaxError](err)
	switch {
	case syntax && strings.HasPrefix(err.Error(), "unexpected end"):
		return fmt.Errorf("empty or incomplete: %w", err)
	case syntax:
		return fmt.Errorf("not JSON: %w", err)
	case err != nil:
		return wrongType
	}
	return nil
}

// part is the JSON of a part of a document. It is not copied: copies of a long page at each level would take several times
// its size. This is safe because nothing changes a document, and records copy their texts.
type part []byte

// UnmarshalJSON keeps b.
func (p *part) UnmarshalJSON(b []byte) error {
	*p = b
	return nil
}

// members returns the members of an object. The error says which required one is missing.
func members(doc []byte, what string, required ...string) (parts map[string]part, err error) {
	wrong := fmt.Errorf("%s is not an object", what)
	err = parse(doc, &parts, wrong)
	if err == nil && parts == nil { // null
		return nil, wrong
	}
	for _, name := range required {
		if err == nil && parts[name] == nil {
			err = fmt.Errorf("%s is missing", name)
		}
	}
	return parts, err
}

// decodable is a record type whose pointer decodes it.
type decodable[T any] interface {
	*T
	json.Unmarshaler
}

// decodeList decodes an array of records; name is that of the array in errors.
func decodeList[T any, P decodable[T]](doc []byte, name string) ([]T, error) {
	var parts []part
	wrong := fmt.Errorf("%s is not an array", name)
	err := parse(doc, &parts, wrong)
	switch {
	case err != nil:
		return nil, err
	case parts == nil: // null
		return nil, wrong
	case len(parts) > maxRecords:
		return nil, errTooMany
	}
	list := make([]T, len(parts))
	for i, raw := range parts {
		if err := P(&list[i]).UnmarshalJSON(raw); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// decodeObject decodes a record; name is that of the record in errors.
func decodeObject[T any, P decodable[T]](doc []byte, name string) (v T, err error) {
	_, err = members(doc, name)
	if err == nil {
		err = P(&v).UnmarshalJSON(doc)
	}
	return v, err
}

// decodeNamed decodes an object with one named record.
func decodeNamed[T any, P decodable[T]](doc []byte, name string) (v T, err error) {
	parts, err := members(doc, "it", name)
	if err != nil {
		return v, err
	}
	return decodeObject[T, P](parts[name], name)
}

// decodeNamedList decodes an object with one named list.
func decodeNamedList[T any, P decodable[T]](doc []byte, name string) ([]T, error) {
	parts, err := members(doc, "it", name)
	if err != nil {
		return nil, err
	}
	return decodeList[T, P](parts[name], name)
}

// decodePage decodes an object with a named list and a pagination object (section 2.4).
func decodePage[T any, P decodable[T]](doc []byte, name string) (models.Page[T], error) {
	return decodePageBy[T, P](doc, name, "cursor")
}

// decodeNextPage is decodePage for those lists of the live service whose cursor is in pagination.next.
func decodeNextPage[T any, P decodable[T]](doc []byte, name string) (models.Page[T], error) {
	return decodePageBy[T, P](doc, name, "next")
}

func decodePageBy[T any, P decodable[T]](doc []byte, name, field string) (p models.Page[T], err error) {
	parts, err := members(doc, "it", name)
	if err != nil {
		return p, err
	}
	p.Items, err = decodeList[T, P](parts[name], name)
	p.Next, p.Damage = decodeCursor(parts["pagination"], field)
	p.Unavailable = decodeIDs(parts["unavailable_project_ids"])
	return p, err
}

// decodeIDs decodes an array of ids, or null. It skips anything in it that is not an id.
func decodeIDs(raw []byte) (ids []string) {
	var list []any
	_ = json.Unmarshal(raw, &list) // any type but an array has no ids
	for _, entry := range list {
		id, _ := entry.(string)
		id = models.Clean(id)
		if id != "" && len(id) <= maxText {
			ids = append(ids, id)
		}
	}
	return ids
}

// maxCursor is the longest cursor that is sent back, in bytes: servers refuse long addresses.
const maxCursor = 4 << 10

func decodeCursor(raw []byte, field string) (cursor, damage string) {
	var pagination map[string]any
	if raw != nil && json.Unmarshal(raw, &pagination) != nil {
		damage = "pagination is not an object"
	}
	value := pagination[field]
	cursor, text := value.(string)
	switch {
	case len(cursor) > maxCursor:
		return "", "pagination." + field + " is too long to be sent back"
	case !text && value != nil:
		damage = "pagination." + field + " is not text"
	}
	return cursor, damage
}
