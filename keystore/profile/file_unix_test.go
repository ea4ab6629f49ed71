//go:build unix

package profile

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A file that others can write to is neither read nor changed: it decides which programs run.
func TestCommandsThatOthersCanChange(t *testing.T) {
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
		{command, 0o620, os.Geteuid(), "config.toml: other users can write to the file, and its commands would run as you. Run chmod go-w on it"},
		{command, 0o602, os.Geteuid(), "chmod go-w"},
		{"[[views]]\nname = 'x'\nrun = ['x']\n", 0o602, os.Geteuid(), "chmod go-w"},
		{command, 0o600, os.Geteuid() + 1, "config.toml: the file belongs to another user, and its commands would run as you."},
		{none, 0o666, os.Geteuid() + 1, ""},
	} {
		path := filepath.Join(t.TempDir(), "config.toml")
		if err := errors.Join(os.WriteFile(path, []byte(c.doc), 0o600), os.Chmod(path, c.mode)); err != nil {
			t.Fatal(err)
		}
		if err := os.Chown(path, c.uid, -1); err != nil {
			continue // only root can give files away
		}
		_, err := Load(path, checks())
		added := Add(path, Profile{Name: "new"}, checks())
		for _, err := range []error{err, added} {
			if (err != nil) != (c.says != "") || err != nil && !strings.Contains(err.Error(), c.says) {
				t.Errorf("%o of %d: got %v, want %q", c.mode, c.uid, err, c.says)
			}
		}
		if got := read(t, path); c.says != "" && got != c.doc {
			t.Errorf("%o of %d: became %q", c.mode, c.uid, got)
		}
	}
}
