package cli

import (
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"

	"pgtower/internal/cli/exit"
	"pgtower/internal/files"
	"pgtower/models"
)

type transport struct {
	roots *x509.CertPool // nil for the system's
	log   *slog.Logger   // nil for none
}

// open opens the files that the flags name. The log is written without a buffer, and closed by the end of the process.
func (t *transport) open(caFile, logFile string) (err error) {
	if caFile != "" {
		t.roots, err = readAuthorities(caFile)
		if err != nil {
			return exit.Usagef("--ca-file: %w", err)
		}
	}
	if logFile != "" {
		handler, err := openLogFlag(logFile)
		if err != nil {
			return err
		}
		t.log = slog.New(handler)
	}
	return nil
}

const maxAuthorities = 16 << 20 // bytes: a system has some hundred kilobytes of them

func readAuthorities(path string) (*x509.CertPool, error) {
	text, err := files.Read(path, maxAuthorities)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	pool, err := x509.SystemCertPool()
	if err != nil { // the system has none
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(text.Bytes) {
		return nil, fmt.Errorf("%s contains no PEM certificate", path)
	}
	return pool, nil
}

// openLogFlag opens the file that --log names.
func openLogFlag(path string) (slog.Handler, error) {
	f, err := openLog(path)
	if err != nil {
		return nil, exit.Usagef("--log: %w", err)
	}
	return newLog(f), nil
}

// newLog returns a handler that writes lines of JSON. It cleans strings, because JSON does not escape C1 and
// bidirectional controls.
func newLog(output io.Writer) slog.Handler {
	return slog.NewJSONHandler(output, &slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: cleanAttr})
}

func cleanAttr(_ []string, a slog.Attr) slog.Attr {
	if a.Value.Kind() == slog.KindString {
		a.Value = slog.StringValue(models.Clean(a.Value.String()))
	}
	return a
}

// openLog opens a file for appending, readable for its owner only. It refuses links: another user may have made one.
func openLog(path string) (*os.File, error) {
	const owner = 0o600
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE|os.O_EXCL, owner) //nolint:gosec // the user names it
	if !errors.Is(err, fs.ErrExist) {
		return f, err
	}
	linkInfo, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !linkInfo.Mode().IsRegular() { // opening a pipe would block
		return nil, fmt.Errorf("%s: %w", path, files.ErrNotRegular)
	}
	f, err = os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0) //nolint:gosec // the user names it
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !os.SameFile(linkInfo, info) {
		err = fmt.Errorf("%s was replaced just now: %w", path, files.ErrNotRegular)
	}
	if err == nil {
		err = f.Chmod(owner)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}
