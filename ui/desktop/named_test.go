package desktop

import "testing"

// A terminal is known by its TERM or by what it calls itself; others get nothing that they might print.
func TestNotifierNamed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		term, kind string
		want       Notifier
	}{
		{"xterm-256color", "WezTerm 20240203-110809", osc9},
		{"xterm-256color", "iTerm2 3.5.2", osc9},
		{"xterm-kitty", "", osc99},
		{"xterm-ghostty", "", osc9},
		{"xterm-256color", "VTE(7600)", osc777},
		{"foot", "", osc777},
		{"rxvt-unicode-256color", "", osc777},
		{"xterm-256color", "XTerm(388)", ""},
		{"", "", ""},
	} {
		if got := notifierNamed(c.term, c.kind); got != c.want {
			t.Errorf("%q %q: %q, want %q", c.term, c.kind, got, c.want)
		}
	}
}
