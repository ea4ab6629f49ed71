package models

import (
	"errors"
	"fmt"
	"strings"
	"unique"
)

const masked = "•••"

// Secret holds an API key. It prints, logs and marshals as dots; only [Secret.Reveal] gives the key. Two of the same
// key are equal. The key stands behind a pointer, because fmt prints the fields of a struct around it without asking
// its methods.
type Secret struct{ value unique.Handle[string] }

// NewSecret takes a key, without the white space around it that comes with pasting and with pipes.
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

// ErrBadSecret is what [Secret.Check] returns.
var ErrBadSecret = errors.New("not an API key")

// Check returns why the key cannot be one, or nil. As it travels in a header, it is printable ASCII without spaces.
func (s Secret) Check() error {
	if s.IsZero() {
		return fmt.Errorf("%w: it is empty", ErrBadSecret)
	}
	for i, r := range []rune(s.Reveal()) {
		switch {
		case r == ' ' || r == '\t' || r == '\n' || r == '\r':
			return fmt.Errorf("%w: white space at character %d", ErrBadSecret, i+1)
		case r < ' ' || r > '~':
			return fmt.Errorf("%w: a character that keys do not have at position %d", ErrBadSecret, i+1)
		}
	}
	return nil
}

// String returns dots.
func (s Secret) String() string { return masked }

// Format writes dots whatever the verb, so that %x, %q or %#v cannot leak the key.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(masked)) }

// MarshalText writes dots, for logs, JSON and every other encoding.
func (s Secret) MarshalText() ([]byte, error) { return []byte(masked), nil }
