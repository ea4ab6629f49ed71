// Package cli is the command line: flags, environment, subcommands and exit codes. It
// is the one place that knows both the terminal program and what it talks to.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pgtower/keystore"
	"pgtower/keystore/profile"
	"pgtower/models"
)

// The exit codes.
const (
	ExitOK = 0
	// ExitFailed is for everything that failed while it ran.
	ExitFailed = 1
	// ExitUsage is for flags, variables, configuration and surroundings that it cannot run
	// with.
	ExitUsage = 2
	// ExitRefused is for an API key that the service refused, so that a script can tell
	// what a user has to correct from what passes.
	ExitRefused = 3
	// ExitInterrupted is for an interrupt from outside, as shells report it.
	ExitInterrupted = 130
)

// Process is what the program has of the process that it runs in.
type Process struct {
	Args   []string
	Stdin  *os.File
	Stdout *os.File
	Stderr *os.File
	// Getenv reads the environment, and the API keys that were taken out of it.
	Getenv func(string) string
	// Environ is the environment without API keys.
	Environ func() []string
	// ConfigDir is the folder for the user's configuration files.
	ConfigDir func() (string, error)
	// CacheDir is the folder for files that may be lost.
	CacheDir func() (string, error)
	// Clock is the one clock of the program.
	Clock func() time.Time
	// Wrap is put around the dashboard's root by tests; it may be nil.
	Wrap func(root tea.Model) tea.Model
}

// usageError is an error in how pgtower was called.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

var (
	// errInterrupted ends the program without a word.
	errInterrupted = errors.New("interrupted")
	// errSaid is a failure that the output has already said everything of.
	errSaid = errors.New("failed")
)

// Run runs the command line and returns the exit code. Errors are written to Stderr.
func Run(ctx context.Context, p Process) int {
	// The standard library logs what a server sends unasked and, with GODEBUG=http2debug=2, the key of each request.
	log.SetOutput(io.Discard)
	root := p.rootCommand() //nolint:contextcheck // commands are given it by cobra
	root.SetArgs(p.Args)
	root.SetIn(p.Stdin)
	root.SetOut(p.Stdout)
	root.SetErr(p.Stderr)
	err := p.refuseKeys()
	if err == nil {
		err = root.ExecuteContext(ctx)
	}
	switch {
	case err == nil:
		return ExitOK
	case errors.Is(err, errInterrupted):
		return ExitInterrupted
	}
	p.complain(err)
	_, usage := errors.AsType[usageError](err)
	switch {
	case usage, isFileError(err):
		return ExitUsage
	case models.KindOf(err) == models.KindUnauthorized:
		return ExitRefused
	}
	return ExitFailed
}

// refuseKeys refuses an API key among the arguments and settings, before anything repeats,
// sends or keeps it. The keys of the mock are no secrets.
func (p Process) refuseKeys() error {
	for i, arg := range p.Args {
		if i == 0 && arg == "mock" {
			break
		}
		if models.FindKey(arg) >= 0 {
			return usagef("argument %d looks like an API key: other users of this computer can read the arguments of its "+
				"programs, so revoke it and give pgtower login another one", i+1)
		}
	}
	variables := []string{envProfile, envConfig}
	for _, one := range new(settings).table(profile.Profile{}) {
		variables = append(variables, one.env)
	}
	for _, name := range variables {
		if models.FindKey(p.Getenv(name)) >= 0 {
			return usagef("%s looks like an API key: %s is the variable for that", name, keystore.EnvKey)
		}
	}
	return nil
}

// complain says what went wrong, and what can be done about it.
func (p Process) complain(err error) {
	if errors.Is(err, errSaid) {
		return
	}
	_, _ = fmt.Fprintln(p.Stderr, "pgtower: "+models.Clean(err.Error()))
	if _, ok := errors.AsType[usageError](err); ok {
		_, _ = fmt.Fprintln(p.Stderr, "See pgtower --help.")
		return
	}
	if advice := adviceOn(err); advice != "" {
		_, _ = fmt.Fprintln(p.Stderr, advice)
	}
}

// adviceOn says what can be done about an error, or nothing.
func adviceOn(err error) string {
	var adviser interface{ Advice() string }
	if errors.As(err, &adviser) {
		return adviser.Advice()
	}
	return ""
}

func (p Process) rootCommand() *cobra.Command {
	s := defaults()
	root := &cobra.Command{
		Use:   "pgtower",
		Short: "A terminal dashboard over the control API of a hosted Postgres platform",
		Long: "pgtower shows the system operations of your projects live, lists projects, and\n" +
			"lists, creates and revokes API keys.\n\n" +
			"The API key is asked for once and kept in the keyring of the operating system.\n" +
			"These go before it, in this order: PGTOWER_API_KEY; NEON_API_KEY, for the live\n" +
			"service only; the key_command of the profile. There is no flag for the key, because\n" +
			"other users of a computer can see the flags of its programs.",
		Example:       "  pgtower --demo\n  pgtower --project floral-king-961888 --interval 2s",
		Args:          noArgs,
		Version:       version(),
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.dashboard(cmd.Context(), cmd.Flags(), &s)
		},
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		if wrong, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
			err = fmt.Errorf("--%s: %w", wrong.GetFlag().Name, wrongValue(wrong.GetFlag(), wrong.GetValue()))
		}
		return usageError{err}
	})
	s.addFlags(root.Flags())
	root.AddCommand(
		p.loginCommand(), p.logoutCommand(), p.profilesCommand(), p.configCommand(), p.bindingsCommand(),
		p.doctorCommand(), p.mockCommand(), p.versionCommand(), p.manCommand(),
	)
	for _, cmd := range append(root.Commands(), root) {
		p.completeFlags(cmd)
	}
	return root
}

func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%q is not a command of %s", args[0], cmd.CommandPath())
	}
	return nil
}
