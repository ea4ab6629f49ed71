package cli

import (
	"os"
	"strconv"
	"time"

	"github.com/spf13/pflag"

	"pgtower/client/mock"
)

// mockFlags set what the mock does from the start.
type mockFlags struct {
	start   time.Time
	speed   float64
	latency string
	faults  []string
	state   string
}

func (m *mockFlags) add(f *pflag.FlagSet) {
	f.TimeVar(&m.start, "start", time.Time{}, []string{time.RFC3339Nano},
		"simulated time to start at, such as 2026-11-21T12:00:00Z; now if not given")
	f.Float64Var(&m.speed, "speed", 1, "simulated seconds a second; 0 makes time stand")
	f.StringVar(&m.latency, "latency", "", "wait before every answer, such as 100ms or 100ms±50ms")
	f.StringArrayVar(&m.faults, "fault", nil,
		"what goes wrong, such as '429 of list_operations p=0.1 retry-after=2'; may be repeated")
	f.StringVar(&m.state, "state", "", "file to begin from: what GET "+mock.ControlPath+"/state answered")
}

// check refuses what a state file decides in place of the flags.
func (m *mockFlags) check(f *pflag.FlagSet) error {
	if !(m.speed >= 0 && m.speed <= mock.MaxSpeed) {
		return usagef("--speed: %v is not from 0 to %d", m.speed, mock.MaxSpeed)
	}
	if m.state == "" {
		return nil
	}
	for _, name := range []string{"seed", "projects", "operations", "live", "start"} {
		if f.Changed(name) {
			return usagef("--%s cannot be combined with --state, which has its own", name)
		}
	}
	return nil
}

// apply applies the flags to the server. key is the one that was asked for, if one was.
func (m *mockFlags) apply(f *pflag.FlagSet, server *mock.Server, key string) error {
	if m.state != "" {
		if err := load(server, m.state); err != nil {
			return err
		}
		if key != "" && server.APIKey() != key {
			return usagef("--api-key: the state in %s does not know it", m.state)
		}
		if f.Changed("speed") {
			if err := server.SetSpeed(m.speed); err != nil {
				return usagef("--speed: %w", err)
			}
		}
	}
	faults := m.faults
	if f.Changed("latency") {
		faults = append([]string{"latency=" + strconv.Quote(m.latency)}, faults...)
	}
	for _, text := range faults {
		fault, err := mock.ParseFault(text)
		if err != nil {
			return usageError{err}
		}
		if _, err := server.Inject(fault); err != nil {
			return usageError{err}
		}
	}
	return nil
}

func load(server *mock.Server, path string) error {
	file, err := os.Open(path) //nolint:gosec // G304: it is the user's own choice.
	if err != nil {
		return usagef("--state: %w", err)
	}
	defer func() { _ = file.Close() }()
	if err := server.Load(file); err != nil {
		return usagef("--state: %s: %w", path, err)
	}
	return nil
}

// keyWords is what is printed for the key that is accepted from the start.
func keyWords(server *mock.Server) string {
	switch key := server.APIKey(); {
	case key != "":
		return key
	case !server.HasKeys():
		return "(none: no key of the state can be used; POST " + mock.ControlPath + "/keys makes one)"
	}
	return "(one of the state's: it has no secrets)"
}

// none is a number for [mock.Options], where 0 stands for the default.
func none(n int) int {
	if n == 0 {
		return -1
	}
	return n
}
