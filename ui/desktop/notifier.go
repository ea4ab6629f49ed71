package desktop

import (
	"fmt"
	"strings"
)

// Notifier is the escape sequence of a notification titled pgtower, as a format of its text.
type Notifier string

const (
	osc9   Notifier = "\x1b]9;pgtower: %s\x1b\\"                                             // iTerm2, WezTerm, Ghostty
	osc99  Notifier = "\x1b]99;i=pgtower:d=0;pgtower\x1b\\\x1b]99;i=pgtower:p=body;%s\x1b\\" // kitty
	osc777 Notifier = "\x1b]777;notify;pgtower;%s\x1b\\"                                     // VTE, foot, rxvt-unicode
)

// NotifierOf returns the sequence that the terminal supports, according to its environment. Other terminals may print the
// sequence, so in doubt, as within screen, there is none. For the terminal around tmux, see [Tmux.Outside].
func NotifierOf(getenv func(string) string) Notifier {
	term := getenv("TERM")
	switch {
	case getenv("TMUX") != "" || strings.HasPrefix(term, "screen") || strings.HasPrefix(term, "tmux"):
		return ""
	case getenv("KITTY_WINDOW_ID") != "" || term == "xterm-kitty":
		return osc99
	case getenv("VTE_VERSION") != "" || strings.HasPrefix(term, "foot") || strings.HasPrefix(term, "rxvt-unicode"):
		return osc777
	}
	programs := map[string]Notifier{"iTerm.app": osc9, "WezTerm": osc9, "ghostty": osc9}
	return programs[getenv("TERM_PROGRAM")]
}

// notifierNamed returns the sequence of a terminal by its TERM and by what it calls itself, such as "WezTerm 20240203".
func notifierNamed(term, kind string) Notifier {
	kind = strings.ToLower(kind)
	for name, notifier := range map[string]Notifier{
		"kitty": osc99, "wezterm": osc9, "iterm2": osc9, "ghostty": osc9, "vte": osc777, "foot": osc777,
	} {
		if strings.HasPrefix(kind, name) || strings.TrimPrefix(term, "xterm-") == name {
			return notifier
		}
	}
	if strings.HasPrefix(term, "rxvt-unicode") {
		return osc777
	}
	return ""
}

// Sequence returns the escape sequence of a notification, or "". The text is already cleaned, so it cannot end the
// sequence; a semicolon would begin another part of it.
func (n Notifier) Sequence(text string) string {
	if n == "" {
		return ""
	}
	return fmt.Sprintf(string(n), strings.ReplaceAll(text, ";", ","))
}
