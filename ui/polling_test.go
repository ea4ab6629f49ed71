package ui_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"pgtower/internal/play"
	"pgtower/ui"

	tea "charm.land/bubbletea/v2"

	"pgtower/client/mock"
	"pgtower/ui/page"
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

func TestWithoutFocusNothingChanges(t *testing.T) {
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

func TestTheComputerSlept(t *testing.T) {
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

func TestRetryAfterIsKept(t *testing.T) {
	t.Parallel()
	for status, state := range map[int]string{http.StatusTooManyRequests: "◌ rate limited · next 1m", http.StatusServiceUnavailable: "✗ the service failed · next 1m"} {
		t.Run(http.StatusText(status), func(t *testing.T) {
			t.Parallel()
			play.Run(t, 120, 36, play.InBusiest, func(p *play.Program) {
				p.Wait(2 * time.Second) // for the window
				path := "/projects/" + p.Server.BusiestProject() + "/operations"
				p.Inject(fmt.Sprintf("%d retry-after=90 of %s count=1", status, path))
				p.Wait(7 * time.Second)
				p.Sees(state)
				if n := p.Asked(84 * time.Second); n != 0 {
					t.Errorf("%d requests before Retry-After was over", n)
				}
				p.Wait(6 * time.Second)
				p.Sees("● live, every 5s")
			})
		})
	}
}

func TestAnAnswerSlowerThanTheTick(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, play.InBusiest, func(p *play.Program) {
		p.Wait(2 * time.Second) // for the window
		path := "/projects/" + p.Server.BusiestProject() + "/operations"
		p.Inject("latency=12s of " + path + " count=1")
		n := p.Counting()
		p.Wait(7 * time.Second)
		p.Press("r", "r")
		p.Wait(7 * time.Second)
		if n.Load() != 1 {
			t.Errorf("%d polls while one was under way", n.Load())
		}
		p.Sees("◌ late")
		p.Wait(3 * time.Second)
		p.Sees("● live, every 5s")
		// An answer for a project out of scope does not affect the current one.
		p.Inject("latency=7s of " + path + " count=1")
		p.Press("r", "O", "down", "down", "enter")
		p.Sees("identity")
		p.Wait(8 * time.Second)
		p.SeesNot("storefront")
	})
}

func TestTheBudgetIsKept(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, func(b *play.Backend, o *ui.Options) {
		var err error
		if b.Server, err = mock.New(mock.Options{Seed: 7, Clock: time.Now, Projects: 500, Operations: 2}); err != nil {
			t.Error(err)
		}
		o.Budget = 10
	}, func(p *play.Program) {
		n := p.Counting()
		p.Wait(2 * time.Minute)
		if n.Load() > 2*60*10+10 {
			t.Errorf("%d requests in two minutes, 10 a second allowed", n.Load())
		}
		p.Sees("all projects (500)", "◌ 500 projects: ", " within 10s, oldest ")
		p.SeesNot("of 500 projects read", "● live")
	})
}

// A pinned project is read at every poll, even with too many projects for the budget.
func TestPinnedProjectIsAskedAtEveryPoll(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, func(b *play.Backend, o *ui.Options) {
		var err error
		if b.Server, err = mock.New(mock.Options{Seed: 7, Clock: time.Now, Projects: 500, Operations: 2}); err != nil {
			t.Error(err)
		}
		o.Budget = 10
	}, func(p *play.Program) {
		p.Wait(90 * time.Second)
		p.Press("2", "j", "j", "*")
		p.Sees("▌ ★ ", "Pinned ", "1 pinned")
		p.Press("/")
		p.Type("is:pinned")
		p.Press("enter")
		p.Sees("1 of 500")
		p.Press("enter")
		p.Sees("Pinned: its operations ")
		id := p.Model.Page(page.Projects).ViewState().Row.ID
		var n atomic.Int64
		p.Watch = func(r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/projects/"+id+"/operations") {
				n.Add(1)
			}
		}
		p.Wait(time.Minute)
		if n.Load() < 11 {
			t.Errorf("the pinned project was asked %d times in a minute", n.Load())
		}
		p.Press("*")
		p.Sees("Unpinned ")
		n.Store(0)
		p.Wait(time.Minute)
		if n.Load() > 4 {
			t.Errorf("the project that is pinned no more was asked %d times in a minute", n.Load())
		}
	})
}

func TestTheEndOfAWatchIsReported(t *testing.T) {
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

func TestAnOperationThatVanishesIsShownAsGone(t *testing.T) {
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
