package models

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
	"time"
	"unique"
)

// Opt is a field that the service may leave out, where absent differs from zero.
type Opt[T any] struct {
	Value T
	Known bool
}

// record reads one JSON object field by field. A field that is null or missing is
// zero; one of the wrong type is zero and noted, so that a bad field damages its
// own record and no other.
type record struct {
	raw    []byte
	fields map[string]json.RawMessage
	damage []string
}

func readRecord(b []byte) *record {
	r := &record{raw: b}
	if err := json.Unmarshal(b, &r.fields); err != nil || r.fields == nil {
		r.fields = nil
		r.damage = append(r.damage, "the record is not an object")
	}
	return r
}

func (r *record) bad(name, want string) {
	r.damage = append(r.damage, name+" is not "+want)
}

// get returns the field's JSON, or nil where it is missing or null.
func (r *record) get(name string) json.RawMessage {
	v := r.fields[name]
	if len(v) == 0 || v[0] == 'n' {
		return nil
	}
	return v
}

func (r *record) text(name string) string {
	v := r.get(name)
	if v == nil {
		return ""
	}
	var s string
	if err := json.Unmarshal(v, &s); err != nil {
		r.bad(name, "text")
		return ""
	}
	return Clean(s)
}

// word is text of which few values exist, kept once in memory however many records
// carry it: a feed holds a hundred thousand operations of a dozen branches.
func (r *record) word(name string) string {
	s := r.text(name)
	if s == "" {
		return ""
	}
	return unique.Make(s).Value()
}

// integer reads every digit: decoded as floating point, an id beyond 2^53 would
// name another key.
func (r *record) integer(name string) Opt[int64] {
	v := r.get(name)
	if v == nil {
		return Opt[int64]{}
	}
	n, err := strconv.ParseInt(string(bytes.Trim(v, `"`)), 10, 64)
	if err != nil {
		r.bad(name, "an integer")
		return Opt[int64]{}
	}
	return Opt[int64]{n, true}
}

func (r *record) flag(name string) Opt[bool] {
	v := r.get(name)
	if v == nil {
		return Opt[bool]{}
	}
	b, err := strconv.ParseBool(string(v))
	if err != nil || len(v) < 4 {
		r.bad(name, "true or false")
		return Opt[bool]{}
	}
	return Opt[bool]{b, true}
}

// time reads an ISO 8601 timestamp, with or without a fraction, in UTC.
func (r *record) time(name string) time.Time {
	v := r.get(name)
	if v == nil {
		return time.Time{}
	}
	t, err := time.Parse(time.RFC3339Nano, strings.Trim(string(v), `"`))
	if err != nil {
		r.bad(name, "a timestamp")
		return time.Time{}
	}
	return t.UTC()
}

// identity returns the id field. A record without one still needs a name to be
// shown under, the same at every poll, so it is named after its bytes.
func (r *record) identity() string {
	if id := r.text("id"); id != "" {
		return id
	}
	r.bad("id", "there")
	h := fnv.New32a()
	_, _ = h.Write(r.raw)
	return fmt.Sprintf("(no id) %08x", h.Sum32())
}

// damaged describes what could not be read, or is empty.
func (r *record) damaged() string { return strings.Join(r.damage, "; ") }
