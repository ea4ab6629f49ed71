package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"

	"pgtower/ui/page"
)

// Kept filters are available in the next session, from a file of limited size that only the user can read.
func TestFiltersAreKept(t *testing.T) {
	t.Parallel()
	f := filterFile{filepath.Join(t.TempDir(), "pgtower", "filters")}
	for i := range 2 * maxFilters {
		f.keep(page.Operations, fmt.Sprint("took:>", i, "s"))
	}
	f.keep(page.Projects, "region:eu")
	f.keep(page.Projects, "locked")
	f.keep(page.Projects, "region:eu")
	all := f.load()
	if got := all[page.Projects]; !slices.Equal(got, []string{"locked", "region:eu"}) {
		t.Errorf("projects %q", got)
	}
	if got := all[page.Operations]; len(got) != maxFilters-2 || got[len(got)-1] != "took:>599s" {
		t.Errorf("%d of operations, at last %q", len(got), got[len(got)-1])
	}
	if info, err := os.Stat(f.path); err != nil || info.Mode().Perm() != 0o600 && os.PathSeparator == '/' {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	others, err := filepath.Glob(f.path + "?*")
	if len(others) > 0 || err != nil {
		t.Errorf("left behind: %q, %v", others, err)
	}
}

// Several pgtowers that keep filters at the same time lose none.
func TestFiltersOfSeveralPrograms(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("a folder has no lock")
	}
	f := filterFile{filepath.Join(t.TempDir(), "pgtower", "filters")}
	const programs, each = 8, 10
	var all sync.WaitGroup
	for program := range programs {
		all.Go(func() {
			for i := range each {
				f.keep(page.Operations, fmt.Sprint("took:>", program, i, "s"))
			}
		})
	}
	all.Wait()
	if got := f.load()[page.Operations]; len(got) != programs*each {
		t.Errorf("kept %d of %d", len(got), programs*each)
	}
}

// A damaged, unreadable or unwritable file is no error.
func TestFiltersOfADamagedFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	f := filterFile{filepath.Join(dir, "filters")}
	text := "operations\tok\n\nnonsense\nother\tx\noperations\t\x1b[2J\nprojects\tnapi_0123456789abc\n\xff\nprojects\tlast"
	if err := os.WriteFile(f.path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	want := [page.Count][]string{page.Operations: {"ok"}, page.Projects: {"last"}}
	if got := f.load(); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%q", got)
	}
	for _, f := range []filterFile{{}, {dir}, {filepath.Join(f.path, "below", "a file")}} {
		if f.keep(page.Operations, "x"); fmt.Sprint(f.load()) != fmt.Sprint([page.Count][]string{}) {
			t.Errorf("%s: %q", f.path, f.load())
		}
	}
}
