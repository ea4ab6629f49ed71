package cli

import (
	"fmt"
	"time"

	"pgtower/internal/files"
	"pgtower/models/settings"
)

const maxConfig = 1 << 20 // bytes

// loadConfig reads and checks a configuration file. Every error is a [*settings.FileError]. It is [io/fs.ErrNotExist] only if
// there certainly is no such file.
func loadConfig(path string, check settings.Check) (settings.Config, error) {
	return loadConfigWithin(readWait, path, check)
}

func loadConfigWithin(wait time.Duration, path string, check settings.Check) (settings.Config, error) {
	// The file may be a pipe from a program that decrypts it.
	text, err := within(wait, func() (files.Text, error) { return files.ReadStream(path, maxConfig) })
	if err != nil {
		return settings.Config{}, &settings.FileError{Path: path, Err: err}
	}
	c, err := settings.Parse(path, text.Bytes, check)
	if err == nil && text.Untrusted != nil && c.Runs() {
		return settings.Config{}, &settings.FileError{Path: path, Err: fmt.Errorf("it has commands, but %w", text.Untrusted)}
	}
	return c, err
}

// readWait is how long reading the file may take. A pipe may never deliver anything.
const readWait = 10 * time.Second

// within returns the results of read, or an error if it takes longer. Nothing can stop it then: it continues.
func within[T any](wait time.Duration, read func() (T, error)) (T, error) {
	var value T
	var err error
	done := make(chan struct{})
	go func() { value, err = read(); close(done) }()
	select {
	case <-done:
		return value, err
	case <-time.After(wait):
		var none T
		return none, fmt.Errorf("could not be read within %s: it may be a pipe that nothing writes to", wait)
	}
}
