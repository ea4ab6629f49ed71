package cli

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/atotto/clipboard"
	"github.com/charmbracelet/colorprofile"
	"golang.org/x/term"
)

// The least size of a terminal that the dashboard draws in.
const (
	minColumns = 60
	minLines   = 15
)

// checkTerminal looks at what the dashboard would be drawn on. Nothing of it fails: doctor
// may run where the dashboard never does.
func (d *doctor) checkTerminal() {
	out, name := int(d.Stdout.Fd()), d.Getenv("TERM")
	columns, lines, err := term.GetSize(out)
	size := fmt.Sprintf("%s, %d×%d", name, columns, lines)
	switch {
	case !term.IsTerminal(out) || d.terminal() == nil:
		d.warn("terminal", "not a terminal; the dashboard needs one",
			"Run pgtower doctor without redirections to check yours.")
	case (name == "" || name == "dumb") && runtime.GOOS != "windows":
		d.warn("terminal", "TERM does not name a terminal", "Set TERM to what your terminal is, such as xterm-256color.")
	case err == nil && (columns < minColumns || lines < minLines):
		d.warn("terminal", size, fmt.Sprintf("Make it %d×%d at least.", minColumns, minLines))
	default:
		d.ok("terminal", size)
	}
	d.checkColours()
	if runtime.GOOS != "windows" {
		d.checkLocale()
	}
	d.checkClipboard()
}

func (d *doctor) checkColours() {
	if d.Getenv("NO_COLOR") != "" {
		d.ok("colours", "none, because NO_COLOR is set")
		return
	}
	switch profile := colorprofile.Env(d.Environ()); profile {
	case colorprofile.TrueColor:
		d.ok("colours", "16 million")
	case colorprofile.ANSI256:
		d.ok("colours", "256")
	case colorprofile.ANSI:
		d.note(verdictOK, "colours", "16", "Set COLORTERM=truecolor if your terminal has more.")
	default:
		d.warn("colours", "none", "Set TERM to what your terminal is, such as xterm-256color.")
	}
}

// checkLocale checks whether the terminal's characters are those that the dashboard draws.
func (d *doctor) checkLocale() {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		v := d.Getenv(name)
		switch codeset := strings.ReplaceAll(strings.ToLower(v), "-", ""); {
		case v == "":
			continue
		case strings.Contains(codeset, "utf8"):
			d.ok("locale", name+"="+v)
		default:
			d.warn("locale", name+"="+v+" is not UTF-8", "Set "+name+" to a locale in UTF-8, such as C.UTF-8.")
		}
		return
	}
	d.warn("locale", "none is set, so UTF-8 may not be shown",
		"Set LANG to a locale in UTF-8, such as C.UTF-8.")
}

// checkClipboard checks by which way a copy gets out. A terminal cannot be asked whether it supports OSC 52: here is
// what is known to prevent it.
func (d *doctor) checkClipboard() {
	native := "this computer's clipboard"
	if clipboard.Unsupported {
		native = "no clipboard program"
	}
	obstacle, advice := "", ""
	switch {
	case d.Getenv("TMUX") != "":
		obstacle, advice = "tmux may keep OSC 52 to itself", "In tmux: set -g set-clipboard on"
	case d.Getenv("STY") != "":
		obstacle, advice = "screen swallows OSC 52", "Use tmux, or copy with the mouse."
	case d.Getenv("TERM_PROGRAM") == "Apple_Terminal":
		obstacle, advice = "Terminal.app does not know OSC 52", "Over ssh, use a terminal that does."
	}
	switch {
	case obstacle != "" && clipboard.Unsupported:
		d.warn("clipboard", native+"; "+obstacle, advice)
	case obstacle != "":
		d.note(verdictOK, "clipboard", native+"; "+obstacle, advice)
	default:
		d.ok("clipboard", native+"; OSC 52 if the terminal supports it")
	}
}
