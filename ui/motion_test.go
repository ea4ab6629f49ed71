package ui_test

import (
	"testing"
	"time"

	"pgtower/internal/play"
	"pgtower/ui"
)

// With reduced motion, ages change between polls that are far apart.
func TestClockWithReducedMotion(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, func(b *play.Backend, o *ui.Options) {
		play.InBusiest(b, o)
		o.ReduceMotion, o.Interval = true, 5*time.Minute
	}, func(p *play.Program) {
		first := p.Screen()
		p.Wait(time.Minute)
		if now := p.Screen(); now == first {
			t.Errorf("the ages stand still:\n%s", now)
		}
	})
}
