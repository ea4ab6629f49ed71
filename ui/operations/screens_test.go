package operations_test

import (
	"testing"
	"time"

	"pgtower/internal/play"
	"pgtower/ui"
)

// The pages of operations look as recorded, in every size.
func TestScreens(t *testing.T) {
	t.Parallel()
	for _, s := range play.Sizes() {
		name := func(screen string) string { return screen + "-" + s.String() }
		play.Loaded(t, s.W, s.H, nil, func(p *play.Program) {
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
		})
	}
}

// A high and narrow screen has the details below the rows.
func TestScreenThatIsHigh(t *testing.T) {
	t.Parallel()
	play.Loaded(t, 100, 50, play.InBusiest, func(p *play.Program) {
		p.Press("down", "d")
		p.Golden("operations-100x50")
		p.ClickOn("median ")
		p.Sees("2 / ")
	})
}

// The feed is a strip on the smallest screen.
func TestScreenThatIsAStrip(t *testing.T) {
	t.Parallel()
	play.Loaded(t, 40, 6, nil, func(p *play.Program) {
		p.Golden("operations-40x6")
		p.Press("enter")
		p.Sees("Suspend compute", "✓ finished after")
	})
}

// The page looks as recorded while it loads, and in each trouble.
func TestScreensOfTrouble(t *testing.T) {
	t.Parallel()
	for _, s := range play.Sizes() {
		name := func(screen string) string { return screen + "-" + s.String() }
		t.Run("loading "+s.String(), func(t *testing.T) {
			t.Parallel()
			loading := func(b *play.Backend, o *ui.Options) {
				play.InBusiest(b, o)
				b.Inject("latency=20s")
			}
			play.Run(t, s.W, s.H, loading, func(p *play.Program) {
				p.Wait(3 * time.Second)
				p.Golden(name("operations-loading"))
				p.Wait(time.Minute)
			})
		})
		t.Run("out of reach "+s.String(), func(t *testing.T) {
			t.Parallel()
			down := func(b *play.Backend, o *ui.Options) { b.Down, o.Project = true, "floral-king-961888" }
			play.Run(t, s.W, s.H, down, func(p *play.Program) {
				p.Wait(10 * time.Second)
				p.Golden(name("operations-unreachable"))
			})
		})
		t.Run("late and offline "+s.String(), func(t *testing.T) {
			t.Parallel()
			play.Loaded(t, s.W, s.H, nil, func(p *play.Program) {
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
