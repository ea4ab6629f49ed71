//go:build unix

package cli

import (
	"errors"
	"syscall"
	"testing"

	"pgtower/internal/files"
)

// logOpeners returns functions that open the file of --log, each as its command does.
func logOpeners() map[string]func(path string) error {
	return map[string]func(string) error{
		"dashboard": func(path string) error {
			return new(transport).open("", path)
		},
		"mock": func(path string) error {
			_, err := Process{}.mockLog(path)
			return err
		},
	}
}

// A log that is a pipe is refused: opening it would block until there is a reader.
func TestLogFileIsNoPipe(t *testing.T) {
	t.Parallel()
	path := logPath(t)
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, open := range logOpeners() {
		if err := open(path); !errors.Is(err, files.ErrNotRegular) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
