package profile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	toml "github.com/pelletier/go-toml/v2"
)

// maxRewrites is how often a profile is added to a file that others change meanwhile.
const maxRewrites = 5

var errChanged = errors.New("another program keeps changing it: close that, then try again")

// Add puts the base URL and the organisation of a new profile at the end of a configuration file, or of a new one for
// its owner only. One that is there already with the same two is no error.
//
// The file is replaced at once or not at all, and not if it is wrong, or would be afterwards. Others may add profiles
// at the same time, and what an editor saves meanwhile stays. The errors are [*FileError].
func Add(path string, p Profile, check Check) (err error) {
	defer func() {
		if _, placed := errors.AsType[*FileError](err); err != nil && !placed {
			err = &FileError{Path: path, Err: err}
		}
	}()
	if err := CheckName(p.Name); err != nil {
		return err
	}
	// Where the file is a link, what it leads to is locked and replaced.
	target := path
	if to, err := filepath.EvalSymlinks(path); err == nil {
		target = to
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
		return err
	}
	lock, err := lockFolder(filepath.Dir(target))
	if err != nil {
		return err
	}
	defer lock.Close() //nolint:errcheck // it was not written to
	err = errChanged
	for tries := 0; tries < maxRewrites && errors.Is(err, errChanged); tries++ {
		err = addNow(path, target, p, check)
	}
	return err
}

// addNow adds the profile to what the file has now, or returns errChanged where that changes meanwhile.
func addNow(path, target string, p Profile, check Check) error {
	doc, before, err := readFile(path, check)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if there, ok := before.Profile(p.Name); ok {
		if there.BaseURL == p.BaseURL && there.OrgID == p.OrgID {
			return nil // another process has added it just now
		}
		return fmt.Errorf("there is a profile %s already", p.Name)
	}
	name := p.Name
	if strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz0123456789_-") != "" {
		name = `"` + name + `"` // no name contains what would have to be escaped
	}
	body, err := toml.Marshal(Profile{BaseURL: p.BaseURL, OrgID: p.OrgID})
	if err != nil {
		return err
	}
	after := append([]byte("[profiles."+name+"]\n"), body...)
	if len(doc) > 0 {
		after = slices.Concat(bytes.TrimRight(doc, "\r\n"), []byte("\n\n"), after)
	}
	if _, err := parse(path, after, check); err != nil {
		return err
	}
	return replaceFile(target, doc, after)
}

// replaceFile writes beside the file and renames, or returns errChanged where the file has changed.
func replaceFile(path string, before, after []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".config-*.toml") // for its owner only
	if err != nil {
		return err
	}
	_, err = f.Write(after)
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

// lockFolder keeps other pgtowers out of a folder, where the system can, until the file that it returns is closed.
func lockFolder(path string) (*os.File, error) {
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
