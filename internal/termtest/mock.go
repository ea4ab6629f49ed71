//go:build unix

package termtest

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// Mock is a running pgtower mock. The fields with names in JSON are printed by it.
type Mock struct {
	BaseURL        string `json:"base_url"`
	APIKey         string `json:"api_key"`
	Listen         string `json:"listen"`
	BusiestProject string `json:"busiest_project"`

	Command *exec.Cmd `json:"-"`
	Stderr  Buffer    `json:"-"`
}

// StartMock runs the mock of a program on loopback with flags, until the test ends.
func StartMock(tb testing.TB, program string, flags ...string) *Mock {
	tb.Helper()
	m := &Mock{}
	//nolint:gosec // running the test's program is the purpose
	m.Command = exec.CommandContext(tb.Context(), program, append([]string{"mock", "--json", "--listen", "127.0.0.1:0"}, flags...)...)
	m.Command.Env = []string{"HOME=" + tb.TempDir(), "GORACE=halt_on_error=1 atexit_sleep_ms=0"}
	m.Command.Stderr = &m.Stderr
	stdout, err := m.Command.StdoutPipe()
	if err != nil {
		tb.Fatal(err)
	}
	if err := m.Command.Start(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = m.Command.Wait() }) // the end of the test's context has killed it
	if err := json.NewDecoder(stdout).Decode(m); err != nil {
		tb.Fatalf("pgtower mock: %v: %s", err, m.Stderr.String())
	}
	return m
}

// Buffer can be read while a program writes to it.
type Buffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements [io.Writer].
func (b *Buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

// String returns the text so far.
func (b *Buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// Wait waits until a text was written.
func (b *Buffer) Wait(tb testing.TB, text string) {
	tb.Helper()
	for end := time.After(time.Minute); !strings.Contains(b.String(), text); {
		select {
		case <-end:
			tb.Fatalf("%q was not written", text)
		case <-time.After(5 * time.Millisecond):
		}
	}
}
