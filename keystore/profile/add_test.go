package profile

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"
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
	for _, p := range []Profile{work, dotted, work} { // the last as by another login at the same time
		if err := Add(path, p, checks()); err != nil {
			t.Fatal(err)
		}
	}
	c, err := Load(path, checks())
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
	if err := Add(path, Profile{Name: "work", BaseURL: "https://console.example"}, checks()); err != nil {
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
		"[profiles.work]\norg_id = 'o'": "there is a profile work already",
		"[profiles.home]\nwhat = 1\n":   "what: no such setting",
		"[profiles.home\n":              "config.toml:1:",
		"profiles = { home = { } }\n":   "config.toml:3:",
		"[profiles.home]\npage_size=5":  "five is refused",
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "config.toml")
		if err := os.WriteFile(path, []byte(before), 0o600); err != nil {
			t.Fatal(err)
		}
		err := Add(path, Profile{Name: "work"}, checks())
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
	if err := Add(filepath.Join(t.TempDir(), "c.toml"), Profile{Name: "a b"}, checks()); err == nil {
		t.Error("a name that cannot be was added")
	}
}

// addsProfiles is set in the environment of the processes that add some, to the beginning of their names.
const addsProfiles = "PGTOWER_TEST_ADDS_PROFILES"

// addFew adds profiles, as a login does.
func addFew(path, name string) error {
	for i := range 5 {
		if err := Add(path, Profile{Name: fmt.Sprint(name, i), BaseURL: "https://console.example"}, checks()); err != nil {
			return err
		}
	}
	return nil
}

// Whoever is told that a profile was added finds it, however many add some at once.
func TestProfilesAreAddedAtOnce(t *testing.T) {
	if name := os.Getenv(addsProfiles); name != "" {
		if err := addFew("config.toml", name); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "config.toml")
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var all errgroup.Group
	for i := range 4 {
		all.Go(func() error {
			other := exec.CommandContext(t.Context(), binary, "-test.run=^"+t.Name()+"$")
			other.Dir, other.Env = dir, append(os.Environ(), fmt.Sprintf("%s=other%d-", addsProfiles, i))
			if out, err := other.CombinedOutput(); err != nil {
				return fmt.Errorf("%w\n%s", err, out)
			}
			return nil
		})
		all.Go(func() error { return addFew(path, fmt.Sprintf("own%d-", i)) })
	}
	if err := all.Wait(); err != nil {
		t.Error(err)
	}
	c, err := Load(path, checks())
	if err != nil || len(c.Profiles) != 8*5 {
		t.Errorf("%d profiles, %v:\n%s", len(c.Profiles), err, read(t, path))
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// saving is a check during which an editor saves the file, as often as it has texts.
func saving(t *testing.T, path string, texts ...string) Check {
	t.Helper()
	check := checks()
	check.Profile = func(p Profile) (string, error) {
		if p.Name == "work" && len(texts) > 0 { // the file was read, and is about to be replaced
			if err := os.WriteFile(path, []byte(texts[0]), 0o600); err != nil {
				t.Error(err)
			}
			texts = texts[1:]
		}
		return "", nil
	}
	return check
}

func TestAnEditMeanwhileStays(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "config.toml")
	work := Profile{Name: "work", BaseURL: "https://console.example"}
	const edited = "# mine\n[profiles.home]\n"
	if err := Add(path, work, saving(t, path, "# yours\n", edited)); err != nil {
		t.Fatal(err)
	}
	if got := read(t, path); got != edited+"\n[profiles.work]\nbase_url = 'https://console.example'\n" {
		t.Errorf("got %q", got)
	}

	wrong := filepath.Join(t.TempDir(), "config.toml")
	err := Add(wrong, work, saving(t, wrong, "[profiles.home\n"))
	if err == nil || read(t, wrong) != "[profiles.home\n" {
		t.Errorf("%v, %q", err, read(t, wrong))
	}

	var texts []string
	for i := range maxRewrites {
		texts = append(texts, fmt.Sprintln("#", i))
	}
	busy := filepath.Join(t.TempDir(), "config.toml")
	err = Add(busy, work, saving(t, busy, texts...))
	if !errors.Is(err, errChanged) || read(t, busy) != texts[maxRewrites-1] {
		t.Errorf("%v, %q", err, read(t, busy))
	}
	if left, err := os.ReadDir(filepath.Dir(busy)); err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
