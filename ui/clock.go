package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/page"
	"pgtower/ui/theme"
)

// clockTick says that the text of ages and countdowns may have changed.
type clockTick struct{}

// tickClock waits for the next full second, when all such texts change together.
func (m *Model) tickClock() tea.Cmd {
	return page.After(m.ctx, time.Second-m.now.Sub(m.now.Truncate(time.Second)), clockTick{})
}

// asleep is how long the clock must have stood still for the computer to have slept.
const asleep = 10 * time.Second

// wake tells the pages when the clock on the wall went on without the program's timers,
// which stand still while the computer sleeps.
func (m *Model) wake() tea.Cmd {
	slept := m.slept()
	m.ticked = m.now.Round(0)
	if !slept {
		return nil
	}
	return m.broadcast(page.Woke{})
}

func (m *Model) slept() bool { return !m.ticked.IsZero() && m.now.Round(0).Sub(m.ticked) >= asleep }

const (
	// stillFor is how long the screen's time stands where nothing is to move.
	stillFor = 30 * time.Second
	// restFor is how long it stands, at most, where nobody is at it: then it goes on with
	// the next answer, or without one some time later.
	restFor, restPast = 8 * time.Second, 12 * time.Second
	// restAfter is how long nothing must have been pressed for nobody to be at it.
	restAfter = 10 * time.Second
)

// paintAt settles which time the screen shows: that of what happened last, or the clock's
// once it has stood for long enough. It says whether there is anything to paint. A screen
// that changes each second costs more than all that pgtower does besides, and most of the
// time nobody looks. Rows whose ages stand are rows that a terminal can move as they are,
// when others come above them.
//
// Only a tick may be left out: the clock may go back, where a profile with a time of its
// own is left, and what a person does counts all the same.
func (m *Model) paintAt(msg tea.Msg) bool {
	stood := m.now.Sub(m.painted)
	stands := func(atLeast time.Duration) bool { return stood >= 0 && stood < atLeast && !m.slept() }
	switch msg := msg.(type) {
	case clockTick:
		if stands(m.timeStands(restPast)) {
			return false
		}
	case page.Delivery:
		switch {
		case msg.Quiet && stands(m.timeStands(restPast)), m.resting() && stands(m.restFor()):
			return true
		}
	case tea.KeyPressMsg, tea.MouseMsg, tea.PasteMsg:
		m.pressed = m.now
	}
	m.painted = m.now
	return true
}

// restFor lets ages go on with every second answer of a feed that is polled often.
func (m *Model) restFor() time.Duration {
	if every := m.pages[m.active].Status(m.now).Every; every > 0 {
		return min(restFor, every*8/5)
	}
	return restFor
}

// timeStands is how long the screen's time may stand now, which is atRest if nobody is at it.
func (m *Model) timeStands(atRest time.Duration) time.Duration {
	switch {
	case m.options.Still:
		return stillFor
	case m.resting():
		return atRest
	}
	return 0
}

// resting says that nobody is at it, and that there is no trouble to be watched.
func (m *Model) resting() bool {
	if !m.signedIn() || len(m.dialogs) > 0 || m.trouble() {
		return false
	}
	return m.blurred || m.now.Sub(m.pressed) >= restAfter
}

// trouble says that the page has something to say that is not to be missed.
func (m *Model) trouble() bool {
	switch m.pages[m.active].Status(m.now).Tone {
	case theme.Waiting, theme.Bad, theme.Alarm:
		return true
	default:
		return false
	}
}
