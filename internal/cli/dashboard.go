package cli

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"

	"pgtower/keystore"
	"pgtower/ui"
)

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
	o := ui.Options{
		Profile: accounts.all[0], Others: accounts.all[1:],
		Project: s.project, Budget: s.budget, Clock: clock, NoMouse: s.noMouse,
	}
	options := []tea.ProgramOption{
		tea.WithContext(ctx), tea.WithInput(p.Stdin), tea.WithOutput(p.Stdout), tea.WithoutSignalHandler(),
	}
	if p.Getenv("NO_COLOR") != "" {
		// Bubble Tea takes only values such as 1 and true; any value counts.
		options = append(options, tea.WithColorProfile(colorprofile.ASCII))
	}
	model := ui.New(ctx, o)
	err = run(tea.NewProgram(model, options...))
	for _, line := range model.Leave() {
		_, _ = fmt.Fprintln(p.Stderr, "pgtower: "+line)
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

// run runs the program, and ends it as q would when a signal says so: Bubble Tea itself
// leaves SIGHUP alone, and on SIGINT closes the input while it is still being read.
func run(program *tea.Program) error {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGHUP, syscall.SIGINT, syscall.SIGTERM)
	defer signal.Stop(signals)
	var interrupted atomic.Bool
	over := make(chan struct{})
	defer close(over)
	go func() {
		for {
			select {
			case sig := <-signals:
				interrupted.Store(sig == os.Interrupt)
				program.Quit()
			case <-over:
				return
			}
		}
	}()
	_, err := program.Run()
	if interrupted.Load() {
		return errInterrupted
	}
	return err
}
