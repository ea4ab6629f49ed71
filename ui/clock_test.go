package ui

import (
	"testing"
	"time"
)

// The clock goes back where a profile with a time of its own is left, such as a demo that
// was advanced. Keys count all the same, and the screen goes on with the time.
func TestClockThatGoesBack(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		p.wait(2 * time.Second)
		p.model.profile.Clock = func() time.Time { return time.Now().Add(-time.Hour) }
		p.press("2")
		p.sees("REGION")
		p.press("1")
		p.sees("STATUS")
		p.wait(time.Minute)
		if age := p.model.now.Sub(p.model.painted); age < 0 || age > restFor {
			t.Errorf("the screen shows a time %s away", age)
		}
	})
}
