//go:build unix

package e2e

import (
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"

	"pgtower/client/mock"
	"pgtower/internal/termtest"
)

// TestTerminalIsGivenBack runs pgtower from a shell and checks the terminal's state afterwards: it must echo, and read
// line by line.
func TestTerminalIsGivenBack(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		leave func(p *program, pid int)
		code  int
	}{
		"q":       {leave: func(p *program, _ int) { p.Press("q") }},
		"ctrl+c":  {leave: func(p *program, _ int) { p.Press("ctrl+c") }},
		"SIGTERM": {leave: func(_ *program, pid int) { _ = syscall.Kill(pid, syscall.SIGTERM) }},
		"SIGHUP":  {leave: func(_ *program, pid int) { _ = syscall.Kill(pid, syscall.SIGHUP) }},
		"SIGQUIT": {leave: func(_ *program, pid int) { _ = syscall.Kill(pid, syscall.SIGQUIT) }},
		"SIGINT":  {leave: func(_ *program, pid int) { _ = syscall.Kill(pid, syscall.SIGINT) }, code: 130},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			const script = `sh -c 'echo $$ >pid; exec "$0" "$@"' "$0" "$@"; echo "code $?"; stty -a; read line; echo "read $line"`
			p := start(t, termtest.Options{
				Path: "/bin/sh", Args: []string{"-c", script, termtest.Binary(t), "--demo"}, Home: home,
			})
			p.Sees("all projects (12)")
			p.ChooseProject("billing")
			p.Sees("● live")
			test.leave(p, pidIn(t, home))
			p.Sees(fmt.Sprintf("code %d", test.code), "echoctl")
			for _, mode := range []string{"icanon", "echo", "isig", "icrnl", "opost"} {
				if !slices.Contains(strings.Fields(p.Screen().String()), mode) {
					t.Errorf("the terminal is left without %s:\n%s", mode, p.Screen())
				}
			}
			p.gaveBack()
			// The shell gets the typed text, and the terminal echoes it.
			p.Enter("as before")
			p.Sees("read as before")
			if p.showed("panic") > 0 || p.showed("goroutine ") > 0 {
				t.Errorf("a trace on the way out:\n%s", p.Screen())
			}
		})
	}
}

func TestSignalsEndWhateverIsShown(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	signIn := b.keyless()
	signIn.Sees("API key:")
	signIn.Signal(syscall.SIGHUP)
	signIn.ended()
	dialog := b.program()
	dialog.Sees("all projects (12)")
	dialog.Press("O")
	dialog.Sees("Choose a project")
	dialog.Signal(syscall.SIGTERM)
	dialog.ended()
}

func TestTerminalWithoutAScreen(t *testing.T) {
	t.Parallel()
	p := start(t, termtest.Options{Args: []string{"--demo"}, Env: []string{"TERM=dumb"}})
	p.refused(2, "TERM is dumb", "xterm-256color")
}
