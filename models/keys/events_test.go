package keys

import (
	"slices"
	"testing"
	"time"
)

// A use is told as the first one only if lists prove that there was none before, except in the last hour before it.
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
