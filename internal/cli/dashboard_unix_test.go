//go:build unix

package cli

import (
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"pgtower/internal/cli/exit"
	"pgtower/internal/termtest"
	"pgtower/ui"

	"github.com/charmbracelet/x/ansi"
	"github.com/creack/pty"
	"go.uber.org/goleak"
)

// TestDashboardLeavesNothingBehind runs the dashboard in this process, in a terminal, and quits it: none of its
// goroutines continues.
func TestDashboardLeavesNothingBehind(t *testing.T) {
	existing := goleak.IgnoreCurrent()
	t.Setenv("PGTOWER_API_KEY", "") // the dashboard takes it out of the environment
	master, terminal, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	if err := pty.Setsize(terminal, &pty.Winsize{Rows: 36, Cols: 120}); err != nil {
		t.Fatal(err)
	}
	seen := &termtest.Buffer{}
	var reading sync.WaitGroup
	reading.Go(func() { _, _ = io.Copy(seen, master) })

	dir := t.TempDir()
	code := make(chan int, 1)
	go func() {
		code <- Run(t.Context(), Process{
			Args: []string{"--demo"}, Stdin: terminal, Stdout: terminal, Stderr: terminal,
			LookupEnv: func(string) (string, bool) { return "", false }, Clock: time.Now,
			ConfigDir: func() (string, error) { return dir, nil },
			CacheDir:  func() (string, error) { return "", errors.New("none") },
		})
	}()
	seen.Wait(t, "all projects")
	for _, step := range []struct{ keys, shows string }{{"2", "HEALTH"}, {"3", "ci-deploy"}, {"P", "Switch profile"}} {
		if _, err := master.WriteString(step.keys); err != nil {
			t.Fatal(err)
		}
		seen.Wait(t, step.shows)
	}
	// The same profile again is another session. Only that one can show help.
	if _, err := master.WriteString("\r"); err != nil {
		t.Fatal(err)
	}
	for !strings.Contains(seen.String(), "API keys: keys") {
		if _, err := master.WriteString("?"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Millisecond)
	}
	if _, err := master.WriteString("\x03"); err != nil {
		t.Fatal(err)
	}
	if got := <-code; got != exit.OK {
		t.Errorf("exit code %d", got)
	}
	err = terminal.Close()
	reading.Wait() // until all that was written is read
	if err := errors.Join(err, master.Close()); err != nil {
		t.Error(err)
	}
	_, after, _ := strings.Cut(seen.String(), ansi.ResetModeAltScreenSaveCursor)
	if !strings.Contains(after, ui.StatusAtEnd()) {
		t.Errorf("the terminal keeps the status of before: %q", after)
	}
	goleak.VerifyNone(t, existing)
}
