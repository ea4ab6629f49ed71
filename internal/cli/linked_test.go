package cli

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The nearest file counts. A folder with its name is not one, and a symbolic link to nothing is an error.
func TestLinkOfTheFolder(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	below := filepath.Join(top, "a", "b")
	err := errors.Join(
		os.MkdirAll(filepath.Join(below, linkFile), 0o700),
		os.WriteFile(filepath.Join(top, linkFile), []byte("\uFEFF{\"projectId\":\"calm-lake-1\"}"), 0o600),
	)
	if err != nil {
		t.Fatal(err)
	}
	p := Process{Getwd: func() (string, error) { return below, nil }}
	if l := p.link(); l.err != nil || l.ProjectID != "calm-lake-1" {
		t.Errorf("%+v", l)
	}
	if err := os.Symlink("nowhere", filepath.Join(top, "a", linkFile)); err != nil {
		t.Skip(err)
	}
	if l := p.link(); l.err == nil || !strings.Contains(l.err.Error(), "leads nowhere") || l.ProjectID != "" {
		t.Errorf("%+v", l)
	}
}
