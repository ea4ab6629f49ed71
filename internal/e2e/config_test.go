//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgtower/client/mock"
	"pgtower/internal/termtest"
)

const exampleConfig = `default_profile = "work"

[profiles.work]
base_url = "https://work.example/api/v2"
org_id = "org-file"
interval = "10s"
page_size = 20
window = "1h"
search_back = "4h"
theme = "dark"
time = "utc"

[profiles.other]
base_url = "https://other.example/api/v2"
key_command = "echo s3cret_of_the_command"
`

// inForce returns the settings in the output of config, as "value from".
func (s *shell) inForce(args ...string) map[string]string {
	s.t.Helper()
	var report struct {
		File     string
		Exists   bool
		Settings []struct{ Name, Value, From string }
	}
	s.run("", slices.Concat([]string{"config", "--json"}, args)...).ends(0).into(&report)
	by := map[string]string{"file": report.File}
	for _, one := range report.Settings {
		by[one.Name] = one.Value + " " + one.From
	}
	return by
}

func TestConfigPrintsTheSettingsInForce(t *testing.T) {
	t.Parallel()
	env := []string{
		"PGTOWER_BASE_URL=https://env.example/api/v2", "PGTOWER_ORG_ID=org-env", "PGTOWER_INTERVAL=20s", "PGTOWER_PAGE_SIZE=30",
		"PGTOWER_WINDOW=2h", "PGTOWER_SEARCH_BACK=5h", "PGTOWER_THEME=light", "PGTOWER_TIME=local", "PGTOWER_PROFILE=work",
	}
	flags := []string{
		"--base-url", "https://flag.example/api/v2", "--org-id", "org-flag", "--interval", "30s", "--page-size", "40", "--theme", "mono",
		"--window", "3h", "--search-back", "6h", "--profile", "other", "--budget", "7", "--time", "relative",
	}
	for name, c := range map[string]struct {
		config    string
		env, args []string
		want      map[string]string
	}{
		"default": {"", nil, nil, map[string]string{
			"profile": "default default", "base-url": "https://console.neon.tech/api/v2 default", "org-id": " default",
			"interval": "5s default", "page-size": "100 default", "window": "15m0s default", "search-back": "24h0m0s default", "theme": "auto default", "time": "relative default", "budget": "10 default",
		}},
		"file": {exampleConfig, nil, nil, map[string]string{
			"profile": "work default_profile", "base-url": "https://work.example/api/v2 profile work", "org-id": "org-file profile work",
			"interval": "10s profile work", "page-size": "20 profile work", "window": "1h0m0s profile work", "search-back": "4h0m0s profile work", "theme": "dark profile work", "time": "utc profile work", "budget": "10 default",
		}},
		"environment": {exampleConfig, env, nil, map[string]string{
			"profile": "work PGTOWER_PROFILE", "base-url": "https://env.example/api/v2 PGTOWER_BASE_URL", "org-id": "org-env PGTOWER_ORG_ID",
			"interval": "20s PGTOWER_INTERVAL", "page-size": "30 PGTOWER_PAGE_SIZE", "window": "2h0m0s PGTOWER_WINDOW", "search-back": "5h0m0s PGTOWER_SEARCH_BACK", "theme": "light PGTOWER_THEME", "time": "local PGTOWER_TIME",
		}},
		"flag": {exampleConfig, env, flags, map[string]string{
			"profile": "other --profile", "base-url": "https://flag.example/api/v2 --base-url", "org-id": "org-flag --org-id",
			"interval": "30s --interval", "page-size": "40 --page-size", "window": "3h0m0s --window", "search-back": "6h0m0s --search-back", "theme": "mono --theme", "time": "relative --time", "budget": "7 --budget",
			"key_command": "(set) profile other",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShell(t, c.env...)
			if c.config != "" {
				s.config(c.config)
			}
			got := s.inForce(c.args...)
			c.want["file"] = filepath.Join(s.home, ".config", "pgtower", "config.toml")
			for name, want := range c.want {
				if got[name] != want {
					t.Errorf("%s: got %q, want %q", name, got[name], want)
				}
			}
		})
	}
}

func TestConfigurationPath(t *testing.T) {
	t.Parallel()
	elsewhere := filepath.Join(t.TempDir(), "pgtower.toml")
	if err := os.WriteFile(elsewhere, []byte(exampleConfig), 0o600); err != nil {
		t.Fatal(err)
	}
	s := newShell(t)
	if got := s.inForce("--config", elsewhere); got["file"] != elsewhere || !strings.HasPrefix(got["profile"], "work ") {
		t.Errorf("flag: got %v", got)
	}
	if got := newShell(t, "PGTOWER_CONFIG="+elsewhere).inForce(); got["file"] != elsewhere {
		t.Errorf("environment: got %v", got)
	}
	if got := newShell(t, "PGTOWER_CONFIG=nowhere.toml").inForce("--config", elsewhere); got["file"] != elsewhere {
		t.Errorf("both: got %v", got)
	}
	if got := newShell(t, "XDG_CONFIG_HOME=/no/such/folder").inForce(); got["file"] != "/no/such/folder/pgtower/config.toml" {
		t.Errorf("XDG: got %v", got)
	}
	s.run("", "config", "--config", "nowhere.toml").ends(2, "pgtower: nowhere.toml: no such file")
	o := s.run("", "config").ends(0, "configuration file: ", "(does not exist)", "SETTING        VALUE", "base-url       https://console.neon.tech/api/v2  ", "accessible     false")
	if o.stderr != "" {
		t.Errorf("it also says %q", o.stderr)
	}
}

func TestConfigurationErrors(t *testing.T) {
	t.Parallel()
	for says, text := range map[string]string{
		"config.toml:2:12: this looks like an API key, and no key belongs in this file: remove it and run pgtower login": "[profiles.work]\napi_key = \"napi_s3cret\"\n",
		"config.toml:2:16: this looks like an API key":                                                                   "[profiles.default]\nkey_command = \"napi_s3cret\"\n",
		"config.toml:1:11: ": "api_key = napi_s3cret\n",
		"config.toml:3:1: intervall: unknown setting; did you mean interval?":  "[profiles.work]\n\nintervall = '5s'\n",
		"config.toml:2:1: interval: must be between 1s and 5m":                 "[profiles.work]\ninterval = '1ms'\n",
		"config.toml:2:1: base_url: invalid base URL: plain http would expose": "[profiles.work]\nbase_url = 'http://x.example'\n",
		"default_profile: [profiles.work] does":                                "default_profile = 'work'\n",
	} {
		s := newShell(t)
		path := s.config(text)
		for _, args := range [][]string{
			{"config"}, {"profiles"}, {"bindings"}, {"logout"}, {"login", "--profile", "new", "--base-url", "https://new.example/api/v2"},
		} {
			o := s.run("napi_s3cret\n", args...).ends(2, path, says)
			o.never("s3cret")
			if strings.Contains(o.stderr, "--help") {
				t.Errorf("help is of no help: %s", o.stderr)
			}
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Errorf("%q became %q, %v", text, got, err)
		}
	}
	s := newShell(t)
	path := s.config("what = 1\n")
	p := start(t, termtest.Options{Home: s.home})
	if code := p.Exit(); code != 2 || p.showed(path+":1:1: what: unknown setting") == 0 {
		t.Errorf("the dashboard: exit code %d\n%s", code, p.Screen())
	}
}

// The dashboard starts without the invalid parts of the file and reports them, as do the other commands.
func TestConfigurationThatIsWrongInParts(t *testing.T) {
	t.Parallel()
	s := newShell(t)
	path := s.config("[profiles.default]\npage_size = 33\n[keys.apikeys]\nrevoke = 'r'\n")
	const wrong = `:4:1: revoke: "r" is already the key of refresh (by default)`
	for _, args := range [][]string{{"config"}, {"bindings"}} {
		if o := s.run("", args...).ends(0); !strings.Contains(o.stderr, "pgtower: ignored: "+path+wrong) {
			t.Errorf("%q: %s", args, o.stderr)
		}
	}
	s.run("", "doctor").ends(1, "failed   configuration   "+path+wrong)
	log := filepath.Join(s.home, "log")
	p := start(t, termtest.Options{Home: s.home, Args: []string{"--demo", "--log", log}})
	p.Wait(`Ignored config.toml:4: revoke: "r" is already the key of refresh`, "live, every 5s")
	p.quit()
	if text, err := os.ReadFile(log); err != nil || !strings.Contains(string(text), `4:1: revoke: \"r\" is already`) {
		t.Errorf("%v: %s", err, text)
	}
}

func TestProfilesAreListed(t *testing.T) {
	t.Parallel()
	s := newShell(t)
	s.config(exampleConfig)
	o := s.run("", "profiles").ends(0,
		"   NAME   BASE URL                      ORGANISATION  KEY",
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

func TestDashboardTakesItsSettingsFromTheProfile(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	s := newShell(t)
	s.config("[profiles.work]\nbase_url = '" + b.api.base + "'\ninterval = '2s'\npage_size = 33\norg_id = 'org-1'\n")
	p := start(t, termtest.Options{
		Home: s.home, Args: []string{"--profile", "work", "--project", b.project("payments")}, Env: []string{"PGTOWER_API_KEY=" + b.APIKey()},
	})
	p.Wait("● live, every 2s")
	p.quit()
	for _, request := range []string{"GET /projects/" + b.project("payments") + "/operations?limit=33", "GET /projects?limit=400&org_id=org-1"} {
		if b.count(request) == 0 {
			t.Errorf("never asked: %s", request)
		}
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
	p.waitSaid("config.toml:1:1: what: unknown setting", "code 2", "left: []")
}
