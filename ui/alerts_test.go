package ui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/client/mock"
	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/models/query"
	"pgtower/ui/page"
)

// runner is the user's programs: each takes a while.
type runner struct {
	mu            sync.Mutex
	args          []string // of each that was started
	running, most int
	err           error
}

func (r *runner) Terminal(context.Context, []string, func(error) tea.Msg) tea.Cmd { return nil }

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

func alerting(r *runner, view query.SavedView) func(*backend, *Options) {
	return func(b *backend, o *Options) {
		inBusiest(b, o)
		o.Views, o.Programs = []query.SavedView{view}, r
	}
}

// Ten programs of a view run at once, and then one for all alerts that came meanwhile. A failed program is reported.
func TestProgramsOfViews(t *testing.T) {
	t.Parallel()
	r := &runner{}
	view := query.SavedView{Name: "Trouble", Filter: "is:failed", Run: []string{"tell", "{view} {count}", "{error}"}}
	play(t, 120, 36, alerting(r, view), func(p *program) {
		p.fails(25)
		p.Wait(10 * time.Second)
		p.sees("Trouble: ✗ Import data of storefront failed, +24 more")
		want := append(slices.Repeat([]string{"[tell Trouble 1 –]"}, 10), "[tell Trouble 15 –]")
		if !slices.Equal(r.args, want) || r.most != 10 || r.running != 0 {
			t.Errorf("%q, %d at once", r.args, r.most)
		}
		r.err = errors.New("failed (exit status 3)")
		p.fails(1)
		p.Wait(10 * time.Second)
		p.sees("Trouble: ✗ tell failed (exit status 3): last words · ': show")
		p.command("alerts")
		p.sees("▌ Trouble: ✗ tell failed", "  Failed, Trouble: ✗ Import data", "27 of 27")
		if len(p.alerts) > 0 {
			t.Errorf("a view without the bell rings: %q", p.alerts)
		}
	})
}

// An operation has one line with the views that it matched. What is new of it moves the line to the top.
func TestAlertsOfAnOperation(t *testing.T) {
	t.Parallel()
	var a alerts
	list := func(reason string, texts ...string) {
		e := page.Alert{Reason: reason}
		for _, text := range texts {
			about := feed.Key{Project: "p", ID: text[:1]}
			e.Found = append(e.Found, page.Found{Text: text, About: about, Values: models.Fields{}})
		}
		a.list(e, time.Time{})
	}
	list("Failed", "a failed", "b failed")
	list("Trouble", "b failed", "c slow", "c failed")
	list("Trouble", "a failed")
	list("watched", "a finished")
	a.list(page.Alert{Reason: "Trouble", Found: []page.Found{{Text: "tell failed", About: feed.Key{Project: "p", ID: "a"}}}}, time.Time{})
	var got []string
	for _, one := range a.all {
		got = append(got, strings.Join(one.reasons, "+")+" "+one.text)
	}
	want := []string{"Trouble tell failed", "Failed+Trouble+watched a finished", "Trouble c failed", "Failed+Trouble b failed"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// A program never gets a field as an option, and the user sees why it was not run.
func TestRefusedArgumentsOfViews(t *testing.T) {
	t.Parallel()
	r := &runner{}
	view := query.SavedView{Name: "-v", Filter: "is:failed", Alert: true, Run: []string{"tell", "{view}"}}
	play(t, 120, 36, alerting(r, view), func(p *program) {
		p.fails(1)
		p.sees(`-v: ✗ tell was not run (Import data of storefront failed): the argument "-v" would begin with a dash`)
		if len(r.args) > 0 || len(p.alerts) != 2 {
			t.Errorf("%q, %q", r.args, p.alerts)
		}
	})
}

// A match with such a field is left out and named, and the program runs for the others, also when they are collected.
func TestAMatchThatIsLeftOutStopsNoOthers(t *testing.T) {
	t.Parallel()
	r := &runner{}
	view := query.SavedView{Name: "Trouble", Filter: "is:failed", Run: []string{"tell", "{action}", "{count}"}}
	play(t, 140, 36, alerting(r, view), func(p *program) {
		for range 3 {
			p.begin(mock.Task{ProjectID: p.server.BusiestProject(), Action: "-rf", Run: time.Second, Fail: true})
		}
		p.fails(25)
		p.begin(mock.Task{ProjectID: p.server.BusiestProject(), Action: "-rf", Run: time.Second, Fail: true})
		p.Wait(10 * time.Second)
		want := append(slices.Repeat([]string{"[tell import_data 1]"}, 10), "[tell import_data 15]")
		if !slices.Equal(r.args, want) {
			t.Errorf("%q", r.args)
		}
		p.command("alerts")
		p.sees("tell was not run (-rf of storefront failed): the argument")
		p.Type("was not run")
		p.sees("4 of 33")
	})
}

// The demo runs no program for its failures.
func TestTheDemoRunsNoProgramsOfViews(t *testing.T) {
	t.Parallel()
	r := &runner{}
	view := query.SavedView{Name: "Trouble", Filter: "is:failed", Run: []string{"tell"}}
	play(t, 120, 36, func(b *backend, o *Options) {
		alerting(r, view)(b, o)
		o.Demo = true
	}, func(p *program) {
		p.fails(1)
		p.sees("The demo does not run tell for the view Trouble")
		if len(r.args) > 0 {
			t.Errorf("%q", r.args)
		}
	})
}

// Muted alerts are only listed, and the header says for how long.
func TestMute(t *testing.T) {
	t.Parallel()
	r := &runner{}
	view := query.SavedView{Name: "Trouble", Filter: "is:failed", Alert: true, Run: []string{"tell"}}
	play(t, 80, 24, alerting(r, view), func(p *program) {
		p.Press(":")
		p.Type("mute 2d")
		p.reads(`✗ must be a duration from 1m to 24h, not "2d"`)
		p.Press("esc")
		p.command("mute 30m")
		p.sees("Alerts are muted for 30 minutes, and only listed (:alerts)", "muted 30m")
		p.fails(1)
		p.Wait(10 * time.Second)
		p.sees("muted 30m")
		p.seesNot("✗ Import data of")
		p.command("alerts")
		p.sees("▌ Failed, Trouble: ✗ Import data")
		p.Press("esc")
		p.command("unmute")
		p.sees("Alerts are no longer muted")
		p.seesNot("muted 30m", "muted 29m")
		if len(p.alerts) > 0 || len(r.args) > 0 {
			t.Errorf("%q, %q", p.alerts, r.args)
		}
		p.command("mute 1m")
		p.Wait(time.Minute + restFor)
		p.seesNot("muted")
		p.fails(1)
		p.sees("Trouble: ✗ Import data of storefront failed")
		if len(p.alerts) != 1 || len(r.args) != 1 {
			t.Errorf("%q, %q", p.alerts, r.args)
		}
	})
}

func TestMuteIsSpoken(t *testing.T) {
	t.Parallel()
	speaking(t, inBusiest, func(p *program) {
		p.command("mute 1h")
		p.hears("Alerts are muted for 1 hour, and only listed (:alerts)")
		p.fails(1)
		if got := p.heard(); strings.Contains(got, "error: Import data") {
			t.Errorf("%q", got)
		}
		p.Press(".")
		p.hears("Operations", "Alerts are muted until 01:00:")
	})
}
