//go:build unix

package cli

import (
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/page"
	"pgtower/ui/style"
)

const (
	// stopWait is how long the process may take to stop. Without job control, as in a container, it never stops. The time
	// while it is stopped counts as waiting, too, but only for the current one of the steps.
	stopWait, stopSteps = 500 * time.Millisecond, 10
	// settleFor is how long Bubble Tea gets to stop its renderer. If it were restarted sooner, the late stop would stop
	// the new one, and the screen would stay empty.
	settleFor = 100 * time.Millisecond
)

var errNotStopped = errors.New("not stopped")

// jobSignals returns the signals of job control except SIGTSTP: once listened for, it does not stop a Go program.
func jobSignals() []os.Signal { return []os.Signal{syscall.SIGCONT} }

// control acts on a signal of job control, and reports whether it was one.
func (j *jobControl) control(sig os.Signal, program *tea.Program) bool {
	if sig != syscall.SIGCONT {
		return false
	}
	if !j.stopping.CompareAndSwap(true, false) {
		// Something else stopped the process, and the terminal was used since.
		program.Send(tea.Exec(pause{run: settle}, resumed)())
	}
	return true
}

func settle() error { time.Sleep(settleFor); return nil }

// suspension returns the command that restores the terminal and stops the whole job until the shell continues it.
func (j *jobControl) suspension() tea.Cmd { return tea.Exec(pause{run: j.stop}, resumed) }

func (j *jobControl) stop() error {
	j.stopping.Store(true)
	err := stopJob()
	if errors.Is(err, errNotStopped) {
		j.stopping.Store(false)
	}
	return err
}

// stopJob stops the whole job, and returns when the shell has continued it.
func stopJob() error {
	continued := make(chan os.Signal, 1)
	signal.Notify(continued, syscall.SIGCONT)
	defer signal.Stop(continued)
	if err := syscall.Kill(0, syscall.SIGTSTP); err != nil {
		return err
	}
	for range stopSteps {
		select {
		case <-continued:
			return nil
		case <-time.After(stopWait / stopSteps):
		}
	}
	return errNotStopped
}

// resumed returns the message after a pause.
func resumed(err error) tea.Msg {
	switch {
	case errors.Is(err, errNotStopped):
		return page.Notice{Tone: style.Waiting, Text: "not suspended: no shell with job control would continue it"}
	case err != nil:
		return tea.QuitMsg{} // the terminal cannot be used again
	}
	return tea.ResumeMsg{}
}

// pause runs a function while Bubble Tea does not use the terminal.
type pause struct {
	ownTerminal

	run func() error
}

func (p pause) Run() error { return p.run() }
