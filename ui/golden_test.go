package ui_test

import (
	"testing"
	"time"

	"pgtower/internal/play"
	"pgtower/ui"
)

// A high and narrow screen has the details below the rows.
func TestHighScreens(t *testing.T) {
	t.Parallel()
	play.Run(t, 100, 50, play.InBusiest, func(p *play.Program) {
		p.Wait(2 * time.Second)
		p.Press("down", "d")
		p.Golden("operations-100x50")
		p.ClickOn("median ")
		p.Sees("2 / ")
		p.Press("3")
		p.Golden("apikeys-100x50")
	})
}

func TestScreens(t *testing.T) {
	t.Parallel()
	for _, s := range play.Sizes() {
		name := func(screen string) string { return screen + "-" + s.String() }
		play.Run(t, s.W, s.H, nil, func(p *play.Program) {
			p.Wait(2 * time.Second)
			p.Golden(name("operations"))
			p.Press("v")
			p.Golden(name("statistics"))
			p.Press("v", "O")
			p.Golden(name("choose-project"))
			p.Press("down", "enter")
			p.Golden(name("operations-project"))
			p.Press("down", "down", "enter")
			p.Golden(name("operation"))
			p.Press("esc", "/")
			p.Type("suspend")
			p.Golden(name("operations-filter"))
			p.Press("esc", "2")
			p.Golden(name("projects"))
			p.Press("enter")
			p.Golden(name("project"))
			p.Press("esc", "3")
			p.Golden(name("apikeys"))
			p.Press("down", "enter")
			p.Golden(name("apikey"))
			p.Press("esc", "x")
			p.Golden(name("revoke"))
			p.Press("esc", "end", "x")
			p.Golden(name("revoke-in-use"))
			p.Press("esc", "n")
			p.Type("laptop-old")
			p.Golden(name("create-taken"))
			p.Press("esc", "?")
			p.Golden(name("help"))
			p.Press("/")
			p.Type("mark")
			p.Golden(name("help-find"))
			p.Type(" nothing")
			p.Golden(name("help-find-nothing"))
			p.Press("esc", "esc", "1", "?")
			p.Golden(name("help-operations"))
		})
	}
}

func TestScreensOfKeys(t *testing.T) {
	t.Parallel()
	for _, s := range play.Sizes() {
		name := func(screen string) string { return screen + "-" + s.String() }
		play.Run(t, s.W, s.H, nil, func(p *play.Program) {
			p.Press("3", "/")
			p.Type("never:used")
			p.Press("enter", "A", "esc", "esc", "/")
			p.Type("idle:>90d")
			p.Press("enter", "A", "/", "ctrl+u")
			p.Type("!smoke")
			p.Press("enter", "x")
			p.Golden(name("revoke-many"))
			p.Type("5")
			p.Inject("403 of DELETE skip=3 count=1")
			p.Press("enter", "enter")
			p.Golden(name("revoked-many"))
			p.Press("enter", "esc", "esc", "end", "x")
			p.Golden(name("revoke-own"))
			p.Press("esc", "G", "R")
			p.Golden(name("rotate"))
			p.Press("enter")
			p.Golden(name("rotated"))
			p.Press("esc", "n")
			p.Type("night-batch")
			p.Press("enter")
			p.Golden(name("secret"))
			p.Press("esc")
			p.Golden(name("secret-unseen"))
			p.Press("k")
			p.Golden(name("secret-kept"))
		})
	}
}

func TestScreensOfTrouble(t *testing.T) {
	t.Parallel()
	for _, s := range play.Sizes() {
		w, h := s.W, s.H
		name := func(screen string) string { return screen + "-" + s.String() }
		t.Run("sign in "+s.String(), func(t *testing.T) {
			t.Parallel()
			play.Run(t, w, h, func(b *play.Backend, _ *ui.Options) { b.NoKey = true }, func(p *play.Program) {
				p.Golden(name("signin"))
				p.Type("not-the-key")
				p.Press("enter")
				p.Golden(name("signin-refused"))
			})
		})
		t.Run("loading "+s.String(), func(t *testing.T) {
			t.Parallel()
			play.Run(t, w, h, func(b *play.Backend, o *ui.Options) {
				play.InBusiest(b, o)
				if _, err := b.Server.Inject("latency=20s"); err != nil {
					t.Error(err)
				}
			}, func(p *play.Program) {
				p.Wait(3 * time.Second)
				p.Golden(name("operations-loading"))
				p.Wait(time.Minute)
			})
		})
		t.Run("out of reach "+s.String(), func(t *testing.T) {
			t.Parallel()
			play.Run(t, w, h, func(b *play.Backend, o *ui.Options) { b.Down, o.Project = true, "floral-king-961888" }, func(p *play.Program) {
				p.Wait(10 * time.Second)
				p.Golden(name("operations-unreachable"))
				p.Press("2")
				p.Golden(name("projects-unreachable"))
				p.Press("3")
				p.Wait(10 * time.Second)
				p.Golden(name("apikeys-unreachable"))
			})
		})
		t.Run("late and offline "+s.String(), func(t *testing.T) {
			t.Parallel()
			play.Run(t, w, h, nil, func(p *play.Program) {
				p.Wait(2 * time.Second)
				p.Down = true
				p.Wait(12 * time.Second)
				p.Golden(name("operations-late"))
				p.Wait(time.Minute)
				p.Golden(name("operations-offline"))
				p.Down = false
				p.Press("r", "p")
				p.Golden(name("operations-paused"))
			})
		})
	}
}

func TestTooSmall(t *testing.T) {
	t.Parallel()
	for _, s := range []play.Size{play.At(1, 1), play.At(10, 3), play.At(39, 40), play.At(200, 5)} {
		t.Run(s.String(), func(t *testing.T) {
			t.Parallel()
			play.Run(t, s.W, s.H, nil, func(p *play.Program) {
				if s.W > 30 {
					p.Sees("pgtower needs 40×6")
				}
			})
		})
	}
}

// The feed is a strip on the smallest screen. A dialog that does not fit is not shown, but can be left.
func TestStrip(t *testing.T) {
	t.Parallel()
	play.Run(t, 40, 6, nil, func(p *play.Program) {
		p.Wait(2 * time.Second)
		p.Golden("operations-40x6")
		p.Press("3", "j", "x")
		p.Sees("This needs 40×10. esc: back")
		p.Press("tab", "enter", "esc")
		p.Sees("▌ laptop-old")
		if n := len(p.Model.Dialogs()); n > 0 {
			t.Errorf("%d dialogs", n)
		}
		p.Press("1", "enter")
		p.Sees("Suspend compute", "✓ finished after")
	})
}
