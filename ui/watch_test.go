package ui

import (
	"testing"
	"time"

	"pgtower/client/mock"
)

func TestWatchingWhatIsNotThere(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, inBusiest, func(p *program) {
		if _, err := p.server.Start(mock.Task{
			ProjectID: p.server.BusiestProject(), Action: "create_branch", Wait: time.Second, Run: time.Minute,
		}); err != nil {
			t.Fatal(err)
		}
		p.press("r", "g", "W")
		p.sees("◉ watching ", " more of storefront: you will be told when they end", "◉ scheduling")
		p.press("W")
		p.sees("all unfinished operations of storefront are watched already")
	})
}

func TestAnAlertWaitsForThePerson(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, inBusiest, func(p *program) {
		p.press(":")
		p.enter("alerts")
		p.sees("▌ alerts ", "not now, nothing that is watched has ended yet")
		p.press("esc")
		if _, err := p.server.Start(mock.Task{
			ProjectID: p.server.BusiestProject(), Action: "create_branch", Wait: time.Second, Run: 20 * time.Second,
		}); err != nil {
			t.Fatal(err)
		}
		p.press("r", "g", "w")
		p.wait(2 * time.Minute)
		p.sees("storefront: ✓ Create branch finished")
		p.press("j")
		p.seesNot("storefront: ✓ Create branch finished")
		p.press(":")
		p.enter("alerts")
		p.press("enter")
		p.sees("How what you watched ended", "storefront: ✓ Create branch finished")
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
		p.press("r", "g", "w")
		for range 60 {
			p.wait(time.Second)
			if len(p.alerts) > 0 {
				break
			}
		}
		p.press("j")
		p.sees("storefront: ✓ Create branch finished")
	})
}
