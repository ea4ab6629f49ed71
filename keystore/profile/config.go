package profile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"pgtower/models"
)

const maxFile = 1 << 20 // of a configuration file, in bytes

// Config is what a configuration file says: the zero value is that of no file. It declares the file: [Load] decodes by
// its types and tags, and [Example] and [Schema] print it with the texts of about.
type Config struct {
	Default  string             `toml:"default_profile"`
	View     string             `toml:"default_view"`
	Profiles map[string]Profile `toml:"profiles"`
	Keys     []KeySetting       `toml:"keys"`
	Layout   Layout             `toml:"layout"`
	Views    []View             `toml:"views"`
	Commands []Command          `toml:"commands"`

	// Faults are what is wrong with keys, layout, views and commands, in the order of the file. Those parts are left out.
	Faults []*FileError `toml:"-"`
}

// KeySetting are the keys that the user gives an action of the dashboard. [Check.Keys] knows which there are.
type KeySetting struct {
	Page, Action string   // Page may be empty, for every page that has the action
	Keys         []string // may be none, for an action that is to have no key
	Command      int      // the number of the command whose key it is, from 1; 0: it is one of [keys]
}

// Layout is how the pages are laid out. What is zero depends on the screen.
type Layout struct {
	Pane       *bool    `toml:"pane"`
	PaneWidth  int      `toml:"pane_width"`
	Operations []string `toml:"operations"`
	Projects   []string `toml:"projects"`
	APIKeys    []string `toml:"apikeys"`
}

// View is a name for what to look at.
type View struct {
	Name    string   `toml:"name" required:"yes"`
	Filter  string   `toml:"filter" blank:"yes"`
	Project string   `toml:"project"`
	Sort    string   `toml:"sort" blank:"yes"`
	Columns []string `toml:"columns"`
}

// Command is a program that the user runs on the selected row.
type Command struct {
	Name      string   `toml:"name" required:"yes"`
	Key       string   `toml:"key"`
	Page      string   `toml:"page" required:"yes"`
	Run       []string `toml:"run" required:"yes"`
	Where     string   `toml:"where" enum:"terminal,background,output"`
	Confirm   string   `toml:"confirm"`
	AllowDash bool     `toml:"allow_dash"`
	Footer    bool     `toml:"footer"`
}

// runs reports whether the file has programs that run as the user.
func (c *Config) runs() bool {
	for _, p := range c.Profiles {
		if !p.KeyCommand.IsZero() || !p.KeyStoreCommand.IsZero() {
			return true
		}
	}
	return len(c.Commands) > 0
}

// Check is what a configuration file is held to besides its form. What is nil checks nothing.
type Check struct {
	// Table returns which setting of a [Profile], [Layout], [View] or [Command] cannot be used, and why, or a nil error.
	Table func(table any) (setting string, err error)
	// DefaultView returns why there is no such view among those of the file, or nil.
	DefaultView func(name string, views []View) error
	// Keys returns what is wrong with the keys that actions are given, the commands among them, or nil.
	Keys func(all []KeySetting, commands []Command) *KeyFault
}

// KeyFault is what is wrong with a [KeySetting].
type KeyFault struct {
	Index  int  // of the setting
	OfPage bool // its page is what is wrong
	Err    error
}

// FileError is a configuration file that cannot be used. It never contains what looks like a key.
type FileError struct {
	Path         string
	Line, Column int // from 1, columns in bytes; 0 where it is the file as a whole
	Err          error
}

// Error says where and what is wrong, as compilers do.
func (e *FileError) Error() string {
	if e.Line == 0 {
		return models.Clean(e.Path) + ": " + e.Err.Error()
	}
	return fmt.Sprintf("%s:%d:%d: %s", models.Clean(e.Path), e.Line, e.Column, e.Err)
}

// Unwrap returns the cause.
func (e *FileError) Unwrap() error { return e.Err }

// Load reads and checks a configuration file. The errors are [*FileError], also for [io/fs.ErrNotExist].
func Load(path string, check Check) (Config, error) {
	_, config, err := readFile(path, check)
	return config, err
}

func readFile(path string, check Check) (doc []byte, c Config, err error) {
	doc, untrusted, err := readDocument(path)
	if err != nil {
		return nil, Config{}, err
	}
	if c, err = parse(path, doc, check); err != nil {
		return nil, Config{}, err
	}
	if untrusted != nil && c.runs() {
		return nil, Config{}, &FileError{Path: path, Err: untrusted}
	}
	return doc, c, nil
}

// readDocument reads a file. untrusted is why commands in it must not be run, or nil.
func readDocument(path string) (doc []byte, untrusted, err error) {
	f, err := os.Open(path) //nolint:gosec // which file it is, is the user's choice
	if err != nil {
		if at, ok := errors.AsType[*os.PathError](err); ok {
			err = at.Err // the path is said already
		}
		return nil, nil, &FileError{Path: path, Err: err}
	}
	defer f.Close() //nolint:errcheck // it was only read
	doc, err = io.ReadAll(io.LimitReader(f, maxFile+1))
	info, failed := f.Stat()
	switch err = errors.Join(err, failed); {
	case err != nil:
		return nil, nil, &FileError{Path: path, Err: err}
	case len(doc) > maxFile:
		return nil, nil, &FileError{Path: path, Err: errors.New("the file is too large")}
	}
	return doc, checkWriters(info), nil
}

// byteOrderMark is what editors on Windows begin files with.
const byteOrderMark = "\uFEFF"

// unmarked splits the mark of the encoding off a document.
func unmarked(doc []byte) (mark, rest []byte) {
	rest = bytes.TrimPrefix(doc, []byte(byteOrderMark))
	return doc[:len(doc)-len(rest)], rest
}
