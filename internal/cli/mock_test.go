package cli

import (
	"strings"
	"testing"
	"time"

	"pgtower/client/mock"

	"github.com/spf13/pflag"
)

// served returns the mock that flags describe.
func served(t *testing.T, args ...string) (*mock.Server, error) {
	t.Helper()
	var m mockFlags
	f := pflag.NewFlagSet("mock", pflag.ContinueOnError)
	m.add(f)
	if err := f.Parse(args); err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	noEnv := func(string) string { return "" }
	return m.server(Process{Getenv: noEnv, Clock: func() time.Time { return at }}, f)
}

func TestMockFlags(t *testing.T) {
	t.Parallel()
	server, err := served(t, "--speed", "0.5", "--latency", "100ms±50ms", "--fault", "429 of list_keys p=0.1", "--fault", "reset skip=2")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	_, speed := server.Reading()
	for _, f := range server.Faults.All() {
		got = append(got, f.Text)
	}
	if want := `latency="100ms±50ms"|429 of list_keys p=0.1|reset skip=2`; strings.Join(got, "|") != want || speed != 0.5 {
		t.Errorf("faults %q at speed %v", got, speed)
	}
}

func TestMockFlagsSayWhatIsWrong(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		args []string
		want string
	}{
		{[]string{"--speed", "-1"}, "the speed must be from 0 to"},
		{[]string{"--projects", "-1"}, "cannot be negative"},
		{[]string{"--organizations", "-1"}, "the number of organizations must be from 0 to 100"},
		{[]string{"--api-key", "two words"}, "--api-key: "},
		{[]string{"--latency", "fast"}, `latency="fast": must be a duration such as 100ms`},
		{[]string{"--latency", "1s reset"}, `latency="1s reset": must be a duration`},
		{[]string{"--latency", ""}, `latency="": must be a duration`},
		{[]string{"--fault", "bananas"}, `unknown word "bananas"`},
	} {
		if _, err := served(t, tc.args...); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%q: error %v, want %s", tc.args, err, tc.want)
		}
	}
}
