package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

const (
	// noticeFor is how long a notice stays.
	noticeFor = 6 * time.Second
	// hesitation is how long a user must have pressed nothing to be looking for what can be pressed.
	hesitation = 8 * time.Second
	// hintFor is how long the hint stays.
	hintFor = time.Minute
)

// notices is the notice on the screen. Its number keeps the timer of an older one from removing it.
type notices struct {
	shown  page.Notice
	number int
	due    bool // the time of a notice that waits is over
	alert  bool // the notice is an alert, of which the user is told nowhere else
}

// noticeOver tells that the time of a notice is over.
type noticeOver struct{ number int }

// show shows a notice for a while. One that would wait gives way to an alert that does.
func (n *notices) show(ctx context.Context, notice page.Notice, alert bool) tea.Cmd {
	if notice.Waits && n.alert && n.shown.Text != "" && !alert {
		return nil
	}
	*n = notices{shown: notice, number: n.number + 1, alert: alert}
	return page.After(ctx, noticeFor, noticeOver{n.number})
}

func (n *notices) clear() { n.shown = page.Notice{} }

// leave takes away the notice of a number that was about where the user was.
func (n *notices) leave(number int) {
	if n.shown.Here && n.number == number {
		n.clear()
	}
}

func (n *notices) expire(msg noticeOver) {
	switch {
	case msg.number != n.number:
	case n.shown.Waits:
		n.due = true
	default:
		n.clear()
	}
}

// seen takes away the notice that waited for the user.
func (n *notices) seen() {
	if n.shown.Waits && n.due {
		n.clear()
	}
}

// firstHint tells a user who looks at the first screen and presses nothing where everything
// else can be found: once, never in the place of anything else, and never while there is
// trouble to be read.
type firstHint struct {
	since time.Time // when nothing was pressed yet, or zero
	begun bool
}

func (h *firstHint) begin(now time.Time) {
	if !h.begun {
		h.begun, h.since = true, now
	}
}

func (h *firstHint) end() { h.since = time.Time{} }

func (h *firstHint) due(now time.Time) bool {
	waited := now.Sub(h.since)
	return !h.since.IsZero() && waited >= hesitation && waited < hesitation+hintFor
}

// maxAlerts is how many alerts are kept to be read again.
const maxAlerts, bell = 100, "\a"

// alerts are those that came in this profile, the newest first.
type alerts []alerted

// alerted is an alert with when it came.
type alerted struct {
	page.Alert

	at time.Time
}

func (a *alerted) String() string { return a.Title + ": " + a.Text }

func (a *alerts) add(alert alerted) { *a = append(alerts{alert}, (*a)[:min(len(*a), maxAlerts-1)]...) }

// list lets the user read the alerts again.
func (a *alerts) list(times func() style.Times) page.Dialog {
	kept := *a
	return dialog.NewViewer("How what you watched ended, newest first", func(f page.Frame) []string {
		lines := make([]dialog.Line, len(kept))
		for i, one := range kept {
			lines[i] = dialog.Line{Tone: one.Tone, Text: times().At(one.at) + "  " + one.String()}
		}
		return dialog.Paragraphs(f, lines)
	})
}
