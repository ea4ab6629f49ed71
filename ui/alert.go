package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/page"
)

// notifier is the escape sequence by which a terminal can be asked for a notification
// of the desktop.
type notifier int

const (
	noNotifier notifier = iota
	osc9                // text; iTerm2, WezTerm, Ghostty
	osc99               // title and body; kitty
	osc777              // title and body; VTE, foot, rxvt-unicode
)

// notifierOf tells what the terminal knows from what it says of itself in the
// environment. Terminals that know none of the sequences may print them, so that in
// doubt, as within tmux and screen, there is the bell alone.
func notifierOf(getenv func(string) string) notifier {
	term := getenv("TERM")
	switch {
	case getenv("TMUX") != "" || strings.HasPrefix(term, "screen") || strings.HasPrefix(term, "tmux"):
		return noNotifier
	case getenv("KITTY_WINDOW_ID") != "" || term == "xterm-kitty":
		return osc99
	case getenv("VTE_VERSION") != "" || strings.HasPrefix(term, "foot") || strings.HasPrefix(term, "rxvt-unicode"):
		return osc777
	}
	switch getenv("TERM_PROGRAM") {
	case "iTerm.app", "WezTerm", "ghostty":
		return osc9
	}
	return noNotifier
}

// sequence asks for a notification. Its texts have been cleaned where they entered, so
// that they cannot end the sequence; a semicolon would begin another part of it.
func (n notifier) sequence(title, text string) string {
	const esc, end = "\x1b]", "\x1b\\"
	plain := strings.NewReplacer(";", ",")
	title, text = plain.Replace(title), plain.Replace(text)
	switch n {
	case osc9:
		return esc + "9;" + title + ": " + text + end
	case osc99:
		return esc + "99;i=pgtower:d=0;" + title + end + esc + "99;i=pgtower:p=body;" + text + end
	case osc777:
		return esc + "777;notify;" + title + ";" + text + end
	case noNotifier:
	}
	return ""
}

const bell = "\a"

// alert rings the bell, notifies the desktop if the terminal can, and says it on the
// screen as well.
func (m *Model) alert(a page.Alert) tea.Cmd {
	return tea.Batch(
		tea.Raw(bell+m.notifier.sequence("pgtower · "+a.Title, a.Text)),
		m.notify(page.Notice{Tone: a.Tone, Text: a.Title + ": " + a.Text}),
	)
}
