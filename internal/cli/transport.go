package cli

import (
	"crypto/x509"
	"fmt"
	"io"
	"log/slog"
	"os"
	"syscall"

	"github.com/spf13/pflag"
)

// transport is how requests to the service travel, and what is written down of them.
type transport struct {
	caFile, logFile string

	roots *x509.CertPool // nil for the system's
	log   *slog.Logger   // nil for none
}

func (t *transport) addFlags(f *pflag.FlagSet) {
	f.StringVar(&t.caFile, "ca-file", "", "PEM file of certificate authorities to trust besides the system's")
	f.StringVar(&t.logFile, "log", "", "file to append a JSON line of each request to, without keys and bodies")
}

// open reads and opens the files that the flags name. What it returns closes the log.
func (t *transport) open() (closeLog func(), err error) {
	closeLog = func() {}
	if t.caFile != "" {
		if t.roots, err = readAuthorities(t.caFile); err != nil {
			return closeLog, usagef("--ca-file: %w", err)
		}
	}
	if t.logFile == "" {
		return closeLog, nil
	}
	handler, closeLog, err := openLogFlag(t.logFile)
	if err == nil {
		t.log = slog.New(handler)
	}
	return closeLog, err
}

// maxAuthorities is how long a file of authorities may be, in bytes: many times all that a system trusts.
const maxAuthorities = 16 << 20

// readRegular reads a regular file of at most so many bytes. Opening a pipe does not wait for its other end.
func readRegular(path string, most int64) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) //nolint:gosec // G304: the user names the file
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if mode := info.Mode(); !mode.IsRegular() {
		return nil, fmt.Errorf("%s is a %s, not a regular file", path, kindOfFile(mode))
	}
	content, err := io.ReadAll(io.LimitReader(f, most+1))
	if int64(len(content)) > most {
		err = fmt.Errorf("%s is longer than %d MB", path, most>>20)
	}
	return content, err
}

// readAuthorities returns the system's authorities together with those of a file.
func readAuthorities(path string) (*x509.CertPool, error) {
	pem, err := readRegular(path, maxAuthorities)
	if err != nil {
		return nil, err
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		// A system without any has them all in the file.
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("%s has no certificate in PEM form in it", path)
	}
	return pool, nil
}
