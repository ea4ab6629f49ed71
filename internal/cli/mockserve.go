package cli

import (
	"context"
	"encoding/json"
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

// logToStderr is what --log without a file stands for.
const logToStderr = "stderr"

// mockServing is where the mock listens, and what it says of itself.
type mockServing struct {
	listen string
	json   bool
	log    string
}

func (m *mockServing) addFlags(f *pflag.FlagSet) {
	f.StringVar(&m.listen, "listen", "127.0.0.1:8787", "host:port to listen on; port 0 takes any free one, no host is 127.0.0.1")
	f.BoolVar(&m.json, "json", false, "print base_url, api_key and the rest as one line of JSON")
	f.StringVar(&m.log, "log", "", "write a line of JSON for each request to stderr or, with --log=FILE, to `FILE`")
	f.Lookup("log").NoOptDefVal = logToStderr
}

// checkArgs refuses arguments, and says so of a file name that got away from --log.
func (m *mockServing) checkArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 1 && m.log == logToStderr {
		return usagef("%q is not a command of %s: to log to a file of that name write --log=%s", args[0], cmd.CommandPath(), args[0])
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
	handler, closeLog, err := p.logged(m.log, server)
	if err != nil {
		return err
	}
	defer closeLog()
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	// Whoever asks twice does not want to wait.
	context.AfterFunc(ctx, stop)
	l, err := mock.Listen(ctx, handler, mock.ListenOptions{Addr: m.listen, Grace: mockGrace, Log: log.New(p.Stderr, "", 0)})
	if err != nil {
		return usagef("--listen: %w\nWrite it as host:port, such as 127.0.0.1:8787; --listen 127.0.0.1:0 takes any port that is free.", err)
	}
	if l.Public() {
		_, _ = fmt.Fprintf(p.Stderr, "warning: anyone on the network can reach this mock at %s; with --listen 127.0.0.1:PORT only this machine can\n", l.Addr())
	}
	a := announcement{
		BaseURL: l.BaseURL(), APIKey: server.APIKey(), Listen: l.Addr(), Seed: o.Seed, Live: o.Live,
		BusiestProject: server.BusiestProject(), PID: os.Getpid(), Version: version(),
	}
	if err := p.announce(a, m.json); err != nil {
		_ = l.Close() // Nobody knows of it.
		return err
	}
	return l.Wait()
}

func (p Process) announce(a announcement, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(p.Stdout).Encode(a) //nolint:gosec // G117: the key of a simulation is what it is for.
	}
	_, err := fmt.Fprintf(p.Stdout, "base URL  %s\nAPI key   %s\n", a.BaseURL, keyWords(a.APIKey))
	return err
}

// logged returns the server with its log, if one is asked for, and what closes the log.
// A file is added to, so that nothing that was there is lost.
func (p Process) logged(to string, server *mock.Server) (h http.Handler, done func(), err error) {
	switch to {
	case "":
		return server, func() {}, nil
	case logToStderr:
		return server.LogRequests(slog.NewJSONHandler(p.Stderr, nil), p.Clock), func() {}, nil
	}
	file, err := os.OpenFile(to, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600) //nolint:gosec // G304: the file that the person named.
	if err != nil {
		return nil, nil, usagef("--log: %w", err)
	}
	return server.LogRequests(slog.NewJSONHandler(file, nil), p.Clock), func() { _ = file.Close() }, nil
}
