package desktop_test

import (
	"testing"

	"pgtower/ui/desktop"
)

// tmux passes on a notification that is wrapped for it, and only if it may.
func TestOutsideOfTmux(t *testing.T) { //nolint:paralleltest // it sets the environment
	tmux, socket := inTmux(t)
	if desktop.TmuxOf(func(string) string { return "" }).Inside() {
		t.Error("without TMUX it is inside of one")
	}
	inside := desktop.TmuxOf(func(name string) string { return map[string]string{"TMUX": socket}[name] })
	for set, passes := range map[string]bool{"off": false, "on": true} {
		tmux("set-option", "-g", "allow-passthrough", set)
		outside, err := inside.Outside(t.Context())
		if err != nil || outside.Passes != passes || outside.Hidden {
			t.Errorf("%s: %+v, %v", set, outside, err)
		}
	}
}

// A notification is wrapped for tmux, if tmux passes it on and the terminal has one.
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
