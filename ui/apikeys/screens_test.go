package apikeys_test

import (
	"testing"
	"time"

	"pgtower/internal/play"
	"pgtower/ui"
)

func TestScreens(t *testing.T) {
	t.Parallel()
	for _, s := range play.Sizes() {
		name := func(screen string) string { return screen + "-" + s.String() }
		play.Run(t, s.W, s.H, nil, func(p *play.Program) {
			p.Wait(2 * time.Second)
			p.Press("3")
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
		})
		down := func(b *play.Backend, o *ui.Options) { b.Down, o.Project = true, "floral-king-961888" }
		play.Run(t, s.W, s.H, down, func(p *play.Program) {
			p.Wait(10 * time.Second)
			p.Press("3")
			p.Wait(10 * time.Second)
			p.Golden(name("apikeys-unreachable"))
		})
	}
	play.Run(t, 100, 50, nil, func(p *play.Program) {
		p.Wait(2 * time.Second)
		p.Press("3", "d")
		p.Golden("apikeys-100x50")
	})
}

func TestScreensOfChanges(t *testing.T) {
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
