package keystore

import (
	"context"
	"os/exec"
	"syscall"
)

// createNoWindow is CREATE_NO_WINDOW of CreateProcess.
const createNoWindow = 0x08000000

// shellCommand passes the line on unchanged: cmd has its own rules for quotes.
func shellCommand(ctx context.Context, line string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "cmd")
	cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: `cmd /s /c "` + line + `"`}
	return cmd
}

// detach gives the command an invisible console of its own.
func detach(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.CreationFlags |= createNoWindow
}
