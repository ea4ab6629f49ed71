package ui_test

import (
	"testing"

	"pgtower/internal/play"
	"pgtower/ui"

	tea "charm.land/bubbletea/v2"

	"pgtower/models/feed"
	"pgtower/ui/page"
)

// Tabs, rows, column titles, the footer and the buttons of a question react to clicks, and the wheel scrolls.
func TestMouse(t *testing.T) {
	t.Parallel()
	for _, s := range []play.Size{play.At(80, 24), play.At(140, 36)} {
		t.Run(s.String(), func(t *testing.T) {
			t.Parallel()
			play.Run(t, s.W, s.H, nil, func(p *play.Program) {
				p.Press("3", "1")
				p.ClickOn(" 3 ")
				p.Sees("20 keys", "LAST USED")
				p.ClickOn("terraform")
				p.Sees("▌ terraform")
				p.Send(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
				p.Sees("▌ backup-nightly")
				p.ClickOn("NAME")
				p.Sees("NAME▲")
				p.ClickOn("NAME▲")
				p.Sees("NAME▼", "▌ vercel-sync")
				p.ClickOn("filter")
				p.Enter("laptop-old")
				p.ClickOn("laptop-old")
				p.ClickOn("revoke")
				p.Question("Revoke")
				p.ClickOn("Cancel")
				p.SeesNot("Cancel")
				p.ClickOn("revoke")
				p.ClickOn("  Revoke")
				p.Sees("[ Revoke ]") // the first click only focuses it
				p.ClickOn("Revoke ]")
				p.Sees("✓ revoked laptop-old")
			})
		})
	}
}

// With NoMouse, the terminal keeps the mouse.
func TestMouseIsLeftToTheTerminal(t *testing.T) {
	t.Parallel()
	play.Run(t, 80, 24, nil, func(p *play.Program) {
		if p.Model.View().MouseMode != tea.MouseModeCellMotion {
			t.Error("the mouse is not asked for")
		}
	})
	play.Run(t, 80, 24, func(_ *play.Backend, o *ui.Options) { o.NoMouse = true }, func(p *play.Program) {
		if p.Model.View().MouseMode != tea.MouseModeNone {
			t.Error("the mouse is taken from the terminal")
		}
	})
}

// Clicks choose in pickers, in the palette and in forms, as the keys do.
func TestMouseChooses(t *testing.T) {
	t.Parallel()
	for _, s := range []play.Size{play.At(80, 24), play.At(60, 15), play.At(200, 60)} {
		t.Run(s.String(), func(t *testing.T) {
			t.Parallel()
			play.Loaded(t, s.W, s.H, nil, func(p *play.Program) {
				p.Press("O")
				p.ClickOn("billing")
				p.Sees("Choose a project", "▌ billing")
				p.Send(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
				p.SeesNot("▌ billing")
				p.ClickTwice("billing")
				p.SeesNot("Choose a project", "all projects")
				p.Press(":")
				p.Type("theme ")
				p.ClickOn("light")
				p.Sees("▌ light")
				p.ClickOn("light")
				p.SeesNot("high-contrast")
				if p.Model.Profile().Theme != "light" {
					t.Errorf("the theme is %q", p.Model.Profile().Theme)
				}
				// A disabled key is not run, and plain words are not buttons.
				p.Press("3", "n")
				p.ClickOn("New API key")
				p.ClickOn("( Create )")
				p.Sees("New API key")
				p.Type("made-by-mouse")
				p.ClickOn("[ Create ]")
				p.Sees("made-by-mouse · id ")
			})
		})
	}
}

// The first double click only selects a row, and a later click on it opens the details.
func TestMouseDoubleClickOpens(t *testing.T) {
	t.Parallel()
	play.Loaded(t, 120, 36, nil, func(p *play.Program) {
		p.Press("3")
		p.ClickTwice("terraform")
		p.SeesNot("last_used_from_addr")
		p.ClickOn("terraform")
		p.Sees("last_used_from_addr")
	})
}

// TestMouseDoubleClickInADialog chooses with the second of two quick clicks: neither is for the row below.
func TestMouseDoubleClickInADialog(t *testing.T) {
	t.Parallel()
	play.Loaded(t, 80, 24, nil, func(p *play.Program) {
		p.Press("3", "s")
		p.ClickOn("last used")
		p.ClickOn("last used")
		p.Sees("LAST USED▲")
		p.SeesNot("last_used_from_addr")
	})
}

// Clicks move between the fields of the sign-in form and press its button.
func TestMouseSignsIn(t *testing.T) {
	t.Parallel()
	play.Run(t, 80, 24, func(b *play.Backend, _ *ui.Options) { b.NoKey = true }, func(p *play.Program) {
		p.ClickOn("Service: ")
		p.Type("x")
		p.Sees("/api/v2x")
		p.Press("backspace")
		p.ClickOn("API key: ")
		p.Type(p.Server.APIKey())
		p.ClickOn("[ Sign in ]")
		p.Sees("all projects")
	})
}

// TestMouseWheelInQuestionsAndFilters turns the wheel where moving keys do more.
func TestMouseWheelInQuestionsAndFilters(t *testing.T) {
	t.Parallel()
	play.Run(t, 80, 24, nil, func(p *play.Program) {
		down := tea.MouseWheelMsg{Button: tea.MouseWheelDown}
		p.Press("3", "/")
		p.Type("a")
		p.Send(down)
		p.Type("l")
		p.Sees("/ al")
		p.Press("enter", "x")
		p.Send(down)
		p.Sees("[ Cancel ]")
	})
}

// A click that opens an operation has no effect on the new page when the button is released.
func TestMouseReleaseOnANewPage(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, nil, func(p *play.Program) {
		to := feed.Key{Project: p.Server.BusiestProject(), ID: "is-not-loaded"}
		p.Model.Follow(to)
		p.Send(tea.FocusMsg{})
		p.Send(tea.MouseReleaseMsg{X: 60, Y: 20, Button: tea.MouseLeft})
		if at := p.Model.Page(page.Operations).ViewState(); at.Row != to {
			t.Errorf("it is at %+v", at)
		}
	})
}
