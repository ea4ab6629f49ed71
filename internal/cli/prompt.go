package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/term"

	"pgtower/models"
)

// maxKeyLine is how much is read of what should be one line with a key, in bytes.
const maxKeyLine = 64 << 10

var errNoKeyGiven = errors.New("no API key was given")

// interruptibly calls f with a context that a signal ends.
func interruptibly(ctx context.Context, f func(ctx context.Context) error) error {
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	err := f(ctx)
	if ctx.Err() != nil {
		return errInterrupted
	}
	return err
}

// terminal is what a key command may ask the user by, or nil.
func (p Process) terminal() *os.File {
	if !term.IsTerminal(int(p.Stdin.Fd())) {
		return nil
	}
	return p.Stdin
}

// readKey asks for a key without showing it, or takes the first line of an input that is
// no terminal.
func (p Process) readKey(ctx context.Context, prompt string) (models.Secret, error) {
	var line string
	var err error
	if p.terminal() != nil {
		line, err = p.readHidden(ctx, prompt)
	} else {
		line, err = bufio.NewReader(io.LimitReader(p.Stdin, maxKeyLine)).ReadString('\n')
		if errors.Is(err, io.EOF) {
			err = nil // a line that does not end is one, too
		}
	}
	if err != nil {
		return models.Secret{}, fmt.Errorf("read the API key: %w", err)
	}
	key := models.NewSecret(line)
	if key.IsZero() {
		return key, errNoKeyGiven
	}
	return key, key.Check()
}

// readHidden reads a line of the terminal without showing it: typing is hidden before the prompt is there. Where ctx
// ends first, the read is left to end with the process; the terminal is put back as it was either way.
func (p Process) readHidden(ctx context.Context, prompt string) (_ string, err error) {
	fd := int(p.Stdin.Fd())
	before, err := term.MakeRaw(fd)
	if err != nil {
		return "", fmt.Errorf("hide what is typed: %w", err)
	}
	defer func() { err = errors.Join(err, term.Restore(fd, before)) }()
	terminal := term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{p.Stdin, p.Stderr}, "")
	var line string
	typed := make(chan error, 1)
	go func() {
		var err error
		line, err = terminal.ReadPassword(models.Clean(prompt))
		typed <- err
	}()
	select {
	case err = <-typed:
		if err == nil {
			return line, nil
		}
	case <-ctx.Done():
		err = ctx.Err()
	}
	_, _ = fmt.Fprint(p.Stderr, "\r\n")
	if errors.Is(err, io.EOF) {
		err = errInterrupted // by ctrl+c or ctrl+d
	}
	return "", err
}
