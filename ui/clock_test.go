package ui_test

import (
	"net/http"
	"regexp"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"pgtower/internal/play"
	"pgtower/ui"

	"pgtower/client/mock"
)

// The clock goes back after a profile with its own time, such as a demo that was advanced. Keys still count, and the
// screen follows the time.
func TestClockThatGoesBack(t *testing.T) {
	t.Parallel()
	play.Loaded(t, 120, 36, nil, func(p *play.Program) {
		p.Model.Profile().Clock = func() time.Time { return time.Now().Add(-time.Hour) }
		p.Press("2")
		p.Sees("REGION")
		p.Press("1")
		p.Sees("STATUS")
		p.Wait(time.Minute)
		if age := p.Model.Lag(); age < 0 || age > ui.RestFor {
			t.Errorf("the screen shows a time %s away", age)
		}
	})
}

// A service whose time runs fast, as that of a demo can, is no computer that slept.
func TestClockThatRunsFast(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, nil, func(p *play.Program) {
		start := time.Now()
		p.Model.Profile().Clock = func() time.Time { return start.Add(100 * time.Since(start)) }
		p.Wait(5500 * time.Millisecond)
		if p.Model.Slept() {
			t.Error("the computer did not sleep")
		}
	})
}

// Ages are updated with every answer, and without one after a while, also with reduced motion.
func TestClockOfAgesGoesWithTheInterval(t *testing.T) {
	t.Parallel()
	for interval, most := range map[time.Duration]time.Duration{
		time.Second: time.Second, 5 * time.Second: 5 * time.Second, time.Minute: ui.RestFor + time.Second,
		5 * time.Minute: 31 * time.Second, // with reduced motion
	} {
		play.Run(t, 120, 36, func(b *play.Backend, o *ui.Options) {
			play.InBusiest(b, o)
			o.Interval, o.ReduceMotion = interval, interval > time.Minute
		}, func(p *play.Program) {
			p.Wait(20 * time.Second)
			var oldest time.Duration
			for range 60 {
				p.Wait(time.Second)
				oldest = max(oldest, p.Model.Lag())
			}
			if oldest > most {
				t.Errorf("polled every %s, the screen was up to %s old", interval, oldest)
			}
		})
	}
}

// moves returns how often the screen and its ages change in six polls.
func moves(p *play.Program) (changed, aged int) {
	before, painted := p.Screen(), p.Model.Painted()
	for range 300 {
		time.Sleep(100 * time.Millisecond)
		p.Settle()
		if now := p.Screen(); now != before {
			before = now
			changed++
		}
		if now := p.Model.Painted(); now != painted {
			painted = now
			aged++
		}
	}
	return changed, aged
}

// Visible running operations are updated every second. Otherwise the screen changes only with answers.
func TestClockTicksWhereItIsSeen(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		filter string
		keys   []string
		still  bool
		// ticks reports whether the screen changes every second.
		ticks bool
	}{
		"running":         {ticks: true},
		"its detail":      {filter: "status:running action:create_branch", keys: []string{"enter"}, ticks: true},
		"below the end":   {keys: []string{"G"}},
		"another detail":  {keys: []string{"G", "enter"}},
		"statistics":      {keys: []string{"v"}},
		"reduced motion":  {still: true},
		"behind a filter": {filter: "status:failed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			slow := func(b *play.Backend, o *ui.Options) {
				play.InBusiest(b, o)
				o.ReduceMotion = c.still
				b.After = func(r *http.Request) {
					select {
					case <-time.After(300 * time.Millisecond):
					case <-r.Context().Done():
					}
				}
			}
			play.Run(t, 120, 36, slow, func(p *play.Program) {
				p.Begin(mock.Task{Action: "create_branch", Run: time.Hour})
				p.Wait(20 * time.Second)
				if c.filter != "" {
					p.Command("filter " + c.filter)
				}
				p.Press(c.keys...)
				p.Wait(2 * time.Second)
				changed, aged := moves(p)
				if c.ticks != (changed >= 30) || !c.ticks && changed > 8 {
					t.Errorf("the screen changed %d times in 30 seconds\n%s", changed, p.Screen())
				}
				if aged > 7 {
					t.Errorf("ages went on %d times in six polls", aged)
				}
			})
		})
	}
}

// Messages that only ask for more draw nothing. What time has changed when they come is drawn within a second.
func TestClockDrawsWhatTimeChanged(t *testing.T) {
	t.Parallel()
	var silent atomic.Bool
	play.Run(t, 120, 36, func(b *play.Backend, o *ui.Options) {
		o.ReduceMotion = true
		b.After = func(r *http.Request) {
			takes := 330 * time.Millisecond
			if silent.Load() {
				takes = time.Hour
			}
			select {
			case <-time.After(takes):
			case <-r.Context().Done():
			}
		}
	}, func(p *play.Program) {
		undrawn, behind := 0, 0
		for step := range 900 {
			silent.Store(step > 100) // then nothing but time tells how late the feed is
			time.Sleep(70 * time.Millisecond)
			p.Settle()
			shown := p.Model.View().Content
			if p.Model.Behind() {
				undrawn++
			}
			if !p.Model.Behind() || shown == p.Model.Anew() {
				behind = 0
				continue
			}
			behind++
			if behind > 14 {
				t.Fatalf("the screen is behind for more than a second:\n%s", p.Screen())
			}
		}
		if undrawn == 0 {
			t.Error("each message drew the screen")
		}
		p.Sees("12 projects: 0 within 10s")
		p.Press("p")
		p.Wait(time.Minute)
		p.Press("j") // the ticks behind it draw nothing by themselves
		p.Wait(time.Second)
		p.Model.Outdate()
		p.Wait(time.Second)
		p.Sees("paused")
	})
}

// TestClockStandsStillWhilePaused checks that running durations stop while the feed is paused.
func TestClockStandsStillWhilePaused(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, play.InBusiest, func(p *play.Program) {
		p.Begin(mock.Task{Action: "create_branch", Run: time.Hour})
		p.Wait(10 * time.Second)
		p.Press("p")
		p.Sees("◐ running")
		p.Wait(time.Minute)
		if changed, _ := moves(p); changed > 0 {
			t.Errorf("the screen changed %d times\n%s", changed, p.Screen())
		}
	})
}

// No operation is younger than its duration, at any moment.
func TestClockMakesNothingYoungerThanItTook(t *testing.T) {
	t.Parallel()
	row := regexp.MustCompile(`(?m) (\d+)s +!?(\d+)(?:\.(\d))?s`)
	play.Run(t, 120, 36, play.InBusiest, func(p *play.Program) {
		for i := range 300 {
			if i%10 == 0 {
				p.Begin(mock.Task{Action: "create_branch", Run: time.Duration(i*37%6000) * time.Millisecond})
			}
			time.Sleep(130 * time.Millisecond)
			p.Settle()
			for _, m := range row.FindAllStringSubmatch(p.Screen(), -1) {
				age, _ := strconv.Atoi(m[1])
				took, _ := strconv.Atoi(m[2])
				if m[3] != "" && m[3] != "0" {
					took++
				}
				if age < took {
					t.Fatalf("%q after %d steps\n%s", m[0], i, p.Screen())
				}
			}
		}
	})
}
