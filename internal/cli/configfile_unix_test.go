//go:build unix

package cli

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"pgtower/models/settings"
)

// A file with commands that others can write to is refused.
func TestConfigCommandsThatOthersCanChange(t *testing.T) {
	t.Parallel()
	const command, none = "[profiles.work]\nkey_command = 'true'\n", "[profiles.work]\n"
	for _, c := range []struct {
		doc  string
		mode os.FileMode
		uid  int
		says string
	}{
		{command, 0o600, os.Geteuid(), ""},
		{command, 0o644, 0, ""},
		{command, 0o620, os.Geteuid(), "config.toml: it has commands, but other users can write to the file. Run chmod go-w on it"},
		{command, 0o602, os.Geteuid(), "chmod go-w"},
		{"[[views]]\nname = 'x'\nrun = ['x']\n", 0o602, os.Geteuid(), "chmod go-w"},
		{command, 0o600, os.Geteuid() + 1, "it has commands, but the file belongs to another user."},
		{none, 0o666, os.Geteuid() + 1, ""},
	} {
		path := filepath.Join(t.TempDir(), "config.toml")
		if err := errors.Join(os.WriteFile(path, []byte(c.doc), 0o600), os.Chmod(path, c.mode)); err != nil {
			t.Fatal(err)
		}
		if err := os.Chown(path, c.uid, -1); err != nil {
			continue // only root can give files away
		}
		_, err := loadConfig(path, settings.Check{})
		if (err != nil) != (c.says != "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%o of %d: got %v, want %q", c.mode, c.uid, err, c.says)
		}
	}
}

// The file may be a pipe from a program that decrypts it.
func TestConfigFromAPipe(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	go func() { _ = os.WriteFile(path, []byte("[profiles.a]\npage_size = 7\n"), 0o600) }()
	if c, err := loadConfig(path, settings.Check{}); err != nil || c.Profiles["a"].PageSize != 7 {
		t.Errorf("%+v, %v", c, err)
	}
}

// A pipe without a writer, or one that does not end, is an error after a while.
func TestConfigFromAPipeThatNeverEnds(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	never := func(when string) {
		_, err := loadConfigWithin(10*time.Millisecond, path, settings.Check{})
		if err == nil || !strings.Contains(err.Error(), path+": could not be read within 10ms") {
			t.Errorf("%s: %v", when, err)
		}
	}
	never("without a writer")
	writer, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := writer.WriteString("[profiles.a]\n"); err != nil {
		t.Fatal(err)
	}
	never("without an end")
	if err := writer.Close(); err != nil { // which ends both reads
		t.Error(err)
	}
}
