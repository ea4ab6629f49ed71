package desktop

import (
	"context"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"
)

// browserWait is how long a program may take to fail. One that succeeds may run as long as the browser.
const browserWait = 2 * time.Second

// Browser is the command that opens an address in the user's browser, or empty if there is none.
type Browser []string

// BrowserOf returns the browser of this computer. Over SSH there is none: it would not be the user's.
func BrowserOf(getenv func(string) string) Browser {
	screen := getenv("DISPLAY") != "" || getenv("WAYLAND_DISPLAY") != ""
	var b Browser
	switch {
	case getenv("SSH_CONNECTION") != "":
		return nil
	case runtime.GOOS == "darwin":
		b = Browser{"open"}
	case runtime.GOOS == "windows":
		b = Browser{"rundll32", "url.dll,FileProtocolHandler"}
	case screen: // without one, a browser would use the terminal
		b = Browser{"xdg-open"}
	default:
		return nil
	}
	if _, err := exec.LookPath(b[0]); err != nil {
		return nil
	}
	return b
}

// Known reports whether there is a browser.
func (b Browser) Known() bool { return len(b) > 0 }

// Open opens an address. The browser continues when ctx ends.
func (b Browser) Open(ctx context.Context, address string) error {
	args := append(slices.Clone(b[1:]), address)
	cmd := exec.CommandContext(context.WithoutCancel(ctx), b[0], args...) //nolint:gosec // no shell reads the address
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		return err
	case <-time.After(browserWait):
		return nil
	}
}

// Links reports whether the terminal certainly supports hyperlinks (OSC 8). Others might print them.
func Links(getenv func(string) string) bool {
	term := getenv("TERM")
	if getenv("TMUX") != "" || strings.HasPrefix(term, "screen") || term == "dumb" {
		return false
	}
	for _, name := range []string{"KITTY_WINDOW_ID", "VTE_VERSION", "WT_SESSION", "KONSOLE_VERSION", "WEZTERM_PANE"} {
		if getenv(name) != "" {
			return true
		}
	}
	for _, prefix := range []string{"foot", "alacritty", "xterm-kitty", "xterm-ghostty"} {
		if strings.HasPrefix(term, prefix) {
			return true
		}
	}
	return slices.Contains([]string{"iTerm.app", "WezTerm", "ghostty", "vscode"}, getenv("TERM_PROGRAM"))
}
