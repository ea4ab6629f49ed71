package cli

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgtower/client/mock"

	"github.com/spf13/pflag"
)

// served applies flags to a server of its own.
func served(t *testing.T, key string, args ...string) (*mock.Server, error) {
	t.Helper()
	var m mockFlags
	f := pflag.NewFlagSet("mock", pflag.ContinueOnError)
	f.Uint64("seed", 7, "")
	m.add(f)
	if err := f.Parse(args); err != nil {
		t.Fatal(err)
	}
	if err := m.check(f); err != nil {
		return nil, err
	}
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	server, err := mock.New(mock.Options{Clock: func() time.Time { return at }, APIKey: key, Speed: &m.speed, Start: m.start})
	if err != nil {
		t.Fatal(err)
	}
	return server, m.apply(f, server, key)
}

func TestMockFlags(t *testing.T) {
	t.Parallel()
	server, err := served(t, "", "--speed", "0.5", "--latency", "100ms±50ms", "--fault", "429 of list_keys p=0.1", "--fault", "reset skip=2")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range server.Faults() {
		got = append(got, f.String())
	}
	if want := "latency=100ms±50ms|429 of list_keys p=0.1|reset skip=2"; strings.Join(got, "|") != want || server.Speed() != 0.5 {
		t.Errorf("faults %q at speed %v", got, server.Speed())
	}
}

func TestMockFlagsSayWhatIsWrong(t *testing.T) {
	t.Parallel()
	broken := filepath.Join(t.TempDir(), "broken.json")
	if err := os.WriteFile(broken, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		args []string
		want string
	}{
		{[]string{"--speed", "-1"}, "--speed: "},
		{[]string{"--latency", "fast"}, `"fast" is not a duration such as 100ms`},
		{[]string{"--latency", "1s reset"}, `"1s reset" is not a duration`},
		{[]string{"--latency", ""}, `"" is not a duration`},
		{[]string{"--fault", "bananas"}, `"bananas" is not a word of a fault`},
		{[]string{"--state", broken + ".not"}, "--state: open "},
		{[]string{"--state", broken}, "broken.json: mock: state: version 0"},
		{[]string{"--state", broken, "--seed", "3"}, "--seed cannot be combined with --state"},
		{[]string{"--state", broken, "--start", "2026-11-21T12:00:00Z"}, "--start cannot be combined with --state"},
	} {
		if _, err := served(t, "", tc.args...); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%q: error %v, want %s", tc.args, err, tc.want)
		}
	}
}

// The server goes on where the other one was, with the keys of that one.
func TestMockFlagState(t *testing.T) {
	t.Parallel()
	first, err := served(t, "chosen", "--speed", "3", "--fault", "500 of create_key")
	if err != nil {
		t.Fatal(err)
	}
	var state bytes.Buffer
	if err := first.Dump(&state); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "state.json")
	if err := os.WriteFile(path, state.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	second, err := served(t, "", "--state", path, "--fault", "reset of list_keys")
	if err != nil {
		t.Fatal(err)
	}
	if second.Speed() != 3 || len(second.Faults()) != 2 || second.BusiestProject() != first.BusiestProject() {
		t.Errorf("speed %v, faults %v", second.Speed(), second.Faults())
	}
	if words := keyWords(second); !strings.HasPrefix(words, "(one of the state's") {
		t.Errorf("the key is said to be %s", words)
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, mock.BasePath+"/projects", nil)
	r.Header.Set("Authorization", "Bearer chosen")
	w := httptest.NewRecorder()
	if second.ServeHTTP(w, r); w.Code != http.StatusOK {
		t.Errorf("its key is answered with %d", w.Code)
	}
	if known, err := served(t, "chosen", "--state", path, "--speed", "1"); err != nil || keyWords(known) != "chosen" || known.Speed() != 1 {
		t.Errorf("with the key: %v", err)
	}
	if _, err := served(t, "another", "--state", path); err == nil || !strings.Contains(err.Error(), "does not know it") {
		t.Errorf("with another key: %v", err)
	}
}
