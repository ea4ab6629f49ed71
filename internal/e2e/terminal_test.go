//go:build unix

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
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
		"SIGINT":  {leave: func(_ *program, pid int) { _ = syscall.Kill(pid, syscall.SIGINT) }, code: 130},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			const script = `sh -c 'echo $$ >pid; exec "$0" "$@"' "$0" "$@"; echo "code $?"; stty -a; read line; echo "read $line"`
			p := start(t, termtest.Options{
				Path: "/bin/sh", Args: []string{"-c", script, termtest.Binary(t), "--demo", "--interval", "1s"}, Home: home,
			})
			p.choose("billing")
			p.Wait("● live, every 1s")
			pid, err := os.ReadFile(filepath.Join(home, "pid"))
			if err != nil {
				t.Fatal(err)
			}
			number, err := strconv.Atoi(strings.TrimSpace(string(pid)))
			if err != nil {
				t.Fatal(err)
			}
			test.leave(p, number)
			p.Wait(fmt.Sprintf("code %d", test.code), "echoctl")
			for _, mode := range []string{"icanon", "echo", "isig", "icrnl", "opost"} {
				if !slices.Contains(strings.Fields(p.Screen().String()), mode) {
					t.Errorf("the terminal is left without %s:\n%s", mode, p.Screen())
				}
			}
			p.gaveBack()
			// The shell gets the typed text, and the terminal echoes it.
			p.enter("as before")
			p.Wait("read as before")
			if p.showed("panic") > 0 || p.showed("goroutine ") > 0 {
				t.Errorf("a trace on the way out:\n%s", p.Screen())
			}
		})
	}
}

func TestSignalsEndWhateverIsShown(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	for _, sig := range []os.Signal{syscall.SIGTERM, syscall.SIGHUP} {
		t.Run("sign-in, "+sig.String(), func(t *testing.T) {
			t.Parallel()
			p := start(t, termtest.Options{Env: []string{"PGTOWER_BASE_URL=" + b.api.base}})
			p.Wait("API key:")
			p.Signal(sig)
			p.ended()
		})
		t.Run("dialog, "+sig.String(), func(t *testing.T) {
			t.Parallel()
			p := start(t, termtest.Options{Env: b.env()})
			p.Wait("all projects (12)")
			p.Press("O")
			p.Wait("Choose a project")
			p.Signal(sig)
			p.ended()
		})
	}
}

func TestResizeWithADialogOpen(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	p := b.program()
	p.openAPIKeys()
	p.find("smoke-test")
	p.Press("x")
	p.Wait("Revoke smoke-test?", "[ Cancel ]")
	p.Resize(20, 5)
	p.WaitFor("one line that says what is needed", func(s termtest.Screen) bool {
		return strings.HasPrefix(s.String(), "This needs 40×10") && strings.Count(s.String(), "\n") == 0
	})
	p.Resize(120, 36)
	p.Wait("Revoke smoke-test?", "[ Cancel ]", "LAST USED")
	p.Resize(1, 1)
	p.WaitFor("the first letter of it", func(s termtest.Screen) bool { return len(s.Line(0)) > 0 && s.Cols == 1 })
	p.Resize(60, 15)
	p.Wait("Revoke smoke-test?", "[ Cancel ]")
	p.Resize(200, 60)
	p.Wait("Revoke smoke-test?", "[ Cancel ]", "LAST USED")
	p.Press("enter")
	p.WaitGone("Revoke smoke-test?")
	if !b.api.hasKey("smoke-test") {
		t.Error("the key was revoked")
	}
	p.quit()
}

func TestSmallestScreens(t *testing.T) {
	t.Parallel()
	p := start(t, termtest.Options{Args: []string{"--demo", "--interval", "1s"}})
	p.choose("billing")
	p.Wait("● live, every 1s")
	for _, size := range [][2]int{{1, 1}, {2, 40}, {200, 1}, {59, 14}, {60, 15}, {61, 200}, {1, 1}} {
		p.Resize(size[0], size[1])
		p.Press("2", "d", "h", "3", "enter", "h", "1", "enter", "h")
		p.Settle(settled / 2)
	}
	p.Resize(120, 36)
	// Which keys arrived while the screen was too small is random, and with it the selected project and whether its
	// details are open.
	p.Wait("1 Operations")
	p.Press("1")
	p.Wait("● live, every 1s")
	p.Press("?")
	p.Wait("Operations: keys")
	p.leave("Operations: keys")
	p.quit()
}

func TestStartOnTheSmallestScreen(t *testing.T) {
	t.Parallel()
	p := start(t, termtest.Options{Args: []string{"--demo"}, Cols: 1, Rows: 1})
	p.WaitFor("something on the screen", func(s termtest.Screen) bool { return s.String() != "" })
	// Bubble Tea begins to listen for resizes shortly after its first frame.
	p.Settle(settled)
	p.Resize(100, 30)
	p.choose("billing")
	p.quit()
}
