//go:build unix

package keystore

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"syscall"
)

func shellCommand(ctx context.Context, line string) *exec.Cmd {
	return exec.CommandContext(ctx, "sh", "-c", line) //nolint:gosec // the line is the person's own
}

// detach gives the command a session of its own, which has no terminal, and ends all
// of it together.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

// checkWriters returns why commands in a file must not be run, or nil: whoever can write to the file decides what runs.
func checkWriters(file fs.FileInfo) error {
	const run = "and its key_command would run as you. "
	if s, ok := file.Sys().(*syscall.Stat_t); ok && s.Uid != 0 && int(s.Uid) != os.Geteuid() {
		return errors.New("the file belongs to another user, " + run + "Take it over with chown")
	}
	if file.Mode().Perm()&0o022 != 0 {
		return errors.New("other users can write to the file, " + run + "Run chmod go-w on it")
	}
	return nil
}
