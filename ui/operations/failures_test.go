package operations_test

import (
	"strings"
	"testing"
	"time"

	"pgtower/internal/play"
	"pgtower/ui"

	tea "charm.land/bubbletea/v2"

	"pgtower/client/mock"
)

// Earlier failures and those from history are not new.
func TestNewsHasNoOldFailures(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, func(b *play.Backend, o *ui.Options) {
		play.InBusiest(b, o)
		o.PageSize = 5
		for range 40 {
			if _, err := b.Server.Start(mock.Task{ProjectID: b.Server.BusiestProject(), Action: "import_data", Run: time.Millisecond, Fail: true}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(2 * time.Millisecond)
		}
	}, func(p *play.Program) {
		p.Sees("✗ failed", "Import data")
		p.Press("p")
		for range 3 {
			p.Press("m")
			p.Wait(time.Second)
		}
		p.SeesNot("✗ Import data")
		if title := p.Model.View().WindowTitle; strings.Contains(title, "Failed: ") {
			t.Errorf("the title is %q", title)
		}
	})
}

// A known operation that fails is reported once, whether or not rows arrive.
func TestNewsOfAFailureComeOnce(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, play.InBusiest, func(p *play.Program) {
		p.Begin(mock.Task{ProjectID: p.Server.BusiestProject(), Action: "import_data", Run: 12 * time.Second, Fail: true})
		p.Wait(6 * time.Second)
		p.Press("j")
		p.SeesNot("failed · ", "✗ Import data")
		p.Wait(10 * time.Second)
		p.Sees(", 1 failed · g: newest", "✗ Import data of storefront failed")
		p.Wait(20 * time.Second)
		p.Sees(", 1 failed · g: newest")
	})
}

// The notice of a failure leads to its operation from every page, whatever the filter.
func TestNewsOfAFailureCanBeFollowed(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, play.InBusiest, func(p *play.Program) {
		p.Press("'")
		p.Sees("open the operation of the last notice: unavailable, no notice names an operation yet")
		p.Press("/")
		p.Type("suspend")
		p.Press("enter", "j", "3")
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

func TestNewsAreSeenOnFocus(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, play.InBusiest, func(p *play.Program) {
		p.Wait(time.Second)
		p.Send(tea.BlurMsg{})
		p.Fail(1)
		p.Wait(30 * time.Second)
		if title := p.Model.View().WindowTitle; !strings.Contains(title, "Failed: ") {
			t.Errorf("the title is %q", title)
		}
		p.Send(tea.FocusMsg{})
		if title := p.Model.View().WindowTitle; strings.Contains(title, "Failed: ") {
			t.Errorf("the title is %q", title)
		}
		p.Sees("✗ ") // the notice is still shown
	})
}

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
