package profile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"pgtower/models"
)

const maxFile = 1 << 20 // of a configuration file, in bytes

// Config is what a configuration file says. The zero value is that of no file.
type Config struct {
	Default  string       // the profile to use where none is chosen, or empty
	Profiles []Profile    // sorted by name
	Keys     []KeySetting // in the order of the file
}

// Profile returns the profile of a name, and whether the file has it.
func (c *Config) Profile(name string) (Profile, bool) {
	i := slices.IndexFunc(c.Profiles, func(p Profile) bool { return p.Name == name })
	if i < 0 {
		return Profile{}, false
	}
	return c.Profiles[i], true
}

// Check is what a configuration file is held to besides its form.
type Check struct {
	// Profile says which setting of a profile has a value that cannot be, and why, or returns a nil error.
	Profile func(p Profile) (setting string, err error)
	// Keys says what is wrong with the keys that actions are given.
	Keys func(all []KeySetting) []KeyFault
}

// KeySetting are the keys that the user gives an action of the dashboard. [Check.Keys] knows which there are.
type KeySetting struct {
	Page, Action string   // Page may be empty, for every page that has the action
	Keys         []string // may be none, for an action that is to have no key
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
	if untrusted != nil && slices.ContainsFunc(c.Profiles, func(p Profile) bool { return !p.KeyCommand.IsZero() }) {
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
		return nil, nil, &FileError{Path: path, Err: errors.New("it is too long for a configuration file")}
	}
	// Editors on Windows begin files with a mark of the encoding.
	return bytes.TrimPrefix(doc, []byte("\uFEFF")), checkWriters(info), nil
}
