//go:build !unix

package cli

import (
	"errors"
	"os"
	"syscall"

	tea "charm.land/bubbletea/v2"
)

// jobSignals are none: there are no jobs.
func jobSignals() []os.Signal { return nil }

func (j *jobControl) took(os.Signal, *tea.Program) bool { return false }

// suspension is nil: a program cannot be stopped.
func (j *jobControl) suspension() tea.Cmd { return nil }

// hungUp is not known here: the next line finds out.
func hungUp(*os.File) bool { return false }

// readerGone reports whether a write failed because what reads a pipe is gone.
func readerGone(err error) bool {
	const brokenPipe, noData = syscall.Errno(109), syscall.Errno(232) // as Windows has them
	return errors.Is(err, brokenPipe) || errors.Is(err, noData)
}
