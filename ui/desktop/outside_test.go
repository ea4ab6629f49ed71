package desktop_test

import (
	"os/exec"
	"strings"
	"testing"

	"pgtower/ui/desktop"
)

// tmux passes on a notification that is wrapped for it, and only if it may.
func TestOutsideOfTmux(t *testing.T) {
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("there is no tmux")
	}
	tmux := func(args ...string) string {
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
	defer tmux("kill-server")
	if desktop.TmuxOf(func(string) string { return "" }).Inside() {
		t.Error("without TMUX it is inside of one")
	}
	socket := tmux("display-message", "-p", "-t", "test", "#{socket_path},#{pid},0")
	t.Setenv("TMUX", socket)
	inside := desktop.TmuxOf(func(name string) string { return map[string]string{"TMUX": socket}[name] })
	for set, passes := range map[string]bool{"off": false, "on": true} {
		tmux("set-option", "-g", "allow-passthrough", set)
		outside, err := inside.Outside(t.Context())
		if err != nil || outside.Passes != passes {
			t.Errorf("%s: %+v, %v", set, outside, err)
		}
	}
}

func TestOutsideWraps(t *testing.T) {
	t.Parallel()
	wezterm := desktop.NotifierOf(func(name string) string { return map[string]string{"TERM_PROGRAM": "WezTerm"}[name] })
	o := desktop.Outside{Passes: true, Notifier: wezterm}
	if got, want := o.Sequence("a; b"), "\x1bPtmux;\x1b\x1b]9;pgtower: a, b\x1b\x1b\\\x1b\\"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for _, o := range []desktop.Outside{{Notifier: wezterm}, {Passes: true}} {
		if got := o.Sequence("a"); got != "" {
			t.Errorf("%+v has %q", o, got)
		}
	}
}
