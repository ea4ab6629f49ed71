// Package files reads the files of the user, and writes new ones that only the user can read. A file that cannot be reached is
// not an absent file.
package files

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// User reads and writes the files that the user names.
type User struct{}

// Path returns the full path of a file. A ~ at the beginning of the name is the user's home.
func (User) Path(name string) (string, error) {
	if rest, ok := strings.CutPrefix(name, "~"); ok && (rest == "" || os.IsPathSeparator(rest[0])) {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", err
		}
		name = filepath.Join(home, rest)
	}
	return filepath.Abs(name)
}

// NewFile is an empty file that only the user can read, and that did not exist before.
type NewFile struct {
	Path string // in full
	file *os.File
}

// Reserve creates a new file, for [NewFile.Write] or [NewFile.Discard]. The folder must exist.
func Reserve(name string) (*NewFile, error) {
	path, err := User{}.Path(name)
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) //nolint:gosec // the user named it
	switch {
	case errors.Is(err, os.ErrExist):
		return nil, fmt.Errorf("%s already exists: choose another name", path)
	case errors.Is(err, os.ErrNotExist):
		return nil, fmt.Errorf("the folder %s does not exist", filepath.Dir(path))
	case err != nil:
		return nil, err
	}
	return &NewFile{path, f}, nil
}

// Write writes the whole content, and closes the file. After an error, it removes the file.
func (f *NewFile) Write(data []byte) error {
	_, err := f.file.Write(data)
	if err == nil {
		err = f.file.Sync()
	}
	err = errors.Join(err, f.file.Close())
	if err != nil {
		return errors.Join(err, os.Remove(f.Path))
	}
	return nil
}

// Discard removes the file.
func (f *NewFile) Discard() error { return errors.Join(f.file.Close(), os.Remove(f.Path)) }

// WriteNew writes a new file that only the user can read, or none, and returns its full path. The folder must exist.
func (User) WriteNew(name string, data []byte) (path string, err error) {
	f, err := Reserve(name)
	if err != nil {
		return "", err
	}
	return f.Path, f.Write(data)
}
