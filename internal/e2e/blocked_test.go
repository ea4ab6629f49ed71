//go:build unix

package e2e

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"pgtower/internal/termtest"
)

// TestTerminalThatTakesNothing runs the program in a terminal whose output is not read, as with a hanging connection:
// signals end it nevertheless.
func TestTerminalThatTakesNothing(t *testing.T) {
	t.Parallel()
	terminal, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = terminal.Close(), slave.Close() }()
	if err := pty.Setsize(terminal, &pty.Winsize{Rows: 60, Cols: 200}); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), termtest.Binary(t), "--demo")
	cmd.Env = []string{"TERM=xterm-256color", "HOME=" + t.TempDir()}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	if _, err := io.ReadFull(terminal, make([]byte, 4096)); err != nil { // it has begun to draw
		t.Fatal(err)
	}
	for wrote := 1; wrote > 0 || !arrived(t, terminal); { // a late system moves a part to the other end, and has room again
		wrote = fill(t, slave.Name())
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

// arrived reports whether something that was written to a terminal can be read at its other end.
func arrived(t *testing.T, terminal *os.File) bool {
	t.Helper()
	ready := []unix.PollFd{{Fd: int32(terminal.Fd()), Events: unix.POLLIN}}
	if _, err := unix.Poll(ready, 0); err != nil && !errors.Is(err, unix.EINTR) {
		t.Fatal(err)
	}
	return ready[0].Revents&unix.POLLIN != 0
}

// fill writes to a terminal until it takes no more, so that whatever else is written to it blocks. It returns how many bytes it took.
func fill(t *testing.T, name string) (wrote int) {
	t.Helper()
	fd, err := unix.Open(name, unix.O_WRONLY|unix.O_NOCTTY|unix.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unix.Close(fd) }()
	for refused := 0; refused < 50; { // it also refuses while the program writes
		switch n, err := unix.Write(fd, make([]byte, 4096)); {
		case err == nil:
			refused = 0
			wrote += n
		case errors.Is(err, unix.EAGAIN):
			refused++
			time.Sleep(10 * time.Millisecond)
		default:
			t.Fatal(err)
		}
	}
	return wrote
}
