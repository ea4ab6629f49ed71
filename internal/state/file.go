package state

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"pgtower/internal/files"
	"pgtower/models"
)

// File is the file of the state; an empty path stands for none, where there is no folder for it.
type File struct{ Path string }

const (
	lockWait  = 10 * time.Second // another program that has the lock writes one small file
	lockPause = 20 * time.Millisecond
)

var errNoFolder = errors.New("there is no folder for the state")

// Load reads the state. A file that is damaged is renamed, so that the next change does not destroy it. The error has
// what is wrong with the file, and what was done. Then the state has the part that can be used.
func (f File) Load() (State, error) {
	s, err := f.Read()
	if !isUnusable(err) {
		return s, err
	}
	target, unlock, locked := f.locked()
	if locked != nil {
		return State{}, err
	}
	defer unlock()
	s, err = target.Read()
	if !isUnusable(err) { // another program has replaced it meanwhile
		return s, err
	}
	aside, failed := target.setAside()
	if failed != nil {
		return State{}, fmt.Errorf("%w (%s), and could not be set aside: %w", err, f.Path, failed)
	}
	if target.Path != f.Path { // a link to nowhere is not an absent file: nothing would be remembered any more
		doc, failed := (&State{}).encode()
		if failed == nil {
			failed = target.replace(doc)
		}
		err = errors.Join(err, failed)
	}
	return State{}, fmt.Errorf("%w; the file is now %s", err, aside)
}

// Read reads the state, and changes nothing. Without a file, it is empty. One of a newer version comes with an error: its
// settings can be used, and it must not be written.
func (f File) Read() (State, error) {
	if f.Path == "" {
		return State{}, nil
	}
	text, err := files.Read(f.Path, maxFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return State{}, nil
	case errors.Is(err, models.ErrTooLong):
		return State{}, &unusableError{fmt.Errorf("ignored the state: it is %w", err)}
	case err != nil:
		return State{}, fmt.Errorf("could not read the state: %w (%s)", err, f.Path)
	case text.Untrusted != nil:
		return State{}, fmt.Errorf("ignored the state: %w (%s)", text.Untrusted, f.Path)
	}
	s, err := decode(text.Bytes)
	switch {
	case err == nil:
		return s, nil
	case errors.Is(err, errNewer):
		return s, fmt.Errorf("the state is %w: pgtower reads it, and remembers nothing more (%s)", err, f.Path)
	}
	return State{}, &unusableError{fmt.Errorf("ignored the state: %w", err)}
}

// unusableError is an error in the content of the file.
type unusableError struct{ error }

func (e *unusableError) Unwrap() error { return e.error }

func isUnusable(err error) bool {
	_, unusable := errors.AsType[*unusableError](err)
	return unusable
}

const mostAside = 1000 // unusable files

// setAside renames an unusable file to a name that no other one has, and returns its new path.
func (f File) setAside() (aside string, err error) {
	extension := filepath.Ext(f.Path)
	begin := strings.TrimSuffix(f.Path, extension) + "-unusable"
	for n := range mostAside {
		aside = begin + extension
		if n > 0 {
			aside = fmt.Sprintf("%s-%d%s", begin, n+1, extension)
		}
		reserved, err := os.OpenFile(aside, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600) //nolint:gosec // it is beside the program's own file
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err == nil {
			err = errors.Join(reserved.Close(), os.Rename(f.Path, aside))
		}
		return aside, err
	}
	return "", fmt.Errorf("there are %d unusable files beside it", mostAside)
}

// Change applies a change to the state as it is in the file now, and writes it as a whole. Other programs wait meanwhile,
// so no change is lost. A file that cannot be used is set aside as by [File.Load]; one of a newer version, or that others can
// write to, is an error.
func (f File) Change(change func(*State) error) error {
	if f.Path == "" {
		return errNoFolder
	}
	target, unlock, err := f.locked()
	if err != nil {
		return fmt.Errorf("could not write the state: %w", err)
	}
	defer unlock()
	s, err := target.Read()
	if isUnusable(err) {
		_, err = target.setAside()
		if err != nil {
			return fmt.Errorf("could not write the state: %w", err)
		}
	}
	if err != nil {
		return err
	}
	if err := change(&s); err != nil {
		return err
	}
	doc, err := s.encode()
	if err != nil {
		return err
	}
	if previous, err := os.ReadFile(target.Path); err == nil && bytes.Equal(previous, doc) {
		return nil
	}
	if err := target.replace(doc); err != nil {
		return fmt.Errorf("could not write the state: %w", err)
	}
	return nil
}

// locked returns the file to which links lead, with its lock. Its folder is made if there is none.
func (f File) locked() (target File, unlock func(), err error) {
	target.Path, err = files.Target(f.Path)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(target.Path), 0o700)
	}
	if err != nil {
		return target, nil, err
	}
	unlock, err = target.lock()
	return target, unlock, err
}

// lock keeps other programs from changing the file until unlock is called. A file system without locks, or a folder that
// cannot be written, is no error: the file is whole without the lock, too.
func (f File) lock() (unlock func(), err error) {
	// Opening a pipe only to read it would block.
	lock := flock.New(f.Path+".lock", flock.SetFlag(os.O_CREATE|os.O_RDWR))
	for waited := time.Duration(0); !attempted(lock); waited += lockPause {
		if waited >= lockWait {
			return nil, errors.New("another pgtower is writing it: try again")
		}
		time.Sleep(lockPause)
	}
	return func() { _ = lock.Close() }, nil
}

// attempted reports whether there is nothing more to wait for: the lock is held, or cannot be.
func attempted(lock *flock.Flock) bool {
	locked, err := lock.TryLock()
	return locked || err != nil
}

// replace writes a file for its owner only, beside the old one, and renames it.
func (f File) replace(doc []byte) error {
	file, err := os.CreateTemp(filepath.Dir(f.Path), filepath.Base(f.Path)+".*")
	if err != nil {
		return err
	}
	_, err = file.Write(doc)
	err = errors.Join(err, file.Sync(), file.Close())
	if err == nil {
		err = os.Rename(file.Name(), f.Path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return nil
}
