package sim

import "testing"

// No key was used before it was created.
func TestKeysAreUsedAfterTheirCreation(t *testing.T) {
	t.Parallel()
	for seed := range uint64(50) {
		p, _ := platform(t, Options{Seed: seed, Organizations: 2})
		for _, k := range p.keys {
			if at := k.LastUsedAt; at != nil && *at < k.CreatedAt {
				t.Errorf("seed %d: %s was created %s and used %s", seed, k.Name, k.CreatedAt, *at)
			}
		}
	}
}
