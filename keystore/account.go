package keystore

import (
	"errors"
	"strings"

	"pgtower/models"
)

// Account names a saved key. A key belongs to a profile and to a host, so that one
// that was saved for a host is never sent to another, whatever becomes of the
// profile's base URL.
type Account struct {
	// Profile is the name that the person gave.
	Profile string
	// Host is the base URL's, with the port where it is not the scheme's own.
	Host string
}

// String is the account as an error or a keyring's own window names it.
func (a Account) String() string { return a.Profile + "@" + strings.ToLower(a.Host) }

// user returns the account's name in the keyring: no two accounts have the same,
// because a host contains no @.
func (a Account) user() (string, error) {
	switch {
	case a.Profile == "":
		return "", errors.New("the profile has no name")
	case models.Clean(a.Profile) != a.Profile:
		return "", errors.New("the profile's name has characters in it that cannot be shown")
	case a.Host == "":
		return "", errors.New("the base URL names no host")
	case strings.ContainsFunc(a.Host, notInHost):
		return "", errors.New("the host is not one")
	}
	return a.String(), nil
}

func notInHost(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune("@/?#", r) }
