package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"pgtower/internal/crash"
	"pgtower/ui"
)

// framesPerSecond is how often Bubble Tea looks whether there is something new to write,
// at most. A key waits half of the time between two looks for its answer, and the first
// screen a whole one: at 60, Bubble Tea's default, a key takes 12 ms in the median and at
// 120, its maximum, 6 ms. The price is the looking: 1.6 % of a core in place of 1.0 %.
const framesPerSecond = 120

// garbage is how much garbage may gather before it is collected, in percent of what is in
// use: half of what Go allows by itself. A dashboard is left open all day, and what it
// does between two collections is little: with 100,000 operations it holds 77 MB in place
// of 97, and a key costs the same.
const garbage = 50

// dashboard runs the terminal program until the user leaves it.
func (p Process) dashboard(ctx context.Context, f *pflag.FlagSet, s *settings) error {
	if !term.IsTerminal(int(p.Stdin.Fd())) || !term.IsTerminal(int(p.Stdout.Fd())) {
		if err := s.resolve(f, p); err != nil {
			return err
		}
		return usagef("the dashboard needs a terminal: run it without redirecting its input or output")
	}
	if err := s.checkGiven(f, p); err != nil {
		return err
	}
	// They make Bubble Tea write what is typed, keys included, to a file.
	for _, name := range []string{"TEA_TRACE", "TEA_DEBUG"} {
		_ = os.Unsetenv(name)
	}
	if p.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbage)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var jobs jobControl
	suspend := jobs.suspension()
	root := &splash{ctx: ctx, spoken: s.accessible, suspend: suspend, begin: func() (*session, error) {
		return p.begin(ctx, f, s, suspend)
	}}
	var model tea.Model = root
	if p.Wrap != nil {
		model = p.Wrap(root)
	}
	var program *tea.Program
	// Cancelled, Bubble Tea would close the input while it is still being read.
	guard := crash.NewGuard(func() { go program.Quit() })
	program = tea.NewProgram(guard.Model(model), p.programOptions(ctx, &input{p.Stdin, cancel})...)
	err := jobs.run(program, guard)
	redact := func(text string) string { return redactKeys(text, p.Getenv) }
	if begun := root.session; begun != nil {
		redact = begun.accounts.redact
		defer func() {
			cancel(nil)
			begun.accounts.close()
			begun.closeLog()
		}()
		guard.Do(func() {
			for _, line := range begun.model.Leave() {
				_, _ = fmt.Fprintln(p.Stderr, "pgtower: "+line)
			}
		})
	}
	switch caught := guard.Caught(); {
	case caught != nil:
		return p.crashed(caught, redact)
	case root.err != nil:
		return root.err
	case errors.Is(context.Cause(ctx), errGone):
		return nil
	}
	return err
}

// errGone is why the program ends when its terminal was closed.
var errGone = errors.New("the terminal is gone")

// input is the terminal that keys come from. Bubble Tea takes its end for silence: where the
// terminal was closed without a signal for the program, that would go on unseen, and poll for ever.
type input struct {
	*os.File

	leave context.CancelCauseFunc
}

// Read reads keys.
func (i *input) Read(b []byte) (n int, err error) {
	n, err = i.File.Read(b)
	if err != nil {
		i.leave(errGone)
	}
	return n, err
}

func (p Process) programOptions(ctx context.Context, input io.Reader) []tea.ProgramOption {
	options := []tea.ProgramOption{
		tea.WithContext(ctx), tea.WithInput(input), tea.WithOutput(p.Stdout),
		tea.WithoutSignalHandler(), tea.WithoutCatchPanics(), tea.WithFPS(framesPerSecond),
	}
	switch {
	case p.Getenv("NO_COLOR") != "":
		// Bubble Tea takes only values such as 1 and true; any value counts.
		options = append(options, tea.WithColorProfile(colorprofile.ASCII))
	case p.Stdout == os.Stdout:
		// Lip Gloss has already asked what colours there are, which inside tmux takes a
		// process. Bubble Tea would ask again before the first frame.
		options = append(options, tea.WithColorProfile(lipgloss.Writer.Profile))
	}
	return options
}

// session is a dashboard that has begun, with what ends with it.
type session struct {
	model    *ui.Model
	accounts *accounts
	closeLog func()
}

// begin makes the dashboard as the flags, the environment and the configuration file have
// it.
func (p Process) begin(ctx context.Context, f *pflag.FlagSet, s *settings, suspend tea.Cmd) (*session, error) {
	if err := s.resolve(f, p); err != nil {
		return nil, err
	}
	clock, err := s.clock(p.Clock)
	if err != nil {
		return nil, err
	}
	closeLog, err := s.transport.open()
	if err != nil {
		return nil, err
	}
	accounts, err := newAccounts(s, clock, p.Getenv)
	if err != nil {
		closeLog()
		return nil, err
	}
	model := ui.New(ctx, ui.Options{
		Profile: accounts.all[0], Others: accounts.all[1:],
		Project: s.project, Budget: s.budget, Clock: clock, Zone: time.Local, NoMouse: s.noMouse, Suspend: suspend,
		Keys:       s.keyMap(), //nolint:contextcheck // No action of the catalogue is run.
		Accessible: s.accessible, Still: s.reduceMotion,
	})
	return &session{model, accounts, closeLog}, nil
}
