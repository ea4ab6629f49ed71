package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"sync/atomic"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"pgtower/internal/crash"
	"pgtower/ui"
	"pgtower/ui/page"
)

const (
	framesPerSecond = 120 // Bubble Tea's maximum. By default, 60, a key takes 12 ms in the median, and not 6
	garbage         = 50  // Go's GC percentage: with 100,000 operations, half the default saves 20 of 97 MB at no cost
	maxSaid         = 160 // how much of what a panic says is repeated on the terminal, in bytes
)

// dashboard runs the terminal program until the user leaves it.
func (p Process) dashboard(ctx context.Context, f *pflag.FlagSet, s *settings) error {
	if err := s.resolve(f, p); err != nil {
		return err
	}
	if !term.IsTerminal(int(p.Stdin.Fd())) || !term.IsTerminal(int(p.Stdout.Fd())) {
		return usagef("the dashboard needs a terminal: run it without redirecting its input or output; for scripts " +
			"there are the commands operations, wait, projects and apikeys")
	}
	accounts, err := newAccounts(s, s.clock(p.Clock), p.Getenv)
	if err != nil {
		return err
	}
	// They make Bubble Tea write what is typed, keys included, to a file.
	_ = errors.Join(os.Unsetenv("TEA_TRACE"), os.Unsetenv("TEA_DEBUG"))
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var jobs jobControl
	suspend := jobs.suspension()
	programs := &programs{process: p, jobs: &jobs}
	filters := p.filterFile()
	if s.demo { // which leaves nothing behind
		filters = filterFile{}
	}
	root := &splash{ctx: ctx, spoken: s.accessible, suspend: suspend, begin: func() *ui.Model {
		if p.Getenv("GOGC") == "" {
			debug.SetGCPercent(garbage) // not earlier: a collection would delay the first frame
		}
		return ui.New(ctx, ui.Options{
			Profile: accounts.all[0], Others: accounts.all[1:],
			Clock: s.clock(p.Clock), Zone: time.Local,
			NoMouse: s.noMouse, Suspend: suspend, Filters: filters.load(), KeepFilter: filters.keep,
			Programs:   programs,
			Keys:       s.keyMap(), //nolint:contextcheck // No action of the catalogue is run.
			Accessible: s.accessible, ReduceMotion: s.reduceMotion,
			Config: s.uiConfig(),
		})
	}}
	var model tea.Model = root
	if p.Wrap != nil {
		model = p.Wrap(root)
	}
	var program *tea.Program
	// Cancelled, Bubble Tea would close the input while it is still being read.
	guard := &crash.Guard{End: func() { go program.Quit() }}
	program = tea.NewProgram(guard.Model(model), p.programOptions(ctx, &input{p.Stdin, cancel})...)
	err = jobs.run(program, guard)
	defer func() {
		cancel(nil)
		programs.close()
		accounts.close()
	}()
	if root.model != nil {
		guard.Do(func() {
			for _, line := range root.model.Leave() {
				_, _ = fmt.Fprintln(p.Stderr, "pgtower: "+line)
			}
		})
	}
	switch caught := guard.Caught(); {
	case caught != nil:
		return p.crashed(caught, accounts.redact)
	case errors.Is(context.Cause(ctx), errGone):
		return nil
	}
	return err
}

// errGone is why the program ends when its terminal was closed.
var errGone = errors.New("the terminal is gone")

// input is the terminal that keys come from. Bubble Tea takes its end for silence, and would poll unseen for ever.
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
		// Bubble Tea takes only values such as 1 and true; any value counts.
		options = append(options, tea.WithColorProfile(colorprofile.ASCII))
	case p.Stdout == os.Stdout:
		// Lip Gloss has asked already. Bubble Tea would ask again, inside tmux by a process.
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
		return fmt.Errorf("crashed: %s. Could not write a crash report: %w", r.What(maxSaid), err)
	}
	return fmt.Errorf("crashed: %s. The report, which has no keys in it, is %s: please send it to the "+
		"maintainers with what you did last. Nothing of the account was changed by this", r.What(maxSaid), path)
}

// splash is the root of the program: its name on the screen, and from the second frame on the dashboard. So the program
// is seen before anything is asked of keyring or network, however long that takes.
type splash struct {
	ctx     context.Context //nolint:containedctx // the program's lifetime
	spoken  bool            // nothing is drawn
	suspend tea.Cmd         // gives the terminal back to the shell; nil where there is no such thing
	begin   func() *ui.Model

	model *ui.Model // nil until the dashboard has begun
	early []tea.Msg
}

// Init begins the dashboard once the first frame is there. Begun with that frame, it would take the CPU from it.
func (s *splash) Init() tea.Cmd {
	return func() tea.Msg {
		page.After(s.ctx, 3*time.Second/framesPerSecond/2, nil)()
		return s.begin()
	}
}

// Update is the dashboard's once there is one, which then gets what came before it, such as the size of the screen.
func (s *splash) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
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

// View is the program's name where the dashboard has it too, or the dashboard.
func (s *splash) View() tea.View {
	if s.model != nil {
		return s.model.View()
	}
	if s.spoken {
		return tea.NewView("")
	}
	v := tea.NewView(" pgtower")
	v.AltScreen = true
	return v
}

// endWait is how long a signal has to end the program in good order, which a terminal that takes nothing more holds up.
// A later signal just ends it. Sooner would be too soon: several come at once when a session ends.
const endWait = 3 * time.Second

// jobControl is how signals end, stop and continue the program.
type jobControl struct {
	// stopping is set while the program has asked to be stopped, so that the signal to go on is the answer to that.
	stopping atomic.Bool
	// borrower is the program of the user that has the terminal, or nil.
	borrower atomic.Pointer[borrowing]
	ending   atomic.Bool
}

// end ends the program of the user that has the terminal, or will have it.
func (j *jobControl) end() {
	j.ending.Store(true)
	if borrower := j.borrower.Load(); borrower != nil {
		borrower.end()
	}
}

// run runs the program, and ends it as q would at a signal. Bubble Tea leaves SIGHUP alone, and on SIGINT closes the
// input while it is being read.
func (j *jobControl) run(program *tea.Program, guard *crash.Guard) error {
	signals := make(chan os.Signal, 8) // a signal for which there is no room is lost
	signal.Notify(signals, append(jobSignals(), syscall.SIGHUP, syscall.SIGINT, syscall.SIGTERM)...)
	// They are caught until the process ends: what is left to do then, such as taking a secret off the clipboard, must
	// not be cut off by ctrl+c that is still held.
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
				// The terminal sends its signals to the program that has it, too.
				if borrower != nil && !ends || borrower == nil && j.took(sig, program) {
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
		// Where Bubble Tea itself was left by the panic, the terminal is not back yet.
		program.Kill()
	}
	if interrupted.Load() {
		return errInterrupted
	}
	return err
}
