//go:build unix

package e2e

import (
	"bytes"
	"errors"
	"os/exec"
	"strings"
	"testing"

	"pgtower/internal/termtest"
)

func TestUsageErrors(t *testing.T) {
	t.Parallel()
	const (
		secret = "pgt_hunter2"
		key    = "napi_hunter2_of_somebody"
	)
	for name, test := range map[string]struct {
		args, env, says []string
	}{
		"http to another machine": {
			args: []string{"--base-url", "http://console.example/api/v2"},
			says: []string{"--base-url", "plain http would expose the API key", "write https://console.example"},
		},
		"http to another machine by the environment": {
			env:  []string{"PGTOWER_BASE_URL=http://console.example/api/v2"},
			says: []string{"PGTOWER_BASE_URL", "write https://console.example"},
		},
		"http to a name that looks local": {
			args: []string{"--base-url", "http://localhost.example/api/v2"},
			says: []string{"plain http would expose the API key"},
		},
		"password in the base URL": {
			args: []string{"--base-url", "https://me:" + secret + "@console.example/api/v2"},
			says: []string{"remove them"},
		},
		"no scheme": {
			args: []string{"--base-url", "console.example"},
			says: []string{"write it in full, such as https://"},
		},
		"interval too short":        {args: []string{"--interval", "10ms"}, says: []string{"--interval", "between 1s and 5m"}},
		"interval too long":         {args: []string{"--interval", "1h"}, says: []string{"--interval", "between 1s and 5m"}},
		"interval that is none":     {args: []string{"--interval", "soon"}, says: []string{"--interval", "soon"}},
		"profile that is none":      {args: []string{"--profile", "a b"}, says: []string{"--profile: "}},
		"profile by environment":    {env: []string{"PGTOWER_PROFILE=a b"}, says: []string{"PGTOWER_PROFILE: "}},
		"time that is none":         {args: []string{"--demo", "--demo-time", "noon"}, says: []string{"--demo-time", "noon"}},
		"page size":                 {args: []string{"--page-size", "0"}, says: []string{"--page-size", "between 1 and 1000"}},
		"unknown command":           {args: []string{"dashboard"}, says: []string{`unknown command "dashboard" for pgtower`}},
		"unknown flag":              {args: []string{"--frobnicate"}, says: []string{"unknown flag: --frobnicate"}},
		"command that is near one":  {args: []string{"operation", "--limit", "3"}, says: []string{"did you mean operations?"}},
		"flag of a command":         {args: []string{"--follow"}, says: []string{"this is a flag of pgtower operations"}},
		"flag of another command":   {args: []string{"projects", "--limit", "3"}, says: []string{"this is a flag of pgtower operations"}},
		"near a flag of a command":  {args: []string{"--folow"}, says: []string{"unknown flag: --folow; did you mean --follow of pgtower operations?"}},
		"flag that is near one":     {args: []string{"wait", "--timout", "1m"}, says: []string{"unknown flag: --timout; did you mean --timeout?"}},
		"key by flag":               {args: []string{"--api-key=" + secret}, says: []string{"unknown flag: --api-key"}},
		"key that is none":          {env: []string{"PGTOWER_API_KEY=" + secret + " x"}, says: []string{"PGTOWER_API_KEY", "white space"}},
		"key that is none for demo": {args: []string{"mock", "--api-key", secret + "\x01"}, says: []string{"--api-key"}},
		"key as an argument":        {args: []string{key}, says: []string{"argument 1 looks like an API key"}},
		"key as a profile":          {args: []string{"--profile", key}, says: []string{"argument 2 looks like an API key"}},
		"key to log in with":        {args: []string{"login", "--profile=" + key}, says: []string{"argument 2 looks like an API key"}},
		"key as an organisation":    {args: []string{"config", "--org-id", key}, says: []string{"argument 3 looks like an API key"}},
		"key as a flag":             {args: []string{"--" + key}, says: []string{"argument 1 looks like an API key"}},
		"key as an interval":        {args: []string{"--interval", key}, says: []string{"argument 2 looks like an API key"}},
		"key as a file":             {args: []string{"--config", key}, says: []string{"argument 2 looks like an API key"}},
		"key as PGTOWER_PROFILE":    {env: []string{"PGTOWER_PROFILE=" + key}, says: []string{"PGTOWER_PROFILE looks like an API key: PGTOWER_API_KEY is"}},
		"key as PGTOWER_INTERVAL":   {env: []string{"PGTOWER_INTERVAL=" + key}, says: []string{"PGTOWER_INTERVAL looks like an API key"}},
		"key as PGTOWER_CONFIG":     {env: []string{"PGTOWER_CONFIG=" + key}, says: []string{"PGTOWER_CONFIG looks like an API key"}},
		"key as PGTOWER_THEME":      {env: []string{"PGTOWER_THEME=" + key}, says: []string{"PGTOWER_THEME looks like an API key"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := start(t, termtest.Options{Args: test.args, Env: test.env})
			if code := p.Exit(); code != 2 {
				t.Errorf("exit code %d, want 2", code)
			}
			// Unwrapped: the terminal breaks lines within words.
			for _, text := range append(test.says, "pgtower: ", "See pgtower") {
				if p.showed(text) == 0 {
					t.Errorf("%q is not said in:\n%s", text, p.Screen())
				}
			}
			p.neverShowed(secret)
			p.neverShowed(key)
			if p.showed("\x1b[?1049h") > 0 {
				t.Error("the alternate screen was entered")
			}
		})
	}
}

func TestDashboardNeedsATerminal(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"--demo"}, {}} {
		stdout, stderr, code := run(t, args...)
		if code != 2 || stdout != "" || !strings.Contains(stderr, "needs a terminal") ||
			!strings.Contains(stderr, "operations, wait, projects and apikeys") {
			t.Errorf("%q: exit code %d, %q, %q", args, code, stdout, stderr)
		}
	}
}

func TestHelpAndVersion(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		args, says []string
	}{
		{[]string{"--version"}, []string{"pgtower "}},
		{[]string{"--help"}, []string{"PGTOWER_API_KEY", "PGTOWER_BASE_URL", "--demo", "--project", "--interval", "--page-size", "--window", "mock"}},
		{[]string{"--help"}, []string{"NEON_API_KEY", "--profile", "--config", "--org-id", "--theme", "login", "logout", "profiles", "config", "bindings", "doctor", "completion", "man"}},
		{[]string{"login", "--help"}, []string{"standard input", "--profile", "--base-url"}},
		{[]string{"-h"}, []string{"PGTOWER_API_KEY"}},
		{[]string{"mock", "--help"}, []string{"--listen", "--json", "--log", "--api-key", "PGTOWER_MOCK_API_KEY"}},
	} {
		stdout, stderr, code := run(t, test.args...)
		if code != 0 || stderr != "" {
			t.Errorf("%q: exit code %d, %q", test.args, code, stderr)
		}
		for _, text := range test.says {
			if !strings.Contains(stdout, text) {
				t.Errorf("%q does not say %q:\n%s", test.args, text, stdout)
			}
		}
	}
}

// run runs pgtower without a terminal until it exits.
func run(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), termtest.Binary(t), args...)
	cmd.Env = []string{"HOME=" + t.TempDir(), goRace}
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out.String(), problems.String(), cmd.ProcessState.ExitCode()
}
