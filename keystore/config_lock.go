package keystore

import (
	"errors"
	"os"
	"runtime"
	"time"
)

const (
	// lockTries and lockPause bound how long a lock is waited for, to ten seconds. Whoever
	// has it writes one small file.
	lockTries = 500
	lockPause = 20 * time.Millisecond
)

var errLocked = errors.New("another pgtower is changing it: try again")

// lockFile takes the lock that a file at the path stands for, or returns errLocked where
// another process has it all the time. The system ends the lock with the process that has
// it, however that ends.
func lockFile(path string) (unlock func(), err error) {
	for range lockTries {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600) //nolint:gosec // it lies beside the configuration file
		if err != nil {
			return nil, err
		}
		locked, err := tryLock(f)
		switch {
		case err != nil:
			return nil, errors.Join(err, f.Close())
		case locked && isAt(f, path):
			return func() { removeLock(f) }, nil
		}
		// Another process has it, or had it and removed the file between the two calls.
		_ = f.Close()
		time.Sleep(lockPause)
	}
	return nil, errLocked
}

// removeLock ends a lock and removes its file. That happens while it is locked, because it
// may be another process's afterwards; but on Windows only once nobody has it open.
func removeLock(f *os.File) {
	if runtime.GOOS != "windows" {
		_ = os.Remove(f.Name())
	}
	_ = f.Close()
	if runtime.GOOS == "windows" {
		_ = os.Remove(f.Name())
	}
}

// isAt reports whether the file is still the one at the path.
func isAt(f *os.File, path string) bool {
	mine, err := f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(path)
	return err == nil && os.SameFile(mine, there)
}
