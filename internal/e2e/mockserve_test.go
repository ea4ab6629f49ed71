//go:build unix

package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

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
	stderr lockedBuffer
}

// serveJSON runs pgtower mock --json until it prints its address.
func serveJSON(t *testing.T, listen string, args ...string) *mockProcess {
	t.Helper()
	m := &mockProcess{t: t}
	m.cmd = exec.CommandContext(t.Context(), termtest.Binary(t), append([]string{"mock", "--json", "--listen", listen}, args...)...)
	m.cmd.Env = []string{"HOME=" + t.TempDir(), goRace}
	m.cmd.Stderr = &m.stderr
	out, err := m.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := m.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
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

// With a start and stopped time it does not matter when the mock runs.
func TestMockGivesTheSameBytesOnEveryRun(t *testing.T) {
	t.Parallel()
	read := func() string {
		m := serveJSON(t, "127.0.0.1:0", "--start", "2026-11-21T12:00:00Z", "--speed", "0")
		defer m.stop(syscall.SIGTERM)
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, m.BaseURL+"/projects/"+m.BusiestProject+"/operations", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+m.APIKey)
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = resp.Body.Close() }()
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp.Header.Get("X-Request-ID") + string(body)
	}
	if first := read(); first != read() || !strings.Contains(first, "2026-11-21T11:59:") {
		t.Errorf("two runs differ, or begin at another time: %.400s", first)
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
		if !strings.HasPrefix(m.Listen, "0.0.0.0:") {
			t.Errorf("says that it listens on %s", m.Listen)
		}
		if !m.api().accepts(m.APIKey) {
			t.Errorf("nothing answers at %s", m.BaseURL)
		}
		if status, _ := m.api().control().call(http.MethodGet, "/clock", "", nil); status != test.control {
			t.Errorf("%q: the control surface answers with %d", test.args, status)
		}
		if stderr, code := m.stop(syscall.SIGINT); code != 0 || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, says) {
			t.Errorf("%q: exit code %d, %q", test.args, code, stderr)
		}
	}
}

func TestMockLogsRequests(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "requests.jsonl")
	const before = "{\"what\":\"was there\"}\n"
	if err := os.WriteFile(file, []byte(before), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, flag := range map[string]string{"stderr": "--log", "file": "--log=" + file} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := serveJSON(t, "127.0.0.1:0", flag)
			secret := m.api().createKey("mine")
			m.api().accepts(secret)
			m.api().accepts("unknown-key")
			log, code := m.stop(syscall.SIGINT)
			if code != 0 {
				t.Errorf("exit code %d after SIGINT", code)
			}
			if name == "file" {
				if log != "" {
					t.Errorf("stderr has %q", log)
				}
				text, err := os.ReadFile(file)
				if err != nil || !strings.HasPrefix(string(text), before) {
					t.Fatalf("%v in %q", err, text)
				}
				log = strings.TrimPrefix(string(text), before)
			}
			lines := strings.Split(strings.TrimSuffix(log, "\n"), "\n")
			if len(lines) != 3 || !strings.Contains(lines[0], `"method":"POST","path":"/api/v2/api_keys"`) || !strings.Contains(lines[2], `"status":401`) {
				t.Errorf("the log is %s", log)
			}
			for _, secret := range []string{secret, m.APIKey, "unknown-key"} {
				if strings.Contains(log, secret) {
					t.Errorf("a key is in the log: %s", log)
				}
			}
		})
	}
}

func TestMockThatCannotListen(t *testing.T) {
	t.Parallel()
	taken := serveJSON(t, "127.0.0.1:0")
	t.Cleanup(func() { taken.stop(syscall.SIGINT) })
	for name, test := range map[string]struct {
		args []string
		says string
	}{
		"no port":               {[]string{"--listen", "127.0.0.1"}, "port 0 for any that is free"},
		"only a port":           {[]string{"--listen", "8787"}, "write it as host:port"},
		"a port that is taken":  {[]string{"--listen", taken.Listen}, taken.Listen + " is already in use: choose another port"},
		"a port that is none":   {[]string{"--listen", "127.0.0.1:99999"}, "99999"},
		"a seed below 0":        {[]string{"--seed", "-1"}, `--seed: must be a whole number from 0, not "-1"`},
		"a start that is none":  {[]string{"--start", "noon"}, `--start: must be a time, such as 2026-11-21t12:00:00z, not "noon"`},
		"a log that cannot be":  {[]string{"--log=/"}, "--log"},
		"a file without equals": {[]string{"--log", "requests.jsonl"}, "write --log=requests.jsonl"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stdout, stderr, code := run(t, append([]string{"mock"}, test.args...)...)
			if code != 2 || stdout != "" || !strings.Contains(strings.ToLower(stderr), test.says) || strings.ContainsFunc(stderr, func(r rune) bool { return r < ' ' && r != '\n' || r >= 0x2400 && r < 0x2440 }) {
				t.Errorf("exit code %d, %q, %q", code, stdout, stderr)
			}
		})
	}
}
