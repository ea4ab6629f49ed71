//go:build linux

package keystore

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"

	"pgtower/models"
)

// listen is the test's own bus: each connection is passed to serve and closed at the end of the test. It returns the
// bus's address.
func listen(t *testing.T, serve func(net.Conn)) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "bus") //nolint:usetesting // a socket's path has at most 108 bytes, t.TempDir's is longer
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	path := filepath.Join(dir, "s")
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "unix", path)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	t.Cleanup(func() { _ = l.Close(); <-done })
	go func() {
		defer close(done)
		var conns []net.Conn
		for {
			c, err := l.Accept()
			if err != nil {
				break
			}
			conns = append(conns, c)
			go serve(c)
		}
		for _, c := range conns {
			_ = c.Close()
		}
	}()
	return "unix:path=" + path
}

// authenticate is the bus's side of the handshake, before the first message.
func authenticate(c net.Conn) {
	in := bufio.NewReader(c)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		line = strings.Trim(line, "\x00\r\n")
		switch {
		case line == "AUTH":
			_, _ = fmt.Fprint(c, "REJECTED EXTERNAL\r\n")
		case strings.HasPrefix(line, "AUTH"):
			_, _ = fmt.Fprint(c, "OK 0123456789abcdef0123456789abcdef\r\n")
		case line == "NEGOTIATE_UNIX_FD":
			_, _ = fmt.Fprint(c, "ERROR\r\n")
		}
	}
}

// Each call ends at the deadline on a bus that accepts connections and does not respond.
func TestKeyringBusThatNeverResponds(t *testing.T) {
	for name, serve := range map[string]func(net.Conn){
		"silent from the start":     func(net.Conn) {},
		"silent after the greeting": authenticate,
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("DBUS_SESSION_BUS_ADDRESS", listen(t, serve))
			k := New(nil)
			k.deadline = 200 * time.Millisecond
			for _, call := range []func() error{
				func() error { _, err := k.Get(t.Context(), acme()); return err },
				func() error { return k.Set(t.Context(), acme(), Key{Secret: models.NewSecret("s3cret")}) },
				func() error { return k.Delete(t.Context(), acme()) },
			} {
				wantReason(t, call(), ReasonTimeout)
			}
		})
	}
}

// A bus that hangs up, and one that is not there, cannot be reached.
func TestKeyringBusThatCannotBeReached(t *testing.T) {
	for name, address := range map[string]string{
		"hangs up":     listen(t, func(c net.Conn) { _ = c.Close() }),
		"is not there": "unix:path=" + filepath.Join(t.TempDir(), "none"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("DBUS_SESSION_BUS_ADDRESS", address)
			_, err := New(nil).Get(t.Context(), acme())
			wantReason(t, err, ReasonNoBus)
		})
	}
}

// Without a bus, go-keyring would run dbus-launch, which leaves a bus running.
func TestKeyringProbeLaunchesNothing(t *testing.T) {
	dir := t.TempDir()
	launched := filepath.Join(dir, "launched")
	script := "#!/bin/sh\n: > '" + launched + "'\n"
	if err := os.WriteFile(filepath.Join(dir, "dbus-launch"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	if _, err := exec.LookPath("dbus-launch"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(fmt.Sprintf("/run/user/%d/bus", os.Getuid())); err == nil {
		t.Skip("this user's session bus is found without the environment")
	}
	for _, address := range []string{"", "autolaunch:"} {
		t.Setenv("DBUS_SESSION_BUS_ADDRESS", address)
		_, err := New(nil).Get(t.Context(), acme())
		wantReason(t, err, ReasonNoBus)
	}
	if _, err := os.Stat(launched); err == nil {
		t.Error("dbus-launch was run")
	}
}

// Each error of the bus, and of what starts it, has its reason.
func TestKeyringReasonsOfTheBus(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err  error
		want Reason
	}{
		{dbus.Error{Name: "org.freedesktop.DBus.Error.ServiceUnknown"}, ReasonNoService},
		{dbus.Error{Name: "org.freedesktop.DBus.Error.NameHasNoOwner"}, ReasonNoService},
		{dbus.Error{Name: "org.freedesktop.DBus.Error.NoReply"}, ReasonNoService},
		{dbus.Error{Name: "org.freedesktop.DBus.Error.AccessDenied"}, ReasonDenied},
		{dbus.Error{Name: "org.freedesktop.Secret.Error.IsLocked"}, ReasonLocked},
		{dbus.Error{Name: "org.freedesktop.Secret.Error.NoSuchObject"}, ReasonNoCollection},
		{dbus.Error{Name: "org.example.Error"}, ReasonOther},
		{&exec.Error{Name: "dbus-launch", Err: exec.ErrNotFound}, ReasonNoBus},
		{&net.OpError{Op: "dial", Err: errors.New("refused")}, ReasonNoBus},
		{dbus.ErrClosed, ReasonNoBus},
		{errors.New("failed to unlock correct collection '/x'"), ReasonLocked},
		{errors.New("something else"), ReasonOther},
	} {
		if got := platformReason(c.err); got != c.want {
			t.Errorf("%v: got %q, want %q", c.err, got, c.want)
		}
	}
}
