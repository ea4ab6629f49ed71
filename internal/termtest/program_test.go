//go:build unix

package termtest

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Text and named keys reach the program; a name that no key has fails the test.
func TestKeysReachTheProgram(t *testing.T) {
	t.Parallel()
	term := stage(t, Options{})
	term.Send("héllo")
	term.Wait("typed héllo")
	if got, want := term.Title(), "stage; héllo"; got != want {
		t.Errorf("title %q, want %q", got, want)
	}
	for _, key := range []string{
		"enter", "tab", "shift+tab", "backspace", "space", "up", "home", "pgup", "delete", "f5", "f12", "ctrl+c", "ctrl+space",
		"alt+x", "alt+enter", "G", "?", "+", "esc", "q",
	} {
		term.Press(key)
		term.Wait("event key " + key + " ")
	}
	if said := failure(t, term, func() { term.Press("hyper") }); said != `no key is called "hyper"` {
		t.Errorf("a key that does not exist was pressed: %s", said)
	}
}

// failure is the terminal's message that ended the test.
func failure(t *testing.T, term *Terminal, f func()) string {
	t.Helper()
	outer := term.tb
	defer func() { term.tb = outer }()
	inner := &failing{TB: t, said: make(chan string, 1)}
	term.tb = inner
	go func() { defer close(inner.said); f() }()
	return <-inner.said
}

// failing is a test that is expected to fail.
type failing struct {
	testing.TB

	said chan string
}

func (f *failing) Helper() {}

func (f *failing) Fatal(args ...any) { f.Fatalf("%s", fmt.Sprint(args...)) }

func (f *failing) Fatalf(format string, args ...any) {
	f.said <- fmt.Sprintf(format, args...)
	runtime.Goexit()
}

// A pasted text reaches a program with bracketed paste as one.
func TestPaste(t *testing.T) {
	t.Parallel()
	term := stage(t, Options{})
	term.Paste("two\nlines")
	term.Wait(`event paste "two\nlines"`)
}

// The program and the screen have the new size.
func TestResizeIsSeen(t *testing.T) {
	t.Parallel()
	term := stage(t, Options{Cols: 90, Rows: 20})
	term.Wait("size 90x20")
	term.Resize(60, 12)
	term.Wait("size 60x12")
	if s := term.Screen(); s.Cols != 60 || s.Rows != 12 {
		t.Errorf("screen of %d×%d, want 60×12", s.Cols, s.Rows)
	}
}

// The bell is counted, and is in the output.
func TestBellAndOutput(t *testing.T) {
	t.Parallel()
	term := stage(t, Options{})
	term.Press("ctrl+b")
	term.WaitFor("the bell", func(Screen) bool { return term.Bells() == 1 })
	if !bytes.Contains(term.Wrote(), []byte("\a")) {
		t.Error("the bytes that were written have no bell")
	}
}

// Exit returns the program's code, or 128 and the signal; a wait after the exit fails at once.
func TestExitCodes(t *testing.T) {
	t.Parallel()
	term := stage(t, Options{})
	term.Press("ctrl+q")
	if code := term.Exit(); code != 7 {
		t.Errorf("exit code %d, want 7", code)
	}
	if said := failure(t, term, func() { term.Wait("never") }); !strings.Contains(said, "exited with code 7") {
		t.Errorf("wait after the exit: %s", said)
	}

	asleep := shell(t, "echo ready; exec sleep 60", Options{})
	asleep.Wait("ready")
	asleep.Signal(syscall.SIGTERM)
	if code := asleep.Exit(); code != 128+int(syscall.SIGTERM) {
		t.Errorf("exit code %d, want %d", code, 128+int(syscall.SIGTERM))
	}
}

// A wait that takes too long fails the test with the screen.
func TestTimeoutShowsTheScreen(t *testing.T) {
	t.Parallel()
	term := shell(t, "echo something else; read line", Options{})
	term.Wait("something else")
	term.deadline = 300 * time.Millisecond
	said := failure(t, term, func() { term.Wait("the thing") })
	if !strings.Contains(said, "not within 300ms") || !strings.Contains(said, "  0 │something else\n") {
		t.Errorf("the failure does not show the screen: %s", said)
	}
	if said := failure(t, term, func() { term.Exit() }); !strings.Contains(said, "not within 300ms") {
		t.Errorf("exit: %s", said)
	}
}

// The program's environment has only the fixed variables, PATH and the given ones.
func TestEnvironmentIsFixed(t *testing.T) {
	t.Parallel()
	term := shell(t, `env; echo "in $(pwd)"; echo done`, Options{Env: []string{"LANG=C", "EXTRA=1"}, Cols: 200, Rows: 60})
	term.Wait("done")
	for line := range strings.Lines(term.Screen().String()) {
		name, value, ok := strings.Cut(strings.TrimSpace(line), "=")
		switch {
		case !ok, strings.HasPrefix(name, "in "):
		case name == "LANG" && value != "C":
			t.Errorf("LANG=%s, want C", value)
		case !strings.Contains(" TERM COLORTERM LANG TZ HOME PATH EXTRA PWD OLDPWD SHLVL _ ", " "+name+" "):
			t.Errorf("%s is in the environment", name)
		}
	}
}

// Each read of the output has its time.
func TestOutputHasTimes(t *testing.T) {
	t.Parallel()
	term := shell(t, "echo one; read line; echo two; read line", Options{})
	term.Wait("one")
	pressed := time.Now()
	term.Press("enter")
	term.Wait("two")
	out := term.Output()
	last := out[len(out)-1]
	if out[0].At.Before(term.Started) || !out[0].At.Before(pressed) || !last.At.After(pressed) {
		t.Errorf("started %v, pressed %v, output %v", term.Started, pressed, out)
	}
}

// Output without the emulator is kept, and shown later.
func TestUnwatchedOutputIsShownAfterwards(t *testing.T) {
	t.Parallel()
	term := shell(t, "read -r line; echo written", Options{})
	watch := term.Unwatch()
	term.Send("\r")
	for i := 0; !bytes.Contains(term.Wrote(), []byte("written")) && i < 5000; i++ {
		time.Sleep(time.Millisecond)
	}
	if screen := term.Screen(); screen.Contains("written") {
		t.Error("it was read")
	}
	watch()
	term.Wait("written")
}

// A process that the program leaves behind ends with the terminal.
func TestProcessLeftBehindDiesWithTheTerminal(t *testing.T) {
	t.Parallel()
	term := shell(t, "sleep 60 & echo left=$!=; read x", Options{})
	term.Wait("left=")
	_, rest, _ := strings.Cut(term.Screen().String(), "left=")
	pid, _, _ := strings.Cut(rest, "=")
	left, err := strconv.Atoi(pid)
	if err != nil {
		t.Fatal(err)
	}
	term.Close()
	for syscall.Kill(left, 0) == nil {
		if t.Context().Err() != nil {
			t.Fatal("it still runs")
		}
		if state, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", left)); bytes.Contains(state, []byte(") Z ")) {
			return // killed, and waiting for its parent
		}
		time.Sleep(10 * time.Millisecond)
	}
}
