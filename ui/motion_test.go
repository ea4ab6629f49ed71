package ui_test

import (
	"testing"
	"time"

	"pgtower/internal/play"
	"pgtower/ui"

	"pgtower/client/mock"
)

func TestNothingMovesBetweenPolls(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, func(b *play.Backend, o *ui.Options) {
		play.InBusiest(b, o)
		o.ReduceMotion, o.Interval = true, 20*time.Second
	}, func(p *play.Program) {
		p.Begin(mock.Task{ProjectID: p.Server.BusiestProject(), Action: "create_branch", Run: time.Hour})
		p.Wait(2 * time.Second)
		p.Press("r")
		p.Sees("◐ running", "● live, every 20s", "Create branch")
		p.SeesNot("next ")
		first := p.Screen()
		changed := 0
		for range 60 {
			p.Wait(time.Second)
			if now := p.Screen(); now != first {
				first = now
				changed++
			}
		}
		// The project list is read once a minute.
		if changed == 0 || changed > 4 {
			t.Errorf("the screen changed %d times in three polls:\n%s", changed, first)
		}
	})
	// Ages change between polls that are far apart.
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
