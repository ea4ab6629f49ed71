package desktop

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Path returns the full path of a file. A ~ at the beginning of the name is the user's home.
func Path(name string) (string, error) {
	if rest, ok := strings.CutPrefix(name, "~"); ok && (rest == "" || os.IsPathSeparator(rest[0])) {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", err
		}
		name = filepath.Join(home, rest)
	}
	return filepath.Abs(name)
}

// WriteNew writes a new file that only the user can read, or none, and returns its full [Path]. The folder must exist.
func WriteNew(name string, data []byte) (path string, err error) {
	if path, err = Path(name); err != nil {
		return "", err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) //nolint:gosec // the user named it
	switch {
	case errors.Is(err, os.ErrExist):
		return "", fmt.Errorf("%s already exists: choose another name", path)
	case errors.Is(err, os.ErrNotExist):
		return "", fmt.Errorf("the folder %s does not exist", filepath.Dir(path))
	case err != nil:
		return "", err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(err, os.Remove(path))
	}
	return path, nil
}
