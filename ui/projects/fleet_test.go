package projects_test

import (
	"strings"
	"testing"
	"time"

	"pgtower/internal/play"
	"pgtower/ui"

	"pgtower/client/mock"
)

// The health of projects follows their operations, even out of scope, and moves no rows.
func TestHealthOfProjects(t *testing.T) {
	t.Parallel()
	play.Run(t, 120, 36, nil, func(p *play.Program) {
		p.Press("2")
		p.Wait(6 * time.Second)
		p.Reads("1 failed", "storefront ✗ failed 3", "identity ✓ ok")
		p.Inject("500 of /projects/floral-fog-318698/operations")
		p.Wait(6 * time.Second)
		p.Reads("identity ✗ unreadable", "1 unreadable 15 min: 1 failed")
		p.Press("down", "down", "enter")
		p.Reads("✗ unreadable list operations of floral-fog-318698: the service failed (status 500)", "running 0")
		p.Press("esc")

		// One project is shown, and another one fails.
		p.Press("o")
		p.Sees("cannot read identity")
		p.Begin(mock.Task{ProjectID: "damp-flower-494043", Action: "create_branch", Run: time.Second, Fail: true})
		p.Wait(30 * time.Second)
		p.Press("2")
		p.Reads("1 unreadable 15 min: 1 failing 2 failed", "payments ✗ failing", "▌ identity ", "3 / 12")

		p.Press("s")
		p.Enter("health")
		p.Sees("HEALTH▲", "▌ identity  ", "1 / 12")
		p.Press("down")
		p.Sees("▌ payments  ")
		p.ClickOn("1 failing")
		p.Sees("/ is:failing", "1 of 12", "payments")
		p.Press("esc", "s")
		p.Enter("order")
		p.Press("G", "*")
		p.Sees("★ scratchpad", "1 / 12")
		if screen := p.Screen(); strings.Index(screen, "★ scratchpad") > strings.Index(screen, "storefront ") {
			t.Errorf("the pinned project is not the first:\n%s", screen)
		}
	})
}

// The smallest screen shows what is wrong with a project.
func TestHealthOnASmallScreen(t *testing.T) {
	t.Parallel()
	play.Run(t, 40, 6, nil, func(p *play.Program) {
		p.Press("2")
		p.Wait(6 * time.Second)
		p.Golden("projects-40x6")
	})
}

// An account without projects says so on both pages, with what to do.
func TestListOfAnAccountWithoutProjects(t *testing.T) {
	t.Parallel()
	play.Loaded(t, 120, 36, func(b *play.Backend, _ *ui.Options) { b.Simulate(mock.Options{Projects: -1}) }, func(p *play.Program) {
		p.Reads("This account has no projects.", "create one in the service's console")
		p.Press("2")
		p.Reads("This account has no projects.", "Create one")
	})
}

// While no project can be read, the line above them says as of when it is.
func TestHealthOfProjectsThatAreNotRead(t *testing.T) {
	t.Parallel()
	ahead := func(b *play.Backend, _ *ui.Options) { // which is no age
		b.Simulate(mock.Options{Clock: func() time.Time { return time.Now().Add(10 * time.Minute) }})
	}
	play.Run(t, 80, 24, ahead, func(p *play.Program) {
		p.Press("2")
		p.Wait(6 * time.Second)
		p.SeesNot("as of ")
		remove := p.Inject("reset")
		p.Wait(30 * time.Second)
		p.Reads("12 projects as of 00:10:", "UTC 15 min: ")
		remove()
		p.Wait(2 * time.Minute)
		p.SeesNot("as of ")
	})
}
