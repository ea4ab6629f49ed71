package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"pgtower/internal/cli/exit"
	"pgtower/keystore"
	"pgtower/models"
	"pgtower/models/format"
	"pgtower/ui/style"
)

// Process is the process that the program runs in.
type Process struct {
	Args                  []string
	Stdin, Stdout, Stderr *os.File
	// LookupEnv returns a variable, and whether it is set. It has the API keys that were removed from the environment, too.
	LookupEnv func(string) (string, bool)
	ConfigDir func() (string, error) // returns the folder for the user's configuration files
	Getwd     func() (string, error) // returns the current folder; nil: there is none
	CacheDir  func() (string, error) // returns the folder for files that may be lost
	Clock     func() time.Time       // the clock of the program, which may be set at any time
	// Steady is the clock for claims about changes of keys. Its times have a monotonic reading: it is never set, but stands
	// still while the computer sleeps. By default it is Clock.
	Steady func() time.Time
	Wrap   func(tea.Model) tea.Model // wraps the dashboard's root in tests; may be nil
}

// Getenv returns a variable, or "" if it is not set.
func (p Process) Getenv(name string) string {
	value, _ := p.LookupEnv(name)
	return value
}

// warn prints a line on standard error.
func (p Process) warn(format string, args ...any) {
	_, _ = fmt.Fprintln(p.Stderr, "pgtower: "+models.Clean(fmt.Sprintf(format, args...)))
}

func (p Process) say(format string, args ...any) error {
	_, err := fmt.Fprintln(p.Stdout, models.Clean(fmt.Sprintf(format, args...)))
	return err
}

// print prints aligned rows, or the report as JSON.
func (p Process) print(asJSON bool, report any, rows [][]string) error {
	if asJSON {
		e := json.NewEncoder(p.Stdout)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return e.Encode(report)
	}
	for _, row := range rows {
		for i := range row {
			row[i] = models.Clean(row[i])
		}
	}
	return format.Print(p.Stdout, format.Lines, "", rows, style.PrintedWidth)
}

// terminal returns the terminal on which a key command may prompt the user, or nil.
func (p Process) terminal() *os.File {
	if !term.IsTerminal(int(p.Stdin.Fd())) {
		return nil
	}
	return p.Stdin
}

type (
	// loader reads the settings of a command whose flags were parsed.
	loader func(*pflag.FlagSet, Process) error
	// runner is the work of a command.
	runner func(context.Context, Process) error
)

// withSettings completes a command, which then calls load and run.
func (p Process) withSettings(cmd *cobra.Command, load loader, run runner) *cobra.Command {
	if cmd.Args == nil {
		cmd.Args = noArgs
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return p.loadAndRun(cmd, load, run) }
	return cmd
}

// loadAndRun runs a command. The context of run ends at a signal. A second one ends the program even if a read or write is
// blocked. Signals that are ignored, as by nohup, stay ignored.
func (p Process) loadAndRun(cmd *cobra.Command, load loader, run runner) error {
	if err := load(cmd.Flags(), p); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(cmd.Context(), caught()...)
	defer stop()
	defer context.AfterFunc(ctx, stop)()
	err := run(ctx, p)
	if ctx.Err() != nil && !errors.Is(err, exit.ErrUnknown) {
		return exit.ErrInterrupted
	}
	return err
}

// caught returns the signals that end a command.
func caught() []os.Signal {
	signals := []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}
	return slices.DeleteFunc(signals, signal.Ignored)
}

// tellingAtTheEnd is how long a second signal waits for the notice of open changes. The output may be blocked.
const tellingAtTheEnd = time.Second

// atSecondSignal calls tell at a second signal, then lets the signal end the program. stop undoes it.
func atSecondSignal(tell func()) (stop func()) {
	signals, over := make(chan os.Signal, 2), make(chan struct{})
	signal.Notify(signals, caught()...)
	go endAtSecond(signals, over, tell)
	return func() { signal.Stop(signals); close(over) }
}

// endAtSecond ends the program by the second of the signals, until it is over.
func endAtSecond(signals <-chan os.Signal, over <-chan struct{}, tell func()) {
	for second := false; ; second = true {
		select {
		case sig := <-signals:
			if second {
				endBy(sig, tell)
			}
		case <-over:
			return
		}
	}
}

// endBy ends the program by a signal.
func endBy(sig os.Signal, tell func()) {
	waitAtMost(tellingAtTheEnd, tell)
	signal.Reset(sig)
	self, err := os.FindProcess(os.Getpid())
	if err == nil && self.Signal(sig) == nil {
		time.Sleep(tellingAtTheEnd) // the signal ends the process
	}
	os.Exit(int(exit.Interrupted))
}

func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	err := fmt.Errorf("unknown command %q for %s%s", args[0], cmd.CommandPath(), jsonForm(cmd, args[0]))
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		err = fmt.Errorf("%w; did you mean %s?", err, strings.Join(near, " or "))
	}
	return exit.NewUsageError(err)
}

// adviceOn returns advice on an error that ends a command, or "". After a rate limit it does not recommend a longer interval:
// the command no longer polls.
func adviceOn(err error) string {
	if models.KindOf(err) == models.KindRateLimited || models.RetryAfterOf(err) > 0 {
		return models.TryAgain(err)
	}
	var adviser interface{ Advice() string }
	if errors.As(err, &adviser) {
		return adviser.Advice()
	}
	return ""
}

// explain returns the reason of a failure, without the account, and advice.
func explain(err error) (why, advice string) {
	if e, ok := errors.AsType[*keystore.Error](err); ok {
		return e.Reason.Error(), strings.TrimSpace(e.Reason.Remedy() + " " + e.Advice())
	}
	return err.Error(), adviceOn(err)
}

// commandsOf returns all commands below a command.
func commandsOf(cmd *cobra.Command) (commands []*cobra.Command) {
	for _, command := range cmd.Commands() {
		commands = append(append(commands, command), commandsOf(command)...)
	}
	return commands
}
