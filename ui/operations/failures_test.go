package operations_test

import (
	"strings"
	"testing"
	"time"

	"pgtower/internal/play"

	tea "charm.land/bubbletea/v2"
)

// The notice of a failure leads to its operation from every page, whatever the filter.
func TestNewsOfAFailureCanBeFollowed(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, play.InBusiest, func(p *play.Program) {
		p.Press("'")
		p.Sees("open the operation of the last notice: unavailable, no notice names an operation yet")
		p.Filter("suspend")
		p.Press("j", "3")
		p.Fail(1)
		p.Sees("✗ Import data of storefront failed · ': show")
		p.Press("'")
		p.Wait(time.Second)
		p.Sees("▌ ✗ failed", "Import data")
		p.SeesNot(" / suspend")
		p.Press("[", "[")
		p.Wait(time.Second)
		p.Sees(" / suspend")
	})
}

// The title counts failures until the terminal has the focus again.
func TestNewsAreSeenOnFocus(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, play.InBusiest, func(p *play.Program) {
		p.Wait(time.Second)
		p.Send(tea.BlurMsg{})
		p.Fail(1)
		p.Wait(30 * time.Second)
		if title := p.Model.View().WindowTitle; !strings.Contains(title, "since you looked") {
			t.Errorf("the title is %q", title)
		}
		p.Send(tea.FocusMsg{})
		if title := p.Model.View().WindowTitle; strings.Contains(title, "since you looked") {
			t.Errorf("the title is %q", title)
		}
		p.Sees("✗ ") // the notice is still shown
	})
}

// The accessible mode says each new failure, and how many there are above.
func TestNewsOfFailuresAreSpoken(t *testing.T) {
	t.Parallel()
	play.Speaking(t, play.InBusiest, func(p *play.Program) {
		p.Press("j")
		p.Wait(time.Second)
		p.Heard()
		p.Fail(2)
		got := p.Heard()
		if n := strings.Count(got, "Import data of storefront"); n != 2 || !strings.Contains(got, "error: Import data of storefront failed, +1 more\n") {
			t.Errorf("heard %d of 2:\n%s", n, got)
		}
		p.Press(".")
		p.Hears("Last 15 minutes: ", " new above, 2 failed.")
	})
}
