package keystore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"pgtower/keystore/profile"
	"pgtower/models"
)

const (
	// CommandDeadline bounds a key command. It is long enough for a user to answer a password manager's question.
	CommandDeadline = 30 * time.Second

	leaveTime        = time.Second // for which what a key command left behind may hold its output open
	maxCommandOutput = 64 << 10    // read of either output, in bytes
	maxComplaint     = 400         // shown of a key command's complaint, in bytes
)

// CommandError is a key command that gave no key. It never contains one.
type CommandError struct {
	Profile   string // whose command it is
	Complaint string // the last that it wrote to its error output, cleaned and on one line, or empty
	Err       error  // what became of it
}

// Error says what became of the command, and what it said itself.
func (e *CommandError) Error() string {
	s := "the key command of profile " + e.Profile + " " + e.Err.Error()
	if e.Complaint != "" {
		s += ": " + e.Complaint
	}
	return s
}

// Unwrap returns the cause.
func (e *CommandError) Unwrap() error { return e.Err }

// Advice says what a user can do next, as a sentence.
func (*CommandError) Advice() string {
	return "Run it by itself to see what it does; key_command in the configuration file sets it."
}

// runKeyCommand returns the key that a profile's key command prints in its first line. Without a terminal for its
// input, it is cut off from the terminal as a whole, so that it takes no keys from the program that has it.
func runKeyCommand(ctx context.Context, p profile.Profile, terminal *os.File) (models.Secret, error) {
	ctx, cancel := context.WithTimeout(ctx, CommandDeadline)
	defer cancel()
	cmd := shellCommand(ctx, p.KeyCommand.Shell)
	if args := p.KeyCommand.Args; len(args) > 0 {
		cmd = exec.CommandContext(ctx, args[0], args[1:]...) //nolint:gosec // the user's own program is the purpose
	}
	cmd.WaitDelay = leaveTime
	stdout, stderr := &output{}, &output{last: true}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	if terminal != nil {
		cmd.Stdin = terminal
	} else {
		detach(cmd)
	}
	err := cmd.Run()
	_, isExit := errors.AsType[*exec.ExitError](err)
	missing, isMissing := errors.AsType[*exec.Error](err)
	line, _, _ := strings.Cut(strings.TrimSpace(string(stdout.kept)), "\n")
	key := models.NewSecret(line)
	switch {
	case ctx.Err() == nil && errors.Is(err, exec.ErrWaitDelay):
		err = nil // it ended well; something that it started goes on
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		err = fmt.Errorf("did not end in time (%s at most)", CommandDeadline)
	case ctx.Err() != nil:
		err = ctx.Err()
	case isExit:
		err = fmt.Errorf("failed (%w)", err)
	case isMissing:
		err = fmt.Errorf("cannot be run (%s: %w)", models.Clean(missing.Name), missing.Err)
	case err != nil:
		err = fmt.Errorf("cannot be run (%s)", models.Clean(err.Error()))
	}
	if bad := key.Check(); err == nil && bad != nil {
		err = fmt.Errorf("printed no key: %w", bad)
	}
	if err != nil {
		return models.Secret{}, &CommandError{Profile: p.Name, Complaint: complaint(string(stderr.kept), key), Err: err}
	}
	return key, nil
}

// complaint is a text that a program wrote, on one line, as the end of it, without the key.
func complaint(text string, key models.Secret) string {
	text = strings.Join(strings.Fields(models.Redactor{}.With(key).Text(text)), " ")
	if cut := len(text) - maxComplaint; cut > 0 {
		text = "…" + strings.ToValidUTF8(text[cut:], "")
	}
	return models.Clean(text)
}

// output keeps the first or the last of what is written to it. A bytes.Buffer would be filled without a bound.
type output struct {
	kept []byte
	last bool
}

func (o *output) Write(p []byte) (int, error) {
	o.kept = append(o.kept, p...)
	if over := len(o.kept) - maxCommandOutput; over > 0 && o.last {
		o.kept = o.kept[over:]
	} else if over > 0 {
		o.kept = o.kept[:maxCommandOutput]
	}
	return len(p), nil
}
