package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"pgtower/internal/cli/exit"
	"pgtower/internal/crash"
	"pgtower/internal/files"
	"pgtower/ui"
	"pgtower/ui/page"
)

const maxPanic = 160 // bytes of a panic's message that are printed

// dashboard runs the terminal program until the user leaves it.
func (p Process) dashboard(ctx context.Context, f *pflag.FlagSet, s *setup) error {
	if err := s.resolve(f, p); err != nil {
		return err
	}
	if err := p.checkTerminal(); err != nil {
		return err
	}
	accounts, err := newAccounts(s, s.clock(p.Clock), p.LookupEnv)
	if err != nil {
		return err
	}
	// With these variables Bubble Tea writes all input to a file, API keys included.
	_ = errors.Join(os.Unsetenv("TEA_TRACE"), os.Unsetenv("TEA_DEBUG"))
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var jobs jobControl
	suspend := jobs.suspension()
	programs := &programs{process: p, redact: accounts.redact, jobs: &jobs}
	root := &splash{spoken: s.Accessible, suspend: suspend, begin: func() *ui.Model {
		return ui.New(ctx, s.uiOptions(accounts, programs, suspend)) //nolint:contextcheck // No action of the catalogue is run.
	}}
	var model tea.Model = root
	if p.Wrap != nil {
		model = p.Wrap(root)
	}
	var program *tea.Program
	// Quit, not cancel: on cancellation Bubble Tea would close the input while it is being read.
	guard := &crash.Guard{End: func() { go program.Quit() }}
	replied := &replies{clock: p.Clock, asked: p.Clock()}
	program = tea.NewProgram(guard.Model(model), p.programOptions(ctx, &input{p.Stdin, cancel, replied})...)
	err = jobs.run(program, guard)
	if !errors.Is(context.Cause(ctx), errGone) {
		replied.readAway(p.Stdin)
	}
	if !s.NoBell {
		_, _ = io.WriteString(p.Stdout, ui.StatusAtEnd()) // nothing can be done if the terminal is gone
	}
	defer accounts.close()
	defer programs.close()
	defer cancel(nil)
	if root.model != nil {
		guard.Do(func() { p.leave(context.WithoutCancel(ctx), root.model) })
	}
	switch caught := guard.Caught(); {
	case caught != nil:
		return p.crashed(caught, accounts.redact)
	case errors.Is(context.Cause(ctx), errGone):
		return nil
	}
	return err
}

// checkTerminal returns why the dashboard cannot be shown, or nil.
func (p Process) checkTerminal() error {
	if !term.IsTerminal(int(p.Stdin.Fd())) || !term.IsTerminal(int(p.Stdout.Fd())) {
		return exit.Usagef("the dashboard needs a terminal: run it without redirecting its input or output; for scripts " +
			"there are the commands operations, wait, projects and apikeys")
	}
	if p.Getenv("TERM") == "dumb" {
		return exit.Usagef("TERM is dumb, so the terminal cannot show the dashboard: set TERM to its type, such as " +
			"xterm-256color, or use the commands operations, wait, projects and apikeys")
	}
	return nil
}

// uiOptions returns the options of the dashboard.
func (s *setup) uiOptions(accounts *accounts, programs *programs, suspend tea.Cmd) ui.Options {
	p := programs.process
	options := ui.Options{
		Profile: accounts.profiles[0], Others: accounts.profiles[1:],
		Clock: s.clock(p.Clock), Steady: p.Steady, Zone: time.Local,
		NoMouse: s.NoMouse, NoBell: s.NoBell, Suspend: suspend,
		KeepFilter: s.memory.saveFilter,
		Programs:   programs, Files: files.User{},
		Keys:       s.keyMap(),
		Accessible: s.Accessible, ReduceMotion: s.ReduceMotion,
		Config: s.uiConfig(),
	}
	if !s.demo {
		options.Filters = s.memory.filters()
	}
	return options
}

// leave prints the notices about changes that are still open.
func (p Process) leave(ctx context.Context, model *ui.Model) {
	for _, line := range model.Leave(ctx) {
		p.warn("%s", line)
	}
}

// errGone is the cause of the end when the terminal was closed.
var errGone = errors.New("the terminal is gone")

// input is the terminal. At its end it ends the program: Bubble Tea would keep it running without a screen.
type input struct {
	*os.File

	leave   context.CancelCauseFunc
	replied *replies
}

func (i *input) Read(b []byte) (n int, err error) {
	n, err = i.File.Read(b)
	i.replied.read(b[:n])
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
	if p.Getenv("NO_COLOR") != "" {
		// Any value counts; Bubble Tea takes only those such as 1 and true.
		options = append(options, tea.WithColorProfile(colorprofile.ASCII))
	}
	return options
}

func (p Process) crashed(caught *page.Panic, redact func(string) string) error {
	b := thisBuild()
	size := "unknown"
	if columns, lines, err := term.GetSize(int(p.Stdout.Fd())); err == nil {
		size = fmt.Sprintf("%d×%d", columns, lines)
	}
	r := &crash.Report{
		Panic: caught, At: p.Clock(), Redact: redact,
		Facts: [][2]string{
			{"version", b.Version},
			{"commit", b.Commit},
			{"go", b.Go},
			{"platform", b.Platform},
			{"terminal", size},
			{"TERM", p.Getenv("TERM")},
		},
	}
	folder := ""
	if cache, err := p.CacheDir(); err == nil {
		folder = filepath.Join(cache, "pgtower")
	}
	path, err := r.Write(folder)
	if err != nil {
		return fmt.Errorf("crashed: %s. Could not write a crash report: %w", r.What(maxPanic), err)
	}
	return fmt.Errorf("crashed: %s. The report, which has no keys in it, is %s: please send it to the "+
		"maintainers with what you did last. The crash changed nothing in the account", r.What(maxPanic), path)
}
