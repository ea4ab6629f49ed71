package apikeys_test

import (
	"testing"
	"time"

	"pgtower/internal/play"
	"pgtower/ui"
)

// The page, its details and its dialogs look as recorded, on every size.
func TestScreens(t *testing.T) {
	t.Parallel()
	for _, s := range play.Sizes() {
		name := func(screen string) string { return screen + "-" + s.String() }
		play.Loaded(t, s.W, s.H, nil, func(p *play.Program) {
			keys := p.Keys()
			p.Golden(name("apikeys"))
			p.Press("down", "enter")
			p.Golden(name("apikey"))
			p.Press("esc")
			asked := keys.Revoke()
			p.Golden(name("revoke"))
			asked.Leave()
			asked = keys.Select("pgtower-demo").Revoke()
			p.Golden(name("revoke-in-use"))
			asked.Leave()
			keys.New("laptop-old")
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
	play.Loaded(t, 100, 50, nil, func(p *play.Program) {
		p.Press("3", "d")
		p.Golden("apikeys-100x50")
	})
}

// The dialogs of a batch, of a rotation and of a secret look as recorded, on every size.
func TestScreensOfChanges(t *testing.T) {
	t.Parallel()
	for _, s := range play.Sizes() {
		name := func(screen string) string { return screen + "-" + s.String() }
		play.Run(t, s.W, s.H, nil, func(p *play.Program) {
			keys := p.Keys()
			p.Filter("never:used")
			keys.MarkAll()
			p.Press("esc", "esc")
			p.Filter("idle:>90d")
			keys.MarkAll()
			p.Filter("!smoke")
			asked := keys.Revoke()
			p.Golden(name("revoke-many"))
			p.Inject("403 of DELETE skip=3 count=1")
			asked.Confirm()
			p.Golden(name("revoked-many"))
			p.Press("enter", "esc", "esc")
			asked = keys.Select("pgtower-demo").Revoke()
			p.Golden(name("revoke-own"))
			asked.Leave()
			form := keys.Rotate()
			p.Golden(name("rotate"))
			form.Submit()
			p.Golden(name("rotated"))
			p.Question("Revoke").Leave()
			secret := keys.Create("night-batch")
			p.Golden(name("secret"))
			p.Press("esc")
			p.Golden(name("secret-unseen"))
			secret.Keep()
			p.Golden(name("secret-kept"))
		})
	}
}
