//go:build unix

package termtest

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// drainTimeout is how long another process may hold the terminal after the program has exited: the test then fails.
const drainTimeout = 30 * time.Second

// Options configure the program and its terminal.
type Options struct {
	// Path is the program, and Args are its arguments without its own name.
	Path string
	Args []string

	// Env is added to a small fixed environment: TERM, COLORTERM, LANG, TZ (UTC), HOME, and PATH, the only inherited
	// variable. A variable given here wins.
	Env []string

	// Home is the home and working directory; empty means a new one.
	Home string

	// Cols and Rows are the size of the screen; zero means 80×24.
	Cols, Rows int

	// Deadline bounds each wait; zero means a minute, because the machine may be busy.
	Deadline time.Duration
}

// Chunk is the result of one read: one write, or the 4 kB that a pseudo-terminal holds.
type Chunk struct {
	At    time.Time
	Bytes []byte
}

// Terminal is a running program and its screen.
type Terminal struct {
	// Started is the time just before the program started, and PID is its process.
	Started time.Time
	PID     int

	tb       testing.TB
	display  *display
	deadline time.Duration
	cmd      *exec.Cmd
	master   *os.File

	mu     sync.Mutex
	chunks []Chunk

	arrived chan struct{}  // has a value while there may be chunks that are not yet on the screen
	watched sync.Mutex     // held while chunks are shown, or must not be
	drained chan struct{}  // closed when no process has the terminal open any more
	exited  chan struct{}  // closed when the program has exited and its output is on the screen
	workers sync.WaitGroup // all but the reader of output, which another process can block
}

// Start starts the program until the test ends.
func Start(tb testing.TB, o Options) *Terminal {
	tb.Helper()
	if o.Home == "" {
		o.Home = tb.TempDir()
	}
	//nolint:gosec // running the test's program is the purpose
	cmd := exec.CommandContext(tb.Context(), o.Path, o.Args...)
	cmd.Dir = o.Home
	// Nothing of the test's machine leaks in but the PATH of its tools.
	cmd.Env = append([]string{
		"TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8", "TZ=UTC",
		"HOME=" + o.Home, "PATH=" + os.Getenv("PATH"),
	}, o.Env...)
	o.Cols, o.Rows = cmp.Or(o.Cols, 80), cmp.Or(o.Rows, 24)
	t := &Terminal{
		tb: tb, display: newDisplay(o.Cols, o.Rows), deadline: cmp.Or(o.Deadline, time.Minute),
		cmd: cmd, arrived: make(chan struct{}, 1), drained: make(chan struct{}),
		exited:  make(chan struct{}),
		Started: time.Now(), //nolint:forbidigo // real time, not the displayed one
	}
	master, err := pty.StartWithSize(cmd, winsize(o.Cols, o.Rows))
	if err != nil {
		tb.Fatalf("start %s in a terminal: %v", o.Path, err)
	}
	t.master, t.PID = master, cmd.Process.Pid
	t.startWorkers()
	tb.Cleanup(t.Close)
	return t
}

// startWorkers copies bytes both ways until the program exits. Input is queued between the emulator and the
// pseudo-terminal. Without the queue, a program with much input and output would block both directions.
func (t *Terminal) startWorkers() {
	queue := make(chan []byte, 1024)
	go t.readOutput()
	go t.showOutput()
	t.workers.Go(func() { t.queueInput(queue) })
	t.workers.Go(func() { t.writeInput(queue) })
	t.workers.Go(t.awaitExit)
}

// queueInput queues the bytes that the emulator sends: keys, and answers to queries.
func (t *Terminal) queueInput(queue chan<- []byte) {
	defer close(queue)
	for buf := make([]byte, 4096); ; {
		n, err := t.display.em.Read(buf)
		queue <- bytes.Clone(buf[:n])
		if err != nil {
			return
		}
	}
}

func (t *Terminal) writeInput(queue <-chan []byte) {
	for input := range queue {
		_, _ = t.master.Write(input) // the program may have exited
	}
}

// awaitExit waits until the program has exited and its output is on the screen.
func (t *Terminal) awaitExit() {
	defer close(t.exited)
	_ = t.cmd.Wait() // the result is in its ProcessState
	select {
	case <-t.drained:
	case <-time.After(drainTimeout):
	}
}

// readOutput keeps the output until no process has the terminal open, which Linux reports as an I/O error and others as
// an end of file.
func (t *Terminal) readOutput() {
	defer close(t.arrived)
	for buf := make([]byte, 32*1024); ; {
		n, err := t.master.Read(buf)
		if n > 0 {
			t.mu.Lock()
			t.chunks = append(t.chunks, Chunk{time.Now(), bytes.Clone(buf[:n])}) //nolint:forbidigo // real time
			t.mu.Unlock()
			select {
			case t.arrived <- struct{}{}:
			default:
			}
		}
		if err != nil {
			return
		}
	}
}

// showOutput feeds the screen.
func (t *Terminal) showOutput() {
	defer close(t.drained)
	defer t.display.finish()
	count := 0
	for open := true; open; {
		_, open = <-t.arrived
		t.watched.Lock()
		t.mu.Lock()
		unseen := t.chunks[count:]
		t.mu.Unlock()
		for _, c := range unseen {
			t.display.write(c.Bytes)
		}
		count += len(unseen)
		t.watched.Unlock()
	}
}

// Unwatch stops the emulator, which takes CPU time that would distort a measurement. The program's output is kept, and its
// queries are not answered until watch is called: defer t.Unwatch()() in the simplest case.
func (t *Terminal) Unwatch() (watch func()) {
	t.watched.Lock()
	return t.watched.Unlock
}

// Close kills the program and its children, as the end of the test does.
func (t *Terminal) Close() {
	// The pseudo-terminal goes last: the other order can block a reader for ever.
	_ = syscall.Kill(-t.PID, syscall.SIGKILL)
	<-t.exited
	_ = t.display.input.Close()
	t.workers.Wait()
	if err := t.master.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
		t.tb.Errorf("close the terminal: %v", err)
	}
	select {
	case <-t.drained:
	case <-time.After(drainTimeout):
		t.tb.Error("a process that the program started still holds the terminal")
	}
}

// Screen returns the current screen of the terminal.
func (t *Terminal) Screen() Screen {
	screen, _ := t.display.look()
	return screen
}

// Title returns the window title set by the program.
func (t *Terminal) Title() (title string) {
	t.display.locked(func() { title = t.display.title })
	return title
}

// Bells returns how often the program has rung the bell.
func (t *Terminal) Bells() (n int) {
	t.display.locked(func() { n = t.display.bells })
	return n
}

// Output returns the program's output, read by read.
func (t *Terminal) Output() []Chunk {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.chunks)
}

// Wrote returns the whole output, to search it for texts that must never appear.
func (t *Terminal) Wrote() (output []byte) {
	for _, c := range t.Output() {
		output = append(output, c.Bytes...)
	}
	return output
}

// Wait waits until one screen contains all the texts.
func (t *Terminal) Wait(texts ...string) {
	t.tb.Helper()
	t.WaitFor(fmt.Sprintf("%q", texts), func(s Screen) bool { return s.Contains(texts...) })
}

// WaitGone waits until the screen no longer contains the text.
func (t *Terminal) WaitGone(text string) {
	t.tb.Helper()
	t.WaitFor(fmt.Sprintf("%q to go", text), func(s Screen) bool { return !s.Contains(text) })
}

// WaitFor waits for a screen that is accepted; what describes it in the failure.
func (t *Terminal) WaitFor(what string, accepts func(Screen) bool) {
	t.tb.Helper()
	timeout := time.After(t.deadline)
	for exited := false; ; {
		screen, changed := t.display.look()
		if accepts(screen) {
			return
		}
		if exited {
			t.tb.Fatalf("wait for %s: the program has exited with code %d\n%s", what, t.exitCode(), screen.framed())
		}
		select {
		case <-changed:
		case <-t.exited:
			exited = true // the last output may have come after the last check
		case <-timeout:
			t.tb.Fatalf("wait for %s: not within %v\n%s", what, t.deadline, screen.framed())
		}
	}
}

// Settle waits until the program has written nothing for a time, or has exited.
func (t *Terminal) Settle(quiet time.Duration) {
	t.tb.Helper()
	timeout := time.After(t.deadline)
	for {
		screen, changed := t.display.look()
		select {
		case <-changed:
		case <-t.exited:
			return
		case <-time.After(quiet):
			return
		case <-timeout:
			t.tb.Fatalf("wait for %v without output: not within %v\n%s", quiet, t.deadline, screen.framed())
		}
	}
}

// Exit waits until the program exits and returns its exit code as a shell reports it: 128 and the signal's number if a
// signal killed it.
func (t *Terminal) Exit() int {
	t.tb.Helper()
	select {
	case <-t.exited:
	case <-time.After(t.deadline):
		t.tb.Fatalf("wait for the exit: not within %v\n%s", t.deadline, t.Screen().framed())
	}
	return t.exitCode()
}

func (t *Terminal) exitCode() int {
	state := t.cmd.ProcessState
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return 128 + int(ws.Signal())
	}
	return state.ExitCode()
}

// winsize clamps a size to the range that a terminal can report.
func winsize(cols, rows int) *pty.Winsize {
	clamp := func(n int) uint16 { return uint16(max(1, min(n, 1<<15))) }
	return &pty.Winsize{Cols: clamp(cols), Rows: clamp(rows)}
}
