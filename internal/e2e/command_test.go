//go:build unix

package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgtower/internal/termtest"
)

// shell runs pgtower without a terminal, as scripts do, with its own home.
type shell struct {
	t    *testing.T
	home string
	env  []string
}

func newShell(t *testing.T, env ...string) *shell {
	t.Helper()
	home := t.TempDir()
	return &shell{t, home, append([]string{"HOME=" + home, "XDG_RUNTIME_DIR=" + home, "LANG=C.UTF-8", "PATH=" + os.Getenv("PATH"), goRace}, env...)}
}

// config writes the configuration file.
func (s *shell) config(text string) {
	s.t.Helper()
	path := filepath.Join(s.home, ".config", "pgtower", "config.toml")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// outcome is the result of a run.
type outcome struct {
	t              *testing.T
	stdout, stderr string
	code           int
}

// run runs pgtower with an input until it exits.
func (s *shell) run(stdin string, args ...string) outcome {
	s.t.Helper()
	cmd := exec.CommandContext(s.t.Context(), termtest.Binary(s.t), args...)
	cmd.Env, cmd.Dir = s.env, s.home
	var out, problems bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &out, &problems
	if exit := (*exec.ExitError)(nil); !errors.As(cmd.Run(), &exit) && cmd.ProcessState == nil {
		s.t.Fatal("it did not run")
	}
	return outcome{s.t, out.String(), problems.String(), cmd.ProcessState.ExitCode()}
}

// begin runs pgtower in the background until the test ends, and returns its output.
func (s *shell) begin(stderr io.Writer, args ...string) (cmd *exec.Cmd, stdout io.ReadCloser) {
	s.t.Helper()
	cmd = exec.CommandContext(s.t.Context(), termtest.Binary(s.t), args...)
	cmd.Env, cmd.Dir, cmd.Stderr = s.env, s.home, stderr
	stdout, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = cmd.Wait() }) // the end of the test's context has killed it
	return cmd, stdout
}

// ends checks the exit code, and that stdout or stderr contains the texts.
func (o outcome) ends(code int, says ...string) outcome {
	o.t.Helper()
	if o.code != code {
		o.t.Errorf("exit code %d, want %d", o.code, code)
	}
	for _, text := range says {
		if !strings.Contains(o.stdout+o.stderr, text) {
			o.t.Errorf("%q is missing", text)
		}
	}
	if o.t.Failed() {
		o.t.Logf("output:\n%s\nerrors:\n%s", o.stdout, o.stderr)
	}
	return o
}

// neverKey checks that the key is nowhere in the output.
func (o outcome) neverKey() {
	o.t.Helper()
	if strings.Contains(o.stdout+o.stderr, goodKey) {
		o.t.Errorf("the key was written:\n%s%s", o.stdout, o.stderr)
	}
}

// into decodes the output as JSON.
func (o outcome) into(v any) {
	o.t.Helper()
	if err := json.Unmarshal([]byte(o.stdout), v); err != nil {
		o.t.Fatalf("%v in %q (%s)", err, o.stdout, o.stderr)
	}
}

// refused waits for the exit, and checks the exit code and the output. The screen would break lines within words.
func (p *program) refused(code int, says ...string) {
	p.t.Helper()
	if got := p.Exit(); got != code {
		p.t.Errorf("exit code %d, want %d", got, code)
	}
	for _, text := range says {
		if p.showed(text) == 0 {
			p.t.Errorf("%q is missing in:\n%s", text, p.Screen())
		}
	}
}

// found is a line of doctor --json.
type found struct{ Check, Verdict, Detail, Advice string }

// doctor runs doctor and returns its results by the names of the checks.
func (s *shell) doctor(code int, args ...string) map[string]found {
	s.t.Helper()
	var all []found
	s.run("", slices.Concat([]string{"doctor", "--json"}, args)...).ends(code).into(&all)
	by := map[string]found{}
	for _, f := range slices.Backward(all) { // the first result of a check counts
		by[f.Check] = f
	}
	return by
}

// silentBus returns the address of a session bus that accepts connections and never responds.
func silentBus(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "bus") //nolint:usetesting // a socket's path has at most 108 bytes, t.TempDir's is longer
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "unix", filepath.Join(dir, "s"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		var kept []net.Conn // kept open as long as the listener
		for {
			c, err := l.Accept()
			if err != nil {
				break
			}
			kept = append(kept, c)
		}
		for _, c := range kept {
			_ = c.Close()
		}
	}()
	return "DBUS_SESSION_BUS_ADDRESS=unix:path=" + filepath.Join(dir, "s")
}
