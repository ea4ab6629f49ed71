//go:build unix

package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os/exec"
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
