package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestPicturesMatchTheProgram(t *testing.T) {
	t.Parallel()
	if os.Getenv("PGTOWER_TEST_SCREENSHOTS") == "" {
		t.Skip("set PGTOWER_TEST_SCREENSHOTS=1 to compare the pictures with the program")
	}
	if err := run(t.Context(), t.Output(), options{check: true}); err != nil {
		t.Fatal(err)
	}
}

func TestScenesHaveNamesOfTheirOwn(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, s := range scenes() {
		if seen[s.name] || s.name == "" || len(s.steps) == 0 {
			t.Errorf("scene %q is incomplete, or its name is taken", s.name)
		}
		seen[s.name] = true
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
	for _, name := range []string{"operations.svg", "old.svg"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := findStale(dir); err == nil || !strings.HasPrefix(err.Error(), "old: ") || strings.Contains(err.Error(), "operations") {
		t.Errorf("stale pictures: %v", err)
	}
}
