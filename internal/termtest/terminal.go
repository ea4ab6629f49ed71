package termtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"github.com/creack/pty"
)

const (
	// queuedInputs is how many keys and answers may wait for a program that does not read.
	queuedInputs = 1024

	// lastWords is how long the output of a program that has exited may take to arrive.
	lastWords = time.Second
)

// errHeld is reported on closing: the program has left a process behind that escaped its session.
var errHeld = errors.New("a process that the program started still holds the terminal")

// Terminal is a running program and the screen that it draws on. Its methods may be called from
// several goroutines.
type Terminal struct {
	display  *display
	deadline time.Duration

	cmd    *exec.Cmd
	master *os.File

	drained chan struct{} // closed once nobody can write to the terminal any more
	exited  chan struct{} // closed once the program is gone and what it wrote is on the screen

	workers sync.WaitGroup // all but the reader of output, which another process can hold up
	close   func() error
}

// Open starts the program. The caller closes the terminal, which also kills the program; so does
// the end of ctx.
func Open(ctx context.Context, opts Options) (*Terminal, error) {
	opts, removeHome, err := opts.ensureHome()
	if err != nil {
		return nil, err
	}
	opts = opts.withDefaults()

	cmd := exec.CommandContext(ctx, opts.Path, opts.Args...) //nolint:gosec // running the caller's program is the purpose
	cmd.Env = opts.environment()
	cmd.Dir = opts.Dir

	master, err := pty.StartWithSize(cmd, winsize(opts.Cols, opts.Rows))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start %s in a terminal: %w", opts.Path, err), removeHome())
	}

	t := &Terminal{
		display:  newDisplay(opts.Cols, opts.Rows, opts.Light),
		deadline: opts.Deadline,
		cmd:      cmd,
		master:   master,
		drained:  make(chan struct{}),
		exited:   make(chan struct{}),
	}
	t.close = sync.OnceValue(func() error {
		return errors.Join(t.stop(), removeHome())
	})
	t.startWorkers()
	return t, nil
}

// startWorkers moves bytes both ways until the program is gone. Input is queued between the
// emulator and the pseudo-terminal: a program that writes much while it is sent much would
// otherwise stop both directions at once.
func (t *Terminal) startWorkers() {
	queue := make(chan []byte, queuedInputs)

	go t.showOutput()
	t.workers.Go(func() {
		defer close(queue)
		t.display.readInput(queue)
	})
	t.workers.Go(func() {
		for input := range queue {
			// A program that has just ended leaves nobody to type to.
			_, _ = t.master.Write(input)
		}
	})
	t.workers.Go(func() {
		defer close(t.exited)
		// How the program ended is read from its ProcessState.
		_ = t.cmd.Wait()
		select {
		case <-t.drained:
		case <-time.After(lastWords):
		}
	})
}

// showOutput feeds the screen until the last program has left the terminal, which Linux reports
// as an I/O error and others as an end of file.
func (t *Terminal) showOutput() {
	defer close(t.drained)
	defer t.display.finish()
	buf := make([]byte, 32*1024)
	for {
		n, err := t.master.Read(buf)
		t.display.write(buf[:n])
		if err != nil {
			return
		}
	}
}

// Close kills the program if it still runs, and releases everything. It may be called again.
func (t *Terminal) Close() error { return t.close() }

// stop ends the program before the pseudo-terminal: the other order can leave a reader waiting
// for ever.
func (t *Terminal) stop() error {
	killGroup(t.cmd.Process)
	<-t.exited
	t.display.closeInput()
	t.workers.Wait()
	err := t.master.Close()
	if errors.Is(err, os.ErrClosed) {
		err = nil // by HangUp
	}
	select {
	case <-t.drained:
		return err
	case <-time.After(lastWords):
		return errors.Join(err, errHeld)
	}
}

// Exited reports whether the program has ended.
func (t *Terminal) Exited() bool {
	select {
	case <-t.exited:
		return true
	default:
		return false
	}
}

// exitCode is the code as a shell reports it: 128 and the signal's number for one that was killed.
func (t *Terminal) exitCode() int {
	state := t.cmd.ProcessState
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return 128 + int(ws.Signal())
	}
	return state.ExitCode()
}

// winsize clamps a size to what a terminal can report.
func winsize(cols, rows int) *pty.Winsize {
	clamp := func(n int) uint16 {
		return uint16(max(1, min(n, 1<<15)))
	}
	return &pty.Winsize{Cols: clamp(cols), Rows: clamp(rows)}
}
