//go:build unix

package profile

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// tryLock reports whether it locked a file, or the file system has no locks.
func tryLock(f *os.File) bool {
	err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	return !errors.Is(err, unix.EWOULDBLOCK) && !errors.Is(err, unix.EINTR)
}

// checkWriters returns an error if other users can write to a file, and so could run commands as its user.
func checkWriters(file fs.FileInfo) error {
	const run = "and its commands would run as you. "
	if s, ok := file.Sys().(*syscall.Stat_t); ok && s.Uid != 0 && int(s.Uid) != os.Geteuid() {
		return errors.New("the file belongs to another user, " + run + "Take it over with chown")
	}
	if file.Mode().Perm()&0o022 != 0 {
		return errors.New("other users can write to the file, " + run + "Run chmod go-w on it")
	}
	return nil
}
