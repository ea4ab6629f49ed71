package ui_test

import (
	"testing"
	"time"

	"pgtower/internal/play"
	"pgtower/ui"

	"pgtower/client/mock"
	"pgtower/ui/page"
)

// An operation that stops matching the filter while it is selected stays until the user moves, and keys act on it.
func TestLapsedRowStays(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, open := range []bool{true, false} {
		play.Run(t, 160, 45, play.InBusiest, func(p *play.Program) {
			for _, action := range []string{"create_branch", "prewarm_replica", "apply_config"} {
				p.Begin(mock.Task{
					ProjectID: p.Server.BusiestProject(), Action: action, Run: map[string]time.Duration{"prewarm_replica": 20 * time.Second}[action] + time.Second,
					Fail: action == "prewarm_replica",
				})
			}
			p.Begin(mock.Task{ProjectID: p.Server.BusiestProject(), Action: "create_compute", Run: time.Hour})
			p.Wait(6 * time.Second)
			p.Press("/")
			p.Type("is:unfinished prewarm")
			p.Press("enter")
			p.Wait(time.Second)
			p.Sees("◐ running", "1 / 1")
			p.Press("k")
			if open {
				p.Press("enter")
			}
			row := p.Model.Page(page.Operations).ViewState().Row
			p.Wait(40 * time.Second)
			p.Sees("filter          no longer matches", "✗ failed after", " 0 of ")
			if got := p.Model.Page(page.Operations).ViewState(); got.Row != row || got.Open != open {
				t.Errorf("was on %s, now %+v", row, got)
			}
			p.Press("w")
			p.Sees("Prewarm replica of storefront already ended")
			p.Press("y")
			p.Sees("Copy: Prewarm replica of storefront", row.ID)
			p.Press("esc", "e")
			p.Sees("export: unavailable")
			if open {
				p.Press("esc")
			}
			p.Sees("no longer matches", "– / 0")
			p.Press("j")
			p.Sees("Nothing matches")
		})
	}
}

// The change of the row is announced, with its details open or closed.
func TestLapsedRowIsSaid(t *testing.T) {
	t.Parallel()
	for _, open := range []bool{true, false} {
		play.Run(t, 120, 36, func(b *play.Backend, o *ui.Options) { play.InBusiest(b, o); o.Accessible = true }, func(p *play.Program) {
			p.Begin(mock.Task{ProjectID: p.Server.BusiestProject(), Action: "prewarm_replica", Run: 30 * time.Second, Fail: true})
			p.Wait(6 * time.Second)
			p.Press("/")
			p.Type("is:unfinished prewarm")
			p.Press("enter", "k")
			if open {
				p.Press("enter")
			}
			p.Heard()
			p.Wait(60 * time.Second)
			p.Hears("no longer matches: failed, Prewarm replica")
			p.Press(".")
			p.Hears("no longer matches")
			if open {
				p.Press("esc")
			}
			p.Press("j")
			p.Hears("Nothing matches")
		})
	}
}
