// Package settings has each setting of the program once: its place in the configuration file, its check and its text. It
// gets the bytes of a file, and opens none. No setting is an API key.
package settings

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"
	"unicode"

	"pgtower/models/moment"
)

const (
	// Default is the profile that is used unless another is chosen. It needs no table in the configuration file.
	Default = "default"
	// Demo is the name of the built-in mock in the dashboard.
	Demo = "demo"
)

// Profile is a named set of settings, in the configuration file and, as far as they have a name in JSON, in the state. What is
// not set is zero.
type Profile struct {
	Name       string        `toml:"-" json:"-"`
	BaseURL    string        `toml:"base_url" json:"base_url,omitzero" flag:"base-url" env:"PGTOWER_BASE_URL" of:"service"`
	OrgID      string        `toml:"org_id" json:"org_id,omitzero" flag:"org-id" env:"PGTOWER_ORG_ID" of:"service"`
	Project    string        `toml:"project" json:"-" flag:"project" of:"service"`
	Interval   time.Duration `toml:"interval" json:"-" flag:"interval" env:"PGTOWER_INTERVAL"`
	PageSize   int           `toml:"page_size" json:"-" flag:"page-size" env:"PGTOWER_PAGE_SIZE"`
	Window     time.Duration `toml:"window" json:"-" flag:"window" env:"PGTOWER_WINDOW"`
	Pinned     []string      `toml:"pinned" json:"-"`
	Since      moment.Time   `toml:"since" json:"-" flag:"since" env:"PGTOWER_SINCE"`
	QuietFor   time.Duration `toml:"quiet_for" json:"-" flag:"quiet-for"`
	Budget     int           `toml:"budget" json:"-" flag:"budget"`
	ReadOnly   bool          `toml:"read_only" json:"-" flag:"read-only"`
	NoHistory  bool          `toml:"history" not:"yes" json:"-" flag:"no-history" help:"do not write down what is seen of the use of API keys"`
	Theme      string        `toml:"theme" json:"-" flag:"theme" env:"PGTOWER_THEME" names:"auto,dark,light,high-contrast,mono"`
	Time       string        `toml:"time" json:"-" flag:"time" env:"PGTOWER_TIME" names:"relative,local,utc"`
	Color      string        `toml:"color" json:"color,omitzero"`
	ConsoleURL string        `toml:"console_url" json:"-"`
	StatusURL  *string       `toml:"status_url" json:"-"` // nil: that of the service, if it is known; empty: none
	KeyCommand KeyCommand    `toml:"key_command" json:"-"`
	// KeyStoreCommand is used only together with KeyCommand.
	KeyStoreCommand KeyCommand `toml:"key_store_command" json:"-"`
	Audit           Audit      `toml:"audit" json:"-"`
}

// Audit is the policy of an audit of API keys: the names of findings.
type Audit struct {
	FailOn []string `toml:"fail_on" json:"-" flag:"fail-on" command:"audit"`
	Ignore []string `toml:"ignore" json:"-" flag:"ignore" command:"audit"`
}

// auditTable is the beginning of the keys of an [Audit].
const auditTable = "audit."

// SameAccount reports whether another profile has the same service and organization.
func (p *Profile) SameAccount(other *Profile) bool {
	return p.BaseURL == other.BaseURL && p.OrgID == other.OrgID
}

// Text returns the value of a key, as a flag takes it, or "". A command may be confidential: it is only "(set)".
func (p *Profile) Text(key string) string {
	value := reflect.ValueOf(p).Elem()
	if nested, ok := strings.CutPrefix(key, auditTable); ok {
		value, key = reflect.ValueOf(&p.Audit).Elem(), nested
	}
	for _, setting := range fieldsOf(value, "profiles") {
		if setting.key != key || setting.value.IsZero() {
			continue
		}
		switch v := setting.value.Interface().(type) {
		case KeyCommand:
			return "(set)"
		case []string:
			if setting.tag.Get("flag") != "" {
				return strings.Join(v, ",")
			}
			return strings.Join(v, " ")
		case *string:
			return *v
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

const maxName = 64 // characters

// CheckName returns why a profile cannot have a name, or nil.
func CheckName(name string) error {
	switch {
	case name == Demo:
		return errors.New("demo is reserved for the built-in mock")
	case !validName(name):
		return errors.New("the profile name must contain 1 to 64 letters, digits and ._- and begin with a letter or digit")
	}
	return nil
}

// validName reports whether a profile can have a name, which is part of a name in the keyring. It is no regular
// expression, because compiling these classes of characters takes 2 ms and 2.5 MB at each start.
func validName(name string) bool {
	length := 0
	for _, r := range name {
		letter := unicode.IsLetter(r) || unicode.IsDigit(r)
		if !letter && (length == 0 || !strings.ContainsRune("._-", r)) {
			return false
		}
		length++
	}
	return length > 0 && length <= maxName
}
