package ui

import (
	"net/http"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/client/mock"
)

func TestTheTerminalIsToldWhatHappens(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, inBusiest, func(p *program) {
		is := func(want tea.ProgramState, when string) {
			if got := p.model.View().ProgramStatus; got == nil || got.State != want {
				t.Errorf("%s: %+v, not %s", when, got, want)
			}
		}
		p.Wait(2 * time.Second)
		is(tea.ProgramStateIdle, "at the start")
		p.begin(mock.Task{ProjectID: p.server.BusiestProject(), Action: "create_branch", Run: 20 * time.Second})
		p.Wait(6 * time.Second)
		p.Press("g", "w")
		is(tea.ProgramStateWorking, "while something watched runs")
		p.Wait(40 * time.Second)
		is(tea.ProgramStateIdle, "after it finished")
		p.begin(mock.Task{ProjectID: p.server.BusiestProject(), Action: "create_branch", Run: time.Second, Fail: true})
		p.Wait(20 * time.Second)
		is(tea.ProgramStateError, "after a failure")
		p.Press("g")
		is(tea.ProgramStateIdle, "after a key")
		p.refuse(http.StatusUnauthorized, 0, p.projectIDs()...)
		p.Wait(20 * time.Second)
		is(tea.ProgramStateBlocked, "without a key")
		p.model.session.options.NoBell = true
		if got := p.model.View().ProgramStatus; got != nil {
			t.Errorf("with --no-bell: %+v", got)
		}
	})
}
