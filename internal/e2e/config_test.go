//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgtower/internal/termtest"
)

// The dashboard starts without the invalid parts of the file and reports them, as does doctor.
func TestConfigurationThatIsWrongInParts(t *testing.T) {
	t.Parallel()
	s := newShell(t)
	path := s.config("[profiles.default]\npage_size = 33\n[keys.apikeys]\nrevoke = 'r'\n")
	s.run("", "doctor").ends(1, "failed   configuration   "+path+`:4:1: "r" is already the key of refresh (by default)`)
	log := filepath.Join(s.home, "log")
	p := start(t, termtest.Options{Home: s.home, Args: []string{"--demo", "--log", log}})
	p.Wait(`Ignored config.toml:4:1: "r" is already the key of refresh`, "live, every 5s")
	p.quit()
	if text, err := os.ReadFile(log); err != nil || !strings.Contains(string(text), `4:1: \"r\" is already`) {
		t.Errorf("%v: %s", err, text)
	}
}

// Configuration errors are printed on the normal screen, and no response of the terminal is left for the shell.
func TestStartWithAFaultyFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte("what = 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	script := `"$0" --demo --config "$1"; echo "code $?"; stty -icanon -echo min 0 time 3; echo "left: [$(od -An -c)]"`
	p := start(t, termtest.Options{Path: "/bin/sh", Args: []string{"-c", script, termtest.Binary(t), path}})
	p.waitSaid("config.toml:1:1: unknown setting", "code 2", "left: []")
}
