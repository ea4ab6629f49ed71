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
	// stillFor is how long the screen's time stands where nothing is to move, and restFor
	// where nobody is at it: longer than from one poll to the next as a rule, so that it
	// goes on with what they bring.
	stillFor, restFor = 30 * time.Second, 10 * time.Second
	// restAfter is how long nothing must have been pressed for nobody to be at it.
	restAfter = 10 * time.Second
)

// paintAt settles which time the screen shows: that of what happened last, or the clock's
// once it has stood for long enough. It says whether there is anything to paint. A screen
// that changes each second costs more than all that pgtower does besides, and most of the
// time nobody looks.
//
// Only a tick may be left out: the clock may go back, where a profile with a time of its
// own is left, and what a person does counts all the same. A timer of a page is painted at
// the time that stands: what it begins to ask for soon brings a time of its own.
func (m *Model) paintAt(msg tea.Msg) bool {
	stood := m.now.Sub(m.painted)
	stands := stood >= 0 && stood < m.stands() && !m.slept()
	switch msg := msg.(type) {
	case clockTick:
		if stands {
			return false
		}
	case page.Delivery:
		if msg.Timer && stands {
			return true
		}
	case tea.KeyPressMsg, tea.MouseMsg, tea.PasteMsg:
		m.pressed = m.now
	}
	m.painted = m.now
	return true
}

// stands is how long the screen's time may stand now.
func (m *Model) stands() time.Duration {
	switch {
	case m.options.Still:
		return stillFor
	case m.resting():
		return restFor
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
