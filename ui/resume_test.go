package ui

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

// suspends lets the program be suspended, and records it.
func suspends(times *int) func(*backend, *Options) {
	return func(_ *backend, o *Options) {
		o.Suspend = func() tea.Msg { *times++; return tea.ResumeMsg{} }
	}
}

func TestSuspendFromAnywhere(t *testing.T) {
	t.Parallel()
	for name, at := range places() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			times := 0
			play(t, 120, 36, suspends(&times), func(p *program) {
				for rest := script(at.script); len(rest) > 0; {
					p.take(&rest)
				}
				p.sees(at.sees)
				p.Press("ctrl+z")
				if times != 1 {
					t.Errorf("suspended %d times", times)
				}
				p.sees(at.sees)
			})
		})
	}
}

func TestResumingPollsAtOnce(t *testing.T) {
	t.Parallel()
	times := 0
	play(t, 120, 36, func(b *backend, o *Options) { suspends(&times)(b, o); o.Interval = 5 * time.Minute }, func(p *program) {
		p.Wait(10 * time.Second)
		n := counting(p)
		p.Press("ctrl+z")
		p.Wait(time.Second)
		if n.Load() == 0 {
			t.Error("nothing was asked after coming back")
		}
		p.Press("?", "/")
		p.Type("immediately")
		p.sees("suspend immediately")
	})
}

func TestSuspendIsMissingWithoutJobControl(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		p.Press("ctrl+z", "?", "/")
		p.Type("immediately")
		p.sees("quit immediately")
		p.seesNot("suspend immediately")
	})
}
