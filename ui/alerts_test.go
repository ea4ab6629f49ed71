package ui_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgtower/internal/play"
	"pgtower/ui"

	tea "charm.land/bubbletea/v2"

	"pgtower/client/mock"
	"pgtower/models/query"
)

// runner is the user's programs: each takes a while.
type runner struct {
	mu            sync.Mutex
	args          []string // of each that was started
	running, most int
	err           error
}

// Terminal runs a program that ends by itself.
func (r *runner) Terminal(ctx context.Context, args []string, ended func(error) tea.Msg) tea.Cmd {
	return func() tea.Msg {
		_, err := r.Run(ctx, args)
		return ended(err)
	}
}

func (r *runner) Run(ctx context.Context, args []string) (string, error) {
	r.mu.Lock()
	r.args = append(r.args, fmt.Sprint(args))
	r.running++
	r.most = max(r.most, r.running)
	r.mu.Unlock()
	select {
	case <-time.After(3 * time.Second):
	case <-ctx.Done():
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.running--
	return "first\nlast words\n\n", r.err
}

func alerting(r *runner, view query.SavedView) func(*play.Backend, *ui.Options) {
	return func(b *play.Backend, o *ui.Options) {
		play.InBusiest(b, o)
		o.Views, o.Programs = []query.SavedView{view}, r
	}
}

// Ten programs of a view run at once, and then one for all alerts that came meanwhile. A failed program is reported.
func TestViewRunsItsProgram(t *testing.T) {
	t.Parallel()
	r := &runner{}
	view := query.SavedView{Name: "Trouble", Filter: "is:failed", Run: []string{"tell", "{view} {count}", "{error}"}}
	play.Run(t, 120, 36, alerting(r, view), func(p *play.Program) {
		p.Fail(25)
		p.Wait(10 * time.Second)
		p.Sees("Trouble: ✗ Import data of storefront failed, +24 more")
		want := append(slices.Repeat([]string{"[tell Trouble 1 –]"}, 10), "[tell Trouble 15 –]")
		if !slices.Equal(r.args, want) || r.most != 10 || r.running != 0 {
			t.Errorf("%q, %d at once", r.args, r.most)
		}
		r.err = errors.New("failed (exit status 3)")
		p.Fail(1)
		p.Wait(10 * time.Second)
		p.Sees("Trouble: ✗ tell failed (exit status 3): last words · ': show")
		p.Command("alerts")
		p.Sees("▌          00:00:", "tell failed (exit status 3)", "✗ storefront  26 × Import data failed", "Trouble")
		p.Press("down", "enter")
		p.Sees("▌ ✗ failed", "Import data")
		p.SeesNot("Trouble: ")
		if len(p.Raw) > 0 {
			t.Errorf("a view without the bell rings: %q", p.Raw)
		}
	})
}

// A program never gets a field as an option: such a match is left out and named, with a bell, and the program runs for the
// others, also when they are collected.
func TestViewRunsDespiteALeftOutMatch(t *testing.T) {
	t.Parallel()
	r := &runner{}
	view := query.SavedView{Name: "Trouble", Filter: "is:failed", Alert: true, Run: []string{"tell", "{action}", "{count}"}}
	play.Run(t, 140, 36, alerting(r, view), func(p *play.Program) {
		for range 3 {
			p.Begin(mock.Task{Action: "-rf", Run: time.Second, Fail: true})
		}
		p.Fail(25)
		p.Begin(mock.Task{Action: "-rf", Run: time.Second, Fail: true})
		p.Wait(10 * time.Second)
		want := append(slices.Repeat([]string{"[tell import_data 1]"}, 10), "[tell import_data 15]")
		if !slices.Equal(r.args, want) {
			t.Errorf("%q", r.args)
		}
		if len(p.Raw) != 4 {
			t.Errorf("it rings for each of two polls, and for what each left out: %q", p.Raw)
		}
		p.Command("alerts")
		p.Sees(`tell was not run (-rf of storefront failed): the argument "-rf" would begin with a dash`)
		p.Press("/")
		p.Type("was not run")
		p.Sees("1 of ")
	})
}

// A watched operation that ends rings the bell and notifies the desktop, and the title counts its failure.
func TestWatchRings(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, play.InBusiest, func(p *play.Program) {
		p.Send(tea.EnvMsg{"TERM_PROGRAM=WezTerm"})
		p.Wait(2 * time.Second) // in a second of its own, it is on top
		p.Begin(mock.Task{Action: "prewarm_replica", Run: 20 * time.Second, Fail: true})
		p.Wait(6 * time.Second)
		p.Press("g", "w")
		p.Sees("watching Prewarm replica", "◉")
		if len(p.Raw) > 0 {
			t.Errorf("before its end: %q", p.Raw)
		}
		p.Wait(30 * time.Second)
		const notice = "\a\x1b]9;pgtower: ✗ Prewarm replica of storefront failed"
		if len(p.Raw) != 1 || !strings.HasPrefix(p.Raw[0], notice) {
			t.Errorf("at its end: %q", p.Raw)
		}
		if title := p.Model.View().WindowTitle; !strings.HasPrefix(title, "pgtower · 1 alert since you looked") {
			t.Errorf("the title is %q", title)
		}
	})
}

// The demo runs no program for its failures.
func TestViewRunsNothingInTheDemo(t *testing.T) {
	t.Parallel()
	r := &runner{}
	view := query.SavedView{Name: "Trouble", Filter: "is:failed", Run: []string{"tell"}}
	play.Run(t, 120, 36, func(b *play.Backend, o *ui.Options) {
		alerting(r, view)(b, o)
		o.Demo = true
	}, func(p *play.Program) {
		p.Fail(1)
		p.Sees("The demo does not run tell for the view Trouble")
		if len(r.args) > 0 {
			t.Errorf("%q", r.args)
		}
	})
}

// Muted alerts are only listed, and the header says for how long.
func TestAlertsAreMuted(t *testing.T) {
	t.Parallel()
	r := &runner{}
	view := query.SavedView{Name: "Trouble", Filter: "is:failed", Alert: true, Run: []string{"tell"}}
	play.Run(t, 80, 24, alerting(r, view), func(p *play.Program) {
		p.Command("alerts")
		p.Sees("unavailable, no alerts yet")
		p.Press("esc", ":")
		p.Type("mute 2d")
		p.Reads(`✗ must be a duration from 1m to 24h, not "2d"`)
		p.Press("esc")
		p.Command("mute 30m")
		p.Sees("Alerts are muted for 30 minutes, and only listed (:alerts)", "muted 30m")
		p.Fail(1)
		p.Wait(10 * time.Second)
		p.Sees("muted 30m")
		p.SeesNot("✗ Import data of")
		p.Command("alerts")
		p.Sees("✗ storefront  Import data failed", "Failed, Trouble")
		p.Press("esc")
		p.Command("unmute")
		p.Sees("Alerts are no longer muted")
		p.SeesNot("muted 30m", "muted 29m")
		if len(p.Raw) > 0 || len(r.args) > 0 {
			t.Errorf("%q, %q", p.Raw, r.args)
		}
		p.Command("mute 1m")
		p.Wait(time.Minute + ui.RestFor)
		p.SeesNot("muted")
		p.Fail(1)
		p.Sees("Trouble: ✗ Import data of storefront failed")
		if len(p.Raw) != 1 || len(r.args) != 1 {
			t.Errorf("%q, %q", p.Raw, r.args)
		}
	})
}

// Muted alerts are not announced; the description of the page says until when they are muted.
func TestAlertsAreMutedSpoken(t *testing.T) {
	t.Parallel()
	play.Speaking(t, play.InBusiest, func(p *play.Program) {
		p.Command("mute 1h")
		p.Hears("Alerts are muted for 1 hour, and only listed (:alerts)")
		p.Fail(1)
		if got := p.Heard(); strings.Contains(got, "error: Import data") {
			t.Errorf("%q", got)
		}
		p.Press(".")
		p.Hears("Operations", "Alerts are muted until 01:00:")
	})
}
