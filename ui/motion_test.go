package ui

import (
	"testing"
	"time"

	"pgtower/client/mock"
)

func TestNothingMovesBetweenPolls(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, func(b *backend, o *Options) { inBusiest(b, o); o.ReduceMotion, o.Interval = true, 20*time.Second }, func(p *program) {
		p.begin(mock.Task{ProjectID: p.server.BusiestProject(), Action: "create_branch", Run: time.Hour})
		p.Wait(2 * time.Second)
		p.Press("r")
		p.sees("◐ running", "● live, every 20s", "Create branch")
		p.seesNot("next ")
		first := p.screen()
		changed := 0
		for range 60 {
			p.Wait(time.Second)
			if now := p.screen(); now != first {
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
	play(t, 120, 36, func(b *backend, o *Options) { inBusiest(b, o); o.ReduceMotion, o.Interval = true, 5*time.Minute }, func(p *program) {
		first := p.screen()
		p.Wait(time.Minute)
		if now := p.screen(); now == first {
			t.Errorf("the ages stand still:\n%s", now)
		}
	})
}
