//go:build unix

package cli

import (
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"
	"golang.org/x/sys/unix"

	"pgtower/ui/page"
	"pgtower/ui/style"
)

const (
	// stopWait is how long the process may take to stop. Without a shell with job control, as in a container, it never
	// does. It waits in steps, because the time for which it is stopped counts: only one step is over then.
	stopWait, stopSteps = 500 * time.Millisecond, 10
	// settleFor is how long Bubble Tea gets to end the drawing that it has stopped: the end of it would stop the clock
	// of the drawing that it begins next, and the screen would stay empty.
	settleFor = 100 * time.Millisecond
)

var errNotStopped = errors.New("not stopped")

// jobSignals are those of a shell's jobs, but for SIGTSTP: it does not stop a Go program that once listened for it.
func jobSignals() []os.Signal { return []os.Signal{syscall.SIGCONT} }

// took does what a signal of jobs asks for, and reports whether it was one.
func (j *jobControl) took(sig os.Signal, program *tea.Program) bool {
	if sig != syscall.SIGCONT {
		return false
	}
	if !j.stopping.CompareAndSwap(true, false) {
		// It was stopped without being asked, and the terminal was used since.
		settle := func() error { time.Sleep(settleFor); return nil }
		program.Send(tea.Exec(pause{run: settle}, resumed)())
	}
	return true
}

// suspension gives the terminal back and stops the program and the rest of its job, until the shell continues it.
func (j *jobControl) suspension() tea.Cmd { return tea.Exec(pause{run: j.stop}, resumed) }

func (j *jobControl) stop() error {
	goOn := make(chan os.Signal, 1)
	signal.Notify(goOn, syscall.SIGCONT)
	defer signal.Stop(goOn)
	j.stopping.Store(true)
	if err := syscall.Kill(0, syscall.SIGTSTP); err != nil {
		return err
	}
	for range stopSteps {
		select {
		case <-goOn:
			return nil
		case <-time.After(stopWait / stopSteps):
		}
	}
	j.stopping.Store(false)
	return errNotStopped
}

// resumed says what becomes of the program after a pause.
func resumed(err error) tea.Msg {
	switch {
	case errors.Is(err, errNotStopped):
		return page.Notice{Tone: style.Waiting, Text: "not suspended: no shell with job control would continue it"}
	case err != nil:
		// The terminal cannot be had back.
		return tea.QuitMsg{}
	}
	return tea.ResumeMsg{}
}

// pause is what is done while Bubble Tea has given the terminal back.
type pause struct {
	ownTerminal

	run func() error
}

func (p pause) Run() error { return p.run() }

// hungUp reports whether what reads a pipe or terminal is gone, before anything is written to it.
func hungUp(f *os.File) bool {
	ready := []unix.PollFd{{Fd: int32(f.Fd())}} //nolint:gosec // a file descriptor is small
	n, err := unix.Poll(ready, 0)
	return err == nil && n > 0 && ready[0].Revents&(unix.POLLERR|unix.POLLHUP) != 0
}

// readerGone reports whether a write failed because what reads a pipe is gone.
func readerGone(err error) bool { return errors.Is(err, syscall.EPIPE) }
