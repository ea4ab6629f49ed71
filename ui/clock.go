package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/page"
)

// clockTick says that the text of ages and countdowns may have changed.
type clockTick struct{}

// tickClock waits for the next full second, when all such texts change together.
func (m *Model) tickClock() tea.Cmd {
	every := time.Second
	if m.blurred {
		every = unseen
	}
	return page.After(m.ctx, every-m.now.Sub(m.now.Truncate(every)), clockTick{})
}

// unseen is how often the texts change that tell the time, while nobody looks.
const unseen = 5 * time.Second

// asleep is how long the clock must have stood still for the computer to have slept.
const asleep = 10 * time.Second

// wake tells the pages when the clock on the wall went on without the program's timers,
// which stand still while the computer sleeps.
func (m *Model) wake() tea.Cmd {
	was := m.ticked
	m.ticked = m.now.Round(0)
	if was.IsZero() || m.ticked.Sub(was) < asleep {
		return nil
	}
	return m.broadcast(page.Woke{})
}

// stillFor is how long ages stay as they are where nothing is to move.
const stillFor = 30 * time.Second

// paintAt settles which time the screen shows: where nothing is to move, that of what
// happened last.
func (m *Model) paintAt(msg tea.Msg) {
	if _, tick := msg.(clockTick); !tick || !m.options.Still || m.now.Sub(m.painted) >= stillFor {
		m.painted = m.now
	}
}
