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

const (
	// Default is the profile that is used where none is chosen. It needs no table in the configuration file.
	Default = "default"
	// Demo is what the dashboard calls its built-in mock.
	Demo = "demo"
	// maxName is the longest name of a profile, in characters.
	maxName = 64
)

// Profile is a named set of settings. Zero fields are not in the file.
type Profile struct {
	Name       string
	BaseURL    string
	OrgID      string        // the organisation whose projects are listed
	Interval   time.Duration // between polls
	PageSize   int           // how many operations are asked for at once
	Pinned     []string      // ids of the projects that are asked for their operations at every poll
	Window     time.Duration // the dashboard counts the operations in it
	SearchBack time.Duration // how far back the dashboard searches for failures, and what it sorts
	Theme      string
	Time       string     // how times are shown
	KeyCommand KeyCommand // prints the profile's key
}

// KeyCommand is a program that prints an API key, such as a password manager.
type KeyCommand struct {
	Args  []string // the program and its arguments, which are run as they are
	Shell string   // a line for the system's shell; Args are empty then
}

// IsZero reports whether there is no command.
func (c KeyCommand) IsZero() bool { return c.Shell == "" && len(c.Args) == 0 }

// CheckName returns why a profile cannot be called so, or nil. Names are arguments of flags, and part of those of the
// keyring's items: letters, digits and ._- after a letter or a digit.
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
