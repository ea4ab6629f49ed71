// Package profile is the configuration file: profiles, and keys of actions. No API key is in it.
package profile

import (
	"errors"
	"fmt"
	"iter"
	"reflect"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

const (
	// Default is the profile that is used where none is chosen. It needs no table in the configuration file.
	Default = "default"
	// Demo is what the dashboard calls its built-in mock.
	Demo    = "demo"
	maxName = 64 // the longest name of a profile, in characters
)

// Profile is a named set of settings. Zero fields are not in the file.
type Profile struct {
	Name       string        `toml:"-"`
	BaseURL    string        `toml:"base_url,omitempty"`
	OrgID      string        `toml:"org_id,omitempty"`      // the organisation whose projects are listed
	Interval   time.Duration `toml:"interval,omitempty"`    // between polls
	PageSize   int           `toml:"page_size,omitempty"`   // how many operations are asked for at once
	Window     time.Duration `toml:"window,omitempty"`      // the dashboard counts the operations in it
	Pinned     []string      `toml:"pinned,omitempty"`      // ids of the projects that are asked at every poll
	SearchBack time.Duration `toml:"search_back,omitempty"` // how far back failures and sorted rows are loaded
	Theme      string        `toml:"theme,omitempty"`
	Time       string        `toml:"time,omitempty"`        // how times are shown
	KeyCommand KeyCommand    `toml:"key_command,omitempty"` // prints the profile's key
}

// settings are the keys of a profile in the file, with pointers to the fields that have their values.
func (p *Profile) settings() iter.Seq2[string, any] {
	return func(yield func(string, any) bool) {
		for field, value := range reflect.ValueOf(p).Elem().Fields() {
			key, _, _ := strings.Cut(field.Tag.Get("toml"), ",")
			if key != "-" && !yield(key, value.Addr().Interface()) {
				return
			}
		}
	}
}

// Text is the value of a key as a flag takes it, or empty.
func (p *Profile) Text(key string) string {
	for one, field := range p.settings() {
		if value := reflect.ValueOf(field).Elem(); one == key && !value.IsZero() {
			return fmt.Sprint(value.Interface())
		}
	}
	return ""
}

// KeyCommand is a program that prints an API key, such as a password manager.
type KeyCommand struct {
	Args  []string // the program and its arguments, which are run as they are
	Shell string   // a line for the system's shell; Args are empty then
}

// IsZero reports whether there is no command.
func (c KeyCommand) IsZero() bool { return c.Shell == "" && len(c.Args) == 0 }

// CheckName returns why a profile cannot be called so, or nil. Names are part of those in the keyring.
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
