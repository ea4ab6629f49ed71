package models

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unique"
)

const masked = "•••"

// Secret holds an API key. It prints, logs and marshals as dots; only [Secret.Reveal] returns the key. Two secrets with
// the same key are equal. The key is behind a pointer, because fmt prints unexported fields without calling their
// methods.
type Secret struct{ value unique.Handle[string] }

// NewSecret returns a key without the surrounding white space that pasting and pipes add.
func NewSecret(s string) Secret {
	s = strings.TrimSpace(s)
	if s == "" {
		return Secret{}
	}
	return Secret{unique.Make(s)}
}

// Reveal returns the key itself: for the Authorization header, the keyring, and the dialog that shows a new key.
func (s Secret) Reveal() string {
	if s.IsZero() {
		return ""
	}
	return s.value.Value()
}

// IsZero reports whether there is no key.
func (s Secret) IsZero() bool { return s == Secret{} }

// ErrBadSecret is the error of [Secret.Check].
var ErrBadSecret = errors.New("invalid API key")

// assignment matches the beginning of a line of a shell or a file of variables that sets a key.
var assignment = regexp.MustCompile(`(?i)^(export\s+|set\s+)?[a-z0-9_]*(key|token)\s*=\s*[^=]`)

// bearer matches the beginning of a header with a key.
var bearer = regexp.MustCompile(`(?i)^(authorization:\s*)?bearer\s`)

// around returns how the text shows that more than a key was copied, or "".
func (s Secret) around() string {
	text := s.Reveal()
	first, last := text[0], text[len(text)-1]
	switch {
	case bearer.MatchString(text):
		return "it begins with Bearer"
	case assignment.MatchString(text):
		return "it begins with the name of a variable"
	case len(text) > 1 && first == last && strings.ContainsRune("\"'`", rune(first)):
		return "it is in quotes"
	}
	return ""
}

// Check returns why this cannot be a key, or nil. Keys travel in a header: printable ASCII without spaces. The error
// names what was copied with the key.
func (s Secret) Check() error {
	if s.IsZero() {
		return fmt.Errorf("%w: it is empty", ErrBadSecret)
	}
	if around := s.around(); around != "" {
		return fmt.Errorf("%w: %s: give the key alone", ErrBadSecret, around)
	}
	for i, r := range []rune(s.Reveal()) {
		switch {
		case r == ' ' || r == '\t' || r == '\n' || r == '\r':
			return fmt.Errorf("%w: white space at character %d", ErrBadSecret, i+1)
		case isUnusual(r):
			return fmt.Errorf("%w: invalid character at position %d", ErrBadSecret, i+1)
		}
	}
	return nil
}

// String returns dots.
func (s Secret) String() string { return masked }

// Format writes dots for every verb, so that %x, %q or %#v cannot leak the key.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(masked)) }

// MarshalText writes dots, for logs, JSON and every other encoding.
func (s Secret) MarshalText() ([]byte, error) { return []byte(masked), nil }
