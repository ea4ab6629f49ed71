package operations_test

import (
	"testing"
	"time"

	"pgtower/internal/play"
	"pgtower/ui"

	tea "charm.land/bubbletea/v2"

	"pgtower/client/mock"
)

func TestPollingRespectsRetryAfter(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"blur", "focus", "plus", "pause"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			play.Run(t, 120, 36, play.InBusiest, func(p *play.Program) {
				p.Inject("429 retry-after=90s of /projects/*/operations")
				p.Wait(6 * time.Second)
				n := p.Counting()
				switch how {
				case "blur":
					p.Send(tea.BlurMsg{})
					p.Wait(40 * time.Second)
				case "focus":
					p.Send(tea.BlurMsg{})
					p.Wait(10 * time.Second)
					p.Send(tea.FocusMsg{})
				case "plus":
					p.Command("interval 1s")
					p.Command("interval 5s")
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

func TestScopeOfAProjectThatCameBack(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, nil, func(p *play.Program) {
		p.Wait(3 * time.Second)
		all := p.ProjectIDs()
		remove := p.Inject("404 of /projects/" + all[0] + "/operations")
		p.Wait(12 * time.Second)
		remove()
		p.Press("O", "down", "enter")
		n := p.Counting()
		p.Wait(60 * time.Second)
		p.Press("r")
		if n.Load() == 0 {
			t.Errorf("never polled")
		}
	})
}

func TestPollingOutlivesTheOnlyProject(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, func(b *play.Backend, _ *ui.Options) {
		b.Simulate(mock.Options{Projects: 1})
	}, func(p *play.Program) {
		p.Wait(3 * time.Second)
		p.Inject("404 of /projects/*/operations count=1")
		p.Wait(6 * time.Second)
		n := p.Counting()
		p.Wait(2 * time.Minute)
		p.Press("r")
		if n.Load() == 0 {
			t.Error("polling ended for ever")
		}
	})
}
