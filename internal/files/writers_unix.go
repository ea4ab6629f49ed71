//go:build unix

package files

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// CheckWriters returns an error if other users can write to a file, or may have done so.
func CheckWriters(file fs.FileInfo) error {
	if s, ok := file.Sys().(*syscall.Stat_t); ok && s.Uid != 0 && int(s.Uid) != os.Geteuid() {
		return errors.New("the file belongs to another user. Take it over with chown")
	}
	if file.Mode().Perm()&0o022 != 0 {
		return errors.New("other users can write to the file. Run chmod go-w on it")
	}
	return nil
}
