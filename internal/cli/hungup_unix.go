//go:build unix

package cli

import (
	"os"

	"golang.org/x/sys/unix"
)

// hungUp reports whether what reads a pipe or terminal is gone, before anything is written to it.
func hungUp(f *os.File) bool {
	ready := []unix.PollFd{{Fd: int32(f.Fd())}} //nolint:gosec // a file descriptor is small
	n, err := unix.Poll(ready, 0)
	return err == nil && n > 0 && ready[0].Revents&(unix.POLLERR|unix.POLLHUP) != 0
}
