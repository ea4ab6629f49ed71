package ui

import (
	"net/http"
	"testing"
	"time"

	"pgtower/client/mock"
)

// The clock goes back where a profile with a time of its own is left, such as a demo that
// was advanced. Keys count all the same, and the screen goes on with the time.
func TestClockThatGoesBack(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		p.wait(2 * time.Second)
		p.model.profile.Clock = func() time.Time { return time.Now().Add(-time.Hour) }
		p.press("2")
		p.sees("REGION")
		p.press("1")
		p.sees("STATUS")
		p.wait(time.Minute)
		if age := p.model.now.Sub(p.model.painted); age < 0 || age > restFor {
			t.Errorf("the screen shows a time %s away", age)
		}
	})
}

// Whoever polls each second wants to see it: ages stand for no more than two.
func TestAgesAtRestGoWithTheInterval(t *testing.T) {
	t.Parallel()
	for interval, most := range map[time.Duration]time.Duration{
		time.Second: 3 * time.Second, 5 * time.Second: 11 * time.Second, time.Minute: restPast + 2*time.Second,
	} {
		play(t, 120, 36, func(b *backend, o *Options) { inBusiest(b, o); o.Interval = interval }, func(p *program) {
			p.wait(20 * time.Second)
			var oldest time.Duration
			for range 60 {
				p.wait(time.Second)
				oldest = max(oldest, p.model.now.Sub(p.model.painted))
			}
			if oldest > most || oldest < most/4 {
				t.Errorf("polled every %s, the screen was up to %s old", interval, oldest)
			}
		})
	}
}

// At rest the screen changes with what a poll brings, and not once more when it begins.
func TestScreenAtRestGoesWithTheAnswers(t *testing.T) {
	t.Parallel()
	slow := func(b *backend, o *Options) {
		inBusiest(b, o)
		b.after = func(r *http.Request) {
			select {
			case <-time.After(300 * time.Millisecond):
			case <-r.Context().Done():
			}
		}
	}
	play(t, 120, 36, slow, func(p *program) {
		p.begin(mock.Task{ProjectID: p.server.BusiestProject(), Action: "create_branch", Run: time.Hour})
		p.wait(20 * time.Second)
		p.sees("Create branch", "◐ running")
		before, changed := p.screen(), 0
		painted, aged := p.model.painted, 0
		for range 300 {
			time.Sleep(100 * time.Millisecond)
			p.settle()
			if now := p.screen(); now != before {
				before = now
				changed++
			}
			if now := p.model.painted; now != painted {
				painted = now
				aged++
			}
		}
		if changed < 5 || changed > 6 {
			t.Errorf("the screen changed %d times in six polls", changed)
		}
		if aged != 3 {
			t.Errorf("ages went on %d times in six polls", aged)
		}
	})
}
