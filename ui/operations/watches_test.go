package operations_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"pgtower/client/mock"
	"pgtower/internal/play"
	"pgtower/ui"
)

func TestWatchLeavesRoomForPolling(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, func(b *play.Backend, o *ui.Options) {
		play.InBusiest(b, o)
		b.Budget = 10
		o.Budget = 10
		o.PageSize = 200
	}, func(p *play.Program) {
		for range 100 {
			p.Begin(mock.Task{ProjectID: p.Server.BusiestProject(), Action: "create_branch", Wait: time.Hour, Run: time.Hour})
			time.Sleep(time.Millisecond)
		}
		p.Wait(6 * time.Second)
		for range 30 {
			p.Press("w", "j")
		}
		p.Wait(10 * time.Second)
		n := p.Asked(time.Minute)
		if n < 11 {
			t.Errorf("%d polls in a minute while everything is watched", n)
		}
	})
}

func TestWatchIsSwitchedOff(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, play.InBusiest, func(p *play.Program) {
		p.Begin(mock.Task{ProjectID: p.Server.BusiestProject(), Action: "create_branch", Wait: time.Hour, Run: time.Hour})
		p.Press("r", "g")
		for range 21 {
			p.Press("w")
		}
		k := 0
		p.Watch = func(r *http.Request) {
			if strings.Contains(r.URL.Path, "/operations/") {
				k++
			}
		}
		p.Wait(50 * time.Second)
		if k > 12 {
			t.Errorf("%d reads of one operation in 50 s", k)
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
