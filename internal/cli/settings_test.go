package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"pgtower/internal/cli/exit"
	"pgtower/keystore"
	"pgtower/keystore/profile"
)

const testConfig = `default_profile = "work"

[profiles.work]
base_url = "https://work.example/api/v2"
org_id = "org-file"
interval = "10s"
page_size = 20
window = "1h"
since = "4h"
theme = "dark"
time = "utc"

[profiles.other]
base_url = "https://other.example/api/v2"
`

// resolved returns the settings for arguments, an environment and a configuration file.
func resolved(t *testing.T, config string, env map[string]string, args ...string) (*settings, error) {
	t.Helper()
	dir := t.TempDir()
	if config != "" {
		if err := os.MkdirAll(filepath.Join(dir, "pgtower"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "pgtower", "config.toml"), []byte(config), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := defaults()
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	s.addFlags(f)
	if err := f.Parse(args); err != nil {
		t.Fatal(err)
	}
	return &s, s.resolve(f, Process{
		Getenv:    func(name string) string { return env[name] },
		ConfigDir: func() (string, error) { return dir, nil },
	})
}

func TestPrecedence(t *testing.T) {
	t.Parallel()
	env := map[string]string{
		"PGTOWER_BASE_URL": "https://env.example/api/v2", "PGTOWER_ORG_ID": "org-env", "PGTOWER_INTERVAL": "20s", "PGTOWER_PAGE_SIZE": "30", "PGTOWER_WINDOW": "2h", "PGTOWER_SINCE": "5h", "PGTOWER_THEME": "light", "PGTOWER_TIME": "local",
	}
	args := []string{"--base-url", "https://flag.example/api/v2/", "--org-id", "org-flag", "--interval", "30s", "--page-size", "40", "--window", "3h", "--since", "6h", "--theme", "mono", "--time", "relative"}
	for name, c := range map[string]struct {
		config string
		env    map[string]string
		args   []string
		want   settings
		from   string
	}{
		"default": {want: settings{
			profile: "default", baseURL: "https://console.neon.tech/api/v2", interval: 5 * time.Second, pageSize: 100, window: 15 * time.Minute, since: 24 * time.Hour, theme: "auto", times: "relative",
		}, from: "default"},
		"file": {config: testConfig, want: settings{
			profile: "work", baseURL: "https://work.example/api/v2", orgID: "org-file", interval: 10 * time.Second, pageSize: 20, window: time.Hour, since: 4 * time.Hour, theme: "dark", times: "utc",
		}, from: "profile work"},
		"environment": {config: testConfig, env: env, want: settings{
			profile: "work", baseURL: "https://env.example/api/v2", orgID: "org-env", interval: 20 * time.Second, pageSize: 30, window: 2 * time.Hour, since: 5 * time.Hour, theme: "light", times: "local",
		}, from: "PGTOWER_"},
		"flag": {config: testConfig, env: env, args: args, want: settings{
			profile: "work", baseURL: "https://flag.example/api/v2", orgID: "org-flag", interval: 30 * time.Second, pageSize: 40, window: 3 * time.Hour, since: 6 * time.Hour, theme: "mono", times: "relative",
		}, from: "--"},
	} {
		s, err := resolved(t, c.config, c.env, c.args...)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := settings{
			profile: s.profile, baseURL: s.baseURL, orgID: s.orgID, interval: s.interval, pageSize: s.pageSize, window: s.window, since: s.since, theme: s.theme, times: s.times,
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %+v, want %+v", name, got, c.want)
		}
		if s.base.String() != c.want.baseURL {
			t.Errorf("%s: the base URL is %s", name, s.base)
		}
		for _, one := range s.inForce {
			elsewhere := slices.Contains([]string{
				"profile", "project", "view", "budget", "quiet-for", "read-only", "no-mouse", "no-bell", "accessible", "reduce-motion", "ca-file", "log",
			}, one.Name)
			if !elsewhere && !strings.HasPrefix(one.From, c.from) {
				t.Errorf("%s: %s is said to be from %s", name, one.Name, one.From)
			}
		}
	}
}

func TestSwitchesOfTheEnvironment(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		value string
		args  []string
		want  string
	}{
		{"", nil, "false default"},
		{"1", nil, "true "},
		{"yes", nil, "true "},
		{"anything", nil, "true "},
		{"0", nil, "false "},
		{"false", nil, "false "},
		{"FALSE", nil, "false "},
		{"no", nil, "false "},
		{"off", nil, "false "},
		{"0", []string{"--accessible", "--reduce-motion"}, "true --"},
		{"1", []string{"--accessible=false", "--reduce-motion=false"}, "false --"},
	} {
		s, err := resolved(t, "", map[string]string{"ACCESSIBLE": c.value, "PGTOWER_REDUCE_MOTION": c.value}, c.args...)
		if err != nil {
			t.Errorf("%+v: %v", c, err)
			continue
		}
		for name, on := range map[string]bool{"accessible": s.accessible, "reduce-motion": s.reduceMotion} {
			i := slices.IndexFunc(s.inForce, func(f inForce) bool { return f.Name == name })
			if got := s.inForce[i].Value + " " + s.inForce[i].From; !strings.HasPrefix(got, c.want) || on != strings.HasPrefix(c.want, "true") {
				t.Errorf("%s, %+v: %s, %v", name, c, got, on)
			}
		}
	}
}

// Each profile may set its own value, unless a flag sets it for all.
func TestProfilesAreSafe(t *testing.T) {
	t.Parallel()
	const config = "default_profile = 'work'\n[profiles.work]\nread_only = true\nbudget = 3\nproject = 'p-1'\ncolor = 'red'\nconfirm = 'always type'\n" +
		"console_url = 'https://x.example/{id}'\n[profiles.other]\nbudget = 5\n"
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--profile", "work"}, "work true 3 p-1, other false 5 , demo false 3 "},
		{[]string{"--profile", "work", "--demo"}, "demo false 3 , work true 3 p-1, other false 5 "},
		{[]string{"--profile", "other"}, "other false 5 , work true 3 p-1, demo false 5 "},
		{[]string{"--profile", "other", "--read-only"}, "other true 5 , work true 3 p-1, demo true 5 "},
		{
			[]string{"--profile", "work", "--read-only=false", "--budget=9", "--project=p-2"},
			"work false 9 p-2, other false 9 , demo false 9 p-2",
		},
	} {
		s, err := resolved(t, config, nil, c.args...)
		if err != nil {
			t.Fatal(err)
		}
		a, err := newAccounts(s, time.Now, func(string) string { return "" }, nil)
		if err != nil {
			t.Fatal(err)
		}
		readOnly := map[string]bool{"demo": a.demo.options.ReadOnly}
		for _, auth := range a.authenticators {
			name := auth.sources.Profile.Name
			readOnly[name] = auth.options.ReadOnly
			if by := auth.readOnly == "the profile work is read-only"; by != (name == "work" && !slices.ContainsFunc(s.inForce, func(f inForce) bool { return f.From == "--read-only" })) {
				t.Errorf("%q: %s is read-only because %q", c.args, name, auth.readOnly)
			}
		}
		var got []string
		for _, p := range a.all {
			got = append(got, fmt.Sprintln(p.Name, readOnly[p.Name], p.Budget, p.Project))
			if safe := p.Color == "red" && p.AlwaysType && p.ConsoleURL != ""; safe != (p.Name == "work") {
				t.Errorf("%q: %+v", c.args, p)
			}
		}
		if said := strings.ReplaceAll(strings.TrimSuffix(strings.Join(got, ""), "\n"), "\n", ", "); said != c.want {
			t.Errorf("%q: got %q, want %q", c.args, said, c.want)
		}
	}
}

func TestWhichProfile(t *testing.T) {
	t.Parallel()
	env := map[string]string{envProfile: "other"}
	for _, c := range []struct {
		config     string
		env        map[string]string
		args       []string
		want, from string
	}{
		{"", nil, nil, "default", "default"},
		{testConfig, nil, nil, "work", "default_profile"},
		{testConfig, env, nil, "other", envProfile},
		{testConfig, env, []string{"--profile", "work"}, "work", "--profile"},
		{testConfig, nil, []string{"--profile", "default"}, "default", "--profile"},
		{"[profiles.work]\n", nil, nil, "work", "default"},
		{"[profiles.work]\n[profiles.default]\n", nil, nil, "default", "default"},
	} {
		s, err := resolved(t, c.config, c.env, c.args...)
		if err != nil || s.profile != c.want || s.current.Name != c.want || s.inForce[0] != (inForce{"profile", c.want, c.from, false}) {
			t.Errorf("%q, %v, %q: got %s, %v, %v", c.config, c.env, c.args, s.profile, s.inForce, err)
		}
	}
}

func TestSettingsThatCannotBe(t *testing.T) {
	t.Parallel()
	for says, c := range map[string]struct {
		config string
		env    map[string]string
		args   []string
	}{
		"--profile: unknown profile werk in ":                                  {testConfig, nil, []string{"--profile", "werk"}},
		"config.toml; it has default, other, work":                             {testConfig, nil, []string{"--profile", "werk"}},
		"PGTOWER_PROFILE: unknown profile work: ":                              {"", map[string]string{envProfile: "work"}, nil},
		"--profile: the profile name must contain":                             {"", nil, []string{"--profile", "a b"}},
		"PGTOWER_INTERVAL: must be a duration from 1s to 5m":                   {"", map[string]string{"PGTOWER_INTERVAL": "10ms"}, nil},
		`PGTOWER_INTERVAL: must be a duration, such as 5s or 24h`:              {"", map[string]string{"PGTOWER_INTERVAL": "soon"}, nil},
		"PGTOWER_PAGE_SIZE: must be between 1 and 1000":                        {"", map[string]string{"PGTOWER_PAGE_SIZE": "1001"}, nil},
		`PGTOWER_PAGE_SIZE: must be a whole number`:                            {"", map[string]string{"PGTOWER_PAGE_SIZE": "many"}, nil},
		`PGTOWER_THEME: must be one of auto, dark, light, high-contrast, mono`: {"", map[string]string{"PGTOWER_THEME": "pink"}, nil},
		"--org-id: must be an organization id":                                 {"", nil, []string{"--org-id", "a b"}},
		`--project: must be the id of one project`:                             {"", nil, []string{"--project", "a,b"}},
		"--budget: must be between 1 and 100":                                  {"", nil, []string{"--budget", "0"}},
		"config.toml:2:1: interval: must be a duration from 1s to 5m":          {"[profiles.a]\ninterval = '0s'", nil, nil},
		"config.toml:2:1: base_url: invalid base URL":                          {"[profiles.a]\nbase_url = 'http://x.example'", nil, nil},
		`PGTOWER_TIME: must be one of relative, local, utc`:                    {"", map[string]string{"PGTOWER_TIME": "zulu"}, nil},
		`config.toml:3:1: time: must be one of relative, local, utc`:           {"[profiles.a]\n\ntime = 'zulu'", nil, nil},
		`config.toml:3:1: theme: must be one of auto, dark`:                    {"[profiles.a]\n\ntheme = 'pink'", nil, nil},
		"config.toml:2:1: page_size: must be between 1 and 1000":               {"[profiles.a]\npage_size = 1001", nil, nil},
		"config.toml:2:1: org_id: must be an organization id":                  {"[profiles.a]\norg_id = 'a b'", nil, nil},
		"none.toml: no such file":                                              {"", nil, []string{"--config", "none.toml"}},
		"nowhere.toml: no such file":                                           {"", map[string]string{envConfig: "nowhere.toml"}, nil},
		"PGTOWER_WINDOW: must be whole minutes between 1m and 24h":             {"", map[string]string{"PGTOWER_WINDOW": "90s"}, nil},
		"PGTOWER_SINCE: must be between 1m and 744h":                           {"", map[string]string{"PGTOWER_SINCE": "30s"}, nil},
		"config.toml:2:1: window: must be whole minutes between":               {"[profiles.a]\nwindow = '25h'", nil, nil},
	} {
		_, err := resolved(t, c.config, c.env, c.args...)
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("got %v, want %s", err, says)
		}
		if _, usage := errors.AsType[exit.UsageError](err); !usage && !isFileError(err) {
			t.Errorf("%v is not about how it was called", err)
		}
	}
}

func TestWithoutAFolderForConfiguration(t *testing.T) {
	t.Parallel()
	s := defaults()
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	s.addFlags(f)
	err := s.resolve(f, Process{
		Getenv: func(string) string { return "" }, ConfigDir: func() (string, error) { return "", errors.New("$HOME is not defined") },
	})
	if err != nil || s.profile != profile.Default || s.file.exists {
		t.Errorf("got %s, %v", s.profile, err)
	}
}

func TestKeyCommandsAreForTheHostOfTheirProfile(t *testing.T) {
	t.Parallel()
	const config = testConfig + "key_command = 'echo s3cret'\n"
	none := func(string) string { return "" }
	for _, c := range []struct {
		args []string
		want keystore.Origin
	}{
		{nil, keystore.OriginCommand},
		{[]string{"--base-url", "https://OTHER.example:443/elsewhere"}, keystore.OriginCommand},
		{[]string{"--base-url", "https://evil.example/api/v2"}, keystore.OriginNone},
	} {
		s, err := resolved(t, config, nil, append(c.args, "--profile", "other")...)
		if err != nil {
			t.Fatal(err)
		}
		sources, err := s.sources(none)
		if err != nil {
			t.Fatal(err)
		}
		if before, err := sources.BeforeKeyring(); err != nil || before != c.want {
			t.Errorf("%q: got %s, %v", c.args, before, err)
		}
	}
}
