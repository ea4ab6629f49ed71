//go:build unix

package cli

import "golang.org/x/sys/unix"

// hideTyping lets the terminal gather lines of what is typed and show nothing of it.
func hideTyping(fd uintptr) error {
	t, err := unix.IoctlGetTermios(int(fd), getTermios)
	if err != nil {
		return err
	}
	t.Iflag |= unix.ICRNL
	t.Lflag |= unix.ICANON | unix.ISIG
	t.Lflag &^= unix.ECHO
	return unix.IoctlSetTermios(int(fd), setTermios, t)
}
