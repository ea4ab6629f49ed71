package desktop_test

import (
	"testing"

	"pgtower/ui/desktop"
)

// Each known terminal gets its own sequence of a notification, and others get none.
func TestNotifierFollowsTheTerminal(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		env  map[string]string
		want string
	}{
		{"iTerm2", map[string]string{"TERM_PROGRAM": "iTerm.app"}, "\x1b]9;pgtower: a, b\x1b\\"},
		{"WezTerm", map[string]string{"TERM_PROGRAM": "WezTerm"}, "\x1b]9;pgtower: a, b\x1b\\"},
		{"kitty", map[string]string{"TERM": "xterm-kitty"}, "\x1b]99;i=pgtower:d=0;pgtower\x1b\\\x1b]99;i=pgtower:p=body;a, b\x1b\\"},
		{"GNOME Terminal", map[string]string{"TERM": "xterm-256color", "VTE_VERSION": "7600"}, "\x1b]777;notify;pgtower;a, b\x1b\\"},
		{"foot", map[string]string{"TERM": "foot-extra"}, "\x1b]777;notify;pgtower;a, b\x1b\\"},
		{"tmux in kitty", map[string]string{"TERM": "tmux-256color", "KITTY_WINDOW_ID": "1"}, ""},
		{"tmux", map[string]string{"TMUX": "/tmp/x", "TERM_PROGRAM": "WezTerm"}, ""},
		{"unknown", map[string]string{"TERM": "xterm-256color"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			n := desktop.NotifierOf(func(name string) string { return c.env[name] })
			if got := n.Sequence("a; b"); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
