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
	fd := d.Stdout.Fd()
	if !term.IsTerminal(int(fd)) || !term.IsTerminal(int(d.Stdin.Fd())) {
		d.note(verdictWarning, "terminal", "input or output is no terminal, which the dashboard needs", "Run pgtower doctor without redirections to check yours.")
	} else {
		d.checkSize(fd)
	}
	d.checkColours()
	d.checkLocale()
	d.checkClipboard()
}

func (d *doctor) checkSize(fd uintptr) {
	name := d.Getenv("TERM")
	columns, lines, err := term.GetSize(int(fd))
	size := fmt.Sprintf("%s, %d×%d", name, columns, lines)
	switch {
	case (name == "" || name == "dumb") && runtime.GOOS != "windows":
		d.note(verdictWarning, "terminal", "TERM says nothing of it", "Set TERM to what your terminal is, such as xterm-256color.")
	case err == nil && (columns < minColumns || lines < minLines):
		d.note(verdictWarning, "terminal", size, fmt.Sprintf("Make it %d×%d at least.", minColumns, minLines))
	default:
		d.note(verdictOK, "terminal", size, "")
	}
}

func (d *doctor) checkColours() {
	if d.Getenv("NO_COLOR") != "" {
		d.note(verdictOK, "colours", "none, because NO_COLOR is set", "")
		return
	}
	switch profile := colorprofile.Env(d.Environ()); profile {
	case colorprofile.TrueColor:
		d.note(verdictOK, "colours", "16 million", "")
	case colorprofile.ANSI256:
		d.note(verdictOK, "colours", "256", "")
	case colorprofile.ANSI:
		d.note(verdictOK, "colours", "16", "Set COLORTERM=truecolor if your terminal has more.")
	default:
		d.note(verdictWarning, "colours", "none", "Set TERM to what your terminal is, such as xterm-256color.")
	}
}

// checkLocale says whether the terminal's characters are those that the dashboard draws.
func (d *doctor) checkLocale() {
	if runtime.GOOS == "windows" {
		return
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		v := d.Getenv(name)
		if v == "" {
			continue
		}
		codeset := strings.ReplaceAll(strings.ToLower(v), "-", "")
		if strings.Contains(codeset, "utf8") {
			d.note(verdictOK, "locale", name+"="+v, "")
			return
		}
		d.note(verdictWarning, "locale", name+"="+v+" is not UTF-8", "Set "+name+" to a locale in UTF-8, such as C.UTF-8.")
		return
	}
	d.note(verdictWarning, "locale", "none is set, so nothing says that the terminal takes UTF-8", "Set LANG to a locale in UTF-8, such as C.UTF-8.")
}

// checkClipboard says by which way a copy gets out. Whether a terminal takes OSC 52 cannot
// be asked: here is what is known to stand in its way.
func (d *doctor) checkClipboard() {
	native := "no program for the clipboard of this computer"
	if !clipboard.Unsupported {
		native = "this computer's clipboard"
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
		d.note(verdictWarning, "clipboard", native+", and "+obstacle, advice)
	case obstacle != "":
		d.note(verdictOK, "clipboard", native+"; "+obstacle, advice)
	default:
		d.note(verdictOK, "clipboard", native+"; and OSC 52, where the terminal takes it", "")
	}
}
