package profile

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

const maxLinks = 40 // that lead from one to the next, as in Linux

// linked returns the file that a symbolic link leads to, which need not exist, or the path of what is no link. A link
// must not be replaced by a file.
func linked(path string) string {
	for range maxLinks {
		to, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(to) {
			// Parent folders in the link are those of the folder that it lies in, not of the path that leads there.
			folder, err := filepath.EvalSymlinks(filepath.Dir(path))
			if err != nil {
				break
			}
			to = filepath.Join(folder, to)
		}
		path = to
	}
	return path
}

// replaceFile writes beside the file and renames, or returns errChanged where the file has changed.
func replaceFile(path string, before, after []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".config-*.toml") // for its owner only
	if err != nil {
		return err
	}
	_, err = f.Write(after)
	if info, failed := os.Stat(path); failed == nil {
		err = errors.Join(err, f.Chmod(info.Mode().Perm()))
	}
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		now, _, unread := readDocument(path)
		if !bytes.Equal(now, before) || unread != nil && !errors.Is(unread, fs.ErrNotExist) {
			err = errChanged
		}
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(f.Name()))
	}
	return err
}

// lockTries and lockPause bound the wait for a lock to ten seconds: who has it writes one small file.
const (
	lockTries = 500
	lockPause = 20 * time.Millisecond
)

var errLocked = errors.New("another pgtower is changing it: try again")

// LockFolder keeps other pgtowers out of a folder, where the system can, until the file that it returns is closed.
func LockFolder(path string) (*os.File, error) {
	f, err := os.Open(path) //nolint:gosec // the configuration file lies in it
	if err != nil {
		return nil, err
	}
	for range lockTries {
		if tryLock(f) {
			return f, nil
		}
		time.Sleep(lockPause)
	}
	return nil, errors.Join(errLocked, f.Close())
}
