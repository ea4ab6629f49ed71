// Package cli is the command line: flags, environment, subcommands and exit codes. It
// is the one place that knows both the terminal program and what it talks to.
package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"
)

// The exit codes.
const (
	ExitOK = 0
	// ExitFailed is for everything that went wrong while it ran.
	ExitFailed = 1
	// ExitUsage is for flags, variables and surroundings that it cannot run with.
	ExitUsage = 2
	// ExitInterrupted is for an interrupt from outside, as shells report it.
	ExitInterrupted = 130
)

// Process is what the program has of the process that it runs in.
type Process struct {
	Args   []string
	Stdin  *os.File
	Stdout *os.File
	Stderr *os.File
	Getenv func(string) string
	// Clock is the one clock of the program.
	Clock func() time.Time
}

// usageError is an error in how pgtower was called.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// errInterrupted ends the program without a word.
var errInterrupted = errors.New("interrupted")

// Run runs the command line and returns the exit code. Errors are written to Stderr.
func Run(ctx context.Context, p Process) int {
	root := p.rootCommand(ctx)
	root.SetArgs(p.Args)
	root.SetIn(p.Stdin)
	root.SetOut(p.Stdout)
	root.SetErr(p.Stderr)
	err := root.ExecuteContext(ctx)
	switch {
	case err == nil:
		return ExitOK
	case errors.Is(err, errInterrupted):
		return ExitInterrupted
	}
	_, _ = fmt.Fprintln(p.Stderr, "pgtower: "+err.Error())
	if _, ok := errors.AsType[usageError](err); ok {
		_, _ = fmt.Fprintln(p.Stderr, "See pgtower --help.")
		return ExitUsage
	}
	return ExitFailed
}

func (p Process) rootCommand(ctx context.Context) *cobra.Command {
	var s settings
	root := &cobra.Command{
		Use:   "pgtower",
		Short: "A terminal dashboard over the control API of a hosted Postgres platform",
		Long: "pgtower shows the system operations of your projects live, lists projects, and\n" +
			"lists, creates and revokes API keys.\n\n" +
			"The API key is asked for once and kept in the keyring of the operating system.\n" +
			"PGTOWER_API_KEY goes before it, where it is set; there is no flag for the key,\n" +
			"because other users of a computer can see the flags of its programs.",
		Example:           "  pgtower --demo\n  pgtower --project floral-king-961888 --interval 2s",
		Args:              noArgs,
		Version:           version(),
		SilenceUsage:      true,
		SilenceErrors:     true,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: true},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := s.resolve(cmd.Flags(), p.Getenv); err != nil {
				return err
			}
			return p.dashboard(ctx, s)
		},
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	root.SetVersionTemplate("pgtower {{.Version}}\n")
	s.addFlags(root.Flags())
	root.AddCommand(p.mockCommand(ctx))
	return root
}

func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%q is not a command of %s", args[0], cmd.CommandPath())
	}
	return nil
}

// version is that of the build: the module's where it was installed as one, else that
// of the commit it was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return "devel " + s.Value[:12]
		}
	}
	return "devel"
}
