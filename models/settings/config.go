package settings

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"

	toml "github.com/pelletier/go-toml/v2"

	"pgtower/models"
	"pgtower/models/query"
)

// Config is the content of a configuration file; the zero value is that of an empty one. [Parse] and [Schema] follow its
// types and tags.
type Config struct {
	Default  string             `toml:"default_profile"`
	View     string             `toml:"default_view"`
	Profiles map[string]Profile `toml:"profiles"`
	Keys     []*KeySetting      `toml:"keys"`
	Layout   Layout             `toml:"layout"`
	Views    []query.SavedView  `toml:"views"`
	Commands []Command          `toml:"commands"`

	// Faults are the errors in keys, layout, views and commands, in the order of the file. The faulty parts are left out.
	Faults []*FileError `toml:"-"`
}

// KeySetting is the keys that the user gives to an action of the dashboard. [Check.Keys] checks whether it exists.
type KeySetting struct {
	Page, Action string   // an empty Page stands for every page that has the action
	Keys         []string // none: the action has no key
	Command      int      // the number of the command that has the key, from 1; 0: the setting is in [keys]
}

// ViewTOML returns a view as a part of a configuration file.
func ViewTOML(v query.SavedView) string {
	text, _ := toml.Marshal(v) // texts, lists of texts and a bool have no error
	return "[[views]]\n" + string(text)
}

// Command is a program that the user runs on the selected row.
type Command struct {
	Name      string   `toml:"name" required:"yes"`
	Key       string   `toml:"key"`
	Page      string   `toml:"page" required:"yes"`
	Run       []string `toml:"run" required:"yes" empty:"no"`
	Where     string   `toml:"where" enum:"terminal,background,output"`
	Confirm   string   `toml:"confirm"`
	AllowDash bool     `toml:"allow_dash"`
	Footer    bool     `toml:"footer"`
}

// Section returns the table of the configuration file that has the keys.
func (s KeySetting) Section() string {
	switch {
	case s.Command > 0:
		return "[[commands]]"
	case s.Page == "":
		return "[keys]"
	}
	return "[keys." + s.Page + "]"
}

// Runs reports whether the file contains programs, which run as the user.
func (c *Config) Runs() bool {
	for _, p := range c.Profiles {
		if !p.KeyCommand.IsZero() || !p.KeyStoreCommand.IsZero() {
			return true
		}
	}
	return len(c.Commands) > 0 || slices.ContainsFunc(c.Views, func(v query.SavedView) bool { return len(v.Run) > 0 })
}

// Check checks the values of a configuration file. A nil function checks nothing.
type Check struct {
	// Table returns which setting of a [Profile], [Layout], [query.SavedView] or [Command] cannot be used, and why, or a nil error.
	// With an [ItemError], the place is that of the item.
	Table func(table any) (setting string, err error)
	// Profile reports whether a profile that is not in the file exists elsewhere.
	Profile func(name string) bool
	// DefaultView returns why no view has this name, or nil. views are those of the file.
	DefaultView func(name string, views []query.SavedView) error
	// Keys returns the first fault in the keys of actions and commands, or nil.
	Keys func(list []*KeySetting, commands []Command) *KeyFault
}

// KeyFault is an error in a [KeySetting].
type KeyFault struct {
	Index  int  // of the setting
	OfPage bool // the page is wrong, not the action or its keys
	Err    error
}

// ItemError is an error in an item of a list.
type ItemError struct {
	Index int // of the item
	Err   error
}

func (e *ItemError) Error() string { return e.Err.Error() }

// FileError is an error in a configuration file. It never contains anything that looks like a key.
type FileError struct {
	Path         string
	Line, Column int // from 1, columns in bytes; 0: the whole file
	Err          error
	setting      string // for the order of errors in one place
}

func (e *FileError) compare(o *FileError) int {
	return cmp.Or(cmp.Compare(e.Line, o.Line), cmp.Compare(e.Column, o.Column), cmp.Compare(e.setting, o.setting))
}

// Error returns the place and the error, as compilers print them.
func (e *FileError) Error() string { return e.at(e.Path) }

// Brief returns the error with the name of the file only, for a screen on which a long path would take the room of the
// error.
func (e *FileError) Brief() string { return e.at(filepath.Base(e.Path)) }

func (e *FileError) at(path string) string {
	if e.Line == 0 {
		return models.Clean(path) + ": " + e.Err.Error()
	}
	return fmt.Sprintf("%s:%d:%d: %s", models.Clean(path), e.Line, e.Column, e.Err)
}

// Unwrap returns the cause.
func (e *FileError) Unwrap() error { return e.Err }
