//go:build unix

package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"pgtower/internal/termtest"
)

// announced is the output of pgtower mock --json.
type announced struct {
	BaseURL        string `json:"base_url"`
	APIKey         string `json:"api_key"`
	Listen         string `json:"listen"`
	Seed           int    `json:"seed"`
	Live           bool   `json:"live"`
	BusiestProject string `json:"busiest_project"`
	PID            int    `json:"pid"`
	Version        string `json:"version"`
}

// lockedBuffer can be read while a program writes to it.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// mockProcess is a running pgtower mock, used by a program.
type mockProcess struct {
	announced

	t      *testing.T
	cmd    *exec.Cmd
	stdout *bufio.Reader
	stderr lockedBuffer
}

// startMock runs pgtower mock.
func startMock(t *testing.T, env []string, args ...string) *mockProcess {
	t.Helper()
	m := &mockProcess{t: t}
	m.cmd = exec.CommandContext(t.Context(), termtest.Binary(t), append([]string{"mock"}, args...)...)
	m.cmd.Env = append([]string{"HOME=" + t.TempDir(), goRace}, env...)
	m.cmd.Stderr = &m.stderr
	out, err := m.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := m.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	m.stdout = bufio.NewReader(out)
	return m
}

// serveJSON runs pgtower mock --json until it prints its address.
func serveJSON(t *testing.T, listen string, args ...string) *mockProcess {
	t.Helper()
	m := startMock(t, nil, append([]string{"--json", "--listen", listen}, args...)...)
	line, err := m.stdout.ReadString('\n')
	if err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	d := json.NewDecoder(strings.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(&m.announced); err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	return m
}

// stop sends a signal and returns the stderr output and the exit code.
func (m *mockProcess) stop(signal syscall.Signal) (stderr string, code int) {
	m.t.Helper()
	if err := m.cmd.Process.Signal(signal); err != nil {
		m.t.Error(err)
	}
	_ = m.cmd.Wait()
	return m.stderr.String(), m.cmd.ProcessState.ExitCode()
}

func (m *mockProcess) api() api { return api{t: m.t, base: m.BaseURL, key: m.APIKey} }

// control is the control surface of the same process.
func (a api) control() api {
	a.base, a.key = strings.TrimSuffix(a.base, "/api/v2")+"/_mock", ""
	return a
}

// The mock prints its address and key, of the environment, and is controlled by flags and over HTTP.
func TestMockPrintsItsAddressAndKey(t *testing.T) {
	t.Parallel()
	m := startMock(t, []string{"PGTOWER_MOCK_API_KEY=of-the-environment"},
		"--listen", "127.0.0.1:0", "--fault", "429 of list_keys retry-after=2")
	address, _ := m.stdout.ReadString('\n')
	key, _ := m.stdout.ReadString('\n')
	words := strings.Fields(address + key)
	if len(words) != 6 || words[1] != "URL" || words[5] != "of-the-environment" {
		t.Fatalf("printed %q", words)
	}
	a := api{t: t, base: words[2], key: words[5]}
	status, header := a.call(http.MethodGet, "/api_keys", "", nil)
	if status != http.StatusTooManyRequests || header.Get("Retry-After") != "2" {
		t.Errorf("status %d, %v", status, header)
	}
	if status, _ := a.control().call(http.MethodDelete, "/faults/1", "", nil); status != http.StatusOK || !a.hasKey("ci-deploy") {
		t.Errorf("status %d: the fault was not removed", status)
	}
	if stderr, code := m.stop(syscall.SIGINT); code != 0 || stderr != "" {
		t.Errorf("exit code %d after SIGINT, %q", code, stderr)
	}
}

func TestMockAnnouncesItselfAsJSON(t *testing.T) {
	t.Parallel()
	m := serveJSON(t, ":0", "--api-key", "given", "--seed", "3", "--live")
	u, err := url.Parse(m.BaseURL)
	if err != nil || u.Scheme != "http" || u.Hostname() != "127.0.0.1" || u.Host != m.Listen || u.Path != "/api/v2" {
		t.Errorf("base URL %s, listening on %s: %v", m.BaseURL, m.Listen, err)
	}
	if m.APIKey != "given" || m.Seed != 3 || !m.Live || m.PID != m.cmd.Process.Pid || m.Version == "" {
		t.Errorf("announced %+v", m.announced)
	}
	status, header := m.api().call(http.MethodGet, "/projects/"+m.BusiestProject+"/operations", "", nil)
	if status != http.StatusOK || header.Get("X-Request-ID") == "" {
		t.Errorf("status %d for project %q, %v", status, m.BusiestProject, header)
	}
	if stderr, code := m.stop(syscall.SIGTERM); code != 0 || stderr != "" {
		t.Errorf("exit code %d after SIGTERM, %q", code, stderr)
	}
}

func TestMockWarnsIfItIsPublic(t *testing.T) {
	t.Parallel()
	for says, test := range map[string]struct {
		args    []string
		control int // the status of /_mock
	}{
		"anyone on the network can reach this mock at 0.0.0.0:": {[]string{"--control=false"}, http.StatusNotFound},
		"With --listen 127.0.0.1:PORT only this machine can.":   {nil, http.StatusOK},
		"and control it by /_mock, which needs no key":          {[]string{"--control"}, http.StatusOK},
	} {
		m := serveJSON(t, "0.0.0.0:0", test.args...)
		if !strings.HasPrefix(m.Listen, "0.0.0.0:") || !m.api().accepts(m.APIKey) {
			t.Errorf("nothing answers at %s, listening on %s", m.BaseURL, m.Listen)
		}
		if status, _ := m.api().control().call(http.MethodGet, "/clock", "", nil); status != test.control {
			t.Errorf("%q: the control surface answers with %d", test.args, status)
		}
		if stderr, code := m.stop(syscall.SIGINT); code != 0 || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, says) {
			t.Errorf("%q: exit code %d, %q", test.args, code, stderr)
		}
	}
}

// Requests are logged to stderr, or appended to a file.
func TestMockLogsRequests(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "requests.jsonl")
	const before = "{\"what\":\"was there\"}\n"
	if err := os.WriteFile(file, []byte(before), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, flag := range []string{"--log", "--log=" + file} {
		m := serveJSON(t, "127.0.0.1:0", flag)
		m.api().accepts("unknown-key")
		stderr, code := m.stop(syscall.SIGINT)
		log, logged := strings.CutPrefix(read(t, file)+stderr, before)
		if code != 0 || !logged || strings.Count(log, "\n") != 1 || !strings.Contains(log, `"status":401`) {
			t.Errorf("%s: exit code %d, the log is %q", flag, code, log)
		}
	}
}

func TestMockThatCannotStart(t *testing.T) {
	t.Parallel()
	taken := serveJSON(t, "127.0.0.1:0")
	t.Cleanup(func() { taken.stop(syscall.SIGINT) })
	for says, args := range map[string][]string{
		"port 0 for any that is free":                         {"--listen", "127.0.0.1"},
		"is already in use: choose another port":              {"--listen", taken.Listen},
		`--seed: must be a whole number from 0`:               {"--seed", "-1"},
		`--start: must be a time, such as 2026-11-21T12:00:0`: {"--start", "noon"},
		"write --log=requests.jsonl":                          {"--log", "requests.jsonl"},
		"unknown flag: --state":                               {"--state", "state.json"},
	} {
		if o := newShell(t).run("", append([]string{"mock"}, args...)...).ends(2, says, "See pgtower mock"); o.stdout != "" {
			t.Errorf("%q: printed %q", args, o.stdout)
		}
	}
}

// onRead is a body with a callback before its first read.
type onRead struct {
	io.Reader

	do func()
}

func (o *onRead) Read(p []byte) (int, error) {
	o.do()
	return o.Reader.Read(p)
}

// atWork sends a request whose body waits until the server has begun to respond and reads it; then it calls do once,
// and sends the body.
func (m *mockProcess) atWork(do func()) (*http.Response, error) {
	m.t.Helper()
	body := &onRead{strings.NewReader(`{"key_name":"a"}`), sync.OnceFunc(do)}
	r, err := http.NewRequestWithContext(m.t.Context(), http.MethodPost, m.BaseURL+"/api_keys", body)
	if err != nil {
		m.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+m.APIKey)
	r.Header.Set("Expect", "100-continue")
	return (&http.Transport{ExpectContinueTimeout: time.Hour}).RoundTrip(r)
}

// interrupt sends SIGINT and waits until new connections are refused.
func (m *mockProcess) interrupt() {
	if err := m.cmd.Process.Signal(syscall.SIGINT); err != nil {
		m.t.Error(err)
	}
	for refused := false; !refused; {
		conn, err := new(net.Dialer).DialContext(m.t.Context(), "tcp", m.Listen)
		if refused = err != nil; !refused {
			_ = conn.Close()
		}
	}
}

// Requests in flight at the signal are answered, and the mock says what it waits for.
func TestMockFinishesWhatItIsAnswering(t *testing.T) {
	t.Parallel()
	m := serveJSON(t, "127.0.0.1:0")
	answer, err := m.atWork(func() {
		m.interrupt()
		for said := ""; said != "finishing requests in flight; interrupt again to stop now\n"; said = m.stderr.String() {
			if m.cmd.Process.Signal(syscall.Signal(0)) != nil {
				t.Fatalf("it ended and said %q", said)
			}
			time.Sleep(time.Millisecond)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	if got, err := io.ReadAll(answer.Body); err != nil || answer.StatusCode != http.StatusOK || !strings.Contains(string(got), `"key":`) {
		t.Errorf("status %d, %s, %v", answer.StatusCode, got, err)
	}
	_ = m.cmd.Wait()
	if code := m.cmd.ProcessState.ExitCode(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// A second signal ends the mock at once.
func TestMockEndsAtOnceWhenAskedTwice(t *testing.T) {
	t.Parallel()
	m := serveJSON(t, "127.0.0.1:0")
	answer, err := m.atWork(func() {
		m.interrupt()
		ended := make(chan struct{})
		go func() {
			_ = m.cmd.Wait()
			close(ended)
		}()
		for {
			// As often as possible: no signal may find the program without a handler while it ends.
			_ = m.cmd.Process.Signal(syscall.SIGINT)
			select {
			case <-ended:
				return
			default:
			}
		}
	})
	if err == nil {
		_ = answer.Body.Close()
		t.Errorf("status %d after the second signal", answer.StatusCode)
	}
	if code := m.cmd.ProcessState.ExitCode(); code != 130 {
		t.Errorf("exit code %d", code)
	}
}
