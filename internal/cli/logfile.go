package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"

	"pgtower/models"
)

// newLog returns the handler that writes every log, a line of JSON for each record. The
// texts are cleaned: JSON escapes neither C1 controls nor what reverses the direction of
// text, and both would act on the terminal that shows the log.
func newLog(to io.Writer) slog.Handler {
	return slog.NewJSONHandler(to, &slog.HandlerOptions{
		Level: slog.LevelDebug,
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Value.Kind() == slog.KindString {
				a.Value = slog.StringValue(models.Clean(a.Value.String()))
			}
			return a
		},
	})
}

// openLogFlag opens the file that --log names. What it returns besides closes it.
func openLogFlag(path string) (slog.Handler, func(), error) {
	f, err := openLog(path)
	if err != nil {
		return nil, func() {}, usagef("--log: %w", err)
	}
	// What could not be written is lost whether or not closing tells of it.
	return newLog(f), func() { _ = f.Close() }, nil
}

// errLogFile is in the chain of every refusal of [openLog].
var errLogFile = errors.New("not a file to log to")

// openLog opens a file to append to, which only its owner may read: it is made so, and
// one that is there already is changed to it. What is no regular file is refused, and so
// is a link: another user may have put it there to have another file written.
func openLog(path string) (*os.File, error) {
	const owner = 0o600
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE|os.O_EXCL, owner) //nolint:gosec // the user names it
	if !errors.Is(err, fs.ErrExist) {
		return f, err
	}
	before, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	// Asked before it is opened: opening a pipe waits for a reader.
	if !before.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: %w: it is a %s", path, errLogFile, kindOfFile(before.Mode()))
	}
	f, err = os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0) //nolint:gosec // the user names the file
	if err != nil {
		return nil, err
	}
	after, err := f.Stat()
	if err == nil && !os.SameFile(before, after) {
		err = fmt.Errorf("%s: %w: it was replaced just now", path, errLogFile)
	}
	if err == nil {
		err = f.Chmod(owner)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func kindOfFile(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "directory"
	case m&fs.ModeSymlink != 0:
		return "symbolic link"
	case m&fs.ModeNamedPipe != 0:
		return "pipe"
	}
	return "device or socket"
}
