package state

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/gofrs/flock"

	"pgtower/keystore/profile"
)

// File is the file of the state; an empty path stands for none, where there is no folder for it.
type File struct{ Path string }

const (
	lockWait  = 10 * time.Second // another program that has the lock writes one small file
	lockPause = 20 * time.Millisecond
)

var errNoFolder = errors.New("there is no folder for the state")

// Load reads the state. A file that is damaged or of a newer version is renamed, so that the next change does not destroy
// it. The error says what is wrong with the file, and what was done; the state is then empty.
func (f File) Load() (State, error) {
	s, err := f.Read()
	if _, unusable := errors.AsType[*unusableError](err); !unusable {
		return s, err
	}
	unlock, locked := f.lock()
	if locked != nil {
		return State{}, err
	}
	defer unlock()
	s, err = f.Read()
	if _, unusable := errors.AsType[*unusableError](err); !unusable { // another program has replaced it meanwhile
		return s, err
	}
	aside, failed := f.setAside()
	if failed != nil {
		return State{}, fmt.Errorf("%w (%s)", err, f.Path)
	}
	return State{}, fmt.Errorf("%w; the file is now %s", err, aside)
}

// Read reads the state, and changes nothing. Without a file, it is empty.
func (f File) Read() (State, error) {
	if f.Path == "" {
		return State{}, nil
	}
	s, err := f.read()
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) { // as in a home that is /dev/null
		return State{}, nil
	}
	return s, err
}

// unusableError is an error in the content of the file.
type unusableError struct{ error }

func (e *unusableError) Unwrap() error { return e.error }

func (f File) read() (State, error) {
	there, err := os.Stat(f.Path)
	if err == nil && !there.Mode().IsRegular() { // opening a pipe would block
		err = fmt.Errorf("%s is not a regular file", f.Path)
	}
	if err != nil {
		return State{}, fmt.Errorf("could not read the state: %w", err)
	}
	file, err := os.Open(f.Path)
	if err != nil {
		return State{}, fmt.Errorf("could not read the state: %w", err)
	}
	defer file.Close() //nolint:errcheck // it was only read
	info, err := file.Stat()
	if err == nil {
		err = profile.CheckWriters(info)
	}
	if err != nil {
		return State{}, fmt.Errorf("ignored the state: %w (%s)", err, f.Path)
	}
	doc, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err != nil {
		return State{}, fmt.Errorf("could not read the state: %w", err)
	}
	s, err := State{}, error(nil)
	if len(doc) > maxFile {
		err = errors.New("it is too large")
	} else {
		s, err = decode(doc)
	}
	if err != nil {
		return State{}, &unusableError{fmt.Errorf("ignored the state: %w", err)}
	}
	return s, nil
}

// setAside renames an unusable file, and returns its new path. Only the last one is kept.
func (f File) setAside() (aside string, err error) {
	aside = strings.TrimSuffix(f.Path, filepath.Ext(f.Path)) + "-unusable" + filepath.Ext(f.Path)
	return aside, os.Rename(f.Path, aside)
}

// Change applies a change to the state as it is in the file now, and writes it as a whole. Other programs wait meanwhile,
// so no change is lost. A file that cannot be used is set aside as by [File.Load]; one that others can write to is an
// error.
func (f File) Change(change func(*State) error) error {
	if f.Path == "" {
		return errNoFolder
	}
	if err := os.MkdirAll(filepath.Dir(f.Path), 0o700); err != nil {
		return fmt.Errorf("could not write the state: %w", err)
	}
	unlock, err := f.lock()
	if err != nil {
		return err
	}
	defer unlock()
	s, err := f.Read()
	if _, unusable := errors.AsType[*unusableError](err); unusable {
		if _, failed := f.setAside(); failed != nil {
			return fmt.Errorf("could not write the state: %w", failed)
		}
		err = nil
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
	if before, err := os.ReadFile(f.Path); err == nil && bytes.Equal(before, doc) {
		return nil
	}
	if err := f.replace(doc); err != nil {
		return fmt.Errorf("could not write the state: %w", err)
	}
	return nil
}

// lock keeps other programs from changing the file until unlock is called. A file system without locks, or a folder that
// cannot be written, is no error: the file is whole without the lock, too.
func (f File) lock() (unlock func(), err error) {
	// Opening a pipe only to read it would block.
	lock := flock.New(f.Path+".lock", flock.SetFlag(os.O_CREATE|os.O_RDWR))
	for waited := time.Duration(0); !attempted(lock); waited += lockPause {
		if waited >= lockWait {
			return nil, errors.New("another pgtower is writing the state: try again")
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
