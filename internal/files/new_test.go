package files

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// A new file is for its owner only. A name that exists, also as a link, is an error and stays as it is.
func TestWriteNew(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	path, err := User{}.WriteNew("~/key", []byte("s3cret\n"))
	if err != nil || path != filepath.Join(home, "key") {
		t.Fatalf("got %s, %v", path, err)
	}
	info, err := os.Stat(path)
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("got %v, %v", info.Mode(), err)
	}
	if err := os.Symlink(filepath.Join(home, "elsewhere"), filepath.Join(home, "link")); err != nil {
		t.Log(err)
	}
	for name, says := range map[string]string{
		"~/key": "already exists: choose another name", "~": "already exists", "~/link": "already exists",
		"~/none/key": "the folder " + filepath.Join(home, "none") + " does not exist",
	} {
		if _, err := (User{}).WriteNew(name, []byte("other")); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "s3cret\n" {
		t.Errorf("it holds %q, %v", text, err)
	}
	if _, err := os.Stat(filepath.Join(home, "elsewhere")); err == nil {
		t.Error("it followed the link")
	}
}
