package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pgtower/client/mock"
)

// mockGrace is how long a stopped mock goes on with what is being answered; a second
// signal ends it at once.
const mockGrace = 10 * time.Second

// mockNotice is how long a stopped mock waits before it says what it waits for: most
// answers are on their way already.
const mockNotice = 200 * time.Millisecond

// logToStderr is what --log without a file stands for.
const logToStderr = "stderr"

// mockServing is where the mock listens, and what it says of itself.
type mockServing struct {
	listen string
	json   bool
	log    string
	// publicControl serves the control surface to other machines, too.
	publicControl bool
}

func (m *mockServing) addFlags(f *pflag.FlagSet) {
	f.StringVar(&m.listen, "listen", "127.0.0.1:8787", "host:port; port 0 takes any free one, no host is 127.0.0.1")
	f.BoolVar(&m.json, "json", false, "print base_url, api_key and the rest as one line of JSON")
	f.StringVar(&m.log, "log", "", "write a line of JSON for each request to stderr or, with --log=FILE, to `FILE`")
	f.Lookup("log").NoOptDefVal = logToStderr
}

// checkArgs refuses arguments, and explains --log=FILE where one may be meant.
func (m *mockServing) checkArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 1 && m.log == logToStderr {
		return usagef("%q is not a command of %s: to log to a file of that name write --log=%[1]s", args[0], cmd.CommandPath())
	}
	return noArgs(cmd, args)
}

// announcement is what --json prints: what a program needs to use the mock.
type announcement struct {
	BaseURL string `json:"base_url"`
	APIKey  string `json:"api_key"`
	Listen  string `json:"listen"`
	Seed    uint64 `json:"seed"`
	Live    bool   `json:"live"`
	// BusiestProject is absent where there are no projects.
	BusiestProject string `json:"busiest_project,omitempty"`
	PID            int    `json:"pid"`
	Version        string `json:"version"`
}

// serveMock serves until a signal says to stop.
func (p Process) serveMock(ctx context.Context, m mockServing, server *mock.Server, o mock.Options) error {
	log, closeLog, err := p.mockLog(m.log)
	if err != nil {
		return err
	}
	defer closeLog()
	// Two are kept, so that the second is seen however fast it follows. They are caught until the process ends: a third
	// must not kill it while it returns its exit code.
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	l, err := p.listenMock(ctx, m, server, log)
	if err != nil {
		return err
	}
	if l.Public() {
		_, _ = fmt.Fprintln(p.Stderr, publicWarning(l.Addr(), o.Control, m.publicControl))
	}
	a := announcement{
		BaseURL: l.BaseURL(), APIKey: server.APIKey(), Listen: l.Addr(), Seed: o.Seed, Live: o.Live,
		BusiestProject: server.BusiestProject(), PID: os.Getpid(), Version: version(),
	}
	if err := p.announce(a, keyWords(server), m.json); err != nil {
		_ = l.Close() // Nobody knows of it.
		return err
	}
	return p.waitForMock(l, signals, stop)
}

// publicWarning is what is said of a mock that other machines reach.
func publicWarning(addr string, control, publicControl bool) string {
	reach, surface := "reach", ""
	switch {
	case publicControl:
		reach = "reach and, as " + mock.ControlPath + " needs no key, control"
	case control:
		surface = "; " + mock.ControlPath + " needs no key, and is off unless --control is given"
	}
	return fmt.Sprintf("warning: anyone on the network can %s this mock at %s; with --listen 127.0.0.1:PORT only this "+
		"machine can%s", reach, addr, surface)
}

// listenMock begins to listen. log is nil for none.
func (p Process) listenMock(
	ctx context.Context, m mockServing, server *mock.Server, to slog.Handler,
) (*mock.Listener, error) {
	o := mock.ListenOptions{
		Addr: m.listen, Grace: mockGrace, PublicControl: m.publicControl,
		Log: log.New(p.Stderr, "", 0), Unreadable: to, Clock: p.Clock,
	}
	var handler http.Handler = server
	if to != nil {
		handler = server.LogRequests(to, p.Clock)
	}
	l, err := mock.Listen(ctx, handler, o)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, usagef("--listen: something else listens on %s already: choose another port, or port 0", m.listen)
	case err != nil:
		return nil, usagef("--listen: %w; write it as host:port, such as 127.0.0.1:8787, or with port 0 for any that is free",
			err)
	}
	return l, nil
}

// waitForMock returns once the mock has stopped. After the first signal it finishes what
// it is answering; the second one ends the program at once.
func (p Process) waitForMock(l *mock.Listener, signals <-chan os.Signal, stop func()) error {
	ended := make(chan error, 1)
	go func() { ended <- l.Wait() }()
	var stopping bool
	var notice <-chan time.Time
	for {
		select {
		case err := <-ended:
			return err
		case <-signals:
			if stopping {
				return errInterrupted
			}
			stopping, notice = true, time.After(mockNotice)
			stop()
		case <-notice:
			switch n := l.Pending(); n {
			case 0:
			case 1:
				_, _ = fmt.Fprintln(p.Stderr, "waiting for 1 request; interrupt again to stop now")
			default:
				_, _ = fmt.Fprintf(p.Stderr, "waiting for %d requests; interrupt again to stop now\n", n)
			}
		}
	}
}

func (p Process) announce(a announcement, key string, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(p.Stdout).Encode(a) //nolint:gosec // G117: the key of a simulation is what it is for.
	}
	_, err := fmt.Fprintf(p.Stdout, "base URL  %s\nAPI key   %s\n", a.BaseURL, key)
	return err
}

// mockLog returns what takes the lines about requests, nil where no log is asked for, and
// what closes it. A file is added to, so that nothing that was there is lost.
func (p Process) mockLog(to string) (h slog.Handler, done func(), err error) {
	switch to {
	case "":
		return nil, func() {}, nil
	case logToStderr:
		return newLog(p.Stderr), func() {}, nil
	}
	return openLogFlag(to)
}
