package operations_test

import (
	"testing"
	"time"

	"pgtower/internal/play"
)

// A command goes to a time, from any page, and back returns to the row.
func TestJumpAndBack(t *testing.T) {
	t.Parallel()
	play.Loaded(t, 120, 36, nil, func(p *play.Program) {
		p.Press("down", "down")
		p.Sees(" 3 / ")
		p.Press("2")
		p.Command("at 20m")
		p.Wait(time.Second)
		p.SeesNot(" 3 / ", "HEALTH")
		p.Press("[", "[")
		p.Sees(" 3 / ")
	})
}

// A time without an operation is no step: back leads to where the user was before.
func TestJumpWithoutAnOperation(t *testing.T) {
	t.Parallel()
	play.Loaded(t, 120, 36, longHistory(100), func(p *play.Program) {
		p.Press("2", "1", "down")
		p.Command("at 30d")
		p.Wait(3 * time.Second)
		p.Sees("No operation shown began by")
		p.Press("[")
		p.Sees("HEALTH")
		p.Command("at 30d")
		p.Press("[")
		p.Sees("HEALTH")
		p.Press("1", "v")
		p.Command("at 30d")
		p.Press("[")
		p.Sees("15M  FAILED")
	})
}

// From the top of the feed, back returns to the top, even while older operations load for the time.
func TestJumpFromTheTop(t *testing.T) {
	t.Parallel()
	play.Loaded(t, 120, 36, longHistory(2_000), func(p *play.Program) {
		p.Press("2", "1")
		for _, wait := range []time.Duration{0, time.Second, 30 * time.Second} {
			p.Command("at 2h")
			p.Wait(wait)
			p.Press("[")
			p.Sees(" 1 / ", "STATUS")
			p.Wait(30 * time.Second)
			p.Sees(" 1 / ", "STATUS")
		}
	})
}
