package contract

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"
)

// record is a JSON object.
type record = map[string]any

// text returns a field as a text, and nothing where it is no string.
func text(r record, name string) string {
	s, _ := r[name].(string)
	return s
}

// keyID returns the id of a key, in the digits it was sent with.
func keyID(r record) string {
	n, _ := r["id"].(json.Number)
	return n.String()
}

// presence says when a field may be left out.
type presence int

const (
	always presence = iota
	// known is for fields that the specification shows and known servers leave out.
	known
	// sometimes is for fields that the specification itself lets be absent.
	sometimes
)

// field is what the specification says of a field.
type field struct {
	name     string
	is       func(v any) bool
	want     string
	presence presence
}

// check checks a record against its table in the specification. A target that is not
// exact may send further fields: clients have to tolerate them.
func (s *service) check(t *testing.T, what string, r record, fields []field) {
	t.Helper()
	shown := map[string]bool{}
	for _, f := range fields {
		shown[f.name] = true
		v, ok := r[f.name]
		switch {
		case ok && !f.is(v):
			t.Errorf("%s: %s is %v, want %s", what, f.name, v, f.want)
		case !ok && (f.presence == always || f.presence == known && s.exact):
			t.Errorf("%s lacks %s: %v", what, f.name, r)
		}
	}
	for name := range r {
		if s.exact && !shown[name] {
			t.Errorf("%s has %s, which the specification does not show", what, name)
		}
	}
}

func str(name string) field {
	return field{name: name, want: "a string", is: func(v any) bool {
		_, ok := v.(string)
		return ok
	}}
}

func matching(name, pattern, want string) field {
	return field{name: name, want: want, is: func(v any) bool {
		s, ok := v.(string)
		return ok && regexp.MustCompile(pattern).MatchString(s)
	}}
}

func integer(name string) field {
	return field{name: name, want: "an integer", is: func(v any) bool {
		n, ok := v.(json.Number)
		return ok && regexp.MustCompile(`^-?\d+$`).MatchString(n.String())
	}}
}

func boolean(name string) field {
	return field{name: name, want: "a boolean", is: func(v any) bool {
		_, ok := v.(bool)
		return ok
	}}
}

// timestamp is a field as section 1 has them: ISO 8601, in UTC.
func timestamp(name string) field {
	return field{name: name, want: "a timestamp in UTC", is: func(v any) bool {
		s, ok := v.(string)
		_, err := time.Parse(time.RFC3339Nano, s)
		return ok && err == nil && strings.HasSuffix(s, "Z")
	}}
}

// orNull is the field where nothing has happened yet.
func orNull(f field) field {
	is := f.is
	f.is = func(v any) bool { return v == nil || is(v) }
	f.want += " or null"
	return f
}

func unless(p presence, f field) field {
	f.presence = p
	return f
}

// when returns a field that has been checked to be a timestamp.
func when(t *testing.T, r record, name string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339Nano, fmt.Sprint(r[name]))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return at
}
