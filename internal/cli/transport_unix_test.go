//go:build unix

package cli

import (
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"
)

// Opening a pipe to write waits until somebody reads.
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

// Nothing of these may be waited for or read without end.
func TestAuthoritiesAreARegularFile(t *testing.T) {
	t.Parallel()
	pipe, long := logPath(t), logPath(t)
	if err := errors.Join(syscall.Mkfifo(pipe, 0o600), os.WriteFile(long, nil, 0o600), os.Truncate(long, maxAuthorities+1)); err != nil {
		t.Fatal(err)
	}
	for path, says := range map[string]string{
		pipe: " is not a regular file", "/dev/zero": " is not a regular file", t.TempDir(): " is not a regular file",
		long: " is longer than 16 MB",
	} {
		_, err := (&transport{caFile: path}).open()
		if _, usage := errors.AsType[usageError](err); !usage || !strings.HasPrefix(err.Error(), "--ca-file: "+path+says) {
			t.Errorf("%s: %v", path, err)
		}
	}
}
