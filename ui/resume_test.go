package ui_test

import (
	"testing"
	"time"

	"pgtower/internal/play"
	"pgtower/ui"

	tea "charm.land/bubbletea/v2"
)

// suspends lets the program be suspended, and records it.
func suspends(times *int) func(*play.Backend, *ui.Options) {
	return func(_ *play.Backend, o *ui.Options) {
		o.Suspend = func() tea.Msg { *times++; return tea.ResumeMsg{} }
	}
}

// The program can be suspended on every page and in every dialog, and comes back to the same screen.
func TestSuspendFromAnywhere(t *testing.T) {
	t.Parallel()
	for name, at := range places() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			times := 0
			play.Run(t, 120, 36, suspends(&times), func(p *play.Program) {
				for rest := script(at.script); len(rest) > 0; {
					take(p, &rest)
				}
				p.Sees(at.sees)
				p.Press("ctrl+z")
				if times != 1 {
					t.Errorf("suspended %d times", times)
				}
				p.Sees(at.sees)
			})
		})
	}
}

// After it was suspended, the program polls at once. The help lists the key.
func TestResumePollsAtOnce(t *testing.T) {
	t.Parallel()
	times := 0
	play.Run(t, 120, 36, func(b *play.Backend, o *ui.Options) { suspends(&times)(b, o); o.Interval = 5 * time.Minute }, func(p *play.Program) {
		p.Wait(10 * time.Second)
		n := p.Counting()
		p.Press("ctrl+z")
		p.Wait(time.Second)
		if n.Load() == 0 {
			t.Error("nothing was asked after coming back")
		}
		p.Press("?", "/")
		p.Type("immediately")
		p.Sees("suspend immediately")
	})
}

// Without job control, the key does nothing and the help does not list it.
func TestSuspendIsMissingWithoutJobControl(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, nil, func(p *play.Program) {
		p.Press("ctrl+z", "?", "/")
		p.Type("immediately")
		p.Sees("quit immediately")
		p.SeesNot("suspend immediately")
	})
}
