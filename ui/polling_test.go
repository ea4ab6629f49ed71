package ui_test

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"pgtower/internal/play"
	"pgtower/ui"

	tea "charm.land/bubbletea/v2"

	"pgtower/client/mock"
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

func TestPollingWithoutTheFocus(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, play.InBusiest, func(p *play.Program) {
		p.Wait(2 * time.Second) // for the window
		p.Send(tea.BlurMsg{})
		if n := p.Asked(time.Minute); n != 12 {
			t.Errorf("%d polls in a minute without the focus", n)
		}
		p.Sees("● live, every 5s")
		n := p.Counting()
		p.Send(tea.FocusMsg{})
		if n.Load() != 0 {
			t.Error("polled again although it had just been")
		}
	})
}

func TestPollingAfterASleep(t *testing.T) {
	t.Parallel()
	var slept atomic.Int64
	clock := func() time.Time { return time.Now().Add(time.Duration(slept.Load())) }
	play.Run(t, 120, 36, func(b *play.Backend, o *ui.Options) { play.InBusiest(b, o); o.Clock, o.Interval = clock, 5*time.Minute }, func(p *play.Program) {
		p.Wait(3 * time.Second)
		slept.Store(int64(time.Hour))
		if n := p.Asked(2 * time.Second); n == 0 {
			t.Error("not polled at once after an hour's sleep")
		}
	})
}

func TestWatchReportsTheEnd(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, play.InBusiest, func(p *play.Program) {
		for _, fail := range []bool{false, true} {
			if _, err := p.Server.Start(mock.Task{
				ProjectID: p.Server.BusiestProject(), Action: "create_branch", Wait: time.Second, Run: 20 * time.Second, Fail: fail,
			}); err != nil {
				t.Fatal(err)
			}
			p.Press("r", "g", "w")
			p.Sees("◉ watching Create branch")
			p.Raw = nil
			p.Press("p") // watching is not polling
			p.Wait(27 * time.Second)
			if len(p.Raw) != 1 || !strings.HasPrefix(p.Raw[0], "\a") {
				t.Fatalf("alerts %q", p.Raw)
			}
			want := "✓ Create branch of storefront finished"
			if fail {
				want = "✗ Create branch of storefront failed"
			}
			p.Sees(want)
			p.Press("p")
		}
		p.Press("/")
		p.Type("status:finished")
		p.Press("enter", "w")
		p.Sees("already ended")
	})
}

func TestOperationGone(t *testing.T) {
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
