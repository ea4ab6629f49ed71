//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"pgtower/internal/termtest"
)

// slowConfig is a configuration file that nothing can be read of until the test writes it.
func slowConfig(t *testing.T) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "config.toml")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// The program is on the screen before the configuration file is read, and what the
// terminal says of itself meanwhile is not lost.
func TestStartOnASlowDisk(t *testing.T) {
	t.Parallel()
	path := slowConfig(t)
	p := start(t, termtest.Options{Args: []string{"--demo", "--config", path}})
	p.Wait(" pgtower")
	p.Resize(100, 30)
	p.Settle(settled)
	if err := os.WriteFile(path, []byte("[keys]\nquit = 'X'\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.Wait("all projects (12)", "X quit")
	p.Press("X")
	if code := p.Exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

func TestStartIsGivenUp(t *testing.T) {
	t.Parallel()
	p := start(t, termtest.Options{Args: []string{"--demo", "--config", slowConfig(t)}})
	p.Wait(" pgtower")
	p.Press("ctrl+c")
	if code := p.Exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// What is wrong with the configuration is said on the terminal as it was before, and
// nothing that the terminal answered is left for the shell.
func TestStartWithAFaultyFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte("what = 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	script := `"$0" --demo --config "$1"; echo "code $?"; stty -icanon -echo min 0 time 3; echo "left: [$(od -An -c)]"`
	p := start(t, termtest.Options{Path: "/bin/sh", Args: []string{"-c", script, termtest.Binary(t), path}})
	p.waitSaid("config.toml:1:1: what: no such setting", "code 2", "left: []")
}
