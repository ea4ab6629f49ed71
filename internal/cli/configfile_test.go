package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgtower/models/settings"
)

// A byte order mark is ignored. A file that is missing, a folder or too long is an error that names the path once; only the
// first is no such file.
func TestConfigFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	marked := filepath.Join(dir, "marked.toml")
	if err := os.WriteFile(marked, []byte("\uFEFFdefault_profile = 'work'\n[profiles.work]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if c, err := loadConfig(marked, settings.Check{}); err != nil || c.Default != "work" {
		t.Errorf("%+v, %v", c, err)
	}
	if _, err := loadConfig(filepath.Join(dir, "none.toml"), settings.Check{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("none: got %v", err)
	}
	_, err := loadConfig(dir, settings.Check{})
	if err == nil || errors.Is(err, fs.ErrNotExist) || err.Error() != dir+": is a directory" && runtime.GOOS != "windows" {
		t.Errorf("a folder: got %v", err)
	}
	long := filepath.Join(dir, "long.toml")
	if err := os.WriteFile(long, slices.Repeat([]byte("#"), maxConfig+1), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := loadConfig(long, settings.Check{}); err == nil || !strings.Contains(err.Error(), long+": too long: more than 1 MiB") {
		t.Errorf("too long: got %v", err)
	}
}
