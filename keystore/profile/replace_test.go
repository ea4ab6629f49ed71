package profile

import (
	"os"
	"path/filepath"
	"testing"
)

// A link to a missing file stays a link: the file is created at its target.
func TestALinkToNothingIsNotReplaced(t *testing.T) {
	t.Parallel()
	for name, link := range map[string]string{
		"absolute": "",
		"relative": filepath.Join("..", "dotfiles", "pgtower.toml"),
		"twice":    "second",
	} {
		// The folder of the configuration file is itself a link, into another folder.
		home := t.TempDir()
		real, config := filepath.Join(home, "deep", "config"), filepath.Join(home, "config")
		made := filepath.Join(home, "deep", "dotfiles", "pgtower.toml")
		if err := os.MkdirAll(real, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(real, config); err != nil {
			t.Skip(err)
		}
		path := filepath.Join(config, "config.toml")
		if link == "" {
			link = made
		}
		for at, to := range map[string]string{path: link, filepath.Join(real, "second"): made} {
			if err := os.Symlink(to, at); err != nil {
				t.Fatal(err)
			}
		}
		if err := Add(path, Profile{Name: "work", BaseURL: "https://console.example"}, checks()); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := read(t, made); got != "[profiles.work]\nbase_url = 'https://console.example'\n" {
			t.Errorf("%s: got %q", name, got)
		}
		if info, err := os.Lstat(path); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("%s: the link is gone: %v, %v", name, info, err)
		}
	}
}
