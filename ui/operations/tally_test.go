package operations

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

// A count that takes long is made seldom, however often something changes, and the last change is counted.
func TestCountsRest(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		const took = 20 * time.Millisecond
		counts, changes := 0, 0
		count := tally[int]{list: b.list, rests: indexRest}
		var refresh func() tea.Cmd
		refresh = func() tea.Cmd {
			now := changes
			return count.count(func() func() int {
				return func() int {
					time.Sleep(took)
					counts++
					return now
				}
			}, refresh)
		}
		for range 300 {
			changes++
			b.Do(refresh())
			b.Wait(100 * time.Millisecond)
		}
		if most := int(30*time.Second/(indexRest*took)) + 2; counts > most || counts < most/2 {
			t.Errorf("%d counts in 30 s, and not about %d", counts, most)
		}
		b.Wait(2 * indexRest * took)
		if count.result != changes {
			t.Errorf("counted is change %d of %d", count.result, changes)
		}
	}, "a")
}
