package ui_test

import (
	"net/http"
	"testing"
	"time"

	"pgtower/internal/play"
	"pgtower/ui"

	tea "charm.land/bubbletea/v2"

	"pgtower/client/mock"
)

// The terminal is told whether the program is idle, working, in trouble or blocked, unless the user wants no bell.
func TestProgramStatus(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, play.InBusiest, func(p *play.Program) {
		is := func(want tea.ProgramState, when string) {
			if got := p.Model.View().ProgramStatus; got == nil || got.State != want {
				t.Errorf("%s: %+v, not %s", when, got, want)
			}
		}
		p.Wait(2 * time.Second)
		is(tea.ProgramStateIdle, "at the start")
		p.Begin(mock.Task{Action: "create_branch", Run: 20 * time.Second})
		p.Wait(6 * time.Second)
		p.Press("g", "w")
		is(tea.ProgramStateWorking, "while something watched runs")
		p.Wait(40 * time.Second)
		is(tea.ProgramStateIdle, "after it finished")
		p.Begin(mock.Task{Action: "create_branch", Run: time.Second, Fail: true})
		p.Wait(20 * time.Second)
		is(tea.ProgramStateError, "after a failure")
		p.Press("g")
		is(tea.ProgramStateIdle, "after a key")
		p.Refuse(http.StatusUnauthorized, 0, p.ProjectIDs()...)
		p.Wait(20 * time.Second)
		is(tea.ProgramStateBlocked, "without a key")
	})
	play.Run(t, 120, 36, func(_ *play.Backend, o *ui.Options) { o.NoBell = true }, func(p *play.Program) {
		if got := p.Model.View().ProgramStatus; got != nil {
			t.Errorf("with --no-bell: %+v", got)
		}
	})
}
