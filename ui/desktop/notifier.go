package desktop

import "strings"

// Notifier is the escape sequence by which a terminal can be asked for a notification
// of the desktop. The zero Notifier asks for none.
type Notifier int

const (
	noNotifier Notifier = iota
	osc9                // text; iTerm2, WezTerm, Ghostty
	osc99               // title and body; kitty
	osc777              // title and body; VTE, foot, rxvt-unicode
)

// NotifierOf returns what the terminal knows, by what it says of itself in the environment.
// Terminals that know none of the sequences may print them, so that in doubt, as within tmux
// and screen, there is none.
func NotifierOf(getenv func(string) string) Notifier {
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

// Sequence returns what asks for a notification. Its texts have been cleaned where they
// entered, so that they cannot end the sequence; a semicolon would begin another part of it.
func (n Notifier) Sequence(title, text string) string {
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
