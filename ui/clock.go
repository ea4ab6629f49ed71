package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/page"
	"pgtower/ui/style"
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
	m.awake = m.now.Round(0)
	if !slept {
		return nil
	}
	return m.broadcast(page.Woke{})
}

func (m *Model) slept() bool { return !m.awake.IsZero() && m.now.Round(0).Sub(m.awake) >= asleep }

// stillFor is how long the screen's time stands where nothing is to move, and restFor
// elsewhere, at most: it goes on with the next answer, or without one after that.
const stillFor, restFor = 30 * time.Second, 12 * time.Second

// paintAt settles which time the screen shows: that of what happened last, or the clock's
// once it has stood for long enough. What runs goes on with every second. It says whether
// there is anything to paint. A screen of which all changes each second costs more than all
// that pgtower does besides, and rows whose ages stand are rows that a terminal can move as
// they are, when others come above them.
//
// Only a tick may be left out: the clock may go back, where a profile with a time of its
// own is left, and what a person does counts all the same.
func (m *Model) paintAt(msg tea.Msg) bool {
	stood, most := m.now.Sub(m.painted), restFor
	if m.options.Still {
		most = stillFor
	}
	stands := stood >= 0 && stood < most && !m.slept()
	switch msg := msg.(type) {
	case clockTick:
		if stands {
			return m.tick()
		}
	case page.Delivery:
		if msg.Quiet && stands {
			return true
		}
	}
	m.painted, m.ticked = m.now, m.now
	return true
}

// tick lets what runs go on, and what counts down. It reports whether there is such.
func (m *Model) tick() bool {
	if m.options.Still || !m.signedIn() || !m.pages[m.active].Ticks() && !m.trouble() {
		return false
	}
	m.ticked = m.now
	return true
}

// trouble says that the page has something to say that is not to be missed.
func (m *Model) trouble() bool {
	switch m.pages[m.active].Status(m.now).Tone {
	case style.Waiting, style.Bad, style.Alarm:
		return true
	default:
		return false
	}
}

const (
	// drift is how far the reckoned difference of the clocks must have changed for ages to be
	// reckoned anew: it is never more exact than that, and ages must not waver with it.
	drift = 3 * time.Second
	// skewToSay is the difference of the clocks that the user is told of.
	skewToSay = time.Minute
)

// compareClocks learns how far the service's clock is ahead, and says once when that is much.
func (m *Model) compareClocks() tea.Cmd {
	if m.session.skew == nil {
		return nil
	}
	skew := m.session.skew()
	if !skew.Known || (skew.Value-m.session.Skew).Abs() < drift {
		return nil
	}
	m.session.Skew = skew.Value.Round(time.Second)
	off := m.session.Skew.Abs()
	if off <= skewToSay || m.session.skewed {
		return nil
	}
	m.session.skewed = true
	side := "ahead of"
	if m.session.Skew > 0 {
		side = "behind"
	}
	return m.notify(page.Notice{Tone: style.Waiting, Waits: true, Text: "This computer's clock is " + style.DurationWords(off.Round(time.Minute)) +
		" " + side + " the service's: ages are reckoned from the service's clock."})
}
