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

	"github.com/charmbracelet/x/term"

	"pgtower/models"
)

// maxKeyLine is how much is read of what should be one line with a key, in bytes.
const maxKeyLine = 64 << 10

var errNoKeyGiven = errors.New("no API key was given")

// interruptible is a context that ends with a signal to end.
func interruptible(ctx context.Context) (context.Context, context.CancelFunc) {
	return signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
}

// orInterrupted is what a command returns that a signal may have ended.
func orInterrupted(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return errInterrupted
	}
	return err
}

// terminal is what a key command may ask a person by, or nil.
func (p Process) terminal() *os.File {
	if !term.IsTerminal(p.Stdin.Fd()) {
		return nil
	}
	return p.Stdin
}

// readKey asks for a key without showing it, or takes the first line of an input that is
// no terminal.
func (p Process) readKey(ctx context.Context, prompt string) (models.Secret, error) {
	read := p.readHidden
	if p.terminal() == nil {
		read = func(context.Context, string) (string, error) { return p.readLine() }
	}
	line, err := read(ctx, prompt)
	if err != nil {
		return models.Secret{}, err
	}
	key := models.NewSecret(line)
	if key.IsZero() {
		return key, errNoKeyGiven
	}
	return key, key.Check()
}

func (p Process) readLine() (string, error) {
	line, err := bufio.NewReader(io.LimitReader(p.Stdin, maxKeyLine)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("read the API key: %w", err)
	}
	return line, nil
}

// readHidden reads a line of the terminal without showing it. Where ctx ends first, the
// terminal is put back as it was, and the read is left to end with the process.
func (p Process) readHidden(ctx context.Context, prompt string) (string, error) {
	fd := p.Stdin.Fd()
	before, err := term.GetState(fd)
	if err != nil {
		return "", fmt.Errorf("ask for the API key: %w", err)
	}
	if _, err := fmt.Fprint(p.Stderr, models.Clean(prompt)); err != nil {
		return "", err
	}
	type line struct {
		text []byte
		err  error
	}
	typed := make(chan line, 1)
	go func() {
		text, err := term.ReadPassword(fd)
		typed <- line{text, err}
	}()
	defer func() { _, _ = fmt.Fprintln(p.Stderr) }() // Enter was not shown either
	select {
	case l := <-typed:
		if l.err != nil && !errors.Is(l.err, io.EOF) {
			return "", fmt.Errorf("ask for the API key: %w", l.err)
		}
		return string(l.text), nil
	case <-ctx.Done():
		if err := term.Restore(fd, before); err != nil {
			return "", fmt.Errorf("put the terminal back as it was: %w", err)
		}
		return "", ctx.Err()
	}
}
