//go:build unix

package cli

import (
	"errors"
	"syscall"
	"testing"
)

// Opening a pipe for writing blocks until there is a reader.
func TestLogFileIsNoPipe(t *testing.T) {
	t.Parallel()
	path := logPath(t)
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, open := range logOpeners() {
		if err := open(path); !errors.Is(err, errNotRegular) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
