package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestPicturesMatchTheProgram(t *testing.T) {
	t.Parallel()
	if os.Getenv(envCompare) == "" {
		t.Skipf("set %s=1 to compare the pictures with the program", envCompare)
	}
	if err := run(t.Context(), t.Output(), options{check: true}); err != nil {
		t.Fatal(err)
	}
}

func TestPicturesHaveNamesOfTheirOwn(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	note := func(name string, complete bool) {
		if seen[name] || name == "" || !complete {
			t.Errorf("%q is incomplete, or its name is taken", name)
		}
		seen[name] = true
	}
	for _, s := range scenes() {
		note(s.name, len(s.steps) > 0)
	}
	for _, r := range recordings() {
		note(r.name, r.title != "" && len(r.before) > 0)
	}
}

func TestCompareNamesTheDifference(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.svg")
	if err := os.WriteFile(path, []byte("one\ntwo\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := compare(path, []byte("one\ntwo\n")); err != nil {
		t.Errorf("equal pictures differ: %v", err)
	}
	err := compare(path, []byte("one\nthree\n"))
	if err == nil || !strings.Contains(err.Error(), "line 2 of the file: two\n  line 2 as drawn:    three") {
		t.Errorf("the difference is not named: %v", err)
	}
	if err := compare(path+"x", nil); err == nil {
		t.Error("a picture that does not exist is equal")
	}
}

func TestStalePicturesAreFound(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"operations.svg", "operations.png", "live.svg", "help.svg", "help.png", "old.svg", "main.go"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	err := findStale(dir, map[string]bool{"operations": true})
	const want = "help.png: the README does not show this picture; remove it\nold.svg: nothing makes this picture; remove it"
	if err == nil || err.Error() != want {
		t.Errorf("stale pictures: %v", err)
	}
}

func TestTheREADMEShowsWhatIsThere(t *testing.T) {
	t.Parallel()
	shown, err := shownAsPNG("..")
	if err != nil {
		t.Fatal(err)
	}
	made := map[string]bool{}
	for _, s := range scenes() {
		made[s.name] = true
	}
	for name := range shown {
		if !made[name] {
			t.Errorf("the README shows %s.png, which nothing makes", name)
		}
	}
}
