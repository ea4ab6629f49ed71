package keystore

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
	"unicode/utf8"

	"pgtower/models"
	"pgtower/models/settings"
)

const (
	// CommandDeadline is the timeout of a command. It leaves time to answer a password manager's prompt.
	CommandDeadline = 30 * time.Second

	leaveTime        = time.Second // how long a process that the command started may keep its output open
	maxCommandOutput = 64 << 10    // kept of either output, in bytes
	maxCutWord       = 4 << 10     // left out at most where an output was cut, in bytes
	maxStderr        = 400         // shown of a command's stderr, in bytes
)

// CommandError is a failed command of the user. It never contains a key.
type CommandError struct {
	What    string // such as "the key command of profile work"
	Setting string // of the configuration file that sets the command, or empty
	Stderr  string // the end of its stderr, cleaned and on one line, or empty
	Err     error  // the cause
	Changed bool   // it may have saved a key nevertheless
}

// Error returns why the command failed, and the end of its stderr.
func (e *CommandError) Error() string {
	s := e.What + " " + e.Err.Error()
	if e.Stderr != "" {
		s += ": " + e.Stderr
	}
	return s
}

// Unwrap returns the cause.
func (e *CommandError) Unwrap() error { return e.Err }

// Advice returns what a user can do next, as a sentence, or "".
func (e *CommandError) Advice() string {
	if e.Setting == "" {
		return ""
	}
	return "Run it yourself to see what it prints; it is " + e.Setting + " in the configuration file."
}

// errNotRun is the error of a command that could not be started.
var errNotRun = errors.New("could not run")

// runKeyCommand returns the first line that a profile's key command prints. Without a terminal for its input, it is
// detached from the terminal, so that it reads no keys meant for the program that uses it.
func runKeyCommand(ctx context.Context, p settings.Profile, terminal *os.File) (models.Secret, error) {
	ctx, cancel := context.WithTimeout(ctx, CommandDeadline)
	defer cancel()
	stdout, stderr, err := run(ctx, p.KeyCommand, terminal, terminal == nil)
	text, unread := models.ReadText(strings.NewReader(stdout), maxCommandOutput)
	line, _, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
	key := models.NewSecret(line)
	if bad := cmp.Or(unread, key.Check()); err == nil && bad != nil {
		err = fmt.Errorf("printed no key: %w", bad)
	}
	if err != nil {
		return models.Secret{}, keyCommandError(p, stderrTail(stderr, key), err)
	}
	return key, nil
}

func keyCommandError(p settings.Profile, stderr string, err error) *CommandError {
	return &CommandError{What: "the key command of profile " + p.Name, Setting: "key_command", Stderr: stderr, Err: err}
}

// Pipe writes a key to the standard input of a shell command: its bytes alone, as many programs store what they read. The
// errors are [*CommandError]. Without a deadline of ctx, the command has [CommandDeadline].
func Pipe(ctx context.Context, line string, key models.Secret) error {
	if _, limited := ctx.Deadline(); !limited {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, CommandDeadline)
		defer cancel()
	}
	return give(ctx, settings.KeyCommand{Shell: line}, key, "", &CommandError{What: "the command"})
}

// give writes a key and an end to the standard input of a command, which must read it before ctx ends. It returns nil, or failed
// with the cause filled in.
func give(ctx context.Context, c settings.KeyCommand, key models.Secret, end string, failed *CommandError) error {
	r, w, err := os.Pipe()
	if err != nil {
		failed.Err = err
		return failed
	}
	defer r.Close() //nolint:errcheck // nothing is written to it
	go writeAndClose(w, key.Reveal()+end)
	_, stderr, err := run(ctx, c, r, true)
	left, _ := io.Copy(io.Discard, r) // so that the writer ends: the command may leave more unread than a pipe holds
	switch {
	case err != nil || left <= int64(len(end)):
	case left == int64(len(key.Reveal())+len(end)):
		err = errors.New("ended without reading the key")
	default:
		err = errors.New("ended without reading all of the key")
	}
	if err == nil {
		return nil
	}
	failed.Err, failed.Stderr, failed.Changed = err, stderrTail(stderr, key), !errors.Is(err, errNotRun)
	return failed
}

// writeAndClose writes a text to a pipe. What the reader leaves unread is no error.
func writeAndClose(pipe *os.File, text string) {
	_, _ = io.WriteString(pipe, text)
	_ = pipe.Close()
}

// run runs a command within ctx and returns its bounded output. A detached one has no terminal.
func run(ctx context.Context, c settings.KeyCommand, stdin *os.File, detached bool) (stdout, stderr string, err error) {
	cmd := shellCommand(ctx, c.Shell)
	if len(c.Args) > 0 {
		cmd = exec.CommandContext(ctx, c.Args[0], c.Args[1:]...) //nolint:gosec // the user's own program is the purpose
	}
	first, last := &output{}, &output{last: true}
	cmd.Stdout, cmd.Stderr = first, last
	if stdin != nil {
		cmd.Stdin = stdin
	}
	if detached {
		detach(cmd)
	}
	err = finish(ctx, cmd)
	return first.text(), last.text(), err
}

// Run runs a program of the user without the terminal until it ends, or with ctx, and returns the first part of what it
// prints, without keys of a known form. When ctx ends, the processes that it started end with it, unless it has detached them.
func Run(ctx context.Context, args []string) (printed string, err error) {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...) //nolint:gosec // the user's own program is the purpose
	out := &output{}
	cmd.Stdout, cmd.Stderr = out, out
	detach(cmd)
	err = finish(ctx, cmd)
	printed = models.MaskKeys(out.text())
	if out.cut {
		printed += fmt.Sprintf("\n… cut after %d kB", maxCommandOutput>>10)
	}
	return printed, err
}

// finish runs a command within ctx.
func finish(ctx context.Context, cmd *exec.Cmd) error {
	cmd.WaitDelay = leaveTime
	err := cmd.Run()
	_, isExit := errors.AsType[*exec.ExitError](err)
	missing, isMissing := errors.AsType[*exec.Error](err)
	switch {
	case ctx.Err() == nil && errors.Is(err, exec.ErrWaitDelay):
		err = nil // the command succeeded; a process that it started goes on
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		err = errors.New("timed out")
	case ctx.Err() != nil:
		err = ctx.Err()
	case isExit:
		err = fmt.Errorf("failed (%w)", err)
	case isMissing:
		err = fmt.Errorf("%w (%s: %w)", errNotRun, models.ProgramName(missing.Name), missing.Err)
	case err != nil:
		err = fmt.Errorf("%w (%s)", errNotRun, models.Clean(models.MaskDoubtful(err.Error())))
	}
	return err
}

// stderrTail returns the end of a program's stderr on one line, without the key, and without texts that may be keys: a program
// that handles keys may print others, too.
func stderrTail(text string, key models.Secret) string {
	text = strings.ToValidUTF8(text, "\uFFFD") // first: without the bytes that divide it, a key would be whole again
	text = models.MaskDoubtful(models.Redactor{}.With(key).Text(text))
	text = strings.Join(strings.Fields(text), " ")
	if cut := len(text) - maxStderr; cut > 0 {
		for !utf8.RuneStart(text[cut]) {
			cut++
		}
		text = "…" + text[cut:]
	}
	return models.Clean(text)
}

// output keeps the first or the last part of what is written to it. A bytes.Buffer would grow without limit.
type output struct {
	kept []byte
	last bool
	cut  bool
}

// text returns what was kept, without the word that was cut in two: a part of a key is not recognized as a key.
func (o *output) text() string {
	switch {
	case !o.cut:
		return string(o.kept)
	case o.last:
		begin := bytes.IndexAny(o.kept[:maxCutWord], whiteSpace)
		if begin < 0 {
			begin = maxCutWord
		}
		return string(o.kept[begin:])
	default:
		return string(o.kept[:max(len(o.kept)-maxCutWord, 1+bytes.LastIndexAny(o.kept, whiteSpace))])
	}
}

const whiteSpace = " \t\r\n"

func (o *output) Write(p []byte) (int, error) {
	o.kept = append(o.kept, p...)
	over := len(o.kept) - maxCommandOutput
	if over <= 0 {
		return len(p), nil
	}
	o.cut = true
	if o.last {
		o.kept = o.kept[over:]
	} else {
		o.kept = o.kept[:maxCommandOutput]
	}
	return len(p), nil
}
