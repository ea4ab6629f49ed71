package script

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"

	"pgtower/internal/cli/exit"
	"pgtower/internal/files"
	"pgtower/keystore"
	"pgtower/models"
	"pgtower/models/keys"
)

// Delivery is where a new secret goes: one of the three.
type Delivery struct {
	Command string        // a line of the system's shell, which reads the secret from its standard input
	Within  time.Duration // how long the command may take; 0: as long as commands of the profile
	File    string        // a new file
	Print   bool          // the standard output
}

// check returns what is wrong with the delivery, as an [exit.UsageError].
func (d Delivery) check() error {
	if d.Within != 0 && (d.Command == "" || d.Within < 0) {
		return exit.Usagef("--within is for --to-command, and longer than 0, such as 5m")
	}
	if count(d.Command != "", d.File != "", d.Print) != 1 {
		return exit.Usagef("give one of --to-command, --to-file and --print: the secret cannot be read again")
	}
	return nil
}

// delivery is a [Delivery] that is ready: all that can be checked before there is a secret was checked.
type delivery struct {
	Delivery

	file  *files.NewFile // or nil
	from  *Source
	where string // the secret is, once it was handed over
	tried bool   // that was tried
}

// prepare reserves the file, and checks the standard output: no key is created whose secret could not be written, or would be
// discarded.
func (d Delivery) prepare(from *Source) (*delivery, error) {
	ready := &delivery{Delivery: d, from: from}
	if d.Print && isNull(from.process.Stdout) {
		return nil, errors.New("nothing was requested: the standard output is closed, or discards the secret")
	}
	if d.File == "" {
		return ready, nil
	}
	var err error
	ready.file, err = files.Reserve(d.File)
	if err != nil {
		return nil, fmt.Errorf("nothing was requested: %w", err)
	}
	return ready, nil
}

// cancel removes the file, as there is no secret for it.
func (d *delivery) cancel() {
	if d.file != nil {
		_ = d.file.Discard() // an empty file stays
	}
}

// place returns where the secret goes.
func (d *delivery) place() string {
	switch {
	case d.file != nil:
		return keys.ToFile
	case d.Command != "":
		return keys.ToCommand
	}
	return keys.ToOutput
}

// hand hands over a secret: exactly its bytes, with a line break only on a terminal. A command may fail after it has read it.
func (d *delivery) hand(ctx context.Context, made *models.CreatedAPIKey) (maybe bool, err error) {
	secret := made.Key
	d.tried = true
	switch {
	case d.file != nil:
		d.where = "the secret is in " + d.file.Path
		return false, d.file.Write([]byte(secret.Reveal()))
	case d.Command != "":
		if d.Within > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, d.Within)
			defer cancel()
		}
		d.where = "the command read the secret"
		err := d.from.secrets.Pipe(ctx, d.Command, secret)
		failed, ok := errors.AsType[*keystore.CommandError](err)
		return ok && failed.Changed, err
	}
	stdout, end := d.from.process.Stdout, ""
	if term.IsTerminal(int(stdout.Fd())) {
		end = "\n"
	}
	d.where = "the secret is on the standard output"
	return false, writeAll(stdout, secret.Reveal()+end)
}

// isNull reports whether what is written to a file is discarded. Go opens the null device in place of a closed standard
// output.
func isNull(f *os.File) bool {
	null, nullErr := os.Stat(os.DevNull)
	given, err := f.Stat()
	return nullErr == nil && err == nil && os.SameFile(null, given)
}

func writeAll(file *os.File, text string) error {
	_, err := io.WriteString(file, text)
	return err
}
