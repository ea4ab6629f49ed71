package ui

import (
	"strings"
	"testing"
	"time"

	"pgtower/client/mock"
)

// The health of projects follows their operations, even out of scope, and moves no rows.
func TestHealthOfProjects(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		p.Press("2")
		p.Wait(6 * time.Second)
		p.reads("1 failing", "storefront ✗ failing", "identity ✓ ok")
		p.inject("500 of /projects/floral-fog-318698/operations")
		p.Wait(6 * time.Second)
		p.reads("identity ✗ unreadable", "1 unreadable 1 failing")
		p.Press("down", "down", "enter")
		p.reads("✗ unreadable list operations of floral-fog-318698: the service failed (status 500)", "running 0")
		p.Press("esc")

		// One project is shown, and another one fails.
		p.Press("o")
		p.sees("cannot read identity")
		if _, err := p.server.Start(mock.Task{
			ProjectID: "damp-flower-494043", Action: "create_branch", Run: time.Second, Fail: true,
		}); err != nil {
			t.Fatal(err)
		}
		p.Wait(30 * time.Second)
		p.Press("2")
		p.reads("1 unreadable 2 failing", "payments ✗ failing", "▌ identity ", "3 / 12")

		p.Press("s")
		p.Type("health")
		p.Press("enter")
		p.sees("HEALTH▲", "▌ identity  ", "1 / 12")
		p.Press("down")
		p.sees("▌ storefront  ")
		p.clickOn("2 failing")
		p.sees("/ is:failing", "2 of 12", "payments")
		p.Press("esc", "s")
		p.Type("order")
		p.Press("enter", "G", "*")
		p.sees("★ scratchpad", "1 / 12")
		if screen := p.screen(); strings.Index(screen, "★ scratchpad") > strings.Index(screen, "storefront ") {
			t.Errorf("the pinned project is not the first:\n%s", screen)
		}
	})
}

// The smallest screen shows what is wrong with a project.
func TestHealthOnASmallScreen(t *testing.T) {
	t.Parallel()
	play(t, 40, 6, nil, func(p *program) {
		p.Press("2")
		p.Wait(6 * time.Second)
		p.golden("projects-40x6")
	})
}

func TestAnAccountWithoutProjects(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, func(b *backend, _ *Options) { b.simulate(mock.Options{Projects: -1}) }, func(p *program) {
		p.Wait(2 * time.Second)
		p.reads("This account has no projects.", "create one in the service's console")
		p.Press("2")
		p.reads("This account has no projects.", "Create one")
	})
}
