//go:build unix

package e2e

import (
	"errors"
	"io"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"pgtower/internal/termtest"
)

// TestTerminalThatTakesNothing runs the program in a terminal whose output is not read, as with a hanging connection:
// signals end it nevertheless.
func TestTerminalThatTakesNothing(t *testing.T) {
	t.Parallel()
	cmd := exec.CommandContext(t.Context(), termtest.Binary(t), "--demo", "--interval", "1s")
	cmd.Env = []string{"TERM=xterm-256color", "HOME=" + t.TempDir()}
	terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 60, Cols: 200})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = terminal.Close() }()
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	if _, err := io.ReadFull(terminal, make([]byte, 4096)); err != nil { // it has begun to draw
		t.Fatal(err)
	}
	for range 40 { // more than the terminal's buffer holds
		if _, err := terminal.WriteString("231Gg"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(50 * time.Millisecond)
	}
	over := time.After(deadline)
	for {
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Log(err) // it has just exited
		}
		select {
		case err := <-ended:
			exit, _ := errors.AsType[*exec.ExitError](err)
			if exit == nil || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGTERM {
				t.Errorf("ended with %v, so its output was not blocked", err)
			}
			return
		case <-over:
			t.Fatal("signals do not end it")
		case <-time.After(200 * time.Millisecond):
		}
	}
}
