package sim

import (
	"testing"
	"time"
)

// Keys are used before and after the start. The last use never moves back, and is never in the future.
func TestHabits(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)
	now := start.Add(10 * day)
	p, err := New(Options{Seed: 7, Start: start, Organizations: 1, Clock: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	last, uses, from := map[string]time.Time{}, map[string]int{}, map[string]map[string]bool{}
	for at := start.Add(-30 * day); !at.After(now); at = at.Add(30 * time.Minute) {
		for _, k := range p.KeysAt("", at) {
			if k.LastUsedAt == nil {
				continue
			}
			used, err := time.Parse(time.RFC3339, *k.LastUsedAt)
			if err != nil || used.After(at) || used.Before(last[k.Name]) {
				t.Fatalf("%s: %s at %s, after %s: %v", k.Name, used, at, last[k.Name], err)
			}
			if used.After(last[k.Name]) {
				uses[k.Name]++
			}
			if last[k.Name] = used; from[k.Name] == nil {
				from[k.Name] = map[string]bool{}
			}
			from[k.Name][k.LastUsedFromAddr] = true
		}
	}
	if n := uses["backup-nightly"]; n < 38 || n > 41 {
		t.Errorf("the nightly backup is used %d times in 40 days", n)
	}
	if uses["grafana-exporter"] < 500 || uses["staging-seed"] != 1 || uses["smoke-test"] != 0 {
		t.Errorf("%v", uses)
	}
	if len(from["vercel-sync"]) != 2 || len(from["backup-nightly"]) != 1 {
		t.Errorf("%v", from)
	}
}
