//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"pgtower/client/mock"
	"pgtower/internal/termtest"
)

// unwatched is for programs that reclaim their terminal: Bubble Tea then stores the same terminal again while it reads
// the size, which the race detector reports.
const unwatched = "GORACE=report_bugs=0 atexit_sleep_ms=0"

// underShell runs the program as a job of a shell that reports when it was stopped and continues it on request. It
// records the program's process.
func (b *backend) underShell(t *testing.T) (p *program, pid func() int) {
	t.Helper()
	home := t.TempDir()
	const script = `set -m
sh -c 'echo $$ >pid; exec "$0" "$@"' "$0" "$@"
while code=$?; [ "$code" -gt 128 ]; do stty -a; n=$((n+1)); printf '\r\nstopped %s\r\n' $n; read line; fg >/dev/null; done
stty -a
echo "code $code"`
	p = start(t, termtest.Options{
		Path: "/bin/sh", Args: []string{"-c", script, termtest.Binary(t), "--interval", "5m", "--project", b.project("billing")},
		Env: append(b.env(), unwatched), Home: home,
	})
	return p, func() int { return pidIn(t, home) }
}

// pidIn returns the number that a script wrote to the file pid.
func pidIn(t *testing.T, folder string) int {
	t.Helper()
	pid, err := strconv.Atoi(strings.TrimSpace(read(t, filepath.Join(folder, "pid"))))
	if err != nil {
		t.Fatal(err)
	}
	return pid
}

// TestSuspend stops the program in each possible way and continues it: the shell has its terminal in between, and
// afterwards the screen is restored and current.
func TestSuspend(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		stop func(p *program, pid int)
		// unseen is a stop that the program notices only after it continues.
		unseen bool
	}{
		"ctrl+z":           {stop: func(p *program, _ int) { p.Press("ctrl+z") }},
		"SIGTSTP":          {stop: func(_ *program, pid int) { _ = syscall.Kill(pid, syscall.SIGTSTP) }, unseen: true},
		"SIGTSTP to group": {stop: func(_ *program, pid int) { _ = syscall.Kill(-pid, syscall.SIGTSTP) }, unseen: true},
		"SIGSTOP":          {stop: func(_ *program, pid int) { _ = syscall.Kill(pid, syscall.SIGSTOP) }, unseen: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := serve(t, mock.Options{})
			p, pid := b.underShell(t)
			p.Sees("● live, every 5m", " billing ")
			p.Press("j", "j", "enter")
			p.SeesNot("STATUS") // the details fill the page
			p.Sees("created")
			for round := range 2 {
				stopped := "stopped " + strconv.Itoa(round+1) // what was written before is still on the shell's screen
				test.stop(p, pid())
				p.Sees(stopped)
				if !test.unseen {
					p.Sees(" icanon", " echo ")
					p.gaveBack()
				}
				p.Resize(100, 30)
				before := b.count("GET /projects/")
				p.Send("\n")
				p.Sees("1 Operations", " billing ", "created")
				p.SeesNot(stopped)
				p.WaitFor("the whole size", func(s termtest.Screen) bool { return strings.Contains(s.Line(s.Rows-1), "? help") })
				p.until("a poll at once", func() bool { return b.count("GET /projects/") > before })
				p.Press("2")
				p.Sees("HEALTH")
				p.Press("1")
				p.Sees("created")
				p.Resize(120, 36)
			}
			p.Press("esc")
			p.Sees("STATUS")
			p.Press("q")
			p.Sees("code 0", " icanon", " echo ")
			p.gaveBack()
		})
	}
}

// TestStoppedForLong stops the program for longer than its stop timeout. When it continues, the timeout and the signal
// arrive in either order.
func TestStoppedForLong(t *testing.T) {
	t.Parallel()
	p, _ := serve(t, mock.Options{}).underShell(t)
	for round := range 8 {
		p.Sees("● live, every 5m", " billing ")
		p.Press("ctrl+z")
		stopped := "stopped " + strconv.Itoa(round+1)
		p.Sees(stopped)
		time.Sleep(700 * time.Millisecond)
		p.Send("\n")
		p.SeesNot(stopped)
	}
	p.Sees("● live, every 5m")
	if p.showed("not suspended") > 0 {
		t.Error("it says that it was not suspended")
	}
	p.Press("q")
	p.Sees("code 0")
}

// TestSuspendWithoutAShell presses ctrl+z without a shell that would continue the program.
func TestSuspendWithoutAShell(t *testing.T) {
	t.Parallel()
	p := start(t, termtest.Options{Args: []string{"--demo"}, Env: []string{unwatched}})
	p.Sees("all projects (12)")
	p.Press("ctrl+z")
	p.Sees("not suspended: no shell with job control would continue it", "all projects (12)")
	p.Press("2")
	p.Sees("HEALTH")
	p.quit()
}

// TestStoppedIsEnded ends a stopped program.
func TestStoppedIsEnded(t *testing.T) {
	t.Parallel()
	b := serve(t, mock.Options{})
	p, pid := b.underShell(t)
	p.Sees("● live, every 5m")
	p.Press("ctrl+z")
	p.Sees("stopped")
	if err := syscall.Kill(pid(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	p.Enter("")
	p.Sees("code 0")
	p.gaveBack()
}

// TestTerminalIsClosed closes the terminal of a program that gets a signal for it, and of one whose shell prevents
// that. Neither leaves anything behind.
func TestTerminalIsClosed(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"with a signal":    `echo $$ >pid; exec "$0" "$@" 2>errors`,
		"without a signal": `trap "" HUP; sh -c 'echo $$ >pid; exec "$0" "$@" 2>errors' "$0" "$@"; echo $? >code; sleep 60`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			p := start(t, termtest.Options{
				Path: "/bin/sh", Args: []string{"-c", script, termtest.Binary(t), "--demo"}, Home: home,
			})
			p.Sees("● live")
			pid := pidIn(t, home)
			p.HangUp()
			p.until("the end of the program", func() bool { return syscall.Kill(pid, 0) != nil })
			if said := read(t, filepath.Join(home, "errors")); said != "" {
				t.Errorf("said %q", said)
			}
			if _, err := os.Stat(filepath.Join(home, ".cache")); err == nil {
				t.Error("a report of a crash was written")
			}
		})
	}
}
