//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgtower/internal/termtest"
)

const exampleConfig = `default_profile = "work"

[profiles.work]
base_url = "https://work.example/api/v2"
org_id = "org-file"

[profiles.other]
base_url = "https://other.example/api/v2"
key_command = "echo s3cret_of_the_command"
`

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

func TestProfilesAreListed(t *testing.T) {
	t.Parallel()
	s := newShell(t)
	s.config(exampleConfig)
	o := s.run("", "profiles").ends(0,
		"   NAME   BASE URL                      ORGANIZATION  KEY",
		"   other  https://other.example/api/v2  –             key command",
		"*  work   https://work.example/api/v2   org-file      this session has no D-Bus, so the OS keyring cannot be reached",
	)
	o.never("s3cret")
	var all []struct {
		Name, Key string
		Default   bool
		BaseURL   string `json:"base_url"`
	}
	s.env = append(s.env, "PGTOWER_API_KEY=napi_s3cret")
	o = s.run("", "profiles", "--json").ends(0)
	o.into(&all)
	o.never("s3cret")
	if len(all) != 2 || all[0].Key != "PGTOWER_API_KEY" || all[0].Default || !all[1].Default || all[1].BaseURL != "https://work.example/api/v2" {
		t.Errorf("got %+v", all)
	}
	newShell(t, "NEON_API_KEY=napi_s3cret").run("", "profiles").ends(0, "*  default  https://console.neon.tech/api/v2  –             NEON_API_KEY")
	newShell(t, silentBus(t)).run("", "profiles").ends(0, "the OS keyring does not respond")
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
