package ui_test

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/client/mock"
	"pgtower/internal/play"
	"pgtower/ui"
)

// The announcements of help, palette, pickers and errors are recorded. The accessible mode leaves screen and mouse
// alone.
func TestSpokenDialogs(t *testing.T) {
	t.Parallel()
	play.Speaking(t, play.WithOthers, func(p *play.Program) {
		p.Wait(2 * time.Second)
		v := p.Model.View()
		if v.AltScreen || v.MouseMode != tea.MouseModeNone || v.Cursor == nil {
			t.Errorf("%+v", v)
		}
		s := p.Transcribe()
		s.Press("?", "down", "esc", ":")
		s.Type("theme dark")
		s.Press("enter", "P", "down", "esc", "!")
		p.Inject("500 of /api_keys count=9")
		s.Press("3", "!", "esc")
		s.Golden("spoken")
	})
}

// Keys in a row are said once, at their end.
func TestSpokenKeysInARow(t *testing.T) {
	t.Parallel()
	play.Speaking(t, nil, func(p *play.Program) {
		p.Wait(2 * time.Second)
		p.Press("pgdown")
		p.Heard()
		p.Press("k", "k", "k", "k", "k")
		if got := p.Heard(); strings.Count(got, "\n") > 0 || !strings.Contains(got, ", 5 of ") {
			t.Errorf("five keys in a row: %q", got)
		}
	})
}

// The sign-in form is announced without the key that is typed.
func TestSpokenSignIn(t *testing.T) {
	t.Parallel()
	play.Speaking(t, func(b *play.Backend, _ *ui.Options) { b.NoKey = true }, func(p *play.Program) {
		p.Hears("Sign in\n", "Text field: API key", "pgtower needs an API key.", "Enter: sign in")
		p.Type("not-the-key")
		if got := p.Heard() + p.Prompt(); strings.Contains(got, "not-the") || p.Prompt() != "API key: " {
			t.Errorf("the key is said: %q", got)
		}
		p.Press("enter")
		p.Hears("error: ")
		p.Send(tea.PasteMsg{Content: p.Server.APIKey()})
		p.Press("enter")
		p.Hears("signed in to console.example", "Operations\n")
	})
}

// FuzzSpoken plays scripts as [FuzzProgram] does, and checks that every printed line can be read out.
func FuzzSpoken(f *testing.F) {
	for _, s := range seeds() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s []byte) {
		t.Chdir(t.TempDir()) // for exports
		play.Run(t, 120, 36, func(b *play.Backend, o *ui.Options) {
			b.Simulate(mock.Options{Projects: 4, Operations: 120})
			play.WithOthers(b, o)
			o.PageSize, o.Accessible = 20, true
		}, func(p *play.Program) {
			rest := script(s[:min(len(s), longest)])
			for len(rest) > 0 && !p.Over {
				take(p, &rest)
				said := p.Heard()
				if strings.Contains(said, "pgt_") {
					t.Fatalf("a secret was said: %s", said)
				}
				v := p.Model.View()
				if lines := strings.Count(v.Content, "\n"); v.AltScreen || lines > 0 && p.Model.Secret() == "" {
					t.Fatalf("not a prompt: %+v", v)
				}
			}
			leaves(p)
		})
	})
}
