package cli

import (
	"crypto/x509"
	"fmt"
	"log/slog"
	"os"

	"github.com/spf13/pflag"
)

// wire is how requests to the service travel, and what is written down of them.
type wire struct {
	caFile, logFile string

	roots *x509.CertPool // nil for the system's
	log   *slog.Logger   // nil for none
}

func (w *wire) addFlags(f *pflag.FlagSet) {
	f.StringVar(&w.caFile, "ca-file", "", "PEM file of certificate authorities to trust besides the system's")
	f.StringVar(&w.logFile, "log", "", "file to append a JSON line of each request to, without keys and bodies")
}

// open reads and opens the files that the flags name. What it returns closes the log.
func (w *wire) open() (closeLog func(), err error) {
	closeLog = func() {}
	if w.caFile != "" {
		if w.roots, err = readAuthorities(w.caFile); err != nil {
			return closeLog, usagef("--ca-file: %w", err)
		}
	}
	if w.logFile != "" {
		f, err := openLog(w.logFile)
		if err != nil {
			return closeLog, usagef("--log: %w", err)
		}
		// What could not be written is lost whether or not closing tells of it.
		closeLog = func() { _ = f.Close() }
		w.log = slog.New(slog.NewJSONHandler(f, &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
	return closeLog, nil
}

// readAuthorities returns the system's authorities together with those of a file.
func readAuthorities(path string) (*x509.CertPool, error) {
	pem, err := os.ReadFile(path) //nolint:gosec // the person names the file
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
