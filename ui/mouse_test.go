package ui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models/feed"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// clickOn clicks on the first occurrence of a text on the screen.
func (p *program) clickOn(what string) {
	p.t.Helper()
	for y, line := range strings.Split(p.screen(), "\n") {
		if before, _, ok := strings.Cut(line, what); ok {
			p.Send(tea.MouseClickMsg{X: style.Width(before) + 1, Y: y, Button: tea.MouseLeft})
			return
		}
	}
	p.t.Fatalf("%q is not on the screen:\n%s", what, p.screen())
}

func TestMouse(t *testing.T) {
	t.Parallel()
	for _, s := range []size{{80, 24}, {140, 36}} {
		t.Run(s.String(), func(t *testing.T) {
			t.Parallel()
			play(t, s.w, s.h, nil, func(p *program) {
				p.Press("3", "1")
				p.clickOn(" 3 ")
				p.sees("API keys", "LAST USED")
				p.clickOn("terraform")
				p.sees("▌ terraform")
				p.Send(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
				p.sees("▌ backup-nightly")
				p.clickOn("NAME")
				p.sees("NAME▲")
				p.clickOn("NAME▲")
				p.sees("NAME▼", "▌ vercel-sync")
				p.clickOn("filter")
				p.Type("laptop-old")
				p.Press("enter")
				p.clickOn("laptop-old")
				p.clickOn("revoke")
				p.sees("Revoke laptop-old?")
				p.clickOn("Cancel")
				p.seesNot("Revoke laptop-old?")
				p.clickOn("revoke")
				p.clickOn("  Revoke")
				p.sees("[ Revoke ]") // the first click only focuses it
				p.clickOn("Revoke ]")
				p.sees("✓ revoked laptop-old")
			})
		})
	}
}

func TestDoubleClickOpens(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		p.Press("3")
		p.clickOn("terraform")
		p.seesNot("last_used_from_addr")
		p.clickOn("terraform")
		p.sees("last_used_from_addr")
	})
}

func TestMouseIsLeftToTheTerminal(t *testing.T) {
	t.Parallel()
	play(t, 80, 24, nil, func(p *program) {
		if p.model.View().MouseMode != tea.MouseModeCellMotion {
			t.Error("the mouse is not asked for")
		}
	})
	play(t, 80, 24, func(_ *backend, o *Options) { o.NoMouse = true }, func(p *program) {
		if p.model.View().MouseMode != tea.MouseModeNone {
			t.Error("the mouse is taken from the terminal")
		}
	})
}

// clickTwice clicks twice at the same place, too slowly for a double click.
func (p *program) clickTwice(what string) {
	p.t.Helper()
	p.clickOn(what)
	p.Wait(time.Second)
	p.clickOn(what)
}

func TestMouseChooses(t *testing.T) {
	t.Parallel()
	for _, s := range []size{{80, 24}, {60, 15}, {200, 60}} {
		t.Run(s.String(), func(t *testing.T) {
			t.Parallel()
			play(t, s.w, s.h, nil, func(p *program) {
				p.Wait(2 * time.Second)
				p.Press("O")
				p.clickOn("billing")
				p.sees("Choose a project", "▌ billing")
				p.Send(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
				p.seesNot("▌ billing")
				p.clickTwice("billing")
				p.seesNot("Choose a project", "all projects")
				p.Press(":")
				p.Type("theme ")
				p.clickOn("light")
				p.sees("▌ light")
				p.clickOn("light")
				p.seesNot("high-contrast")
				if p.model.session.profile.Theme != "light" {
					t.Errorf("the theme is %q", p.model.session.profile.Theme)
				}
				// A disabled key is not run, and plain words are not buttons.
				p.Press("3", "n")
				p.clickOn("New API key")
				p.clickOn("( Create )")
				p.sees("New API key")
				p.Type("made-by-mouse")
				p.clickOn("[ Create ]")
				p.sees("made-by-mouse · id ")
			})
		})
	}
}

// TestDoubleClickInADialogIsNotForThePage chooses with the second of two quick clicks: neither is for the row below.
func TestDoubleClickInADialogIsNotForThePage(t *testing.T) {
	t.Parallel()
	play(t, 80, 24, nil, func(p *program) {
		p.Wait(2 * time.Second)
		p.Press("3", "s")
		p.clickOn("last used")
		p.clickOn("last used")
		p.sees("LAST USED▲")
		p.seesNot("last_used_from_addr")
	})
}

func TestMouseSignsIn(t *testing.T) {
	t.Parallel()
	play(t, 80, 24, func(b *backend, _ *Options) { b.noKey = true }, func(p *program) {
		p.clickOn("Service: ")
		p.Type("x")
		p.sees("/api/v2x")
		p.Press("backspace")
		p.clickOn("API key: ")
		p.Type(p.server.APIKey())
		p.clickOn("[ Sign in ]")
		p.sees("1 Operations")
	})
}

// TestWheelLeavesQuestionsAndFiltersAlone turns the wheel where moving keys do more.
func TestWheelLeavesQuestionsAndFiltersAlone(t *testing.T) {
	t.Parallel()
	play(t, 80, 24, nil, func(p *program) {
		down := tea.MouseWheelMsg{Button: tea.MouseWheelDown}
		p.Press("3", "/")
		p.Type("a")
		p.Send(down)
		p.Type("l")
		p.sees("/ al")
		p.Press("enter", "x")
		p.Send(down)
		p.sees("[ Cancel ]")
	})
}

// A click that opens an operation has no effect on the new page when the button is released.
func TestAMouseReleaseOnANewPageHasNoEffect(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		to := feed.Key{Project: p.server.BusiestProject(), ID: "is-not-loaded"}
		p.model.session.follow(to)
		p.Send(tea.FocusMsg{})
		p.Send(tea.MouseReleaseMsg{X: 60, Y: 20, Button: tea.MouseLeft})
		if at := p.model.session.pages.all[page.Operations].ViewState(); at.Row != to {
			t.Errorf("it is at %+v", at)
		}
	})
}
