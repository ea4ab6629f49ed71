package ui

import (
	"time"

	"pgtower/ui/page"
	"pgtower/ui/style"
)

const (
	// hesitation is how long somebody must have pressed nothing to be looking for what can
	// be pressed.
	hesitation = 8 * time.Second
	// hintFor is how long the hint stays.
	hintFor = time.Minute
)

// firstHint is what a person is told who looks at the first screen and presses nothing:
// where everything else can be found. It is shown once in a session, never in the place of
// anything else, and never while there is trouble to be read.
func (m *Model) firstHint() string {
	if m.voice.on || !m.signedIn() || m.hesitating.IsZero() || m.pages[m.active].Editing() {
		return ""
	}
	if since := m.painted.Sub(m.hesitating); since < hesitation || since >= hesitation+hintFor || m.trouble() {
		return ""
	}
	g, own := m.global, m.scope()
	return "New here? Press " + own.Label(g.help) + " for the keys, " + own.Label(g.palette) + " for every action"
}

// pressedSomething ends the hint: whoever presses keys has found some.
func (m *Model) pressedSomething() { m.hesitating = time.Time{} }

// beginHesitating starts to wait for a first key.
func (m *Model) beginHesitating() {
	if !m.greeted {
		m.greeted, m.hesitating = true, m.now
	}
}

// said is what the rule says: a notice, or else the hint.
func (m *Model) said() page.Notice {
	if m.toast.Text != "" {
		return m.toast.Notice
	}
	return page.Notice{Tone: style.Muted, Text: m.firstHint()}
}
