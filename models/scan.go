package models

import (
	"bytes"
	"encoding/json"
	"sync/atomic"
)

// field is a member of a JSON object: its name, and its value as the document spells it.
type field struct{ name, value []byte }

// scanner finds where values begin and end. It reads documents that encoding/json has
// found valid, as it does before it calls an UnmarshalJSON; of any other it may accept
// or refuse what it likes, but it ends and stays inside.
type scanner struct {
	doc []byte
	at  int
}

// members appends the members of the document's object to list. ok is false if the
// document is not an object.
func (s *scanner) members(list []field) (_ []field, ok bool) {
	if !s.take('{') {
		return nil, false
	}
	if s.take('}') {
		return list, s.ended()
	}
	for {
		s.space()
		name, ok := unquote(s.text())
		if !ok || !s.take(':') {
			return nil, false
		}
		value := s.value()
		if value == nil {
			return nil, false
		}
		list = append(list, field{name, value})
		if s.take('}') {
			return list, s.ended()
		}
		if !s.take(',') {
			return nil, false
		}
	}
}

func (s *scanner) space() {
	for s.at < len(s.doc) && isSpace(s.doc[s.at]) {
		s.at++
	}
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// take passes over white space and c, if that is what comes next.
func (s *scanner) take(c byte) bool {
	s.space()
	if s.at == len(s.doc) || s.doc[s.at] != c {
		return false
	}
	s.at++
	return true
}

func (s *scanner) ended() bool {
	s.space()
	return s.at == len(s.doc)
}

// text passes over a string, which it returns with its quotes.
func (s *scanner) text() []byte {
	start := s.at
	if start == len(s.doc) || s.doc[start] != '"' {
		return nil
	}
	for i := start + 1; i < len(s.doc); i++ {
		switch s.doc[i] {
		case '\\':
			i++
		case '"':
			s.at = i + 1
			return s.doc[start:s.at]
		}
	}
	s.at = len(s.doc)
	return nil
}

// value passes over a value, which it returns.
func (s *scanner) value() []byte {
	s.space()
	start := s.at
	for depth := 0; s.at < len(s.doc); {
		switch c := s.doc[s.at]; {
		case c == '"':
			if s.text() == nil {
				return nil
			}
		case c == '{' || c == '[':
			depth++
			s.at++
			continue
		case c == '}' || c == ']':
			depth--
			s.at++
		case c == ',' || c == ':' || isSpace(c):
			s.at++
			continue
		default:
			s.literal()
		}
		if depth <= 0 {
			return s.doc[start:s.at]
		}
	}
	return nil
}

// literal passes over a number, true, false or null.
func (s *scanner) literal() {
	for s.at < len(s.doc) {
		switch c := s.doc[s.at]; {
		case c == ',' || c == '}' || c == ']' || isSpace(c):
			return
		}
		s.at++
	}
}

// unquote returns what a JSON string says, without a copy where it has no escapes. ok
// is false if v is not a string.
func unquote(v []byte) (_ []byte, ok bool) {
	if len(v) < 2 || v[0] != '"' {
		return nil, false
	}
	if inner := v[1 : len(v)-1]; bytes.IndexByte(inner, '\\') < 0 {
		return inner, true
	}
	var s string
	// A copy, or v would count as kept, and with it the room of every record's fields.
	if err := json.Unmarshal(bytes.Clone(v), &s); err != nil {
		return nil, false
	}
	return []byte(s), true
}

// vocabulary keeps the words that were read last, each once in memory however many
// records carry it: a feed holds a hundred thousand operations of a dozen branches. It
// is bounded, whatever a server sends.
type vocabulary [512]atomic.Pointer[string]

// longestWord is the most bytes of a text that is worth keeping as a word.
const longestWord = 64

func (v *vocabulary) word(b []byte) string {
	if len(b) > longestWord {
		return string(b)
	}
	place := &v[hash(b)%uint32(len(v))]
	if known := place.Load(); known != nil && *known == string(b) {
		return *known
	}
	s := string(b)
	place.Store(&s)
	return s
}

// hash is FNV-1a, without what the standard library allocates for it.
func hash(b []byte) uint32 {
	h := uint32(2166136261)
	for _, c := range b {
		h = (h ^ uint32(c)) * 16777619
	}
	return h
}
