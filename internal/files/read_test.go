package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// tree makes files, folders (with a / at their end) and links (NAME -> TARGET) in a new folder.
func tree(t *testing.T, names ...string) (dir string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		name, target, isLink := strings.Cut(name, " -> ")
		path := filepath.Join(dir, name)
		err := os.MkdirAll(filepath.Dir(path), 0o700)
		switch {
		case isLink:
			err = errors.Join(err, os.Symlink(target, path))
		case strings.HasSuffix(name, "/"):
			err = errors.Join(err, os.MkdirAll(path, 0o700))
		default:
			err = errors.Join(err, os.WriteFile(path, []byte("\uFEFFtext of "+name), 0o600))
		}
		if err != nil {
			if runtime.GOOS == "windows" && isLink {
				t.Skip(err)
			}
			t.Fatal(err)
		}
	}
	return dir
}

// A file is absent only if nothing on the way to it is a link that leads nowhere.
func TestAbsentIsNotUnreachable(t *testing.T) {
	t.Parallel()
	dir := tree(t, "there/file", "folder -> there", "link -> there/file", "gone -> nowhere", "chain -> gone", "loop -> loop",
		"deep/gone -> ../nowhere/else", "there/folder/")
	for path, want := range map[string]string{
		"there/file": "", "folder/file": "", "link": "",
		"none": "absent", "none/file": "absent", "there/none": "absent", "folder/none": "absent", "folder/none/none": "absent",
		"gone":           "gone is a link that leads nowhere (to nowhere)",
		"gone/file":      "gone is a link that leads nowhere (to nowhere)",
		"gone/no/file":   "gone is a link that leads nowhere (to nowhere)",
		"chain":          "chain is a link that leads nowhere (to gone)",
		"deep/gone/file": "gone is a link that leads nowhere (to ../nowhere/else)",
		"there/file/x":   "not a directory",
		"there/folder":   "it is not a regular file",
		"loop":           "too many",
	} {
		text, err := Read(filepath.Join(dir, path), 100)
		absent := errors.Is(err, fs.ErrNotExist)
		switch {
		case want == "":
			if err != nil || string(text.Bytes) != "text of there/file" {
				t.Errorf("%s: %q, %v", path, text.Bytes, err)
			}
		case absent != (want == "absent"):
			t.Errorf("%s: %v", path, err)
		case !absent && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v", path, err)
		}
	}
}

// A link stays, and what replaces a file replaces its target.
func TestTarget(t *testing.T) {
	t.Parallel()
	dir := tree(t, "there/file", "folder -> there", "link -> there/file", "gone -> nowhere", "chain -> link")
	for path, want := range map[string]string{
		"there/file": "there/file", "folder/file": "there/file", "link": "there/file", "chain": "there/file",
		"folder/new": "there/new", "none/new/file": "none/new/file", "folder/none/file": "there/none/file",
		"gone": "", "gone/file": "",
	} {
		got, err := Target(filepath.Join(dir, path))
		if want != "" {
			want = filepath.Join(dir, want)
		}
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %s, %v", path, got, err)
		}
	}
}

// A file that is longer than the limit is an error.
func TestReadIsBounded(t *testing.T) {
	t.Parallel()
	dir := tree(t, "file")
	if _, err := Read(filepath.Join(dir, "file"), 5); err == nil || err.Error() != "too long: more than 5 bytes" {
		t.Error(err)
	}
}
