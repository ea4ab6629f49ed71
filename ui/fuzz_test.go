package ui_test

import (
	"testing"

	"pgtower/internal/play"
	"pgtower/ui"

	tea "charm.land/bubbletea/v2"

	"pgtower/client/mock"
)

// longest is the maximum length of a script in bytes: longer ones find nothing more.
const longest = 200

// FuzzProgram plays scripts of keys, texts, sizes and troubles. The screen is always exactly as large as the terminal,
// contains nothing that acts on it, and the program can be left.
func FuzzProgram(f *testing.F) {
	for _, s := range seeds() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s []byte) {
		t.Chdir(t.TempDir()) // for what is exported
		play.Run(t, 120, 36, func(b *play.Backend, o *ui.Options) {
			b.Simulate(mock.Options{Projects: 4, Operations: 120})
			play.WithOthers(b, o)
			o.PageSize = 20
			o.Suspend = func() tea.Msg { return tea.ResumeMsg{} }
		}, func(p *play.Program) {
			rest := script(s[:min(len(s), longest)])
			for len(rest) > 0 && !p.Over {
				take(p, &rest)
				p.CheckView()
			}
			p.Screen()
			leaves(p)
		})
	})
}

// leaves checks that ctrl+c ends the program; a dialog may need it twice.
func leaves(p *play.Program) {
	p.T.Helper()
	for range 3 {
		p.Press("ctrl+c")
	}
	if !p.Over {
		p.T.Fatalf("ctrl+c does not end it:\n%s", p.Screen())
	}
}

// TestFuzzAtEverySize draws every page and dialog on screens of every size, or of every fifth one.
func TestFuzzAtEverySize(t *testing.T) {
	t.Parallel()
	step := 5
	if thorough() {
		step = 1
	}
	for name, at := range places() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			play.Loaded(t, 120, 36, play.WithOthers, func(p *play.Program) {
				for rest := script(at.script); len(rest) > 0; {
					take(p, &rest)
				}
				p.Sees(at.sees)
				for w := 0; w < 64; w += step {
					resizeTo(p, 2*w, 36)
					resizeTo(p, 2*w+1, 15+w%4)
				}
				for h := 0; h < 60; h += step {
					resizeTo(p, 60, h)
					resizeTo(p, 100, h)
				}
				for _, s := range []play.Size{play.At(1, 1), play.At(1, 200), play.At(500, 1), play.At(500, 15), play.At(60, 200), play.At(500, 200)} {
					resizeTo(p, s.W, s.H)
				}
				p.Sees(at.sees)
			})
		})
	}
}
