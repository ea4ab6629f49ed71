package operations_test

import (
	"strings"
	"testing"
	"time"

	"pgtower/client/mock"
	"pgtower/internal/play"
	"pgtower/ui"
)

func TestPollingKeepsItsInterval(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, play.InBusiest, func(p *play.Program) {
		p.Wait(2 * time.Second) // for the window
		if n := p.Asked(time.Minute); n != 12 {
			t.Errorf("%d polls in a minute at 5 s", n)
		}
		p.Command("interval 1s")
		p.Sees("● live, every 1s")
		p.Wait(time.Second)
		if n := p.Asked(20 * time.Second); n != 20 {
			t.Errorf("%d polls in 20 s at 1 s", n)
		}
		p.Command("interval 10s")
		p.Sees("● live, every 10s")
		p.Wait(10 * time.Second)
		if n := p.Asked(time.Minute); n != 6 {
			t.Errorf("%d polls in a minute at 10 s", n)
		}
	})
}

func TestPollingOfAnOperationThatIsGone(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, func(b *play.Backend, o *ui.Options) { play.InBusiest(b, o); o.PageSize = 2 }, func(p *play.Program) {
		if _, err := p.Server.Inject("404 of /projects/*/operations/*"); err != nil {
			t.Fatal(err)
		}
		p.Wait(2 * time.Minute)
		p.Press("/")
		p.Type("is:gone")
		p.Press("enter")
		p.Sees("⊘ gone")
	})
}

func TestGroupsLeaveTheRowsArranged(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, play.InBusiest, func(p *play.Program) {
		p.Press("/")
		p.Type("status:scheduling")
		p.Press("enter", "v")
		p.Begin(mock.Task{ProjectID: p.Server.BusiestProject(), Action: "create_branch", Wait: time.Hour, Run: time.Hour})
		p.Wait(6 * time.Second)
		p.Press("p", "v")
		p.Wait(time.Minute)
		if !strings.Contains(p.Screen(), "Create branch") {
			t.Errorf("not there:\n%s", strings.Join(strings.Split(p.Screen(), "\n")[:5], "\n"))
		}
	})
}
