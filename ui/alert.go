package ui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/dialog"
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

// maxAlerts is how many alerts are kept to be read again.
const maxAlerts = 100

// alerted is an alert with when it came.
type alerted struct {
	page.Alert

	at time.Time
}

func (a *alerted) String() string { return a.Title + ": " + a.Text }

// alert rings the bell, notifies the desktop if the terminal can, and says it on the
// screen as well, where it stays until somebody is there.
func (m *Model) alert(a page.Alert) tea.Cmd {
	kept := alerted{a, m.now}
	m.alerts = append([]alerted{kept}, m.alerts[:min(len(m.alerts), maxAlerts-1)]...)
	m.toast.alert = false // a newer one takes its place
	timer := m.notify(page.Notice{Tone: a.Tone, Text: kept.String(), Waits: true})
	m.toast.alert = true
	return tea.Batch(tea.Raw(bell+m.notifier.sequence("pgtower · "+a.Title, a.Text)), timer)
}

// alertsWanted is the wish to read the alerts again.
type alertsWanted struct{}

// openAlerts lists the alerts, newest first.
func (m *Model) openAlerts() {
	kept := m.alerts
	m.dialogs = append(m.dialogs, dialog.NewViewer("How what you watched ended, newest first", func(f page.Frame) []string {
		lines := make([]dialog.Line, len(kept))
		for i := range kept {
			lines[i] = dialog.Line{Tone: kept[i].Tone, Text: m.times().At(kept[i].at) + "  " + kept[i].String()}
		}
		return dialog.Paragraphs(f, lines)
	}))
}
