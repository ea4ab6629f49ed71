package projects_test

import (
	"testing"
	"time"

	"pgtower/client/mock"
	"pgtower/internal/play"
	"pgtower/ui"
)

// The live service tells of maintenance, which can be filtered for. A service that tells nothing of the kind has no column.
func TestProjectsHaveNotes(t *testing.T) {
	t.Parallel()
	live := func(b *play.Backend, _ *ui.Options) { b.Simulate(mock.Options{Live: true}) }
	play.Run(t, 80, 24, live, func(p *play.Program) {
		p.Wait(2 * time.Second)
		p.Press("2")
		p.Sees("NOTE", "identity", "maintenance in 2 h", "✗ over quota", "no compute starts")
		p.Press("/")
		p.Type("is:maintenance permission:admin")
		p.Press("enter")
		p.Sees("1 of 12")
		p.Press("enter")
		p.Sees("Maintenance in 2 h.")
		p.Press("pgdown", "pgdown")
		p.Sees("maintenance_starts_at", "effective_project_permission  ADMIN")
	})
	play.Run(t, 120, 24, live, func(p *play.Program) {
		p.Wait(2 * time.Second)
		p.Press("2")
		p.Sees("✗ over quota", "no compute starts until 1 ")
	})
	play.Run(t, 80, 24, nil, func(p *play.Program) {
		p.Wait(2 * time.Second)
		p.Press("2")
		p.Sees("SLOW")
		p.SeesNot("NOTE")
	})
}
