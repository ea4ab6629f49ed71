package ui_test

import (
	"sync/atomic"
	"testing"
	"time"

	"pgtower/internal/play"
	"pgtower/ui"

	tea "charm.land/bubbletea/v2"
)

// Polling goes on while the terminal has no focus, and the focus alone causes no request.
func TestPollingWithoutTheFocus(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, play.InBusiest, func(p *play.Program) {
		p.Wait(2 * time.Second) // for the window
		p.Send(tea.BlurMsg{})
		if n := p.Asked(time.Minute); n != 12 {
			t.Errorf("%d polls in a minute without the focus", n)
		}
		p.Sees("● live, every 5s")
		n := p.Counting()
		p.Send(tea.FocusMsg{})
		if n.Load() != 0 {
			t.Error("polled again although it had just been")
		}
	})
}

// After the computer was asleep, the program polls at once.
func TestPollingAfterASleep(t *testing.T) {
	t.Parallel()
	var slept atomic.Int64
	clock := func() time.Time { return time.Now().Add(time.Duration(slept.Load())) }
	play.Run(t, 120, 36, func(b *play.Backend, o *ui.Options) { play.InBusiest(b, o); o.Clock, o.Interval = clock, 5*time.Minute }, func(p *play.Program) {
		p.Wait(3 * time.Second)
		slept.Store(int64(time.Hour))
		if n := p.Asked(2 * time.Second); n == 0 {
			t.Error("not polled at once after an hour's sleep")
		}
	})
}
