package mock_test

import (
	"testing"
	"time"

	"pgtower/client/mock"
)

// The demo has keys of every kind that the keys page distinguishes, for every seed.
func TestDemoKeys(t *testing.T) {
	t.Parallel()
	for seed := range uint64(50) {
		srv, clock := newServer(t, mock.Options{Seed: seed})
		var keys []record
		handlerTarget(srv).get(t, "/api_keys", &keys)
		never, idle, recent := 0, 0, 0
		for _, k := range keys {
			if k["last_used_at"] == nil {
				never++
				continue
			}
			used := utc(t, k, "last_used_at")
			if used.Before(utc(t, k, "created_at")) || used.After(clock.Now()) {
				t.Errorf("seed %d: %v", seed, k)
			}
			switch age := clock.Now().Sub(used); {
			case age > 90*24*time.Hour:
				idle++
			case age < 24*time.Hour:
				recent++
			}
		}
		if len(keys) != 20 || never != 4 || idle != 5 || recent != 7 {
			t.Errorf("seed %d: %d keys, %d never used, %d idle, %d recent", seed, len(keys), never, idle, recent)
		}
		own := keys[len(keys)-1]
		if own["name"] != "pgtower-demo" || own["last_used_from_addr"] != "192.0.2.7" {
			t.Errorf("seed %d: the session's key is %v", seed, own)
		}
	}
}
