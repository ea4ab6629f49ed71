//go:build unix

package cli

import (
	"os"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// readAway reads late replies of the terminal, without an echo.
func (r *replies) readAway(file *os.File) {
	fd := int(file.Fd())
	state, err := term.MakeRaw(fd)
	if err != nil {
		return
	}
	defer term.Restore(fd, state) //nolint:errcheck // nothing can be done about it
	end := r.clock().Add(r.trip())
	for buffer := make([]byte, 1024); ; {
		left := end.Sub(r.clock())
		ready := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}} //nolint:gosec // a descriptor is small
		n, err := unix.Poll(ready, int(max(0, left).Milliseconds()))
		if err == unix.EINTR && left > 0 {
			continue
		}
		if err != nil || n == 0 || ready[0].Revents&unix.POLLIN == 0 {
			return
		}
		if n, err := file.Read(buffer); n == 0 || err != nil {
			return
		}
	}
}
