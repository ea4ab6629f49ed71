package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"pgtower/internal/cli/exit"
	"pgtower/internal/crash"
	"pgtower/ui"
	"pgtower/ui/page"
)

const (
	framesPerSecond = 120 // Bubble Tea's maximum. At its default of 60, a key takes 12 ms instead of 6
	maxPanic        = 160 // bytes of a panic's message that are printed
)

// dashboard runs the terminal program until the user leaves it.
func (p Process) dashboard(ctx context.Context, f *pflag.FlagSet, s *settings) error {
	if err := s.resolve(f, p); err != nil { //nolint:contextcheck // No action of the catalogue is run.
		return err
	}
	if !term.IsTerminal(int(p.Stdin.Fd())) || !term.IsTerminal(int(p.Stdout.Fd())) {
		return exit.Usagef("the dashboard needs a terminal: run it without redirecting its input or output; for scripts " +
			"there are the commands operations, wait, projects and apikeys")
	}
	if p.Getenv("TERM") == "dumb" {
		return exit.Usagef("TERM is dumb, so the terminal cannot show the dashboard: set TERM to its type, such as " +
			"xterm-256color, or use the commands operations, wait, projects and apikeys")
	}
	accounts, err := newAccounts(s, s.clock(p.Clock), p.Getenv, nil)
	if err != nil {
		return err
	}
	// They make Bubble Tea write all input to a file, API keys included.
	_ = errors.Join(os.Unsetenv("TEA_TRACE"), os.Unsetenv("TEA_DEBUG"))
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var jobs jobControl
	suspend := jobs.suspension()
	configuration := &reloader{process: p, flags: f, settings: s, accounts: accounts}
	programs := &programs{process: p, redact: configuration.redact, jobs: &jobs}
	var filters [page.Count][]string
	if !s.demo {
		filters = s.memory.filters()
	}
	root := &splash{spoken: s.accessible, suspend: suspend, begin: func() *ui.Model {
		return ui.New(ctx, ui.Options{
			Profile: accounts.all[0], Others: accounts.all[1:],
			Clock: s.clock(p.Clock), Zone: time.Local,
			NoMouse: s.noMouse, NoBell: s.noBell, Suspend: suspend, Filters: filters, KeepFilter: s.memory.saveFilter,
			Programs:   programs,
			Keys:       s.keyMap(), //nolint:contextcheck // No action of the catalogue is run.
			Accessible: s.accessible, ReduceMotion: s.reduceMotion,
			Config: s.uiConfig(), Reload: configuration.reload,
		})
	}}
	var model tea.Model = root
	if p.Wrap != nil {
		model = p.Wrap(root)
	}
	var program *tea.Program
	// Quit, not cancel: on cancellation Bubble Tea would close the input while it is being read.
	guard := &crash.Guard{End: func() { go program.Quit() }}
	program = tea.NewProgram(guard.Model(model), p.programOptions(ctx, &input{p.Stdin, cancel})...)
	err = jobs.run(program, guard)
	if !s.noBell {
		_, _ = io.WriteString(p.Stdout, ui.StatusAtEnd()) // nothing can be done if the terminal is gone
	}
	defer func() {
		cancel(nil)
		programs.close()
		configuration.close()
	}()
	if root.model != nil {
		guard.Do(func() {
			for _, line := range root.model.Leave(context.WithoutCancel(ctx)) {
				p.warn("%s", line)
			}
		})
	}
	switch caught := guard.Caught(); {
	case caught != nil:
		return p.crashed(caught, configuration.redact)
	case errors.Is(context.Cause(ctx), errGone):
		return nil
	}
	return err
}

// errGone is the cause of the end when the terminal was closed.
var errGone = errors.New("the terminal is gone")

// input is the terminal. At its end it ends the program: Bubble Tea would keep it running without a screen.
type input struct {
	*os.File

	leave context.CancelCauseFunc
}

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
		// Any value counts; Bubble Tea takes only those such as 1 and true.
		options = append(options, tea.WithColorProfile(colorprofile.ASCII))
	case p.Stdout == os.Stdout:
		// Lip Gloss has detected it already. Bubble Tea would do it again, inside tmux by a process.
		options = append(options, tea.WithColorProfile(lipgloss.Writer.Profile))
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

// splash is the root model: the program's name, and from the second frame on the dashboard. The dashboard begins behind
// the first frame, which is small and so comes soon, however long keyring and network take.
type splash struct {
	spoken  bool    // accessible mode: nothing is drawn
	suspend tea.Cmd // nil if the program cannot be suspended
	begin   func() *ui.Model

	model *ui.Model // nil until the dashboard has begun
	early []tea.Msg // for the dashboard
	drawn bool      // the first frame
}

// firstFrame is the message that the first frame was drawn.
type firstFrame struct{}

// Init starts the dashboard.
func (s *splash) Init() tea.Cmd {
	start := func() tea.Msg { return s.begin() }
	drawn := func(time.Time) tea.Msg { return firstFrame{} }
	return tea.Batch(start, tea.Tick(3*time.Second/framesPerSecond/2, drawn))
}

// Update passes messages to the dashboard, at its start also the earlier ones, such as the size of the screen.
func (s *splash) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, ok := msg.(firstFrame); ok {
		s.drawn = true
		return s, nil
	}
	if s.model != nil {
		_, cmd := s.model.Update(msg)
		return s, cmd
	}
	switch msg := msg.(type) {
	case *ui.Model:
		s.model = msg
		cmds := []tea.Cmd{s.model.Init()}
		for _, msg := range s.early {
			_, cmd := s.model.Update(msg)
			cmds = append(cmds, cmd)
		}
		s.early = nil
		return s, tea.Batch(cmds...)
	case tea.KeyPressMsg:
		switch {
		case msg.String() == "ctrl+c":
			return s, tea.Quit
		case msg.String() == "ctrl+z" && s.suspend != nil:
			return s, s.suspend
		}
	}
	s.early = append(s.early, msg)
	return s, nil
}

// View returns the dashboard's view, before it the program's name at the place where the dashboard shows it.
func (s *splash) View() tea.View {
	if s.model != nil && (s.drawn || s.spoken) {
		return s.model.View()
	}
	if s.spoken {
		return tea.NewView("")
	}
	v := tea.NewView(" pgtower")
	v.AltScreen = true
	return v
}

// endWait is how long the program has to end in order after a signal, as the terminal may be blocked. After that,
// another signal kills it; not sooner, as several signals come together when a session ends.
const endWait = 3 * time.Second

// jobControl ends, stops and continues the program at signals.
type jobControl struct {
	stopping atomic.Bool               // the program stopped itself: it expects SIGCONT
	borrower atomic.Pointer[borrowing] // the user's program that has the terminal, or nil
	ending   atomic.Bool
}

// end ends the user's program that has the terminal, or is about to have it.
func (j *jobControl) end() {
	j.ending.Store(true)
	if borrower := j.borrower.Load(); borrower != nil {
		borrower.end()
	}
}

// run runs the program. A signal ends it as q does: Bubble Tea ignores SIGHUP, on SIGINT closes the input while it is
// being read, and Go would end at SIGQUIT at once, with the terminal and the clipboard as they are.
func (j *jobControl) run(program *tea.Program, guard *crash.Guard) error {
	signals := make(chan os.Signal, 8) // a signal without room is lost
	signal.Notify(signals, append(jobSignals(), syscall.SIGHUP, syscall.SIGINT, syscall.SIGTERM, syscall.SIGQUIT)...)
	// They are caught until the process ends: a repeated ctrl+c must not interrupt the cleanup, such as of the clipboard.
	var interrupted atomic.Bool
	over := make(chan struct{})
	defer close(over)
	go func() {
		defer guard.Catch()
		for {
			select {
			case sig := <-signals:
				borrower := j.borrower.Load()
				ends := sig == syscall.SIGHUP || sig == syscall.SIGTERM
				// A program that has the terminal gets the signals of the terminal itself.
				if borrower != nil && !ends || borrower == nil && j.handled(sig, program) {
					continue
				}
				j.end()
				interrupted.Store(sig == os.Interrupt)
				defer time.AfterFunc(endWait, func() { signal.Stop(signals) }).Stop()
				program.Quit()
				<-over
				return
			case <-over:
				return
			}
		}
	}()
	var err error
	guard.Do(func() { _, err = program.Run() })
	if guard.Caught() != nil {
		// If the panic came through Bubble Tea itself, the terminal is not restored yet.
		program.Kill()
	}
	if interrupted.Load() {
		return exit.ErrInterrupted
	}
	return err
}
