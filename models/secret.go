package models

import (
	"errors"
	"fmt"
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

// Check returns why this cannot be a key, or nil. Keys travel in a header: printable ASCII without spaces.
func (s Secret) Check() error {
	if s.IsZero() {
		return fmt.Errorf("%w: it is empty", ErrBadSecret)
	}
	for i, r := range []rune(s.Reveal()) {
		switch {
		case r == ' ' || r == '\t' || r == '\n' || r == '\r':
			return fmt.Errorf("%w: white space at character %d", ErrBadSecret, i+1)
		case r < ' ' || r > '~':
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
