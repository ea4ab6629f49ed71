package projects_test

import (
	"testing"
	"time"

	"pgtower/internal/play"
	"pgtower/ui"
)

// The list, the details of a project and the page of an unreachable service are recorded.
func TestScreens(t *testing.T) {
	t.Parallel()
	for _, s := range play.Sizes() {
		play.Loaded(t, s.W, s.H, nil, func(p *play.Program) {
			p.Press("2")
			p.Golden("projects-" + s.String())
			p.Press("enter")
			p.Golden("project-" + s.String())
		})
		down := func(b *play.Backend, o *ui.Options) { b.Down, o.Project = true, "floral-king-961888" }
		play.Run(t, s.W, s.H, down, func(p *play.Program) {
			p.Wait(10 * time.Second)
			p.Press("2")
			p.Golden("projects-unreachable-" + s.String())
		})
	}
}
