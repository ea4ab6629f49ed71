// Package profile reads and edits the configuration file, which contains no API key.
package profile

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"time"
)

const (
	// Default is the profile that is used unless another is chosen. It needs no table in the configuration file.
	Default = "default"
	// Demo is the name of the built-in mock in the dashboard.
	Demo = "demo"
	// AlwaysType is the value of confirm by which every revocation must be typed.
	AlwaysType = "always type"
)

// Profile is a named set of settings. Fields that the file does not set are zero.
type Profile struct {
	Name       string        `toml:"-"`
	BaseURL    string        `toml:"base_url,omitzero"`
	OrgID      string        `toml:"org_id,omitzero"`
	Project    string        `toml:"project,omitzero"`
	Interval   time.Duration `toml:"interval,omitzero"`
	PageSize   int           `toml:"page_size,omitzero"`
	Window     time.Duration `toml:"window,omitzero"`
	Pinned     []string      `toml:"pinned,omitzero"`
	SearchBack time.Duration `toml:"search_back,omitzero"`
	Budget     int           `toml:"budget,omitzero"`
	ReadOnly   bool          `toml:"read_only,omitzero"`
	Theme      string        `toml:"theme,omitzero"`
	Time       string        `toml:"time,omitzero"`
	Color      string        `toml:"color,omitzero"`
	Confirm    string        `toml:"confirm,omitzero" enum:"default,always type"`
	ConsoleURL string        `toml:"console_url,omitzero"`
	KeyCommand KeyCommand    `toml:"key_command,omitzero"`
	// KeyStoreCommand is used only together with KeyCommand.
	KeyStoreCommand KeyCommand `toml:"key_store_command,omitzero"`
}

// Text returns the value of a key, as a flag takes it, or "". A command may be confidential: it is only "(set)".
func (p *Profile) Text(key string) string {
	for _, one := range fieldsOf(reflect.ValueOf(p).Elem()) {
		if one.key != key || one.value.IsZero() {
			continue
		}
		switch v := one.value.Interface().(type) {
		case KeyCommand:
			return "(set)"
		case []string:
			return strings.Join(v, " ")
		default:
			return fmt.Sprint(v)
		}
	}
	return ""
}

// KeyCommand is a program that prints or saves an API key, such as a password manager.
type KeyCommand struct {
	Args  []string // the program and its arguments, run without a shell
	Shell string   // a line for the system's shell, if Args is empty
}

// IsZero reports whether there is no command.
func (c KeyCommand) IsZero() bool { return c.Shell == "" && len(c.Args) == 0 }

// validName matches the names of profiles, which are part of the names in the keyring.
var validName = regexp.MustCompile(`^[\pL\p{Nd}][\pL\p{Nd}._-]{0,63}$`)

// CheckName returns why a profile cannot have a name, or nil.
func CheckName(name string) error {
	switch {
	case name == Demo:
		return errors.New("demo is reserved for the built-in mock")
	case !validName.MatchString(name):
		return errors.New("the profile name must contain 1 to 64 letters, digits and ._- and begin with a letter or digit")
	}
	return nil
}
