package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pgtower/client/mock"
	"pgtower/client/mock/sim"
	"pgtower/internal/cli/exit"
	"pgtower/models"
)

const (
	mockGrace   = 10 * time.Second       // for the requests in flight when the mock is stopped
	mockNotice  = 200 * time.Millisecond // before it says that it waits for them: most end sooner
	logToStderr = "stderr"               // the value of --log without a file
)

// mockFlags are the flags of pgtower mock.
type mockFlags struct {
	options                         mock.Options
	latency, listen, log, rateLimit string
	control                         bool
	faults, incidents               []string
	json                            bool
}

func (p Process) mockCommand() *cobra.Command {
	var flags mockFlags
	cmd := &cobra.Command{
		Use:   "mock",
		Short: "Serve the built-in mock of the control API",
		Long: "mock serves the control API of Neon, as far as pgtower uses it, from a\n" +
			"simulation, for demos and for testing any client of this API offline. It prints\n" +
			"its base URL and an API key that it accepts. On an interrupt it finishes the\n" +
			"requests in flight and stops.\n\n" +
			"The same seed gives the same projects, operations and keys, and with --start and\n" +
			"--speed 0 the same bytes on every run. While it runs, it is controlled over\n" +
			"HTTP: GET " + mock.ControlPath + "/ beside the API says how, and what a fault is.",
		Example: "  pgtower mock\n  pgtower mock --listen 127.0.0.1:0 --json --log=requests.jsonl\n" +
			"  pgtower mock --start 2026-11-21T12:00:00Z --speed 0",
		Args: flags.checkArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return p.serveMock(cmd.Context(), cmd.Flags(), &flags) },
	}
	flags.add(cmd.Flags())
	return cmd
}

// checkArgs refuses arguments. An argument after --log may be meant as its file.
func (m *mockFlags) checkArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 1 && m.log == logToStderr {
		return exit.Usagef("unknown command %q for %s; to log to this file, write --log=%[1]s", args[0], cmd.CommandPath())
	}
	return noArgs(cmd, args)
}

func (m *mockFlags) add(f *pflag.FlagSet) {
	f.StringVar(&m.listen, "listen", "127.0.0.1:8787", "host:port; port 0 takes any free one, no host is 127.0.0.1")
	f.BoolVar(&m.json, "json", false, "print base_url, api_key and the rest as one line of JSON")
	f.StringVar(&m.log, "log", "", "write a line of JSON for each request to stderr or, with --log=FILE, to `FILE`")
	f.Lookup("log").NoOptDefVal = logToStderr
	o := &m.options
	f.StringVar(&o.APIKey, "api-key", "",
		"personal API key accepted from the start ("+envMockKey+"); generated from the seed if empty")
	f.Uint64Var(&o.Seed, "seed", 7, "seed of the simulation")
	f.IntVar(&o.Projects, "projects", sim.DefaultProjects, "number of projects")
	f.IntVar(&o.Operations, "operations", sim.DefaultOperations, "past operations of the busiest project")
	f.BoolVar(&o.Live, "live", false, "add the live service's fields, statuses and actions beyond the specification")
	f.IntVar(&o.Organizations, "organizations", 0,
		"organizations of the account, with keys of every kind; from 1 on includes --live")
	f.BoolVar(&o.Microseconds, "microseconds", false,
		"add microseconds to the times of operations, and list them in that order; without it, several share a second")
	f.BoolVar(&m.control, "control", true,
		"the control surface at "+mock.ControlPath+", which needs no key; beyond loopback it has to be asked for")
	f.TimeVar(&o.Start, "start", time.Time{}, []string{time.RFC3339Nano},
		"simulated time to start at, such as 2026-11-21T12:00:00Z; now if not given")
	o.Speed = new(float64)
	f.Float64Var(o.Speed, "speed", 1, "speed of simulated time in seconds per second; 0 stops it")
	f.StringVar(&m.latency, "latency", "", "delay of every response, such as 100ms or 100ms±50ms")
	f.StringVar(&m.rateLimit, "rate-limit", "",
		"requests a second, minute or hour (700/m), of which 40 may come at once; 429 beyond")
	f.StringArrayVar(&m.faults, "fault", nil,
		"fault to inject, such as '429 of list_operations p=0.1 retry-after=2'; repeatable")
	f.StringArrayVar(&m.incidents, "incident", nil,
		"why operations fail, such as 'region=aws-us-west-2 from=-10m for=30m p=0.7', or demo for three; repeatable")
}

func (m *mockFlags) server(p Process, f *pflag.FlagSet) (*mock.Server, error) {
	o := m.options
	o.APIKey = cmp.Or(o.APIKey, p.Getenv(envMockKey))
	if o.APIKey != "" {
		if err := models.NewSecret(o.APIKey).Check(); err != nil {
			return nil, exit.Usagef("--api-key: %w", err)
		}
	}
	if o.Projects < 0 || o.Operations < 0 {
		return nil, exit.Usagef("--projects and --operations cannot be negative")
	}
	// mock.New takes 0 for the default.
	o.Projects, o.Operations = cmp.Or(o.Projects, -1), cmp.Or(o.Operations, -1)
	o.Clock = p.Clock
	for _, text := range m.incidents {
		if text == "demo" {
			o.DemoIncidents = true
			continue
		}
		incident, err := sim.ParseIncident(text)
		if err != nil {
			return nil, exit.Usagef("--incident: %w", err)
		}
		o.Incidents = append(o.Incidents, incident)
	}
	server, err := mock.New(o)
	if err != nil {
		return nil, exit.NewUsageError(err)
	}
	server.Control, server.PublicControl = m.control, m.control && f.Changed("control")
	if err := server.LimitRequests(m.rateLimit); err != nil {
		return nil, exit.Usagef("--rate-limit: %w", err)
	}
	faults := m.faults
	if f.Changed("latency") {
		faults = append([]string{"latency=" + strconv.Quote(m.latency)}, faults...)
	}
	for _, text := range faults {
		if _, err := server.Inject(text); err != nil {
			return nil, exit.NewUsageError(err)
		}
	}
	return server, nil
}

// serveMock serves a mock until a signal stops it.
func (p Process) serveMock(ctx context.Context, f *pflag.FlagSet, m *mockFlags) error {
	server, err := m.server(p, f)
	if err != nil {
		return err
	}
	requests, err := p.mockLog(m.log)
	if err != nil {
		return err
	}
	server.LogRequests(requests, p.Clock)
	// There is room for two, so that a second one is not lost. They are caught until the process ends, so that a third one
	// does not change its exit code.
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	l, err := mock.Listen(ctx, server, mock.ListenOptions{
		Addr: m.listen, Grace: mockGrace, Log: log.New(p.Stderr, "", 0),
	})
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return exit.Usagef("--listen: %s is already in use: choose another port, or port 0", m.listen)
	case err != nil:
		return exit.Usagef("--listen: %w; write it as host:port, such as 127.0.0.1:8787, or with port 0 for any that is free", err)
	}
	if err := p.announce(l, m, server); err != nil {
		_ = l.Close() // it has no users
		return err
	}
	return p.waitForMock(l, signals, stop)
}

// announce prints the address and the key, and warns if others can reach the mock.
func (p Process) announce(l *mock.Listener, m *mockFlags, server *mock.Server) error {
	if l.Public() {
		surface := ""
		if server.PublicControl {
			surface = ", and control it by " + mock.ControlPath + ", which needs no key"
		}
		_, _ = fmt.Fprintf(p.Stderr, "warning: anyone on the network can reach this mock at %s%s. "+
			"With --listen 127.0.0.1:PORT only this machine can.\n", l.Addr(), surface)
	}
	if m.json {
		entries := map[string]any{
			"base_url": l.BaseURL(), "api_key": server.APIKey(), "listen": l.Addr(),
			"pid": os.Getpid(), "seed": m.options.Seed, "live": server.Live(), "version": version(),
		}
		if busiest := server.BusiestProject(); busiest != "" {
			entries["busiest_project"] = busiest
		}
		if orgs := server.OrgKeys(); len(orgs) > 0 {
			entries["organizations"] = orgs
		}
		return json.NewEncoder(p.Stdout).Encode(entries)
	}
	out := &strings.Builder{}
	fmt.Fprintf(out, "base URL  %s\nAPI key   %s\n", l.BaseURL(), server.APIKey())
	for _, o := range server.OrgKeys() {
		fmt.Fprintf(out, "\norganization  %s (%s)\nAPI key       %s\n", o.OrgID, o.Name, o.APIKey)
		if o.ProjectID != "" {
			fmt.Fprintf(out, "one project   %s\nAPI key       %s\n", o.ProjectID, o.ProjectAPIKey)
		}
	}
	_, err := fmt.Fprint(p.Stdout, out)
	return err
}

// waitForMock waits until the mock has stopped. After the first signal it finishes the requests in flight, after the second one
// it does not.
func (p Process) waitForMock(l *mock.Listener, signals <-chan os.Signal, stop func()) error {
	ended := make(chan error, 1)
	go func() { ended <- l.Wait() }()
	var notice <-chan time.Time
	for {
		select {
		case err := <-ended:
			return err
		case <-signals:
			if notice != nil {
				return exit.ErrInterrupted
			}
			notice = time.After(mockNotice)
			stop()
		case <-notice:
			_, _ = fmt.Fprintln(p.Stderr, "finishing requests in flight; interrupt again to stop now")
		}
	}
}

// mockLog returns the handler for the log of requests, nil for no log.
func (p Process) mockLog(target string) (slog.Handler, error) {
	switch target {
	case "":
		return nil, nil
	case logToStderr:
		return newLog(p.Stderr), nil
	}
	return openLogFlag(target)
}
