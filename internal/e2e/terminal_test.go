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

// TestTerminalIsGivenBack runs pgtower from a shell, leaves it in each way, whatever is shown, and checks the terminal's state
// afterwards: it must echo, and read line by line.
func TestTerminalIsGivenBack(t *testing.T) {
	t.Parallel()
	project := func(p *program) {
		p.ChooseProject("billing")
		p.Sees("● live")
	}
	question := func(p *program) { p.Keys().Revoke().Reads("Revoke ") }
	for name, test := range map[string]struct {
		show  func(p *program)
		leave func(p *program, pid int)
		code  int
	}{
		"q":       {show: project, leave: func(p *program, _ int) { p.Press("q") }},
		"ctrl+c":  {show: project, leave: func(p *program, _ int) { p.Press("ctrl+c") }},
		"SIGTERM": {show: question, leave: func(_ *program, pid int) { _ = syscall.Kill(pid, syscall.SIGTERM) }},
		"SIGHUP":  {show: project, leave: func(_ *program, pid int) { _ = syscall.Kill(pid, syscall.SIGHUP) }},
		"SIGQUIT": {show: question, leave: func(_ *program, pid int) { _ = syscall.Kill(pid, syscall.SIGQUIT) }},
		"SIGINT":  {show: project, leave: func(_ *program, pid int) { _ = syscall.Kill(pid, syscall.SIGINT) }, code: 130},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			const script = `sh -c 'echo $$ >pid; exec "$0" "$@"' "$0" "$@"; echo "code $?"; stty -a; read line; echo "read $line"`
			p := start(t, termtest.Options{
				Path: "/bin/sh", Args: []string{"-c", script, termtest.Binary(t), "--demo"}, Home: home,
			})
			p.Sees("all projects (12)")
			test.show(p)
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

// TestSignInEndsAtASignal ends the program while it asks for a key.
func TestSignInEndsAtASignal(t *testing.T) {
	t.Parallel()
	p := serve(t, mock.Options{}).keyless()
	p.Sees("API key:")
	p.Signal(syscall.SIGHUP)
	p.ended()
}

// A terminal that cannot draw is refused with advice.
func TestTerminalWithoutAScreen(t *testing.T) {
	t.Parallel()
	p := start(t, termtest.Options{Args: []string{"--demo"}, Env: []string{"TERM=dumb"}})
	p.refused(2, "TERM is dumb", "xterm-256color")
}
