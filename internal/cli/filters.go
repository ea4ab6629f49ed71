package cli

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"pgtower/keystore/profile"
	"pgtower/models"
	"pgtower/ui/page"
)

const (
	maxFilters    = 300     // how many the file keeps
	maxFilterFile = 1 << 20 // how much of it is read, in bytes
)

// filterFile is the file with the filters that were kept in earlier sessions: a line each, the newest last, with the
// name of the page and a tab before it. Where it cannot be read or written, there are none.
type filterFile struct{ path string }

// filterFile is in the folder for the user's files of what happened.
func (p Process) filterFile() filterFile {
	dir, home := p.Getenv("XDG_STATE_HOME"), p.Getenv("HOME")
	switch {
	case filepath.IsAbs(dir):
	case home != "" && runtime.GOOS != "darwin" && runtime.GOOS != "windows":
		dir = filepath.Join(home, ".local", "state")
	default:
		var err error
		if dir, err = p.ConfigDir(); err != nil {
			return filterFile{}
		}
	}
	return filterFile{filepath.Join(dir, "pgtower", "filters")}
}

// lines returns the lines that are filters.
func (f filterFile) lines() []string {
	file, err := os.Open(f.path)
	if err != nil {
		return nil
	}
	defer file.Close()                                         //nolint:errcheck // nothing was written
	text, _ := io.ReadAll(io.LimitReader(file, maxFilterFile)) // what could be read of it
	return slices.DeleteFunc(strings.Split(string(text), "\n"), func(line string) bool {
		name, filter, _ := strings.Cut(line, "\t")
		return pageOf(name) < 0 || filter == "" || models.Clean(filter) != filter || models.FindKey(filter) >= 0
	})
}

// load returns the filters of each page.
func (f filterFile) load() (all [page.Count][]string) {
	for _, line := range f.lines() {
		name, filter, _ := strings.Cut(line, "\t")
		all[pageOf(name)] = append(all[pageOf(name)], filter)
	}
	return all
}

func pageOf(name string) page.ID {
	for id := range page.Count {
		if id.Name() == name {
			return id
		}
	}
	return -1
}

// keep adds a filter of a page.
func (f filterFile) keep(of page.ID, filter string) {
	dir := filepath.Dir(f.path)
	if f.path == "" || os.MkdirAll(dir, 0o700) != nil {
		return
	}
	lock, err := profile.LockFolder(dir) // another pgtower may keep one, too
	if err != nil {
		return
	}
	defer lock.Close() //nolint:errcheck // it was not written to
	line := of.Name() + "\t" + filter
	lines := append(slices.DeleteFunc(f.lines(), func(l string) bool { return l == line }), line)
	lines = lines[max(0, len(lines)-maxFilters):]
	file, err := os.CreateTemp(dir, "filters") // which only the user can read
	if err != nil {
		return
	}
	_, err = file.WriteString(strings.Join(lines, "\n") + "\n")
	if file.Close() != nil || err != nil || os.Rename(file.Name(), f.path) != nil {
		_ = os.Remove(file.Name())
	}
}
