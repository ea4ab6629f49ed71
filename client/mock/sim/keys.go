package sim

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// apiKey is a valid key.
type apiKey struct {
	id       int64
	name     string
	created  time.Time
	lastUsed time.Time // zero before the first use
	lastAddr string
	secret   string // empty where nobody knows it
}

// use returns when the key was last used.
func (k *apiKey) use() *KeyUse { return &KeyUse{optionalStamp(k.lastUsed), k.lastAddr} }

// Keys returns the keys, oldest first.
func (p *Platform) Keys() []Key {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := make([]Key, len(p.keys))
	for i, k := range p.keys {
		out[i] = Key{ID: k.id, Name: k.name, CreatedAt: stamp(k.created), KeyUse: k.use()}
		if p.live {
			out[i].CreatedBy = Creator{ID: demoUser, Name: "Demo User"}
		}
	}
	return out
}

// CreateKey makes a key and returns it with its secret.
func (p *Platform) CreateKey(name string) Key {
	p.mu.Lock()
	defer p.mu.Unlock()
	k := &apiKey{id: p.lastKey + 1, name: name, created: p.Now()}
	p.lastKey = k.id
	k.secret = newSecret(p.seed, k.id)
	p.keys = append(p.keys, k)
	out := Key{ID: k.id, Secret: k.secret}
	if p.live {
		out.Name, out.CreatedAt, out.CreatedBy = name, stamp(k.created), demoUser
	}
	return out
}

// RevokeKey revokes a key, effective at once. A key may revoke itself; one that is revoked is not found any more. The
// error is [ErrNoKey].
func (p *Platform) RevokeKey(id int64) (Key, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	i := slices.IndexFunc(p.keys, func(k *apiKey) bool { return k.id == id })
	if i < 0 {
		return Key{}, ErrNoKey
	}
	k := p.keys[i]
	p.keys = slices.Delete(p.keys, i, i+1)
	out := Key{ID: k.id, Name: k.name, Revoked: true, KeyUse: k.use()}
	if p.live {
		out.CreatedAt, out.CreatedBy = stamp(k.created), demoUser
	}
	return out, nil
}

// UseKey returns the id of the valid key that has the secret, if there is one, and notes its use from an address.
func (p *Platform) UseKey(secret, addr string) (id int64, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	k := p.withSecret(secret)
	if k == nil {
		return 0, false
	}
	k.lastUsed, k.lastAddr = p.Now(), addr
	return k.id, true
}

// withSecret returns the valid key that has the secret, or nil. The mutex is held.
func (p *Platform) withSecret(secret string) *apiKey {
	if i := slices.IndexFunc(p.keys, func(k *apiKey) bool { return k.secret == secret }); i >= 0 && secret != "" {
		return p.keys[i]
	}
	return nil
}

// Revoke revokes a key as the console does, and reports whether there was one with the id.
func (p *Platform) Revoke(id int64) bool {
	_, err := p.RevokeKey(id)
	return err == nil
}

// RevokeSecret revokes the key that has the secret, and reports whether there was one.
func (p *Platform) RevokeSecret(secret string) bool {
	p.mu.Lock()
	k := p.withSecret(secret)
	p.mu.Unlock()
	return k != nil && p.Revoke(k.id)
}

// APIKey returns the secret of the key that was there from the start.
func (p *Platform) APIKey() string { return p.apiKey }

// APIKeyID returns the id of that key, or 0 once it is revoked.
func (p *Platform) APIKeyID() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	if k := p.withSecret(p.apiKey); k != nil {
		return k.id
	}
	return 0
}

// SecretPrefix begins every secret that is given out, which so says of itself what it is.
const SecretPrefix = "pgt_demo_" //nolint:gosec // G101: it is no secret

// newSecret draws the secret of the key with the id.
func newSecret(seed uint64, id int64) string {
	var b [16]byte
	binary.BigEndian.PutUint64(b[:8], seed)
	binary.BigEndian.PutUint64(b[8:], bits(id))
	sum := sha256.Sum256(b[:])
	return SecretPrefix + strings.ToLower(base32.StdEncoding.EncodeToString(sum[:20]))
}

// The keys that an account has gathered over the years, oldest first, each with how it is used.
const gathered = `first-try forgotten laptop-old forgotten terraform sometimes ci-deploy atwork grafana-exporter atwork
	backup-nightly atwork smoke-test never staging-seed forgotten alice-cli sometimes retool forgotten
	migration-2024 forgotten preview-branches atwork on-call sometimes dbt-runner atwork load-test never
	vercel-sync atwork demo-for-sales never bob-laptop sometimes cost-report never`

// demoKeys draws the keys that are there from the start: some at work, some forgotten, some never used, and last the one
// whose secret is known. Nobody knows the secrets of the others.
func demoKeys(o *Options) (out []*apiKey) {
	const day = 24 * time.Hour
	rng := newRand(mix(o.Seed, 1<<40), 0)
	id := 165_000 + rng.Int64N(400)
	all := strings.Fields(gathered)
	for i := 0; i < len(all); i += 2 {
		id += 1 + rng.Int64N(9)
		age := time.Duration(len(all)-i)*20*day + between(rng, 0, 30*day)
		k := &apiKey{id: id, name: all[i], created: o.Start.Add(-age)}
		switch all[i+1] {
		case "atwork":
			k.lastUsed = o.Start.Add(-between(rng, 20*time.Second, 9*time.Hour))
		case "sometimes":
			k.lastUsed = o.Start.Add(-between(rng, day, min(age, 60*day)))
		case "forgotten":
			k.lastUsed = o.Start.Add(-between(rng, 95*day, age))
		}
		if !k.lastUsed.IsZero() {
			k.lastAddr = demoAddr(rng)
		}
		out = append(out, k)
	}
	return append(out, &apiKey{id: id + 1 + rng.Int64N(9), name: "pgtower-demo", created: o.Start, secret: o.APIKey})
}

// demoAddr draws an address from the ranges that are set aside for documentation.
func demoAddr(rng *rand.Rand) string {
	if rng.IntN(4) == 0 {
		return fmt.Sprintf("2001:db8::%x", 1+rng.IntN(0xfffe))
	}
	return fmt.Sprintf("%s.%d", pick(rng, []string{"192.0.2", "198.51.100", "203.0.113"}), 1+rng.IntN(254))
}
