package ui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/text"
)

// clickOn clicks at the first place where the screen shows a text.
func (p *program) clickOn(what string) {
	p.t.Helper()
	for y, line := range strings.Split(p.screen(), "\n") {
		if before, _, ok := strings.Cut(line, what); ok {
			p.send(tea.MouseClickMsg{X: text.Width(before) + 1, Y: y, Button: tea.MouseLeft})
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
				p.press("3", "1")
				p.clickOn(" 3 ")
				p.sees("API keys", "LAST USED")
				p.clickOn("terraform")
				p.sees("▌ terraform")
				p.send(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
				p.sees("▌ backup-nightly")
				p.clickOn("NAME")
				p.sees("NAME▲")
				p.clickOn("NAME▲")
				p.sees("NAME▼", "▌ backup-nightly")
				p.clickOn("filter")
				p.enter("laptop-old")
				p.press("enter")
				p.clickOn("laptop-old")
				p.clickOn("revoke")
				p.sees("Revoke laptop-old?")
				p.clickOn("Cancel")
				p.seesNot("Revoke laptop-old?")
				p.clickOn("revoke")
				p.clickOn("  Revoke")
				p.sees("[ Revoke ]") // the first click only points at it
				p.clickOn("Revoke ]")
				p.sees("✓ revoked laptop-old")
			})
		})
	}
}

func TestDoubleClickOpens(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		p.press("3")
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
