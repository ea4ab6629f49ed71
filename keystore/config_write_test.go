package keystore

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func read(t *testing.T, path string) string {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(got)
}

func TestProfilesAreAdded(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "new", "pgtower", "config.toml")
	work := Profile{Name: "work", BaseURL: "https://console.example/api/v2", OrgID: "org-1"}
	dotted := Profile{Name: "größe.2", BaseURL: "https://other.example/api/v2"}
	for _, p := range []Profile{work, dotted} {
		if err := AddProfile(path, p, checks()); err != nil {
			t.Fatal(err)
		}
	}
	c, err := LoadConfig(path, checks())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []Profile{work, dotted} {
		if got, ok := c.Profile(want.Name); !ok || got.BaseURL != want.BaseURL || got.OrgID != want.OrgID {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
	if runtime.GOOS == "windows" {
		return
	}
	for at, want := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
		info, err := os.Stat(at)
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", at, info.Mode(), err)
		}
	}
}

func TestWhatIsThereStays(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	real, path := filepath.Join(dir, "dotfiles.toml"), filepath.Join(dir, "config.toml")
	const before = "# mine\n[profiles.home]\npage_size = 7 # seven"
	if err := os.WriteFile(real, []byte(before), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, path); err != nil {
		t.Skip(err)
	}
	if err := AddProfile(path, Profile{Name: "work", BaseURL: "https://console.example"}, checks()); err != nil {
		t.Fatal(err)
	}
	want := before + "\n\n[profiles.work]\nbase_url = 'https://console.example'\n"
	if got := read(t, real); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if info, err := os.Lstat(path); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v, %v", info, err)
	}
}

func TestFilesThatAreNotTouched(t *testing.T) {
	t.Parallel()
	for before, says := range map[string]string{
		"[profiles.work]\n":            "there is a profile work already",
		"[profiles.home]\nwhat = 1\n":  "what: pgtower has no such setting",
		"[profiles.home\n":             "config.toml:1:",
		"profiles = { home = { } }\n":  "config.toml:3:",
		"[profiles.home]\npage_size=5": "five is refused",
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "config.toml")
		if err := os.WriteFile(path, []byte(before), 0o600); err != nil {
			t.Fatal(err)
		}
		err := AddProfile(path, Profile{Name: "work"}, checks())
		if e := (*FileError)(nil); !errors.As(err, &e) || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: got %v, want %s", before, err, says)
		}
		if got := read(t, path); got != before {
			t.Errorf("%q became %q", before, got)
		}
		left, err := os.ReadDir(dir)
		if err != nil || len(left) != 1 {
			t.Errorf("left behind: %v, %v", left, err)
		}
	}
	if err := AddProfile(filepath.Join(t.TempDir(), "c.toml"), Profile{Name: "a b"}, Check{}); err == nil {
		t.Error("a name that cannot be was added")
	}
}

func TestNearest(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{
		"base_ulr": keyBaseURL, "orgid": keyOrgID, "theme": keyTheme, "key_comand": keyKeyCommand,
		"pagesize": keyPageSize, "intervall": keyInterval, "key": "", "x": "", "": "", "password": "", "api_key": "",
	} {
		if got := nearest(word, profileKeys()); got != want {
			t.Errorf("%s: got %q, want %q", word, got, want)
		}
	}
}
