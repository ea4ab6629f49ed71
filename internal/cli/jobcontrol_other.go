//go:build !unix

package cli

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	tea "charm.land/bubbletea/v2"
)

// jobSignals returns nil: there is no job control.
func jobSignals() []os.Signal { return nil }

func (j *jobControl) handled(os.Signal, *tea.Program) bool { return false }

// suspension returns nil: a program cannot be stopped.
func (j *jobControl) suspension() tea.Cmd { return nil }

// hungUp returns false: only the next write can tell.
func hungUp(*os.File) bool { return false }

// readerGone reports whether a write to a file failed because it is a pipe whose reader is gone.
func readerGone(err error) bool {
	const brokenPipe, noData = syscall.Errno(109), syscall.Errno(232) // of Windows
	file, ok := errors.AsType[*fs.PathError](err)
	return ok && (errors.Is(file, brokenPipe) || errors.Is(file, noData))
}
