package ui

import (
	"testing"
	"time"

	"pgtower/client/mock"
	"pgtower/ui/page"
)

func TestAnAlertWaitsForThePerson(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, inBusiest, func(p *program) {
		p.Press(":")
		p.Type("alerts")
		p.sees("▌ alerts ", "unavailable, no alerts yet")
		p.Press("esc")
		if _, err := p.server.Start(mock.Task{
			ProjectID: p.server.BusiestProject(), Action: "create_branch", Wait: time.Second, Run: 20 * time.Second,
		}); err != nil {
			t.Fatal(err)
		}
		p.Press("r", "g", "w")
		p.Wait(2 * time.Minute)
		p.sees("✓ Create branch of storefront finished")
		p.Press("j")
		p.seesNot("✓ Create branch of storefront finished")
		p.Press(":")
		p.Type("alerts")
		p.Press("enter")
		p.sees("Alerts", "watched: ✓ Create branch of storefront finished")
		p.Press("enter")
		p.seesNot("watched: ")
		at := p.model.session.pages.all[page.Operations].ViewState()
		if at.Row.Project != p.server.BusiestProject() || at.Step != 1 {
			t.Errorf("%+v", at)
		}
	})
}

func TestAnAlertIsNotTakenAwayByTheNextKey(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, inBusiest, func(p *program) {
		if _, err := p.server.Start(mock.Task{
			ProjectID: p.server.BusiestProject(), Action: "create_branch", Wait: time.Second, Run: 20 * time.Second,
		}); err != nil {
			t.Fatal(err)
		}
		p.Press("r", "g", "w")
		for range 60 {
			p.Wait(time.Second)
			if len(p.alerts) > 0 {
				break
			}
		}
		p.Press("j")
		p.sees("✓ Create branch of storefront finished")
	})
}
