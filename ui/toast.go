package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/page"
)

// toastFor is how long a notice stays.
const toastFor = 6 * time.Second

// toast is the notice on the screen. Each has a number, so that the timer of an older
// one never takes a newer one away.
type toast struct {
	page.Notice

	number int
	due    bool // the time of a notice that waits is over
	alert  bool // the notice is an alert, of which the user is told nowhere else
}

// toastOver says that the time of a notice is over.
type toastOver struct{ number int }

// notify shows a notice for a while. One that would wait gives way to an alert that does.
func (m *Model) notify(n page.Notice) tea.Cmd {
	m.voice.tell(n)
	if n.Waits && m.toast.alert && m.toast.Text != "" {
		return nil
	}
	m.toast.Notice = n
	m.toast.number++
	m.toast.due, m.toast.alert = false, false
	return page.After(m.ctx, toastFor, toastOver{m.toast.number})
}

// spot is what a person looks at: a page, or a dialog over it.
type spot struct {
	page   page.ID
	dialog page.Dialog
	signin bool
}

func (m *Model) spot() spot {
	s := spot{page: m.active, signin: m.signin != nil}
	if n := len(m.dialogs); n > 0 {
		s.dialog = m.dialogs[n-1]
	}
	return s
}

// leave takes away the notice of a number that was about the spot that was left.
func (t *toast) leave(number int) {
	if t.Here && t.number == number {
		t.Notice = page.Notice{}
	}
}

func (t *toast) clear(msg toastOver) {
	switch {
	case msg.number != t.number:
	case t.Waits:
		t.due = true
	default:
		t.Notice = page.Notice{}
	}
}

// seen takes away the notice that waited for the person.
func (t *toast) seen() {
	if t.Waits && t.due {
		t.Notice = page.Notice{}
	}
}

// looked takes in that the user is there.
func (m *Model) looked() {
	m.toast.seen()
	m.tellLooked()
}

func (m *Model) tellLooked() {
	if m.signedIn() {
		m.pages[page.Operations].Update(page.Looked{})
	}
}
