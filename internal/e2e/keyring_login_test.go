//go:build unix

package e2e

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"

	"pgtower/internal/termtest"
)

func sessionBus() string {
	return "DBUS_SESSION_BUS_ADDRESS=" + os.Getenv("DBUS_SESSION_BUS_ADDRESS")
}

// login saves a key that works for its profile and host, logout removes it, and the profiles are managed with them.
func TestLoginAndLogout(t *testing.T) {
	t.Parallel()
	secretService(t, "1")
	at, other := plain(t, goodKey), plain(t, goodKey)
	host := strings.TrimPrefix(at.URL, "http://")
	s := newShell(t, sessionBus())
	work := []string{"--profile", "work"}
	args := func(command string) []string { return append([]string{command}, work...) }

	s.run("napi_other\n", "login", "--profile", "work", "--base-url", at.base()).ends(3, "the key was not saved")
	s.run(goodKey+"\n", "login", "--profile", "work", "--base-url", at.base(), "--org-id", "org-1").ends(0,
		"The key works and is saved in the OS keyring for work@"+host+".", "Profile work is saved.").neverKey()
	s.run("", "profiles").ends(0, "work  "+at.base(), "org-1         OS keyring").neverKey()
	all := s.doctor(0, work...)
	for check, want := range map[string]string{
		"API key": "the key from the OS keyring, for " + host, "OS keyring": "an item was saved, read and deleted", "authentication": "accepts the key",
	} {
		if got := all[check]; got.Verdict != "ok" || !strings.Contains(got.Detail, want) {
			t.Errorf("got %+v, want %s", got, want)
		}
	}

	// A refused key does not replace a valid one.
	s.run("napi_other\n", args("login")...).ends(3, "the API key was refused")
	s.doctor(0, work...)
	// Another host has its own key.
	s.run(goodKey, "login", "--profile", "work", "--base-url", other.base()).ends(0, "The base URL of profile work is "+at.base())
	s.run("", "logout", "--profile", "work", "--base-url", other.base()).ends(0, "was removed")
	s.doctor(0, work...)

	env := newShell(t, sessionBus(), "PGTOWER_API_KEY="+goodKey)
	env.home, env.env[0] = s.home, s.env[0]
	env.run(goodKey, args("login")...).ends(0, "It is saved but not used: the key from PGTOWER_API_KEY takes precedence.")
	env.run("", args("logout")...).ends(0,
		"The key of work@"+host+" was removed from the OS keyring. It is valid until it is revoked.",
		"The key from PGTOWER_API_KEY is still in force.").neverKey()
	s.run("", args("logout")...).ends(0, "The OS keyring has no key for work@"+host+".")

	// The default profile is remembered, and a profile is removed with its key.
	s.run(goodKey, "login", "--profile", "gone", "--base-url", at.base(), "--color", "red").ends(0, "Profile gone is saved.")
	s.run("", "config", "--profile", "gone").ends(0, "red                            profile gone")
	s.run("", "profiles", "default", "gone").ends(0, "gone is the profile that is used unless another is named.")
	s.run("", "profiles").ends(0, "*  gone")
	s.run("", "profiles", "remove", "gone").ends(0, "Profile gone was removed. Its key was removed from the OS keyring")
	s.run("", "logout", "--profile", "gone", "--base-url", at.base()).ends(0, "The OS keyring has no key for gone@"+host+".")
	if got := s.doctor(0, work...)["API key"]; got.Verdict != "warning" || !strings.Contains(got.Advice, "pgtower login") {
		t.Errorf("got %+v", got)
	}
}

// In a terminal, login asks for the key without showing it, and for a color.
func TestLoginAsksForTheKey(t *testing.T) {
	t.Parallel()
	secretService(t, "1")
	at := plain(t, goodKey)
	p := start(t, termtest.Options{Args: []string{"login", "--base-url", at.base()}, Env: []string{sessionBus()}})
	p.Sees("API key for default@" + strings.TrimPrefix(at.URL, "http://") + ":")
	p.Enter(goodKey)
	p.Sees("A color marks the header: blue, green, orange, purple, red, yellow or #rrggbb.", "Color for default, or none:")
	p.Enter("pink")
	p.Sees("must be blue, green")
	p.Enter("red")
	if code := p.Exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	p.Reads("The key works and is saved in the OS keyring", "Profile default is saved.")
	p.neverShowed(goodKey)
}

// An interrupt at the hidden prompt restores the terminal, and the part of a key is not sent.
func TestLoginIsInterrupted(t *testing.T) {
	t.Parallel()
	secretService(t, "1")
	at := plain(t, goodKey)
	// The shell's report is the terminal's state after the program.
	script := "trap : INT; \"$0\" login --base-url " + at.base() + "; echo \"code $?:\" $(stty -a | tr ' ' '\\n' | grep -x -e '-*echo' -e '-*icanon')"
	p := start(t, termtest.Options{Path: "/bin/sh", Args: []string{"-c", script, termtest.Binary(t)}, Env: []string{sessionBus()}})
	p.Sees("API key for default@")
	p.Send("napi_half")
	p.Settle(300 * time.Millisecond)
	p.Press("ctrl+c")
	p.Sees("code 130: icanon echo")
	p.neverShowed("napi_half")
	if len(at.keys()) > 0 {
		t.Error("the half of a key was sent")
	}
}

// ctrl+z stops the hidden prompt as it stops everything else: the shell has its terminal, and what was typed counts.
func TestLoginIsStopped(t *testing.T) {
	t.Parallel()
	secretService(t, "1")
	at := plain(t, goodKey)
	const script = `set -m
"$0" "$@"
echo "code $?:" $(stty -a | tr ' ' '\n' | grep -x -e '-*echo' -e '-*icanon')
read line
fg >/dev/null`
	args := []string{"-c", script, termtest.Binary(t), "login", "--base-url", at.base()}
	p := start(t, termtest.Options{Path: "/bin/sh", Args: args, Env: []string{sessionBus()}})
	p.Sees("API key for default@")
	p.Send(goodKey[:6])
	p.Settle(300 * time.Millisecond)
	p.Press("ctrl+z")
	p.Sees("code 1", ": icanon echo")
	p.Send("\n")
	p.WaitFor("the prompt again", func(s termtest.Screen) bool { return strings.Count(s.String(), "API key for default@") == 2 })
	p.Send(goodKey[6:])
	p.Enter("")
	p.Sees("Color for default, or none:")
	p.Enter("")
	p.Reads("The key works and is saved in the OS keyring")
	p.neverShowed(goodKey)
}

// A locked keyring is named by every command that needs it.
func TestLockedKeyring(t *testing.T) {
	t.Parallel()
	secretService(t, "1")
	conn, err := dbus.ConnectSessionBus()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	login := dbus.ObjectPath("/org/freedesktop/secrets/collection/login")
	err = conn.Object("org.freedesktop.secrets", "/org/freedesktop/secrets").
		Call("org.freedesktop.Secret.Service.Lock", 0, []dbus.ObjectPath{login}).Err
	if err != nil {
		t.Fatal(err)
	}
	loginFails(t, "the OS keyring is locked", "Unlock it and try again.")
}

// loginFails runs the commands that need the keyring, which the test has prepared.
func loginFails(t *testing.T, says, advice string) {
	t.Helper()
	at := plain(t, goodKey)
	s := newShell(t, sessionBus())
	s.run(goodKey, "login", "--base-url", at.base()).ends(1, says, advice).neverKey()
	s.run("", "logout", "--base-url", at.base()).ends(1, says, advice)
	s.run("", "profiles").ends(0, says)
	if got := s.doctor(1, "--base-url", at.base())["OS keyring"]; got.Verdict != "failed" || got.Detail != says || !strings.Contains(got.Advice, advice) {
		t.Errorf("got %+v", got)
	}
	p := start(t, termtest.Options{Args: []string{"login", "--base-url", at.base()}, Env: []string{sessionBus()}})
	p.refused(1, says, advice)
}
