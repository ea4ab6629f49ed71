//go:build unix

package script

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// hungUp reports whether the reader of a pipe or terminal is gone, without writing to it. It is false if f is nil.
func hungUp(f *os.File) bool {
	if f == nil {
		return false
	}
	ready := []unix.PollFd{{Fd: int32(f.Fd())}} //nolint:gosec // a file descriptor is small
	n, err := unix.Poll(ready, 0)
	return err == nil && n > 0 && ready[0].Revents&(unix.POLLERR|unix.POLLHUP) != 0
}

// ReaderGone reports whether a write to a file failed because it is a pipe whose reader is gone.
func ReaderGone(err error) bool {
	file, ok := errors.AsType[*fs.PathError](err)
	return ok && errors.Is(file, syscall.EPIPE)
}
