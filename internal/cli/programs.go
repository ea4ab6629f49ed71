package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/keystore"
	"pgtower/models"
)

// programs runs the user's programs. Their environment has no API keys, see [keyenv].
type programs struct {
	process Process
	redact  func(string) string // removes the known keys from a text
	jobs    *jobControl
	running sync.RWMutex // read-locked while programs run without the terminal
}

// Run runs a program without the terminal until it or ctx ends, and returns the beginning of its output, without keys.
func (p *programs) Run(ctx context.Context, args []string) (string, error) {
	p.running.RLock()
	defer p.running.RUnlock()
	output, err := keystore.Run(ctx, args)
	return p.redact(output), err
}

// closeWait is how long the end of the program waits for each of the things that it closes.
const closeWait = 2 * time.Second

// close waits for the programs, which are stopped by the program's context.
func (p *programs) close() { waitAtMost(closeWait, p.running.Lock) }

// waitAtMost calls do and waits until it returns, but no longer than limit.
func waitAtMost(limit time.Duration, do func()) {
	done := make(chan struct{})
	go func() { defer close(done); do() }()
	select {
	case <-done:
	case <-time.After(limit):
	}
}

// Terminal returns the command that runs a program in the terminal.
func (p *programs) Terminal(ctx context.Context, args []string, ended func(error) tea.Msg) tea.Cmd {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...) //nolint:gosec // the user's own program is the purpose
	cmd.Stdin, cmd.Stdout, cmd.Stderr = p.process.Stdin, p.process.Stdout, p.process.Stderr
	return tea.Exec(&borrowing{cmd: cmd, process: p.process, jobs: p.jobs, left: make(chan struct{})}, ended)
}

// borrowing is a program that has the terminal. It is in pgtower's job: ctrl+z stops both.
type borrowing struct {
	ownTerminal

	cmd     *exec.Cmd
	process Process
	jobs    *jobControl
	leave   sync.Once
	left    chan struct{} // closed when pgtower has to end
}

// signalLag is how late a signal may arrive. A signal for a program that has ended meanwhile must not end pgtower.
const signalLag = 100 * time.Millisecond

// Run runs the program. After a failure, its output stays on the screen until the user presses enter.
func (b *borrowing) Run() error {
	name := models.ProgramName(b.cmd.Args[0])
	if err := b.cmd.Start(); err != nil {
		if missing, ok := errors.AsType[*exec.Error](err); ok {
			err = missing.Err
		}
		return fmt.Errorf("could not run (%s: %w)", name, err)
	}
	b.jobs.borrower.Store(b)
	defer time.AfterFunc(signalLag, b.giveBack)
	if b.jobs.ending.Load() { // pgtower was ended before the program started
		b.end()
	}
	err := b.cmd.Wait()
	if err == nil {
		return nil
	}
	err = fmt.Errorf("failed (%w)", err)
	_, _ = fmt.Fprintf(b.process.Stderr, "\n%s %v. Press enter to return to pgtower. ", name, err)
	entered := make(chan struct{})
	go b.awaitEnter(entered)
	select {
	case <-entered:
	case <-b.left:
	}
	return err
}

// giveBack lets signals reach pgtower again.
func (b *borrowing) giveBack() { b.jobs.borrower.CompareAndSwap(b, nil) }

// awaitEnter closes a channel when the user has pressed enter, or the input has ended.
func (b *borrowing) awaitEnter(entered chan<- struct{}) {
	defer close(entered)
	for key := make([]byte, 1); key[0] != '\n'; {
		if n, err := b.process.Stdin.Read(key); n == 0 || err != nil {
			return
		}
	}
}

// end ends the program, without waiting for enter.
func (b *borrowing) end() {
	if b.cmd.Process.Signal(syscall.SIGTERM) != nil {
		_ = b.cmd.Process.Kill()
	}
	b.leave.Do(func() { close(b.left) })
}

// ownTerminal is embedded in commands that use the terminal itself instead of the input and output of Bubble Tea.
type ownTerminal struct{}

func (ownTerminal) SetStdin(io.Reader)  {}
func (ownTerminal) SetStdout(io.Writer) {}
func (ownTerminal) SetStderr(io.Writer) {}
