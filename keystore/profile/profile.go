// Package profile is the configuration file: profiles, which are named sets of settings, and the
// keys that the user gives actions. No API key is in it.
package profile

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Default is the name of the profile that is used where none is chosen. It needs
// no table in the configuration file.
const Default = "default"

// Demo is what the dashboard calls its built-in mock.
const Demo = "demo"

// maxName is the longest name of a profile, in characters.
const maxName = 64

// Profile is a named set of settings, as the configuration file has it. Zero fields are
// not in the file. A profile holds no key; what it is called and its base URL's host
// say which key of the keyring is its own.
type Profile struct {
	Name    string
	BaseURL string
	// OrgID is the organisation whose projects are listed.
	OrgID string
	// Interval is the time between polls.
	Interval time.Duration
	// PageSize is how many operations are asked for at once.
	PageSize int
	// Pinned are the ids of the projects that are asked for their operations at every poll.
	Pinned []string
	// Window is the time that the dashboard counts operations of.
	Window time.Duration
	// SearchBack is how far back the dashboard searches for failures, and what it sorts.
	SearchBack time.Duration
	Theme      string
	// Time is how times are shown.
	Time string
	// KeyCommand prints the profile's key.
	KeyCommand KeyCommand
}

// KeyCommand is a program that prints an API key, such as a password manager.
type KeyCommand struct {
	// Args are the program and its arguments, which are run as they are.
	Args []string
	// Shell is a line for the system's shell; Args are empty then.
	Shell string
}

// IsZero reports whether there is no command.
func (c KeyCommand) IsZero() bool { return c.Shell == "" && len(c.Args) == 0 }

// CheckName returns why a profile cannot be called so, or nil. Names are typed as
// arguments of flags and are part of an item's name in the keyring: letters, digits
// and ._- after a letter or a digit.
func CheckName(name string) error {
	if name == "" {
		return errors.New("the profile has no name")
	}
	if name == Demo {
		return errors.New("demo is the name of the built-in mock")
	}
	if utf8.RuneCountInString(name) > maxName {
		return fmt.Errorf("the profile's name is longer than %d characters", maxName)
	}
	for i, r := range name {
		word := unicode.IsLetter(r) || unicode.IsDigit(r)
		if !word && (i == 0 || !strings.ContainsRune("._-", r)) {
			return errors.New("a profile's name has letters, digits and ._- in it, and begins with a letter or a digit")
		}
	}
	return nil
}
