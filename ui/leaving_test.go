package ui_test

import (
	"regexp"
	"testing"

	"pgtower/internal/play"
)

// A revocation without an answer is named when the user leaves: at the end, and with another profile.
func TestLeaveNamesWhatMayBeRevoked(t *testing.T) {
	t.Parallel()
	named := regexp.MustCompile(`^The API key laptop-old \(id \d+\) may have been revoked\.$`)
	play.Run(t, 120, 36, play.WithOthers, func(p *play.Program) {
		p.Press("3", "j")
		p.Inject("latency=30s of DELETE")
		p.Press("x", "tab", "enter")
		p.Sees("◌ revoking…")
		said := p.Model.Leave(t.Context())
		if len(said) != 1 || !named.MatchString(said[0]) {
			t.Fatalf("at the end: %q", said)
		}
		p.Press("P")
		p.Type("stag")
		p.Press("enter")
		p.Sees("staging · staging.example", said[0])
		if said := p.Model.Leave(t.Context()); len(said) > 0 {
			t.Errorf("with another profile: %q", said)
		}
	})
}
