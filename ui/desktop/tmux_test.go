package desktop_test

import (
	"os/exec"
	"strings"
	"testing"

	"pgtower/ui/desktop"
	"pgtower/ui/page"
)

// inTmux starts a tmux in which the test seems to run, and returns a function that runs its commands.
func inTmux(t *testing.T) (tmux func(args ...string) string, socket string) {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("there is no tmux")
	}
	tmux = func(args ...string) string {
		out, err := exec.CommandContext(t.Context(), "tmux", args...).CombinedOutput()
		if err != nil {
			t.Fatalf("%q: %v: %s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	t.Setenv("TMUX_TMPDIR", t.TempDir())
	t.Setenv("TMUX", "")
	begin := exec.CommandContext(t.Context(), "tmux", "-f", "/dev/null", "new-session", "-d", "-s", "test", "cat")
	if out, err := begin.CombinedOutput(); err != nil {
		t.Skipf("tmux does not start: %v: %s", err, out) // the folder's name may be too long for its socket
	}
	t.Cleanup(func() { _ = exec.Command("tmux", "kill-server").Run() }) //nolint:noctx // the test's context is over
	socket = tmux("display-message", "-p", "-t", "test", "#{socket_path},#{pid},0")
	t.Setenv("TMUX", socket)
	return tmux, socket
}

// tmux keeps what an application sends to the terminal's clipboard: each secret has to be deleted there, and nothing else.
func TestClipboardClearsTheBuffersOfTmux(t *testing.T) { //nolint:paralleltest // it sets the environment
	tmux, _ := inTmux(t)
	tmux("set-buffer", "-b", "mine", "mine!!")
	for _, copied := range []page.Copy{secret(), secret(), another()} {
		tmux("set-buffer", copied.Text.Reveal())
	}

	b := &board{}
	clip := desktop.Clipboard{
		Board: desktop.Board{Read: b.Read, Write: b.Write},
		Tmux:  desktop.TmuxOf(func(string) string { return "in tmux" }),
	}
	clip.Copy(t.Context(), secret())()
	clip.Copy(t.Context(), another())()
	clip.Leave(t.Context())
	if left := tmux("list-buffers", "-F", "#{buffer_name}"); left != "mine" {
		t.Errorf("the buffers that are left: %q", left)
	}
}
