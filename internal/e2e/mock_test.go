//go:build unix

package e2e

import (
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"pgtower/internal/termtest"
)

// mockProcess is a running pgtower mock, used by a program.
type mockProcess struct {
	*termtest.Mock

	t *testing.T
}

func startMock(t *testing.T) *mockProcess {
	t.Helper()
	return &mockProcess{termtest.StartMock(t, termtest.Binary(t)), t}
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
	if err := m.Command.Process.Signal(syscall.SIGINT); err != nil {
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
	m := startMock(t)
	answer, err := m.atWork(func() {
		m.interrupt()
		for said := ""; said != "finishing requests in flight; interrupt again to stop now\n"; said = m.Stderr.String() {
			if m.Command.Process.Signal(syscall.Signal(0)) != nil {
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
	_ = m.Command.Wait()
	if code := m.Command.ProcessState.ExitCode(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// A second signal ends the mock at once.
func TestMockEndsAtOnceWhenAskedTwice(t *testing.T) {
	t.Parallel()
	m := startMock(t)
	answer, err := m.atWork(func() {
		m.interrupt()
		ended := make(chan struct{})
		go func() {
			_ = m.Command.Wait()
			close(ended)
		}()
		for {
			// As often as possible: no signal may find the program without a handler while it ends.
			_ = m.Command.Process.Signal(syscall.SIGINT)
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
	if code := m.Command.ProcessState.ExitCode(); code != 130 {
		t.Errorf("exit code %d", code)
	}
}
