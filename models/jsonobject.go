package models

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
	"unique"
)

// Opt is an optional field: absent differs from zero.
type Opt[T any] struct {
	Value T
	Known bool
}

// Get returns the value, and whether it is known.
func (o Opt[T]) Get() (value T, found bool) { return o.Value, o.Known }

// jsonObject reads one JSON object field by field. A null or missing field is zero; one of the wrong type is zero and
// noted, so that it damages no other record. A map of [json.RawMessage] takes eight times as long.
type jsonObject struct {
	raw    []byte
	fields []field
	object bool
	damage string // which parts could not be read, or empty
}

type field struct{ name, value []byte }

// usualFields is how many fields a record may have before reading it allocates memory.
const usualFields = 24

func readObject(b []byte, buf []field) jsonObject {
	r := jsonObject{raw: b}
	r.fields, r.object = members(b, buf)
	if !r.object {
		r.damage = "the record is not an object"
	}
	return r
}

// members appends the members of an object to list, and reports whether doc, which must be valid JSON, is an object.
func members(doc []byte, list []field) (_ []field, ok bool) {
	doc = bytes.TrimSpace(doc)
	if len(doc) < 2 || doc[0] != '{' {
		return nil, false
	}
	depth, start, colon := 0, 1, 0 // start and colon are those of the current member
	for i := 0; i < len(doc); i++ {
		switch c := doc[i]; {
		case c == '"':
			i = endOfText(doc, i)
		case c == ':' && depth == 1:
			colon = i
		case c == '{', c == '[':
			depth++
		case c == ',', c == '}', c == ']':
			if depth == 1 && colon > start {
				name, ok := unquote(bytes.TrimSpace(doc[start:colon]))
				value := bytes.TrimSpace(doc[colon+1 : i])
				if !ok || len(value) == 0 {
					return nil, false
				}
				list = append(list, field{name, value})
				start = i + 1
			}
			if c != ',' {
				depth--
			}
		}
	}
	return list, depth == 0
}

// endOfText returns the index of the quote that closes the text at start, or the document's length.
func endOfText(doc []byte, start int) int {
	for i := start + 1; i < len(doc); i++ {
		switch doc[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return len(doc)
}

// unquote returns the value of a JSON string, without a copy if it has no escapes. ok is false if v is not a string.
func unquote(v []byte) (_ []byte, ok bool) {
	if len(v) < 2 || v[0] != '"' {
		return nil, false
	}
	if inner := v[1 : len(v)-1]; bytes.IndexByte(inner, '\\') < 0 {
		return inner, true
	}
	var s string
	// Without the copy, v would escape, and with it the array of every record's fields.
	if err := json.Unmarshal(bytes.Clone(v), &s); err != nil {
		return nil, false
	}
	return []byte(s), true
}

// part reads a field that is an object. A missing or null field has no fields. A value that is no object is noted.
func (r *jsonObject) part(name string) jsonObject {
	v := r.get(name)
	if v == nil {
		return jsonObject{}
	}
	inner := readObject(v, nil)
	if !inner.object {
		inner.damage = ""
		r.bad(name, "an object")
	}
	return inner
}

func (r *jsonObject) bad(name, expected string) { r.note(name + " is not " + expected) }

func (r *jsonObject) note(damage string) {
	if r.damage != "" {
		r.damage += "; "
	}
	r.damage += damage
}

// get returns the field's JSON, or nil if it is missing or null. Of duplicates, the last one counts.
func (r *jsonObject) get(name string) []byte {
	for i := len(r.fields) - 1; i >= 0; i-- {
		if f := &r.fields[i]; string(f.name) == name {
			if f.value[0] == 'n' {
				return nil
			}
			return f.value
		}
	}
	return nil
}

const (
	maxText = 1000 // kept of a text, in characters: many are in memory, and each is drawn at every key press
	maxID   = 256  // the longest accepted id, in bytes: the live service's have up to 60
)

func (r *jsonObject) text(name string) string { return shown(r.unquoted(name)) }

func shown(b []byte) string {
	text, _ := kept(b)
	return text
}

// kept returns a text as it is kept: clean, and cut.
func kept(b []byte) (text string, isCut bool) {
	limit := 64 * maxText // in bytes: only characters with many marks, of which few are kept, need more
	if len(b) <= limit {
		return cut(Clean(string(b)))
	}
	for !utf8.RuneStart(b[limit]) && limit > 0 {
		limit--
	}
	text, isCut = cut(Clean(string(b[:limit])))
	if !isCut {
		text += cutMark
	}
	return text, true
}

// cutMark ends a text that was cut, wherever it goes: on the screen, into copies, exports and reports.
const cutMark = "… (cut)"

// cut cuts a text that is too long to be kept.
func cut(text string) (_ string, isCut bool) {
	n := 0
	for i := range text {
		if n == maxText {
			return text[:i] + cutMark, true
		}
		n++
	}
	return text, false
}

// word returns a text with few distinct values, whose memory records share.
func (r *jsonObject) word(name string) string { return unique.Make(r.text(name)).Value() }

func (r *jsonObject) sharedID(name string) string { return unique.Make(shown(r.id(name))).Value() }

// id returns an id unchanged. One that is too long is damage: a shortened one could name another object.
func (r *jsonObject) id(name string) []byte {
	b := r.unquoted(name)
	if len(b) > maxID {
		r.bad(name, fmt.Sprintf("an id of at most %d bytes", maxID))
		return nil
	}
	return b
}

func (r *jsonObject) unquoted(name string) []byte {
	v := r.get(name)
	if v == nil {
		return nil
	}
	b, ok := unquote(v)
	if !ok {
		r.bad(name, "text")
	}
	return b
}

// integer reads an integer, possibly in quotes. A floating-point number would change ids above 2^53.
func (r *jsonObject) integer(name string) Opt[int64] {
	v := r.get(name)
	if v == nil {
		return Opt[int64]{}
	}
	if inner, ok := unquote(v); ok {
		v = inner
	}
	n, err := strconv.ParseInt(string(v), 10, 64)
	if err != nil {
		r.bad(name, "an integer")
		return Opt[int64]{}
	}
	return Opt[int64]{n, true}
}

func (r *jsonObject) milliseconds(name string) Opt[time.Duration] {
	const most = math.MaxInt64 / int64(time.Millisecond)
	n := r.integer(name)
	if n.Value > most || n.Value < 0 {
		r.bad(name, "a duration")
		return Opt[time.Duration]{}
	}
	return Opt[time.Duration]{time.Duration(n.Value) * time.Millisecond, n.Known}
}

func (r *jsonObject) flag(name string) Opt[bool] {
	switch v := r.get(name); string(v) {
	case "":
		return Opt[bool]{}
	case "true", "false":
		return Opt[bool]{string(v) == "true", true}
	}
	r.bad(name, "true or false")
	return Opt[bool]{}
}

// time reads an ISO 8601 timestamp, with or without a fraction, in UTC.
func (r *jsonObject) time(name string) time.Time { return r.timeOrNone(name).Value }

// timeOrNone is time for a field that may be null: null is a known zero, and an unreadable time is unknown.
func (r *jsonObject) timeOrNone(name string) Opt[time.Time] {
	v := r.get(name)
	if v == nil {
		return Opt[time.Time]{Known: r.object}
	}
	// A value that is not text stays empty, which is not a timestamp.
	b, _ := unquote(v)
	t, err := time.Parse(time.RFC3339Nano, strings.ToUpper(string(b))) // t and z are allowed in lower case, too
	if err != nil {
		r.bad(name, "a timestamp")
		return Opt[time.Time]{}
	}
	return Opt[time.Time]{t.UTC(), true}
}

func (r *jsonObject) required(name string) {
	if v := r.get(name); r.object && (v == nil || string(v) == `""`) {
		r.bad(name, "there")
	}
}

// identity returns the id. A record without one gets a hash of its bytes, the same at every poll.
func (r *jsonObject) identity() string {
	if id := r.id("id"); len(id) > 0 {
		return shown(id)
	}
	r.required("id")
	h := fnv.New32a()
	_, _ = h.Write(r.raw) // never fails
	return fmt.Sprintf(noID+"%08x", h.Sum32())
}

// sharedIdentity is identity for ids that other records have, too.
func (r *jsonObject) sharedIdentity() string { return unique.Make(r.identity()).Value() }

// noID is the prefix of the ids made for records without one.
const noID = "(no id) "

// NoID reports whether an id was made for a damaged record without one: the service does not know it.
func NoID(id string) bool { return strings.HasPrefix(id, noID) }

// damaged returns which parts could not be read. It copies, or the compiler would put the record on the heap.
func (r *jsonObject) damaged() string { return strings.Clone(r.damage) }
