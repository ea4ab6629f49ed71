package state

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgtower/models/query"
	"pgtower/models/settings"
)

func fileIn(t *testing.T) File {
	t.Helper()
	return File{filepath.Join(t.TempDir(), "pgtower", "state.json")}
}

func (f File) write(t *testing.T, doc string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(f.Path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(f.Path, []byte(doc), 0o600); err != nil {
		t.Fatal(err)
	}
}

func (f File) content(t *testing.T) string {
	t.Helper()
	doc, err := os.ReadFile(f.Path)
	if err != nil {
		t.Fatal(err)
	}
	return string(doc)
}

func (f File) change(t *testing.T, change func(*State)) {
	t.Helper()
	err := f.Change(func(s *State) error {
		change(s)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Without a file, the state is empty. What was written is read again, and only its owner can read the file.
func TestStateIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	f := fileIn(t)
	if s, err := f.Load(); err != nil || !reflect.DeepEqual(s, State{}) {
		t.Errorf("without a file: %+v, %v", s, err)
	}
	want := State{
		Layout:   settings.Layout{Pane: new(true), Columns: map[string][]string{"operations": {"status", "action"}}},
		Views:    []query.SavedView{{Name: "Mine", Filter: "is:failed", Project: "all", Sort: "-took", Columns: []string{"took"}}},
		Profiles: map[string]settings.Profile{"work": {BaseURL: "https://console.example/api/v2", OrgID: "org-1"}},
		Pins:     map[string][]string{"work": {"calm-lake-1"}},
		Filters:  map[string][]string{"operations": {"is:failed"}},
	}
	f.change(t, func(s *State) { *s = want })
	want.Version = currentVersion
	got, err := f.Load()
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	if runtime.GOOS == "windows" {
		return
	}
	for path, mode := range map[string]os.FileMode{f.Path: 0o600, filepath.Dir(f.Path): 0o700} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
}

// Programs that change the state at the same time lose nothing, and leave nothing behind.
func TestStateOfSeveralPrograms(t *testing.T) {
	t.Parallel()
	f := fileIn(t)
	const programs, each = 8, 5
	var all sync.WaitGroup
	for program := range programs {
		all.Go(func() {
			for i := range each {
				if err := f.Change(func(s *State) error {
					s.AddFilter("operations", fmt.Sprint("took:>", program, i, "s"))
					return nil
				}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	s, err := f.Load()
	if got := len(s.Filters["operations"]); got != programs*each || err != nil {
		t.Errorf("%d of %d, %v", got, programs*each, err)
	}
	names, err := filepath.Glob(f.Path + ".*")
	if err != nil || !slices.Equal(names, []string{f.Path + ".lock"}) {
		t.Errorf("%q, %v", names, err)
	}
}

// A file that cannot be used is renamed, with a line, and is neither read nor destroyed by the next change.
func TestStateThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	for doc, says := range map[string]string{
		"":                                    "it is damaged",
		"{\"version\": 1, \"layout\": ":       "it is damaged",
		`{"version": 1, "views": {}}`:         "it is damaged",
		`{"layout": {"pane": true}}`:          "it has no version",
		strings.Repeat(" ", maxFile+1):        "it is too long",
		`{"version":1,"x":"napi_012345678a"}`: "what looks like an API key",
	} {
		f := fileIn(t)
		f.write(t, doc)
		aside := File{filepath.Join(filepath.Dir(f.Path), "state-unusable.json")}
		if _, err := f.Read(); err == nil || f.content(t) != doc {
			t.Errorf("%.30q: %v", doc, err)
		}
		s, err := f.Load()
		if err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), "is now "+aside.Path) {
			t.Errorf("%.30q: %v", doc, err)
		}
		if !reflect.DeepEqual(s, State{}) || aside.content(t) != doc {
			t.Errorf("%.30q: %+v", doc, s)
		}
		if s, err = f.Load(); err != nil || !reflect.DeepEqual(s, State{}) {
			t.Errorf("%.30q, again: %+v, %v", doc, s, err)
		}
		f.write(t, doc)
		f.change(t, func(s *State) { s.AddFilter("operations", "x") })
		if s, err := f.Load(); err != nil || len(s.Filters) != 1 || aside.content(t) != doc {
			t.Errorf("%.30q, after a change: %+v, %v", doc, s, err)
		}
		second := File{filepath.Join(filepath.Dir(f.Path), "state-unusable-2.json")}
		if second.content(t) != doc {
			t.Errorf("%.30q was not set aside beside the first one", doc)
		}
	}
}

// A file that can neither be used nor renamed stays as it is.
func TestStateThatCannotBeSetAside(t *testing.T) {
	t.Parallel()
	// The name is as long as the file system allows, with that of the lock.
	f := File{filepath.Join(t.TempDir(), strings.Repeat("s", 245)+".json")}
	f.write(t, `{`)
	if err := f.Change(func(s *State) error { s.AddFilter("operations", "x"); return nil }); err == nil {
		t.Error("it was changed")
	}
	if _, err := f.Load(); err == nil || !strings.Contains(err.Error(), "it is damaged") {
		t.Error(err)
	}
	if got := f.content(t); got != `{` {
		t.Errorf("now it is %s", got)
	}
}

// A state of a newer version is read as far as it can be, but for its keys, which may prove something else there. It stays as
// it is.
func TestStateOfANewerVersion(t *testing.T) {
	t.Parallel()
	for doc, filters := range map[string]int{
		`{"version": 9, "filters": {"projects": ["x"]}, "new": 1, "salt": "s", "made": [{"host": "h", "id": 1, "handed": "file"}],
			"rotations": [{"host": "h", "old": {"id": 1}, "successor": {"id": 2}}],
			"accounts": [{"host": "h", "print": "0", "read": "2026-11-27T12:00:00Z", "kind": "personal key"}],
			"names": [{"host": "h", "print": "0", "parts": [{"project_id": "p", "id": "br-1"}]}]}`: 1,
		`{"version": 9, "filters": []}`: 0,
	} {
		f := fileIn(t)
		f.write(t, doc)
		for range 2 {
			s, err := f.Load()
			if err == nil || !strings.Contains(err.Error(), "the state is of a newer pgtower (version 9, not 2)") {
				t.Error(err)
			}
			if len(s.Filters) != filters || len(s.Made)+len(s.Rotations)+len(s.Accounts)+len(s.Names)+len(s.Salt) > 0 {
				t.Errorf("%+v", s)
			}
			if err := f.Change(func(s *State) error { s.AddFilter("operations", "x"); return nil }); err == nil {
				t.Error("it was changed")
			}
		}
		if names, _ := filepath.Glob(filepath.Join(filepath.Dir(f.Path), "state*json")); f.content(t) != doc || len(names) != 1 {
			t.Errorf("%s, %q", f.content(t), names)
		}
	}
}

// A link stays, and the file to which it leads is written. One that leads nowhere is not an absent file.
func TestStateThatIsALink(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	kept := File{filepath.Join(dir, "kept", "state.json")}
	f := File{filepath.Join(dir, "home", "pgtower", "state.json")}
	kept.change(t, func(s *State) { s.AddFilter("projects", "x") })
	if err := errors.Join(os.MkdirAll(filepath.Dir(f.Path), 0o700), os.Symlink(kept.Path, f.Path)); err != nil {
		t.Skip(err)
	}
	f.change(t, func(s *State) { s.AddFilter("operations", "y") })
	link, err := os.Lstat(f.Path)
	if s, failed := kept.Load(); err != nil || failed != nil || link.Mode()&os.ModeSymlink == 0 || len(s.Filters) != 2 {
		t.Errorf("%v, %v, %+v, %v", link, err, s, failed)
	}
	kept.write(t, `{`)
	if _, err := f.Load(); err == nil || !strings.Contains(err.Error(), filepath.Join("kept", "state-unusable.json")) {
		t.Error(err)
	}
	// The link still leads to a state, so that the next run remembers.
	f.change(t, func(s *State) { s.AddFilter("operations", "z") })
	if s, err := kept.Load(); err != nil || len(s.Filters) != 1 {
		t.Errorf("%+v, %v", s, err)
	}
	if err := os.Remove(kept.Path); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Read(); err == nil || !strings.Contains(err.Error(), "is a link that leads nowhere") {
		t.Error(err)
	}
	if err := f.Change(func(*State) error { return nil }); err == nil || !strings.Contains(err.Error(), "leads nowhere") {
		t.Error(err)
	}
}

// What the program would not have written is left out when the file is read, and named.
func TestStateIsChecked(t *testing.T) {
	t.Parallel()
	f := fileIn(t)
	f.write(t, `{"version": 2, "filters": {"projects": ["", "a\u001b[2J", "b"]},
		"pins": {"work": ["a b", "", "c"]}, "keys": {"work": {"project": "../x"}, "home": {"about": "fine"}},
		"made": [{"host": "h", "id": 1, "handed": "file"}, {"host": "h", "id": 0, "handed": "file"}, {"host": "", "id": 2},
			{"host": "h", "id": 3, "org_id": "-x"}, {"host": "h", "id": 4, "took": "soon"}],
		"rotations": [{"host": "h", "old": {"id": 1}, "successor": {"id": 2}, "quiet_for": "24h"},
			{"host": "h", "old": {"id": 1}, "successor": {"id": 1}}, {"host": "h", "old": {"id": 1}, "successor": {"id": -2}},
			{"host": "h", "old": {"id": 1}, "successor": {"id": 2}, "quiet_for": "1s"},
			{"host": "h", "old": {"id": 1}, "successor": {"id": 2}, "quiet_for": "long"}]}`)
	s, err := f.Load()
	if err != nil || len(s.Made) != 1 || len(s.Rotations) != 1 || len(s.Keys) != 1 {
		t.Errorf("%+v, %v", s, err)
	}
	if !slices.Equal(s.Filters["projects"], []string{"b"}) || !slices.Equal(s.Pins["work"], []string{"c"}) {
		t.Errorf("%q, %q", s.Filters, s.Pins)
	}
	ignored := strings.Join(s.Ignored, "\n")
	if len(s.Ignored) != 9 || !strings.Contains(ignored, "ignored a rotation in the state: quiet_for is not as pgtower writes it") {
		t.Errorf("%s", ignored)
	}
}

// Without a folder that can be written, reading goes on and changing is an error.
func TestStateWithoutAFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, f := range []File{{}, {filepath.Join(file, "pgtower", "state.json")}} {
		if s, err := f.Load(); (err != nil) != (f.Path != "") || !reflect.DeepEqual(s, State{}) {
			t.Errorf("%q: %+v, %v", f.Path, s, err)
		}
		if err := f.Change(func(*State) error { return nil }); err == nil {
			t.Errorf("%q was written", f.Path)
		}
	}
}

// Filters beyond the limit drop the oldest ones of their page. A change beyond another limit, or with a key, is an error and writes nothing.
func TestStateIsBounded(t *testing.T) {
	t.Parallel()
	f := fileIn(t)
	f.change(t, func(s *State) {
		s.AddFilter("projects", "region:eu")
		s.AddFilter("projects", "locked")
		for i := range 2 * maxFilters {
			s.AddFilter("operations", fmt.Sprint("took:>", i, "s"))
		}
		s.AddFilter("projects", "region:eu")
	})
	s, err := f.Load()
	if err != nil || !slices.Equal(s.Filters["projects"], []string{"locked", "region:eu"}) {
		t.Errorf("%q, %v", s.Filters["projects"], err)
	}
	got := s.Filters["operations"]
	if len(got) != maxFilters-2 || got[len(got)-1] != fmt.Sprint("took:>", 2*maxFilters-1, "s") {
		t.Errorf("%d, at last %q", len(got), got[len(got)-1])
	}
	before := f.content(t)
	for name, change := range map[string]func(*State) error{
		"views": func(s *State) error { s.Views = make([]query.SavedView, maxViews+1); return nil },
		"size":  func(s *State) error { s.Views = []query.SavedView{{Filter: strings.Repeat("x", maxFile)}}; return nil },
		"pins": func(s *State) error {
			for i := range maxPins + 1 {
				if err := s.Pin("work", fmt.Sprint("p-", i), true); err != nil {
					return err
				}
			}
			return nil
		},
		"key": func(s *State) error { s.Views = []query.SavedView{{Filter: "napi_012345678abc"}}; return nil },
	} {
		if err := f.Change(change); err == nil || f.content(t) != before {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A project is pinned once, and a profile without pinned projects is dropped.
func TestStatePins(t *testing.T) {
	t.Parallel()
	var s State
	for _, pin := range []struct {
		id string
		on bool
	}{{"a", true}, {"b", true}, {"a", true}, {"c", false}, {"b", false}} {
		if err := s.Pin("work", pin.id, pin.on); err != nil {
			t.Error(err)
		}
	}
	if !slices.Equal(s.Pins["work"], []string{"a"}) {
		t.Errorf("%q", s.Pins)
	}
	if err := s.Pin("work", "a", false); err != nil || len(s.Pins) > 0 {
		t.Errorf("%q, %v", s.Pins, err)
	}
}

// Nothing in the state can run a program, lift a restriction or hold a key.
func TestStateHasOnlyWhatIsRemembered(t *testing.T) {
	t.Parallel()
	var visit func(of reflect.Type)
	visit = func(of reflect.Type) {
		for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice || of.Kind() == reflect.Map {
			of = of.Elem()
		}
		if of.Kind() != reflect.Struct {
			return
		}
		for _, f := range reflect.VisibleFields(of) {
			name := strings.ToLower(strings.ReplaceAll(f.Tag.Get("json"), "_", ""))
			for _, never := range []string{"run", "command", "cafile", "readonly", "secret", "confirm", "consoleurl"} {
				if strings.Contains(name, never) {
					t.Errorf("%s has %s", of, name)
				}
			}
			visit(f.Type)
		}
	}
	visit(reflect.TypeFor[State]())
}
