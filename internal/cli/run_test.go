package cli

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"pgtower/internal/cli/exit"
)

// shell runs command lines in this process, without a terminal.
type shell struct {
	t   *testing.T
	dir string // has the configuration
	env map[string]string
}

func newShell(t *testing.T, env map[string]string) *shell {
	t.Helper()
	return &shell{t, t.TempDir(), env}
}

// config writes the configuration file and returns its path.
func (s *shell) config(text string) string {
	s.t.Helper()
	path := filepath.Join(s.dir, "pgtower", "config.toml")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
	return path
}

// run runs a command line, checks its exit code and that the output has the texts, and returns stdout and stderr.
func (s *shell) run(args []string, code int, says ...string) (stdout, stderr string) {
	s.t.Helper()
	in, err := os.Open(os.DevNull)
	if err != nil {
		s.t.Fatal(err)
	}
	out, err := os.Create(filepath.Join(s.t.TempDir(), "stdout"))
	if err != nil {
		s.t.Fatal(err)
	}
	problems, err := os.Create(filepath.Join(s.t.TempDir(), "stderr"))
	if err != nil {
		s.t.Fatal(err)
	}
	got := Run(s.t.Context(), Process{
		Args: args, Stdin: in, Stdout: out, Stderr: problems, Clock: time.Now,
		Getenv:    func(name string) string { return s.env[name] },
		ConfigDir: func() (string, error) { return s.dir, nil }, CacheDir: func() (string, error) { return s.dir, nil },
	})
	for file, text := range map[*os.File]*string{out: &stdout, problems: &stderr} {
		b, err := os.ReadFile(file.Name())
		if err := errors.Join(err, file.Close()); err != nil {
			s.t.Fatal(err)
		}
		*text = string(b)
	}
	_ = in.Close()
	if got != code {
		s.t.Errorf("%q: exit code %d, want %d\n%s%s", args, got, code, stdout, stderr)
	}
	for _, text := range says {
		if !strings.Contains(stdout+stderr, text) {
			s.t.Errorf("%q: %q is missing in\n%s%s", args, text, stdout, stderr)
		}
	}
	return stdout, stderr
}

func TestUsageErrors(t *testing.T) {
	t.Parallel()
	const (
		secret = "pgt_hunter2"
		key    = "napi_hunter2_of_somebody"
	)
	for _, test := range []struct{ args, env, says string }{
		{says: "--base-url: invalid base URL: plain http would expose the API key", args: "--base-url http://console.example/api/v2"},
		{says: "--since: must be a duration, such as 5s or 24h", args: "operations --since 3x"},
		{says: "--demo-time", args: "--demo --demo-time noon"},
		{says: "--interval: must be a duration from 1s to 5m", args: "doctor --interval 1h"},
		{says: "--log: ", args: "mock --log=/"},
		{says: `unknown command "dashboard" for pgtower`, args: "dashboard"},
		{says: "unknown flag: --frobnicate", args: "--frobnicate"},
		{says: "did you mean operations?", args: "operation --limit 3"},
		{says: "unknown flag: --follow; this is a flag of pgtower operations", args: "--follow"},
		{says: "unknown flag: --limit; this is a flag of pgtower operations", args: "projects --limit 3"},
		{says: "unknown flag: --folow; did you mean --follow of pgtower operations?", args: "--folow"},
		{says: "unknown flag: --timout; did you mean --timeout?", args: "wait --timout 1m"},
		{says: "unknown flag: --api-key", args: "--api-key=" + secret},
		{says: "login takes no arguments: it asks for the key", args: "login " + secret},
		{says: "no API key was given", args: "login"},
		{says: "white space", args: "operations", env: "PGTOWER_API_KEY=" + secret + " x"},
		{says: "--api-key", args: "mock --api-key " + secret + "\x01"},
		{says: "argument 1 looks like an API key", args: key},
		{says: "argument 2 looks like an API key", args: "login --profile=" + key},
		{says: "argument 3 looks like an API key", args: "config --org-id " + key},
		{says: "PGTOWER_PROFILE looks like an API key", env: "PGTOWER_PROFILE=" + key},
		{says: "PGTOWER_INTERVAL looks like an API key", env: "PGTOWER_INTERVAL=" + key},
		{says: "the dashboard needs a terminal"},
		{says: "operations, wait, projects and apikeys", args: "--demo"},
	} {
		name, value, _ := strings.Cut(test.env, "=")
		s := newShell(t, map[string]string{name: value})
		stdout, stderr := s.run(strings.Fields(test.args), exit.Usage, test.says, "See pgtower")
		if stdout != "" || strings.Contains(stderr, "hunter2") || !strings.HasPrefix(stderr, "pgtower: ") {
			t.Errorf("%+v: printed %q, %q", test, stdout, stderr)
		}
	}
}

func TestHelp(t *testing.T) {
	t.Parallel()
	for args, says := range map[string]string{
		"--help":       "PGTOWER_API_KEY PGTOWER_BASE_URL NEON_API_KEY --demo --interval login doctor mock completion",
		"login --help": "--profile --base-url",
		"mock --help":  "--listen --json --log --api-key PGTOWER_MOCK_API_KEY",
	} {
		newShell(t, nil).run(strings.Fields(args), exit.OK, strings.Fields(says)...)
	}
}

func TestVersion(t *testing.T) {
	t.Parallel()
	s := newShell(t, nil)
	platform := runtime.GOOS + "/" + runtime.GOARCH
	s.run([]string{"--version"}, exit.OK, "pgtower ")
	s.run([]string{"version"}, exit.OK, "version   ", "go        "+runtime.Version(), "platform  "+platform)
	stdout, _ := s.run([]string{"version", "--json"}, exit.OK)
	var b struct{ Version, Go, Platform string }
	if err := json.Unmarshal([]byte(stdout), &b); err != nil || b.Version == "" || b.Go != runtime.Version() || b.Platform != platform {
		t.Errorf("%v: %s", err, stdout)
	}
}

func TestCompletion(t *testing.T) {
	t.Parallel()
	s := newShell(t, nil)
	for _, of := range []string{"bash", "zsh", "fish", "powershell"} {
		s.run([]string{"completion", of}, exit.OK, "pgtower")
	}
	path := s.config("[profiles.work]\npinned = ['calm-lake-1', 'red-hill-2']\n[profiles.other]\n[[views]]\nname = 'Billing trouble'\n")
	for args, want := range map[string]string{
		"--profile":                              "default\nother\nwork\n:4",
		"login --profile":                        "default\nother\nwork\n:4",
		"doctor --config " + path + " --profile": "default\nother\nwork\n:4",
		"--theme":                                "auto\ndark\n",
		"--time":                                 "relative\nlocal\nutc\n",
		"--view":                                 "All\nFailed\nUnfinished\nSlow\nBilling trouble\n:4",
		"--profile other --project":              ":4",
		"operations --profile work --project":    "calm-lake-1\nred-hill-2\n:4",
	} {
		stdout, _ := s.run(append(append([]string{"__complete"}, strings.Fields(args)...), ""), exit.OK)
		if !strings.HasPrefix(stdout, want) {
			t.Errorf("%s: got %q", args, stdout)
		}
	}
	// Only the command reports configuration errors.
	s.config("what = 1")
	if stdout, _ := s.run([]string{"__complete", "--profile", ""}, exit.OK); !strings.HasPrefix(stdout, ":4") {
		t.Errorf("got %q", stdout)
	}
}

func TestConfigurationPath(t *testing.T) {
	t.Parallel()
	elsewhere := filepath.Join(t.TempDir(), "pgtower.toml")
	if err := os.WriteFile(elsewhere, []byte(testConfig), 0o600); err != nil {
		t.Fatal(err)
	}
	for env, args := range map[string][]string{
		"":           {"--config", elsewhere},
		elsewhere:    nil,
		"other.toml": {"--config", elsewhere},
	} {
		newShell(t, map[string]string{envConfig: env}).run(append([]string{"config"}, args...), exit.OK,
			"configuration file: "+elsewhere, "https://work.example/api/v2  profile work")
	}
	s := newShell(t, nil)
	path := s.config("[profiles.default]\nkey_command = 'echo s3cret'\n")
	stdout, _ := s.run([]string{"config", "--json"}, exit.OK)
	var report struct {
		File     string
		Exists   bool
		Settings []struct{ Name, Value, From string }
	}
	if err := json.Unmarshal([]byte(stdout), &report); err != nil || report.File != path || !report.Exists {
		t.Errorf("%v: %s", err, stdout)
	}
	// The command may have a secret.
	command := struct{ Name, Value, From string }{"key_command", "(set)", "profile default"}
	if !slices.Contains(report.Settings, command) || strings.Contains(stdout, "s3cret") {
		t.Errorf("got %+v", report.Settings)
	}
	s = newShell(t, nil)
	_, stderr := s.run([]string{"config"}, exit.OK, "configuration file: "+s.dir, "(does not exist)", "SETTING        VALUE",
		"base-url       https://console.neon.tech/api/v2  ", "accessible     false")
	if stderr != "" {
		t.Errorf("it also says %q", stderr)
	}
}

// A key without a known form that is given in the place of something else is not repeated.
func TestErrorsRepeatNoKeyOfTheArguments(t *testing.T) {
	t.Parallel()
	const key = "Ab3dEf9hIj2kLm5nOp8qRs1tUv4wXy7z"
	for args, says := range map[string]string{
		"KEY": "unknown command", "--KEY": "unknown flag", "--theme KEY": "--theme: must be one of", "config --time=KEY": "must be one of",
		"operations --interval KEY": "--interval", "wait KEY": "must be an operation id", "--profile KEY": "unknown profile", "login KEY": "takes no arguments",
		"doctor --page-size KEY": "--page-size", "operations --project KEY,KEY": "project", "operations --since KEY": "--since",
	} {
		s := newShell(t, nil)
		stdout, stderr := s.run(strings.Fields(strings.ReplaceAll(args, "KEY", key)), exit.Usage, strings.ReplaceAll(says, "KEY", "•••"))
		if strings.Contains(stdout+stderr, key) {
			t.Errorf("%s: %s%s", args, stdout, stderr)
		}
	}
	for _, name := range settingVariables() {
		if name == envConfig || name == "" {
			continue
		}
		s := newShell(t, map[string]string{name: key})
		if _, stderr := s.run([]string{"operations", "--limit", "0"}, exit.Usage); strings.Contains(stderr, key) {
			t.Errorf("%s: %s", name, stderr)
		}
	}
}

// Every command reports an invalid file without its keys, and leaves it as it is. Only parts of a file are ignored.
func TestConfigurationErrors(t *testing.T) {
	t.Parallel()
	for text, says := range map[string]string{
		"[profiles.work]\napi_key = \"napi_s3cret\"\n":        ":2:12: this looks like an API key, and no key belongs in this file",
		"[profiles.default]\nkey_command = \"napi_s3cret\"\n": ":2:16: this looks like an API key",
		"[profiles.work]\n\nintervall = '5s'\n":               ":3:1: unknown setting; did you mean interval?",
	} {
		s := newShell(t, nil)
		path := s.config(text)
		for _, args := range []string{
			"", "config", "profiles", "bindings", "logout", "login --profile new --base-url https://new.example/api/v2",
		} {
			stdout, stderr := s.run(strings.Fields(args), exit.Usage, path+says)
			if strings.Contains(stdout+stderr, "s3cret") || strings.Contains(stderr, "--help") {
				t.Errorf("%s: %s", args, stderr)
			}
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Errorf("%q became %q, %v", text, got, err)
		}
	}
	s := newShell(t, nil)
	path := s.config("[keys.apikeys]\nrevoke = 'r'\n")
	for _, args := range []string{"config", "bindings"} {
		s.run([]string{args}, exit.OK, "pgtower: ignored: "+path+`:2:1: "r" is already the key of refresh (by default)`)
	}
}
