package projects_test

import (
	"testing"
	"time"

	"pgtower/internal/play"
)

// The announcements of the page are recorded.
func TestSpokenPage(t *testing.T) {
	t.Parallel()
	play.Speaking(t, nil, func(p *play.Program) {
		p.Wait(2 * time.Second)
		p.Heard()
		p.Press("2")
		s := p.Transcribe()
		s.Press("j", "/")
		s.Type("billing")
		s.Press("enter", "enter", "esc", "esc", "o")
		s.Golden("spoken")
	})
}
