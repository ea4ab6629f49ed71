package mock

import (
	"fmt"
	"math/rand/v2"
	"time"
)

// usage is how a key of the demo is used.
type usage int

const (
	never     usage = iota
	atWork          // within the last hours
	sometimes       // within the last two months
	forgotten       // not for more than 90 days
)

// demoKey is a key that an account has gathered over the years.
type demoKey struct {
	name string
	usage
}

// gathered returns the demo's keys, oldest first.
func gathered() []demoKey {
	return []demoKey{
		{"first-try", forgotten},
		{"laptop-old", forgotten},
		{"terraform", sometimes},
		{"ci-deploy", atWork},
		{"grafana-exporter", atWork},
		{"backup-nightly", atWork},
		{"smoke-test", never},
		{"staging-seed", forgotten},
		{"alice-cli", sometimes},
		{"retool", forgotten},
		{"migration-2024", forgotten},
		{"preview-branches", atWork},
		{"on-call", sometimes},
		{"dbt-runner", atWork},
		{"load-test", never},
		{"vercel-sync", atWork},
		{"demo-for-sales", never},
		{"bob-laptop", sometimes},
		{"cost-report", never},
	}
}

// sessionKey is the name of the key that the server's user holds.
const sessionKey = "pgtower-demo"

// demoKeys draws the keys that are there from the start: some at work, some
// forgotten, some never used, and last the one whose secret is known. Nobody knows
// the secrets of the others.
func demoKeys(seed uint64, start time.Time, secret string) keyring {
	k := newKeyring()
	rng := newRand(mix(seed, 1<<40), 0)
	all := gathered()
	id := int64(165_000) + rng.Int64N(400)
	const day = 24 * time.Hour
	for i, demo := range all {
		id += 1 + rng.Int64N(9)
		age := time.Duration(len(all)-i)*40*day + between(rng, 0, 30*day)
		key := &apiKey{id: id, name: demo.name, created: start.Add(-age)}
		switch demo.usage {
		case never:
		case atWork:
			key.lastUsed = start.Add(-between(rng, 20*time.Second, 9*time.Hour))
		case sometimes:
			key.lastUsed = start.Add(-between(rng, day, min(age, 60*day)))
		case forgotten:
			key.lastUsed = start.Add(-between(rng, 95*day, age))
		}
		if !key.lastUsed.IsZero() {
			key.lastAddr = demoAddr(rng)
		}
		k.add(key)
	}
	k.add(&apiKey{id: id + 1 + rng.Int64N(9), name: sessionKey, created: start, secret: digestOf(secret)})
	return k
}

// demoAddr draws an address from the ranges that are set aside for documentation.
func demoAddr(rng *rand.Rand) string {
	switch rng.IntN(4) {
	case 0:
		return fmt.Sprintf("192.0.2.%d", 1+rng.IntN(254))
	case 1:
		return fmt.Sprintf("198.51.100.%d", 1+rng.IntN(254))
	case 2:
		return fmt.Sprintf("203.0.113.%d", 1+rng.IntN(254))
	}
	return fmt.Sprintf("2001:db8::%x", 1+rng.IntN(0xfffe))
}
