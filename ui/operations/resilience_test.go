package operations_test

import (
	"testing"
	"time"

	"pgtower/internal/play"
)

// A project that could be read again is polled again.
func TestScopeOfAProjectThatCameBack(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, nil, func(p *play.Program) {
		p.Wait(3 * time.Second)
		all := p.ProjectIDs()
		remove := p.Inject("404 of /projects/" + all[0] + "/operations")
		p.Wait(12 * time.Second)
		remove()
		p.ChooseProject("storefront")
		n := p.Counting()
		p.Wait(60 * time.Second)
		p.Press("r")
		if n.Load() == 0 {
			t.Errorf("never polled")
		}
	})
}
