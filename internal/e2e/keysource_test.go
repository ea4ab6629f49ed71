//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgtower/client/mock"
	"pgtower/internal/faultserver"
	"pgtower/internal/termtest"
)

// TestKeySourceThatIsSent checks which keys arrive at the live service's address, behind a proxy of the test, and at another
// address.
func TestKeySourceThatIsSent(t *testing.T) {
	t.Parallel()
	authority := faultserver.NewAuthority(t, time.Now())
	live := certificate(authority, "console.neon.tech", time.Now().Add(time.Hour))
	const (
		own     = "PGTOWER_API_KEY=napi_s3cret_own"
		tools   = "NEON_API_KEY=napi_s3cret_tools"
		command = "key_command = 'echo s3cret_command'\n"
	)
	for name, c := range map[string]struct {
		config string
		live   bool
		env    []string
		want   string
		says   string
	}{
		"pgtower's own first":            {command, true, []string{own, tools}, "napi_s3cret_own", "the key from PGTOWER_API_KEY, for console.neon.tech"},
		"then that of the service":       {command, true, []string{tools}, "napi_s3cret_tools", "the key from NEON_API_KEY"},
		"then the key command":           {command, true, nil, "s3cret_command", "the key from the key command, for console.neon.tech"},
		"then the keyring":               {"", true, nil, "", "the OS keyring cannot be reached"},
		"elsewhere, pgtower's own":       {command, false, []string{own, tools}, "napi_s3cret_own", "the key from PGTOWER_API_KEY, for 127.0.0.1"},
		"elsewhere, nothing of the live": {command, false, []string{tools}, "", "the OS keyring cannot be reached"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env, args := c.env, []string(nil)
			var at *service
			if c.live {
				at = secured(t, c.want, live)
				env = append(slices.Clone(env), "SSL_CERT_FILE="+authority.File(), proxyTo(t, at))
			} else {
				at = plain(t, c.want)
				args = []string{"--base-url", at.base()}
			}
			s := newShell(t, env...)
			s.config("[profiles.default]\n" + c.config)
			code, want := 0, []string{c.want}
			if c.want == "" {
				code, want = 1, nil
			}
			all := s.doctor(code, args...)
			if !strings.Contains(all["API key"].Detail, c.says) {
				t.Errorf("got %+v, want %s", all["API key"], c.says)
			}
			if got := at.keys(); !slices.Equal(got, want) {
				t.Errorf("the keys %q were sent, want %q", got, want)
			}
			if c.want != "" && all["authentication"].Verdict != "ok" {
				t.Errorf("got %+v", all["authentication"])
			}
			if c.live && !strings.HasPrefix(all["DNS"].Detail, "resolved by the proxy 127.0.0.1:") {
				t.Errorf("got %+v", all["DNS"])
			}
		})
	}
}

// The key command runs while the screen is already there, without the keys, the terminal and its input.
func TestKeyCommandOfTheDashboard(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	s := newShell(t)
	gate, seen := filepath.Join(s.home, "gate"), filepath.Join(s.home, "seen")
	script := filepath.Join(s.home, "key")
	text := "#!/bin/sh\n" +
		"env > '" + seen + "'; tr '\\0' ' ' < /proc/$PPID/cmdline >> '" + seen + "'\n" +
		"( : < /dev/tty ) 2>/dev/null && echo 'has the terminal' >> '" + seen + "'\n" +
		"read -r line && echo 'was typed to' >> '" + seen + "'\n" +
		"while [ ! -e '" + gate + "' ]; do sleep 0.05; done\n" +
		"echo " + b.APIKey() + "\n"
	termtest.WriteScript(t, script, text)
	s.config("[profiles.default]\nbase_url = '" + b.base + "'\nkey_command = ['" + script + "']\n")
	p := start(t, termtest.Options{
		Home: s.home, Args: []string{"--project", b.project("payments")}, Env: []string{"NEON_API_KEY=" + b.APIKey(), "PGTOWER_MOCK_API_KEY=x"},
	})
	// The screen appears while the command is still running.
	p.WaitFor("the first screen", func(s termtest.Screen) bool { return s.Contains("pgtower") })
	if b.count("GET /projects/") > 0 {
		t.Error("the service was asked without a key")
	}
	if err := os.WriteFile(gate, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p.Sees("● live", " payments ")
	p.keyFrom("key from the key command")
	p.quit()
	p.neverShowed(b.APIKey())
	got, err := os.ReadFile(seen)
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{b.APIKey(), "API_KEY", "has the terminal", "was typed to"} {
		if strings.Contains(string(got), bad) {
			t.Errorf("%q is in what the command saw:\n%s", bad, got)
		}
	}
	if !strings.Contains(string(got), "HOME="+s.home) {
		t.Errorf("the command saw only:\n%s", got)
	}
}
