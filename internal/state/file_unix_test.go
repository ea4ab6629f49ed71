//go:build unix

package state

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
)

// Reading a pipe without a writer would never end.
func TestStateThatIsAPipe(t *testing.T) {
	t.Parallel()
	f := fileIn(t)
	if err := errors.Join(os.MkdirAll(filepath.Dir(f.Path), 0o700), syscall.Mkfifo(f.Path, 0o600)); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Load(); err == nil || !strings.Contains(err.Error(), "is not a regular file") {
		t.Error(err)
	}
	if err := f.Change(func(*State) error { return nil }); err == nil {
		t.Error("it was changed")
	}
}

// A pipe in place of the lock does not block a change.
func TestStateLockThatIsAPipe(t *testing.T) {
	t.Parallel()
	f := fileIn(t)
	if err := errors.Join(os.MkdirAll(filepath.Dir(f.Path), 0o700), syscall.Mkfifo(f.Path+".lock", 0o600)); err != nil {
		t.Fatal(err)
	}
	f.change(t, func(s *State) { s.AddFilter("operations", "x") })
}

// A file that others can write to is neither read nor changed: they could choose where keys are sent.
func TestStateThatOthersCanChange(t *testing.T) {
	t.Parallel()
	for _, mode := range []os.FileMode{0o620, 0o602} {
		f := fileIn(t)
		f.change(t, func(s *State) { s.AddFilter("operations", "x") })
		before := f.content(t)
		if err := os.Chmod(f.Path, mode); err != nil {
			t.Fatal(err)
		}
		s, err := f.Load()
		if err == nil || !strings.Contains(err.Error(), "chmod go-w") || !reflect.DeepEqual(s, State{}) {
			t.Errorf("%o: %+v, %v", mode, s, err)
		}
		err = f.Change(func(s *State) error {
			s.AddFilter("operations", "y")
			return nil
		})
		if err == nil || f.content(t) != before {
			t.Errorf("%o was changed: %v", mode, err)
		}
	}
}
