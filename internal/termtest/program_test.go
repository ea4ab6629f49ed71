package termtest

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestKeysReachTheProgram(t *testing.T) {
	t.Parallel()
	term := stage(t, Options{})
	term.Send("héllo")
	term.Wait("typed héllo")
	if got, want := term.Title(), "stage; héllo"; got != want {
		t.Errorf("title %q, want %q", got, want)
	}
	for _, key := range []string{
		"enter", "tab", "shift+tab", "backspace", "space", "up", "ctrl+right", "shift+end", "pgup",
		"ctrl+pgdown", "delete", "f1", "shift+f3", "f12", "ctrl+c", "alt+x", "alt+enter", "?", "+", "esc", "q",
	} {
		term.Press(key)
		term.Wait("event key " + key + " ")
	}
	if err := term.Terminal.Press("hyper"); err == nil {
		t.Error("a key that does not exist was pressed")
	}
	if err := term.Terminal.Press("ctrl+1"); err == nil {
		t.Error("a key that sends nothing was pressed")
	}
}

func TestEscapeIsNotTakenForAlt(t *testing.T) {
	t.Parallel()
	term := stage(t, Options{})
	term.Press("esc", "z")
	term.Wait("event key z ")
}

func TestPasteAndMouse(t *testing.T) {
	t.Parallel()
	term := stage(t, Options{})
	term.Paste("two\nlines")
	term.Wait(`event paste "two\nlines"`)
	term.Click(4, 2)
	term.Wait("event click 4,2")
	term.Wheel(5, 3, 2)
	term.Wait("event wheel wheeldown 5,3")
	term.Wheel(5, 3, -1)
	term.Wait("event wheel wheelup 5,3")
}

func TestMouseIsRefusedWhereNobodyAskedForIt(t *testing.T) {
	t.Parallel()
	term := shell(t, "read line", Options{})
	if err := term.Terminal.Click(0, 0); !errors.Is(err, errNoMouse) {
		t.Errorf("click: %v, want %v", err, errNoMouse)
	}
}

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

func TestBackgroundDecidesTheTheme(t *testing.T) {
	t.Parallel()
	stage(t, Options{}).Wait("theme dark")
	stage(t, Options{Light: true}).Wait("theme light")
}

func TestBellAndOutput(t *testing.T) {
	t.Parallel()
	term := stage(t, Options{})
	term.Press("ctrl+b")
	term.WaitFor("the bell", func(Screen) bool { return term.Bells() == 1 })
	if !bytes.Contains(term.Wrote(), []byte("\a")) {
		t.Error("the bytes that were written have no bell")
	}
}

func TestExitCodes(t *testing.T) {
	t.Parallel()
	term := stage(t, Options{})
	term.Press("ctrl+q")
	if code := term.Exit(); code != 7 {
		t.Errorf("exit code %d, want 7", code)
	}
	if err := term.Terminal.Wait("never"); !errors.Is(err, ErrExited) {
		t.Errorf("wait after the exit: %v, want %v", err, ErrExited)
	}

	asleep := shell(t, "echo ready; exec sleep 60", Options{})
	asleep.Wait("ready")
	if asleep.Exited() {
		t.Error("a sleeping program is said to have exited")
	}
	asleep.Signal(syscall.SIGTERM)
	if code := asleep.Exit(); code != 128+int(syscall.SIGTERM) {
		t.Errorf("exit code %d, want %d", code, 128+int(syscall.SIGTERM))
	}
}

func TestTimeoutShowsTheScreen(t *testing.T) {
	t.Parallel()
	term := shell(t, "echo something else; read line", Options{Deadline: 300 * time.Millisecond})
	term.Wait("something else")
	err := term.Terminal.Wait("the thing")
	if !errors.Is(err, ErrTimeout) || !strings.Contains(err.Error(), "  0 │something else\n") {
		t.Errorf("the error does not show the screen: %v", err)
	}
	if _, err := term.Terminal.Exit(); !errors.Is(err, ErrTimeout) {
		t.Errorf("exit: %v, want %v", err, ErrTimeout)
	}
}

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

func TestHomeIsRemoved(t *testing.T) {
	t.Parallel()
	term, err := Open(t.Context(), Options{Path: "/bin/sh", Args: []string{"-c", `echo "home=$HOME=" ; sleep 60`}, Cols: 200})
	if err != nil {
		t.Fatal(err)
	}
	if err := term.Wait("home="); err != nil {
		t.Error(err)
	}
	_, rest, _ := strings.Cut(term.Screen().String(), "home=")
	home, _, _ := strings.Cut(rest, "=")
	for range 2 {
		if err := term.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(home); home == "" || !os.IsNotExist(err) {
		t.Errorf("home %q is still there: %v", home, err)
	}
}

func TestProcessLeftBehindIsReported(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip("needs setsid to escape the session")
	}
	term, err := Open(t.Context(), Options{Path: "/bin/sh", Args: []string{"-c", "setsid sleep 3 & sleep 0.2; echo ready; read x"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := term.Wait("ready"); err != nil {
		t.Error(err)
	}
	if err := term.Close(); !errors.Is(err, errHeld) {
		t.Errorf("close: %v, want %v", err, errHeld)
	}
	// Its reader ends with it.
	<-term.drained
}

func TestStartFails(t *testing.T) {
	t.Parallel()
	if _, err := Open(t.Context(), Options{Path: "/nowhere/program"}); err == nil {
		t.Error("a program that does not exist was started")
	}
	if _, err := Build(t.Context(), t.TempDir(), "./testdata/nowhere"); err == nil {
		t.Error("a package that does not exist was built")
	}
}
