//go:build aix || (solaris && !illumos)

package keystore

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// tryLock locks a file, unless it is locked already. These systems know locks of a whole
// process only.
func tryLock(f *os.File) (locked bool, err error) {
	err = unix.FcntlFlock(f.Fd(), unix.F_SETLK, &unix.Flock_t{Type: unix.F_WRLCK})
	if errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.EACCES) {
		return false, nil
	}
	return err == nil, err
}
