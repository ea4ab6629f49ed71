package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"pgtower/models"
)

// Text is a text file as it was read.
type Text struct {
	Bytes []byte
	// Untrusted is why others may have written it, or nil.
	Untrusted error
}

// ErrNotRegular is the error of a pipe, a device or a folder in place of a file.
var ErrNotRegular = errors.New("it is not a regular file")

// Read reads a regular file of at most limit bytes, without the byte order mark before its text. Its error is
// [fs.ErrNotExist] only if there certainly is no such file: a link on the way that leads nowhere is a [*LinkError]. No error
// names the path.
func Read(path string, limit int64) (Text, error) {
	if err := Regular(path); err != nil {
		return Text{}, err
	}
	return ReadStream(path, limit)
}

// ReadStream is Read for what may also be a pipe, whose writer may make it wait.
func ReadStream(path string, limit int64) (Text, error) {
	f, err := os.Open(path) //nolint:gosec // the user chooses the file
	if err != nil {
		return Text{}, reason(path, err)
	}
	defer f.Close() //nolint:errcheck // it was only read
	text, err := models.ReadText(f, limit)
	if err != nil {
		return Text{}, reason(path, err)
	}
	info, err := f.Stat()
	if err != nil {
		return Text{}, reason(path, err)
	}
	return Text{text, CheckWriters(info)}, nil
}

// Regular returns why a path is not that of a regular file, or nil. The error is like that of [Read].
func Regular(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return reason(path, err)
	case !info.Mode().IsRegular(): // reading a pipe would block, and a device may have no end
		return ErrNotRegular
	}
	return nil
}

// LinkError is the error of a path on which a link leads nowhere: what is behind it cannot be looked for.
type LinkError struct {
	Link, To string
}

func (e *LinkError) Error() string {
	return fmt.Sprintf("%s is a link that leads nowhere (to %s)", models.Clean(e.Link), models.Clean(e.To))
}

// reason returns the cause of an error, without the path.
func reason(path string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		if link, dangling := firstDangling(path); dangling {
			target, _ := os.Readlink(link) // it was one just now
			return &LinkError{link, target}
		}
	}
	if cause, ok := errors.AsType[*fs.PathError](err); ok {
		return cause.Err
	}
	return err
}

// firstDangling returns the first link on a path that leads nowhere. It stops at the first part that does not exist.
func firstDangling(path string) (link string, dangling bool) {
	for _, part := range partsOf(path) {
		info, err := os.Lstat(part)
		if err != nil {
			return "", false
		}
		if _, err := os.Stat(part); info.Mode()&fs.ModeSymlink != 0 && errors.Is(err, fs.ErrNotExist) {
			return part, true
		}
	}
	return "", false
}

// partsOf returns the folders on a path from the first one, and the path itself. It does not clean the path: the parent folder
// of a link's target is not the folder that has the link.
func partsOf(path string) (parts []string) {
	begin := len(filepath.VolumeName(path))
	for i := begin; i < len(path); i++ {
		if os.IsPathSeparator(path[i]) && i > begin {
			parts = append(parts, path[:i])
		}
	}
	return append(parts, strings.TrimRight(path, string(filepath.Separator)))
}

// Target returns the path of the file to which the links on a path lead. A file is replaced there, so that the links stay. The
// file and its folders need not exist yet.
func Target(path string) (string, error) {
	target, err := filepath.EvalSymlinks(path)
	if err == nil {
		return target, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", reason(path, err)
	}
	if err := reason(path, err); !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	folder := filepath.Dir(path)
	if folder == path {
		return path, nil
	}
	folder, err = Target(folder)
	return filepath.Join(folder, filepath.Base(path)), err
}
