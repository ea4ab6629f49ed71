package ui

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/client/mock"
	"pgtower/ui/page"
)

// counting counts the requests for lists of operations: of the initial project, or of all.
func counting(p *program) *atomic.Int64 {
	var n atomic.Int64
	p.watch = func(r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/projects/"+p.model.session.options.Project+"/operations") ||
			p.model.session.options.Project == "" && strings.HasSuffix(r.URL.Path, "/operations") {
			n.Add(1)
		}
	}
	return &n
}

// asked returns the number of requests for lists of operations in a time.
func (p *program) asked(d time.Duration) int64 {
	n := counting(p)
	p.Wait(d)
	return n.Load()
}

func TestPollingKeepsItsInterval(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, inBusiest, func(p *program) {
		p.Wait(2 * time.Second) // for the window
		if n := p.asked(time.Minute); n != 12 {
			t.Errorf("%d polls in a minute at 5 s", n)
		}
		p.command("interval 1s")
		p.sees("● live, every 1s")
		p.Wait(time.Second)
		if n := p.asked(20 * time.Second); n != 20 {
			t.Errorf("%d polls in 20 s at 1 s", n)
		}
		p.command("interval 10s")
		p.sees("● live, every 10s")
		p.Wait(10 * time.Second)
		if n := p.asked(time.Minute); n != 6 {
			t.Errorf("%d polls in a minute at 10 s", n)
		}
	})
}

func TestWithoutFocusNothingChanges(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, inBusiest, func(p *program) {
		p.Wait(2 * time.Second) // for the window
		p.Send(tea.BlurMsg{})
		if n := p.asked(time.Minute); n != 12 {
			t.Errorf("%d polls in a minute without the focus", n)
		}
		p.sees("● live, every 5s")
		n := counting(p)
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
	play(t, 120, 36, func(b *backend, o *Options) { inBusiest(b, o); o.Clock, o.Interval = clock, 5*time.Minute }, func(p *program) {
		p.Wait(3 * time.Second)
		slept.Store(int64(time.Hour))
		if n := p.asked(2 * time.Second); n == 0 {
			t.Error("not polled at once after an hour's sleep")
		}
	})
}

func TestRetryAfterIsKept(t *testing.T) {
	t.Parallel()
	for status, state := range map[int]string{http.StatusTooManyRequests: "◌ rate limited · next 1m", http.StatusServiceUnavailable: "✗ the service failed · next 1m"} {
		t.Run(http.StatusText(status), func(t *testing.T) {
			t.Parallel()
			play(t, 120, 36, inBusiest, func(p *program) {
				p.Wait(2 * time.Second) // for the window
				path := "/projects/" + p.server.BusiestProject() + "/operations"
				p.inject(fmt.Sprintf("%d retry-after=90 of %s count=1", status, path))
				p.Wait(7 * time.Second)
				p.sees(state)
				if n := p.asked(84 * time.Second); n != 0 {
					t.Errorf("%d requests before Retry-After was over", n)
				}
				p.Wait(6 * time.Second)
				p.sees("● live, every 5s")
			})
		})
	}
}

func TestAnAnswerSlowerThanTheTick(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, inBusiest, func(p *program) {
		p.Wait(2 * time.Second) // for the window
		path := "/projects/" + p.server.BusiestProject() + "/operations"
		p.inject("latency=12s of " + path + " count=1")
		n := counting(p)
		p.Wait(7 * time.Second)
		p.Press("r", "r")
		p.Wait(7 * time.Second)
		if n.Load() != 1 {
			t.Errorf("%d polls while one was under way", n.Load())
		}
		p.sees("◌ late")
		p.Wait(3 * time.Second)
		p.sees("● live, every 5s")
		// An answer for a project out of scope does not affect the current one.
		p.inject("latency=7s of " + path + " count=1")
		p.Press("r", "O", "down", "down", "enter")
		p.sees("identity")
		p.Wait(8 * time.Second)
		p.seesNot("storefront")
	})
}

func TestTheBudgetIsKept(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, func(b *backend, o *Options) {
		var err error
		if b.server, err = mock.New(mock.Options{Seed: 7, Clock: time.Now, Projects: 500, Operations: 2}); err != nil {
			t.Error(err)
		}
		o.Budget = 10
	}, func(p *program) {
		n := counting(p)
		p.Wait(2 * time.Minute)
		if n.Load() > 2*60*10+10 {
			t.Errorf("%d requests in two minutes, 10 a second allowed", n.Load())
		}
		p.sees("all projects (500)", "◌ 500 projects: ", " within 10s, oldest ")
		p.seesNot("of 500 projects read", "● live")
	})
}

// A pinned project is read at every poll, even with too many projects for the budget.
func TestPinnedProjectIsAskedAtEveryPoll(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, func(b *backend, o *Options) {
		var err error
		if b.server, err = mock.New(mock.Options{Seed: 7, Clock: time.Now, Projects: 500, Operations: 2}); err != nil {
			t.Error(err)
		}
		o.Budget = 10
	}, func(p *program) {
		p.Wait(90 * time.Second)
		p.Press("2", "j", "j", "*")
		p.sees("▌ ★ ", "Pinned ", "1 pinned")
		p.Press("/")
		p.Type("is:pinned")
		p.Press("enter")
		p.sees("1 of 500")
		p.Press("enter")
		p.sees("Pinned: its operations ")
		id := p.model.session.pages.all[page.Projects].ViewState().Row.ID
		var n atomic.Int64
		p.watch = func(r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/projects/"+id+"/operations") {
				n.Add(1)
			}
		}
		p.Wait(time.Minute)
		if n.Load() < 11 {
			t.Errorf("the pinned project was asked %d times in a minute", n.Load())
		}
		p.Press("*")
		p.sees("Unpinned ")
		n.Store(0)
		p.Wait(time.Minute)
		if n.Load() > 4 {
			t.Errorf("the project that is pinned no more was asked %d times in a minute", n.Load())
		}
	})
}

func TestTheEndOfAWatchIsReported(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, inBusiest, func(p *program) {
		for _, fail := range []bool{false, true} {
			if _, err := p.server.Start(mock.Task{
				ProjectID: p.server.BusiestProject(), Action: "create_branch", Wait: time.Second, Run: 20 * time.Second, Fail: fail,
			}); err != nil {
				t.Fatal(err)
			}
			p.Press("r", "g", "w")
			p.sees("◉ watching Create branch")
			p.alerts = nil
			p.Press("p") // watching is not polling
			p.Wait(27 * time.Second)
			if len(p.alerts) != 1 || !strings.HasPrefix(p.alerts[0], "\a") {
				t.Fatalf("alerts %q", p.alerts)
			}
			want := "✓ Create branch of storefront finished"
			if fail {
				want = "✗ Create branch of storefront failed"
			}
			p.sees(want)
			p.Press("p")
		}
		p.Press("/")
		p.Type("status:finished")
		p.Press("enter", "w")
		p.sees("already ended")
	})
}

func TestAnOperationThatVanishesIsShownAsGone(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, func(b *backend, o *Options) { inBusiest(b, o); o.PageSize = 2 }, func(p *program) {
		if _, err := p.server.Inject("404 of /projects/*/operations/*"); err != nil {
			t.Fatal(err)
		}
		p.Wait(2 * time.Minute)
		p.Press("/")
		p.Type("is:gone")
		p.Press("enter")
		p.sees("⊘ gone")
	})
}
