//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"testing"

	"pgtower/internal/termtest"
)

// Configuration errors are printed on the normal screen, and no response of the terminal is left for the shell.
func TestStartWithAFaultyFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte("what = 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	script := `"$0" --demo --config "$1"; echo "code $?"; stty -icanon -echo min 0 time 3; echo "left: [$(od -An -c)]"`
	p := start(t, termtest.Options{Path: "/bin/sh", Args: []string{"-c", script, termtest.Binary(t), path}})
	p.Reads("config.toml:1:1: unknown setting", "code 2", "left: []")
}
