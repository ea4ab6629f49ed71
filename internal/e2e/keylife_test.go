//go:build unix

package e2e

import (
	"bytes"
	"encoding/base64"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"pgtower/client/mock"
	"pgtower/internal/termtest"
)

// watched is pgtower with everything that it could leave a secret in: its HOME, and a clipboard tool that records its
// arguments and environment.
type watched struct {
	*program

	b         *backend
	home, spy string
}

// watch runs pgtower on the backend.
func (b *backend) watch() *watched {
	b.t.Helper()
	w := &watched{b: b, home: b.t.TempDir(), spy: b.t.TempDir()}
	tool := "#!/bin/sh\n" +
		"{ echo \"$0 $*\"; env; cat /proc/$PPID/cmdline; } >>'" + w.spy + "/calls' 2>/dev/null\n" +
		"case \"$*\" in *-out*) cat '" + w.spy + "/clipboard' ;; *) cat >'" + w.spy + "/clipboard' ;; esac\n"
	termtest.WriteScript(b.t, filepath.Join(w.spy, "xclip"), tool)
	w.program = start(b.t, termtest.Options{
		Args: []string{"--log", filepath.Join(w.home, "requests.jsonl")}, Home: w.home,
		Env: append(b.env(), "PATH="+w.spy+":"+os.Getenv("PATH"), "XDG_CONFIG_HOME="+w.home, "XDG_CACHE_HOME="+w.home, "TMPDIR="+w.home),
	})
	return w
}

// clipboard returns the last text that the tool received.
func (w *watched) clipboard() string {
	w.t.Helper()
	text, err := os.ReadFile(filepath.Join(w.spy, "clipboard"))
	if err != nil {
		w.t.Fatal(err)
	}
	return string(text)
}

// keptNothingOf quits, and searches everything that the program wrote for the secrets: the screen, its files, and the
// arguments of programs that it started.
func (w *watched) keptNothingOf(secrets ...string) {
	w.t.Helper()
	w.quit()
	if log, err := os.ReadFile(filepath.Join(w.home, "requests.jsonl")); err != nil || len(log) == 0 {
		w.t.Errorf("nothing was logged: %v", err)
	}
	var written [][]byte
	for _, dir := range []string{w.home, w.spy} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := os.ReadFile(path)
			written = append(written, text)
			return err
		})
		if err != nil {
			w.t.Fatal(err)
		}
	}
	for _, secret := range append(secrets, w.b.APIKey()) {
		for _, text := range append(written, w.Wrote()) {
			if bytes.Contains(text, []byte(secret)) {
				w.t.Error("a secret was left behind")
			}
		}
	}
}

// A key is created, copied and revoked; its secret is left neither on the clipboard, nor in a file, nor on the screen.
func TestLifeOfAKey(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	w := b.watch()
	keys := w.keys()
	created := keys.Create("short-lived")
	secret := b.createdSecret()
	created.Copy()
	w.Sees("copied the API key short-lived, for a minute")
	if w.clipboard() != secret {
		t.Error("the clipboard has something else")
	}
	created.Leave()
	w.Sees("▌ short-lived")
	asked := keys.Revoke()
	asked.Reads("Revoke short-lived?", "never used")
	asked.Confirm()
	w.Sees("✓ revoked short-lived")
	if b.accepts(secret) {
		t.Error("the key still works")
	}
	// A terminal's clipboard could not be cleared.
	if n := w.showed(base64.StdEncoding.EncodeToString([]byte(secret))); n != 0 {
		t.Errorf("the secret went to the terminal's clipboard %d times", n)
	}
	w.keptNothingOf(secret)
	if left := w.clipboard(); left != "" {
		t.Errorf("on the clipboard is still %q", left)
	}
}

// A signal clears the secret from the clipboard, and so do repeated ones.
func TestSignalsClearTheClipboard(t *testing.T) {
	t.Parallel()
	for signal, code := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGQUIT: 0} {
		w := serve(t, mock.Options{}).watch()
		w.keys().Create("short-lived").Copy()
		w.Sees("copied the API key short-lived, for a minute")
		for syscall.Kill(w.PID, signal) == nil {
			time.Sleep(time.Millisecond)
		}
		if got := w.Exit(); got != code {
			t.Errorf("%s: exit code %d, want %d", signal, got, code)
		}
		if left := w.clipboard(); left != "" {
			t.Errorf("%s: on the clipboard is still %q", signal, left)
		}
	}
}
