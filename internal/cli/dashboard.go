package cli

import (
	"context"
	"errors"
	"os"
	"os/signal"
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
	// They make Bubble Tea write what is typed, keys included, to a file.
	for _, name := range []string{"TEA_TRACE", "TEA_DEBUG"} {
		_ = os.Unsetenv(name)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	o := ui.Options{
		BaseURL: s.base.String(), Host: s.base.Host,
		Project: s.project, Interval: s.interval, PageSize: s.pageSize, Budget: s.budget, Clock: clock,
	}
	if s.demo {
		o.Host = "demo"
		o.Gateway = &demo{seed: s.demoSeed, clock: clock, budget: s.budget}
	} else {
		g := &gateway{base: s.base, key: s.key, ring: keystore.New(keystore.Options{}), clock: clock, budget: s.budget}
		defer g.close()
		o.Gateway = g
	}
	options := []tea.ProgramOption{tea.WithContext(ctx), tea.WithInput(p.Stdin), tea.WithOutput(p.Stdout)}
	if p.Getenv("NO_COLOR") != "" {
		// Bubble Tea takes only values such as 1 and true; any value counts.
		options = append(options, tea.WithColorProfile(colorprofile.ASCII))
	}
	return run(tea.NewProgram(ui.New(ctx, o), options...))
}

func run(program *tea.Program) error {
	// Bubble Tea leaves SIGHUP alone, which would leave the terminal as it is.
	hangup := make(chan os.Signal, 1)
	signal.Notify(hangup, syscall.SIGHUP)
	defer signal.Stop(hangup)
	over := make(chan struct{})
	defer close(over)
	go func() {
		select {
		case <-hangup:
			program.Quit()
		case <-over:
		}
	}()
	_, err := program.Run()
	if errors.Is(err, tea.ErrInterrupted) {
		return errInterrupted
	}
	return err
}
