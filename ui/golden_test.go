package ui

import (
	"fmt"
	"testing"
	"time"
)

type size struct{ w, h int }

func (s size) String() string { return fmt.Sprintf("%dx%d", s.w, s.h) }

// sizes are the screens for every page.
func sizes() []size { return []size{{80, 24}, {120, 36}} }

// A high and narrow screen has the details below the rows.
func TestHighScreens(t *testing.T) {
	t.Parallel()
	play(t, 100, 50, inBusiest, func(p *program) {
		p.Wait(2 * time.Second)
		p.Press("down", "d")
		p.golden("operations-100x50")
		p.clickOn("median ")
		p.sees("2 / ")
		p.Press("3")
		p.golden("apikeys-100x50")
	})
}

func TestScreens(t *testing.T) {
	t.Parallel()
	for _, s := range sizes() {
		name := func(screen string) string { return screen + "-" + s.String() }
		play(t, s.w, s.h, nil, func(p *program) {
			p.Wait(2 * time.Second)
			p.golden(name("operations"))
			p.Press("v")
			p.golden(name("statistics"))
			p.Press("v", "O")
			p.golden(name("choose-project"))
			p.Press("down", "enter")
			p.golden(name("operations-project"))
			p.Press("down", "down", "enter")
			p.golden(name("operation"))
			p.Press("esc", "/")
			p.Type("suspend")
			p.golden(name("operations-filter"))
			p.Press("esc", "2")
			p.golden(name("projects"))
			p.Press("enter")
			p.golden(name("project"))
			p.Press("esc", "3")
			p.golden(name("apikeys"))
			p.Press("down", "enter")
			p.golden(name("apikey"))
			p.Press("esc", "x")
			p.golden(name("revoke"))
			p.Press("esc", "end", "x")
			p.golden(name("revoke-in-use"))
			p.Press("esc", "n")
			p.Type("laptop-old")
			p.golden(name("create-taken"))
			p.Press("esc", "?")
			p.golden(name("help"))
			p.Press("/")
			p.Type("mark")
			p.golden(name("help-find"))
			p.Type(" nothing")
			p.golden(name("help-find-nothing"))
			p.Press("esc", "esc", "1", "?")
			p.golden(name("help-operations"))
		})
	}
}

func TestScreensOfKeys(t *testing.T) {
	t.Parallel()
	for _, s := range sizes() {
		name := func(screen string) string { return screen + "-" + s.String() }
		play(t, s.w, s.h, nil, func(p *program) {
			p.Press("3", "/")
			p.Type("never:used")
			p.Press("enter", "A", "esc", "esc", "/")
			p.Type("idle:>90d")
			p.Press("enter", "A", "/", "ctrl+u")
			p.Type("!smoke")
			p.Press("enter", "x")
			p.golden(name("revoke-many"))
			p.Type("5")
			p.inject("403 of DELETE skip=3 count=1")
			p.Press("enter", "enter")
			p.golden(name("revoked-many"))
			p.Press("enter", "esc", "esc", "end", "x")
			p.golden(name("revoke-own"))
			p.Press("esc", "G", "R")
			p.golden(name("rotate"))
			p.Press("enter")
			p.golden(name("rotated"))
			p.Press("esc", "n")
			p.Type("night-batch")
			p.Press("enter")
			p.golden(name("secret"))
			p.Press("esc")
			p.golden(name("secret-unseen"))
			p.Press("k")
			p.golden(name("secret-kept"))
		})
	}
}

func TestScreensOfTrouble(t *testing.T) {
	t.Parallel()
	for _, s := range sizes() {
		w, h := s.w, s.h
		name := func(screen string) string { return screen + "-" + s.String() }
		t.Run("sign in "+s.String(), func(t *testing.T) {
			t.Parallel()
			play(t, w, h, func(b *backend, _ *Options) { b.noKey = true }, func(p *program) {
				p.golden(name("signin"))
				p.Type("not-the-key")
				p.Press("enter")
				p.golden(name("signin-refused"))
			})
		})
		t.Run("loading "+s.String(), func(t *testing.T) {
			t.Parallel()
			play(t, w, h, func(b *backend, o *Options) {
				inBusiest(b, o)
				if _, err := b.server.Inject("latency=20s"); err != nil {
					t.Error(err)
				}
			}, func(p *program) {
				p.Wait(3 * time.Second)
				p.golden(name("operations-loading"))
				p.Wait(time.Minute)
			})
		})
		t.Run("out of reach "+s.String(), func(t *testing.T) {
			t.Parallel()
			play(t, w, h, func(b *backend, o *Options) { b.down, o.Project = true, "floral-king-961888" }, func(p *program) {
				p.Wait(10 * time.Second)
				p.golden(name("operations-unreachable"))
				p.Press("2")
				p.golden(name("projects-unreachable"))
				p.Press("3")
				p.Wait(10 * time.Second)
				p.golden(name("apikeys-unreachable"))
			})
		})
		t.Run("late and offline "+s.String(), func(t *testing.T) {
			t.Parallel()
			play(t, w, h, nil, func(p *program) {
				p.Wait(2 * time.Second)
				p.down = true
				p.Wait(12 * time.Second)
				p.golden(name("operations-late"))
				p.Wait(time.Minute)
				p.golden(name("operations-offline"))
				p.down = false
				p.Press("r", "p")
				p.golden(name("operations-paused"))
			})
		})
	}
}

func TestTooSmall(t *testing.T) {
	t.Parallel()
	for _, s := range []size{{1, 1}, {10, 3}, {39, 40}, {200, 5}} {
		t.Run(s.String(), func(t *testing.T) {
			t.Parallel()
			play(t, s.w, s.h, nil, func(p *program) {
				if s.w > 30 {
					p.sees("pgtower needs 40×6")
				}
			})
		})
	}
}

// The feed is a strip on the smallest screen. A dialog that does not fit is not shown, but can be left.
func TestStrip(t *testing.T) {
	t.Parallel()
	play(t, 40, 6, nil, func(p *program) {
		p.Wait(2 * time.Second)
		p.golden("operations-40x6")
		p.Press("3", "j", "x")
		p.sees("This needs 40×10. esc: back")
		p.Press("tab", "enter", "esc")
		p.sees("▌ laptop-old")
		if n := len(p.model.session.dialogs); n > 0 {
			t.Errorf("%d dialogs", n)
		}
		p.Press("1", "enter")
		p.sees("Suspend compute", "✓ finished after")
	})
}
