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

func TestStateIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	f := fileIn(t)
	if s, err := f.Load(); err != nil || !reflect.DeepEqual(s, State{}) {
		t.Errorf("without a file: %+v, %v", s, err)
	}
	want := State{
		Layout:   Layout{Pane: new(true), PaneWidth: 44, Operations: []string{"status", "action"}},
		Views:    []SavedView{{Name: "Mine", Filter: "is:failed", Project: "all", Sort: "-took", Columns: []string{"took"}}},
		Profiles: map[string]Profile{"work": {BaseURL: "https://console.example/api/v2", OrgID: "org-1"}},
		Pins:     map[string][]string{"work": {"calm-lake-1"}},
		Filters:  map[string][]string{"operations": {"is:failed"}},
	}
	f.change(t, func(s *State) { *s = want })
	want.Version = Version
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
		`{"version": 9}`:                      "it is of a newer pgtower (version 9, not 2)",
		strings.Repeat(" ", maxFile+1):        "it is too large",
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
	}
}

// A file that can neither be used nor renamed stays as it is: a newer pgtower may need it.
func TestStateThatCannotBeSetAside(t *testing.T) {
	t.Parallel()
	f := fileIn(t)
	const newer = `{"version": 99}`
	aside := filepath.Join(filepath.Dir(f.Path), "state-unusable.json")
	if err := errors.Join(os.MkdirAll(aside, 0o700), os.WriteFile(f.Path, []byte(newer), 0o600)); err != nil {
		t.Fatal(err)
	}
	if err := f.Change(func(s *State) error { s.AddFilter("operations", "x"); return nil }); err == nil {
		t.Error("it was changed")
	}
	if _, err := f.Load(); err == nil || !strings.Contains(err.Error(), "newer pgtower") {
		t.Error(err)
	}
	if got, err := os.ReadFile(f.Path); err != nil || string(got) != newer {
		t.Errorf("now it is %s, %v", got, err)
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
		if s, err := f.Load(); err != nil || !reflect.DeepEqual(s, State{}) {
			t.Errorf("%q: %+v, %v", f.Path, s, err)
		}
		if err := f.Change(func(*State) error { return nil }); err == nil {
			t.Errorf("%q was written", f.Path)
		}
	}
}

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
		"views": func(s *State) error { s.Views = make([]SavedView, maxViews+1); return nil },
		"size":  func(s *State) error { s.Views = []SavedView{{Filter: strings.Repeat("x", maxFile)}}; return nil },
		"pins": func(s *State) error {
			for i := range maxPins + 1 {
				if err := s.Pin("work", fmt.Sprint("p-", i), true); err != nil {
					return err
				}
			}
			return nil
		},
		"key": func(s *State) error { s.Views = []SavedView{{Filter: "napi_012345678abc"}}; return nil },
	} {
		if err := f.Change(change); err == nil || f.content(t) != before {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestPins(t *testing.T) {
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
