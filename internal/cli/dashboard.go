package cli

import (
	"context"
	"fmt"
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
	// The first two make Bubble Tea write what is typed, keys included, to a file. The
	// last one was read, and is not for the programs that pgtower starts.
	for _, name := range []string{"TEA_TRACE", "TEA_DEBUG", envKey} {
		_ = os.Unsetenv(name)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	o := ui.Options{
		Profile: ui.Profile{Name: defaultProfile, BaseURL: s.base.String(), Host: s.base.Host, Interval: s.interval, PageSize: s.pageSize},
		Project: s.project, Budget: s.budget, Clock: clock,
	}
	dial := dialer{base: s.base.String(), clock: clock, budget: s.budget, readOnly: s.readOnly}
	if s.demo {
		o.Name, o.Host, o.Demo = "demo", "demo", true
		o.Gateway = &demo{dial: dial, seed: s.demoSeed}
	} else {
		g := &gateway{dial: dial, base: s.base, key: s.key, ring: keystore.New(keystore.Options{})}
		defer g.close()
		o.Gateway = g
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
