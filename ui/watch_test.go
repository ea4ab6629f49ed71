package ui_test

import (
	"testing"
	"time"

	"pgtower/internal/play"

	"pgtower/client/mock"
	"pgtower/ui/page"
)

func TestNoticeOfAnAlertWaits(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, play.InBusiest, func(p *play.Program) {
		p.Press(":")
		p.Type("alerts")
		p.Sees("▌ alerts ", "unavailable, no alerts yet")
		p.Press("esc")
		if _, err := p.Server.Start(mock.Task{
			ProjectID: p.Server.BusiestProject(), Action: "create_branch", Wait: time.Second, Run: 20 * time.Second,
		}); err != nil {
			t.Fatal(err)
		}
		p.Press("r", "g", "w")
		p.Wait(2 * time.Minute)
		p.Sees("✓ Create branch of storefront finished")
		p.Press("j")
		p.SeesNot("✓ Create branch of storefront finished")
		p.Press(":")
		p.Type("alerts")
		p.Press("enter")
		p.Sees("Alerts", "watched: ✓ Create branch of storefront finished")
		p.Press("enter")
		p.SeesNot("watched: ")
		at := p.Model.Page(page.Operations).ViewState()
		if at.Row.Project != p.Server.BusiestProject() || at.Step != 1 {
			t.Errorf("%+v", at)
		}
	})
}

func TestNoticeOfAnAlertOutlivesTheNextKey(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, play.InBusiest, func(p *play.Program) {
		if _, err := p.Server.Start(mock.Task{
			ProjectID: p.Server.BusiestProject(), Action: "create_branch", Wait: time.Second, Run: 20 * time.Second,
		}); err != nil {
			t.Fatal(err)
		}
		p.Press("r", "g", "w")
		for range 60 {
			p.Wait(time.Second)
			if len(p.Raw) > 0 {
				break
			}
		}
		p.Press("j")
		p.Sees("✓ Create branch of storefront finished")
	})
}
