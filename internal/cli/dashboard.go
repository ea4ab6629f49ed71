package cli

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"runtime/debug"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"

	"pgtower/internal/crash"
	"pgtower/keystore"
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

// dashboard runs the terminal program until the person leaves it.
func (p Process) dashboard(ctx context.Context, s settings) error {
	if !term.IsTerminal(p.Stdin.Fd()) || !term.IsTerminal(p.Stdout.Fd()) {
		return usagef("the dashboard needs a terminal: run it without redirecting its input or output")
	}
	clock, err := s.clock(p.Clock)
	if err != nil {
		return err
	}
	// The key of the environment was read, and is not for the programs that pgtower
	// starts. The others make Bubble Tea write what is typed, keys included, to a file.
	getenv := p.keysOfEnvironment()
	for _, name := range []string{keystore.EnvKey, keystore.EnvLiveKey, "TEA_TRACE", "TEA_DEBUG"} {
		_ = os.Unsetenv(name)
	}
	closeLog, err := s.wire.open()
	if err != nil {
		return err
	}
	defer closeLog()
	if p.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbage)
	}
	// The standard library logs what a server sends unasked. The screen is no place for it.
	log.SetOutput(io.Discard)
	ctx, cancel := context.WithCancel(ctx)
	accounts, err := newAccounts(&s, clock, getenv)
	if err != nil {
		cancel()
		return err
	}
	defer accounts.close()
	defer cancel()
	jobs := newJobs()
	o := ui.Options{
		Profile: accounts.all[0], Others: accounts.all[1:],
		Project: s.project, Budget: s.budget, Clock: clock, NoMouse: s.noMouse, Suspend: jobs.suspension(),
		Frame: time.Second / framesPerSecond, Keys: s.keyMap(),
		Accessible: s.accessible, Still: s.still,
	}
	input := newInput(p.Stdin, cancel)
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
	model := ui.New(ctx, o)
	var program *tea.Program
	// Cancelled, Bubble Tea would close the input while it is still being read.
	guard := crash.NewGuard(func() { go program.Quit() })
	program = tea.NewProgram(guard.Model(p.withTrap(model)), options...)
	err = jobs.run(program, guard)
	guard.Do(func() {
		for _, line := range model.Leave() {
			_, _ = fmt.Fprintln(p.Stderr, "pgtower: "+line)
		}
	})
	switch caught := guard.Caught(); {
	case caught != nil:
		return p.crashed(caught, accounts.redact)
	case input.isGone():
		return nil
	}
	return err
}

// keysOfEnvironment reads the API keys of the environment once, for the time after they
// are taken out of it.
func (p Process) keysOfEnvironment() func(string) string {
	keys := map[string]string{}
	for _, name := range []string{keystore.EnvKey, keystore.EnvLiveKey} {
		keys[name] = p.Getenv(name)
	}
	return func(name string) string { return keys[name] }
}
