package ui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/client/mock"
)

// fails starts operations of the busiest project that fail after a second, and waits until they have been read.
func (p *program) fails(n int) {
	p.t.Helper()
	for range n {
		p.begin(mock.Task{ProjectID: p.server.BusiestProject(), Action: "import_data", Run: time.Second, Fail: true})
		time.Sleep(time.Millisecond)
	}
	p.Wait(5 * time.Second)
}

// Earlier failures and those from history are not new.
func TestOldFailuresDoNotArrive(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, func(b *backend, o *Options) {
		inBusiest(b, o)
		o.PageSize = 5
		for range 40 {
			if _, err := b.server.Start(mock.Task{ProjectID: b.server.BusiestProject(), Action: "import_data", Run: time.Millisecond, Fail: true}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(2 * time.Millisecond)
		}
	}, func(p *program) {
		p.sees("✗ failed", "Import data")
		p.Press("p")
		for range 3 {
			p.Press("m")
			p.Wait(time.Second)
		}
		p.seesNot("✗ Import data")
		if title := p.model.View().WindowTitle; strings.Contains(title, "Failed: ") {
			t.Errorf("the title is %q", title)
		}
	})
}

// A known operation that fails is reported once, whether or not rows arrive.
func TestAChangeToFailedArrivesOnce(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, inBusiest, func(p *program) {
		p.begin(mock.Task{ProjectID: p.server.BusiestProject(), Action: "import_data", Run: 12 * time.Second, Fail: true})
		p.Wait(6 * time.Second)
		p.Press("j")
		p.seesNot("failed · ", "✗ Import data")
		p.Wait(10 * time.Second)
		p.sees(", 1 failed · g: newest", "✗ Import data of storefront failed")
		p.Wait(20 * time.Second)
		p.sees(", 1 failed · g: newest")
	})
}

// The notice of a failure leads to its operation from every page, whatever the filter.
func TestAFailureCanBeFollowed(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, inBusiest, func(p *program) {
		p.Press("'")
		p.sees("open the operation of the last notice: unavailable, no notice names an operation yet")
		p.Press("/")
		p.Type("suspend")
		p.Press("enter", "j", "3")
		p.fails(1)
		p.sees("✗ Import data of storefront failed · ': show")
		p.Press("'")
		p.Wait(time.Second)
		p.sees("▌ ✗ failed", "Import data")
		p.seesNot(" / suspend")
		p.Press("[", "[")
		p.Wait(time.Second)
		p.sees(" / suspend")
	})
}

func TestFocusMarksFailuresAsSeen(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, inBusiest, func(p *program) {
		p.Wait(time.Second)
		p.Send(tea.BlurMsg{})
		p.fails(1)
		p.Wait(30 * time.Second)
		if title := p.model.View().WindowTitle; !strings.Contains(title, "Failed: ") {
			t.Errorf("the title is %q", title)
		}
		p.Send(tea.FocusMsg{})
		if title := p.model.View().WindowTitle; strings.Contains(title, "Failed: ") {
			t.Errorf("the title is %q", title)
		}
		p.sees("✗ ") // the notice is still shown
	})
}

func TestFailuresAreSpoken(t *testing.T) {
	t.Parallel()
	speaking(t, inBusiest, func(p *program) {
		p.Press("j")
		p.Wait(time.Second)
		p.heard()
		p.fails(2)
		got := p.heard()
		if n := strings.Count(got, "Import data of storefront"); n != 2 || !strings.Contains(got, "error: Import data of storefront failed, +1 more\n") {
			t.Errorf("heard %d of 2:\n%s", n, got)
		}
		p.Press(".")
		p.hears("Last 15 minutes: ", " new above, 2 failed.")
	})
}
