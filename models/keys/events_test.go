package keys

import (
	"slices"
	"testing"
	"time"
)

// That a use was the first one is told only where lists prove that there was none before, but for the last hour.
func TestFirstUseIsProven(t *testing.T) {
	t.Parallel()
	created := time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC)
	used := created.AddDate(0, 0, 9)
	for name, c := range map[string]struct {
		unused []Span
		told   bool
	}{
		"nothing was read before": {nil, false},
		"a day is missing":        {[]Span{{created, used.AddDate(0, 0, -1)}}, false},
		"half an hour is missing": {[]Span{{created, used.Add(-30 * time.Minute)}}, true},
	} {
		u := Usage{Created: created, Stamps: []Stamp{{At: used}}, Unused: c.unused}
		told := slices.ContainsFunc(u.Between(created, used.Add(time.Hour)), func(h Happened) bool { return h.What == "first used" })
		if told != c.told {
			t.Errorf("%s: told %v", name, told)
		}
	}
}
