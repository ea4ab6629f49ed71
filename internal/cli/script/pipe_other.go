//go:build !unix

package script

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// hungUp returns false: only the next write can tell.
func hungUp(*os.File) bool { return false }

// ReaderGone reports whether a write to a file failed because it is a pipe whose reader is gone.
func ReaderGone(err error) bool {
	const brokenPipe, noData = syscall.Errno(109), syscall.Errno(232) // of Windows
	file, ok := errors.AsType[*fs.PathError](err)
	return ok && (errors.Is(file, brokenPipe) || errors.Is(file, noData))
}
