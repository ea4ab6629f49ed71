package ui

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/client/mock"
	"pgtower/models"
)

// inject adds a fault until it is removed.
func (p *program) inject(f string) (remove func()) {
	p.t.Helper()
	remove, err := p.server.Inject(f)
	if err != nil {
		p.t.Fatal(err)
	}
	return remove
}

// revoke revokes a key, as another user does.
func (p *program) revoke(id int64) {
	p.t.Helper()
	if _, err := p.server.RevokeKey("", id); err != nil {
		p.t.Fatal(err)
	}
}

// begin starts an operation of the service.
func (p *program) begin(task mock.Task) {
	p.t.Helper()
	if _, err := p.server.Start(task); err != nil {
		p.t.Fatal(err)
	}
}

// projectIDs lists the projects of the service.
func (p *program) projectIDs() []string {
	p.t.Helper()
	c, err := p.connect(p.server.APIKey())
	if err != nil {
		p.t.Fatal(err)
	}
	list, err := c.API.Projects(p.ctx, models.ListID{}, models.PageRequest{Limit: 400})
	if err != nil {
		p.t.Fatal(err)
	}
	var ids []string
	for i := range list.Items {
		ids = append(ids, list.Items[i].ID)
	}
	return ids
}

// simulate uses another platform than the default.
func (b *backend) simulate(o mock.Options) {
	b.t.Helper()
	o.Seed, o.Clock = 7, time.Now
	var err error
	if b.server, err = mock.New(o); err != nil {
		b.t.Fatal(err)
	}
}

// busiestComesLate delays the first page of the busiest project until the others are read: it raises the frontier above
// the rows shown.
func busiestComesLate(b *backend, o *Options) {
	o.PageSize = 20
	f := "500 of /projects/" + b.server.BusiestProject() + "/operations count=1"
	if _, err := b.server.Inject(f); err != nil {
		b.t.Fatal(err)
	}
}

func TestNothingGoesAroundRetryAfter(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"blur", "focus", "plus", "pause"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			play(t, 120, 36, inBusiest, func(p *program) {
				p.inject("429 retry-after=90s of /projects/*/operations")
				p.Wait(6 * time.Second)
				n := counting(p)
				switch how {
				case "blur":
					p.Send(tea.BlurMsg{})
					p.Wait(40 * time.Second)
				case "focus":
					p.Send(tea.BlurMsg{})
					p.Wait(10 * time.Second)
					p.Send(tea.FocusMsg{})
				case "plus":
					p.command("interval 1s")
					p.command("interval 5s")
					p.Wait(6 * time.Second)
				case "pause":
					p.Press("p", "p")
				}
				if n.Load() != 0 {
					t.Errorf("%d requests before Retry-After was over", n.Load())
				}
			})
		})
	}
}

func TestPauseEndsARound(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, func(b *backend, o *Options) {
		b.simulate(mock.Options{Projects: 500, Operations: 200})
		b.budget = 10
		o.Budget = 10
		o.Interval = 5 * time.Minute
	}, func(p *program) {
		p.Wait(5 * time.Second)
		p.Press("p")
		p.sees("‖ paused")
		p.Wait(2 * time.Second)
		n := p.asked(time.Minute)
		if n != 0 {
			t.Errorf("%d polls while paused", n)
		}
	})
}

func TestAProjectThatCameBackCanBeChosen(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		p.Wait(3 * time.Second)
		all := p.projectIDs()
		remove := p.inject("404 of /projects/" + all[0] + "/operations")
		p.Wait(12 * time.Second)
		remove()
		p.Press("O", "down", "enter")
		n := counting(p)
		p.Wait(60 * time.Second)
		p.Press("r")
		if n.Load() == 0 {
			t.Errorf("never polled")
		}
	})
}

func TestPollingOutlivesTheOnlyProject(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, func(b *backend, _ *Options) {
		b.simulate(mock.Options{Projects: 1})
	}, func(p *program) {
		p.Wait(3 * time.Second)
		p.inject("404 of /projects/*/operations count=1")
		p.Wait(6 * time.Second)
		n := counting(p)
		p.Wait(2 * time.Minute)
		p.Press("r")
		if n.Load() == 0 {
			t.Error("polling ended for ever")
		}
	})
}
