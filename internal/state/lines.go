package state

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"pgtower/internal/files"
)

// lineFile is a file to which lines are appended. Once it is large it is renamed, in place of the one that was renamed before.
type lineFile struct{ path string }

var errNoFile = errors.New("there is no folder for it")

// before is the path of the file that was renamed.
func (f lineFile) before() string {
	return strings.TrimSuffix(f.path, filepath.Ext(f.path)) + "-before" + filepath.Ext(f.path)
}

// target returns the file to which links lead.
func (f lineFile) target() (lineFile, error) {
	if f.path == "" {
		return f, errNoFile
	}
	path, err := files.Target(f.path)
	return lineFile{path}, err
}

// locked returns the file to which links lead, with its lock. Its folder is made if there is none.
func (f lineFile) locked() (target lineFile, unlock func(), err error) {
	if f.path == "" {
		return f, nil, errNoFile
	}
	file, unlock, err := File{f.path}.locked()
	return lineFile{file.Path}, unlock, err
}

// stat returns what the file is. It must be one that others cannot write to. Without a file, there is no error.
func (f lineFile) stat() (fs.FileInfo, error) {
	if err := files.Regular(f.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", f.path, err)
	}
	info, err := os.Stat(f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil //nolint:nilnil // there is no file
	case err != nil:
		return nil, err
	}
	return info, files.CheckWriters(info)
}

// rename makes room for a new file.
func (f lineFile) rename() error { return os.Rename(f.path, f.before()) }

// append appends lines, or only opens the file for that. The lock is held. A crash or a full disk may have cut off
// the last line of the file, which must not swallow the first new one.
func (f lineFile) append(lines []byte) error {
	file, err := os.OpenFile(f.path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	if len(lines) == 0 {
		return file.Close()
	}
	if !endsALine(file) {
		lines = append([]byte{'\n'}, lines...)
	}
	_, err = file.Write(lines)
	return errors.Join(err, file.Sync(), file.Close())
}

// endsALine reports whether a file is empty, or ends with a line break.
func endsALine(file *os.File) bool {
	end, err := file.Seek(0, io.SeekEnd)
	if err != nil || end == 0 {
		return true
	}
	last := make([]byte, 1)
	_, err = file.ReadAt(last, end-1)
	return err != nil || last[0] == '\n'
}
