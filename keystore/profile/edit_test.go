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
		if got, ok := c.Profiles[want.Name]; !ok || got.BaseURL != want.BaseURL || got.OrgID != want.OrgID {
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
		"[profiles.work]\norg_id = 'o'": "profile work already exists",
		"[profiles.home]\nwhat = 1\n":   "what: unknown setting",
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

// addsProfiles is the variable for the child processes that add profiles: the prefix of their names.
const addsProfiles = "PGTOWER_TEST_ADDS_PROFILES"

// addFew adds profiles, as a login does, and saves views, as the dashboard does.
func addFew(path, name string) error {
	for i := range 5 {
		if err := Add(path, Profile{Name: fmt.Sprint(name, i), BaseURL: "https://console.example"}, checks()); err != nil {
			return err
		}
		if err := SaveView(path, View{Name: fmt.Sprint(name, i%2), Filter: fmt.Sprint("w", i)}, checks()); err != nil {
			return err
		}
	}
	return SaveLayout(path, Layout{PaneWidth: 40}, checks())
}

// A profile that was added is in the file, however many programs add some at once.
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
	if err != nil || len(c.Profiles) != 8*5 || len(c.Views) != 8*2 || c.Layout.PaneWidth != 40 {
		t.Errorf("%d profiles, %d views, %v:\n%s", len(c.Profiles), len(c.Views), err, read(t, path))
	}
	for _, v := range c.Views {
		if v.Filter != "w4" && v.Filter != "w3" {
			t.Errorf("%+v is not the last one", v)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// saving returns a check during which an editor saves the file, once for each text.
func saving(t *testing.T, path string, texts ...string) Check {
	t.Helper()
	check := checks()
	check.Table = func(table any) (string, error) {
		if p, ok := table.(Profile); ok && p.Name == "work" && len(texts) > 0 { // the file was read, and is about to be replaced
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

func TestLayoutsAndViewsAreSaved(t *testing.T) {
	t.Parallel()
	pane := Layout{Pane: new(false), PaneWidth: 40}
	view := View{Name: "Mine", Filter: "it's", Project: "all", Columns: []string{"status"}}
	for _, c := range []struct{ before, layout, view string }{
		{
			"", "[layout]\npane = false\npane_width = 40\n",
			"[[views]]\nname = 'Mine'\nfilter = \"it's\"\nproject = 'all'\ncolumns = ['status']\n",
		},
		{
			"\uFEFF# a\r\n[layout] # b\r\n  # c\r\n  pane_width = 9 # d\r\n\r\n# e\r\n[[views]]\r\nname = \"mine\" # f\r\nsort = '''a''' # g\r\nalert = true\r\nrun = [ # h\r\n'x']",
			"\uFEFF# a\r\n[layout] # b\r\n  # c\r\n  pane_width = 40 # d\r\n  pane = false\r\n\r\n# e\r\n[[views]]\r\nname = \"mine\" # f\r\nsort = '''a''' # g\r\nalert = true\r\nrun = [ # h\r\n'x']",
			"\uFEFF# a\r\n[layout] # b\r\n  # c\r\n  pane_width = 9 # d\r\n\r\n# e\r\n[[views]]\r\nname = 'Mine' # f\r\nsort = '' # g\r\nalert = true\r\nrun = [ # h\r\n'x']\r\nfilter = \"it's\"\r\nproject = 'all'\r\ncolumns = ['status']",
		},
		{
			"layout.pane = true # a\nviews = [{ name = 'x' }, { name = 'Mine', columns = [\n 'a', # b\n] }] # c\n",
			"layout.pane = false # a\nlayout.pane_width = 40\nviews = [{ name = 'x' }, { name = 'Mine', columns = [\n 'a', # b\n] }] # c\n",
			"layout.pane = true # a\nviews = [{ name = 'x' }, { name = 'Mine', columns = ['status'], filter = \"it's\", project = 'all' }] # c\n",
		},
		{
			"[layout] # none\n[[views]]\nname='x'\n[[views]]\n'name' = 'Mine'\n[keys]\n",
			"[layout] # none\npane = false\npane_width = 40\n[[views]]\nname='x'\n[[views]]\n'name' = 'Mine'\n[keys]\n",
			"[layout] # none\n[[views]]\nname='x'\n[[views]]\n'name' = 'Mine'\nfilter = \"it's\"\nproject = 'all'\ncolumns = ['status']\n[keys]\n",
		},
		{
			"layout = {}\n", "layout = { pane = false, pane_width = 40 }\n",
			"layout = {}\n\n[[views]]\nname = 'Mine'\nfilter = \"it's\"\nproject = 'all'\ncolumns = ['status']\n",
		},
	} {
		for want, save := range map[string]func(path string) error{
			c.layout: func(path string) error { return SaveLayout(path, pane, checks()) },
			c.view:   func(path string) error { return SaveView(path, view, checks()) },
		} {
			path := filepath.Join(t.TempDir(), "config.toml")
			if c.before != "" {
				if err := os.WriteFile(path, []byte(c.before), 0o640); err != nil {
					t.Fatal(err)
				}
			}
			for range 2 {
				if err := save(path); err != nil || read(t, path) != want {
					t.Errorf("%q: %v\n%q, want\n%q", c.before, err, read(t, path), want)
				}
			}
			mode := os.FileMode(0o600)
			if c.before != "" {
				mode = 0o640
			}
			if info, err := os.Stat(path); runtime.GOOS != "windows" && (err != nil || info.Mode().Perm() != mode) {
				t.Errorf("%v, %v", info.Mode(), err)
			}
		}
	}
}

func TestWhatCannotBeSaved(t *testing.T) {
	t.Parallel()
	for before, says := range map[string]string{
		"views = []\n":                                         "config.toml:3:",
		"[[views]]\nname = 'Mine'\nfilter = 3\n":               "the view Mine in it is invalid: correct it first",
		"[profiles.home]\npage_size = 5\n":                     "five is refused",
		"[[views]]\nname = 'x'\n[[views]]\nname = 'refuse:'\n": "filter: no filter",
	} {
		path := filepath.Join(t.TempDir(), "config.toml")
		if err := os.WriteFile(path, []byte(before), 0o600); err != nil {
			t.Fatal(err)
		}
		filter := "is:failed"
		if strings.Contains(before, "refuse") {
			filter = "refuse:"
		}
		if err := SaveView(path, View{Name: "Mine", Filter: filter}, checks()); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: got %v, want %s", before, err, says)
		}
		if got := read(t, path); got != before {
			t.Errorf("%q became %q", before, got)
		}
	}
}

// Whatever else is in the file, an edit has its effect or is refused.
func FuzzEdit(f *testing.F) {
	f.Add("# a\n[layout] # b\npane = true # c\n[[views]]\nname = 'Mine' # d\n[views.x]\n", "é\n'\"", 40)
	f.Add("layout = { pane = true, }\r\nviews = [ { name = 'mine', filter = ''' ''' } ]\r\n", "", 1)
	f.Add("[keys]\n[layout]\n[profiles.a]\n[[views]]\n[[views]]\nname=\"\"\"Mine\"\"\"", "refuse", 0)
	f.Add("layout.pane=true\n'views'=[]", "x", 3)
	f.Fuzz(func(t *testing.T, doc, filter string, width int) {
		if _, err := parse("c.toml", []byte(doc), checks()); err != nil {
			return
		}
		path := filepath.Join(t.TempDir(), "config.toml")
		if err := os.WriteFile(path, []byte(doc), 0o600); err != nil {
			t.Fatal(err)
		}
		layout := Layout{PaneWidth: width, Pane: new(true)}
		if err := SaveLayout(path, layout, checks()); err == nil {
			if c, err := Load(path, checks()); err != nil || c.Layout.Pane == nil || width != 0 && c.Layout.PaneWidth != width {
				t.Errorf("%v, %+v", err, c.Layout)
			}
		} else if read(t, path) != doc {
			t.Errorf("%v, and it became %q", err, read(t, path))
		}
		before := read(t, path)
		if err := SaveView(path, View{Name: "Mine", Filter: filter}, checks()); err != nil && read(t, path) != before {
			t.Errorf("%v, and it became %q", err, read(t, path))
		}
		for comment := range strings.SplitSeq(doc, "\n") {
			if strings.HasPrefix(comment, "#") && !strings.Contains(read(t, path), comment) {
				t.Errorf("%q is gone from %q", comment, read(t, path))
			}
		}
	})
}
