package sim

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"slices"
	"strings"
	"time"
)

// apiKey is a valid key. Its use is replaced, never changed.
type apiKey struct {
	Key

	secret string // empty if it is unknown
}

func newKey(id int64, name string, created time.Time, secret string) *apiKey {
	return &apiKey{Key{ID: id, Name: name, CreatedAt: stamp(created), KeyUse: &KeyUse{}}, secret}
}

// Keys returns the keys, oldest first.
func (p *Platform) Keys() []Key {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := make([]Key, len(p.keys))
	for i, k := range p.keys {
		out[i] = k.Key
		if p.live {
			out[i].CreatedBy = Creator{ID: demoUser, Name: "Demo User"}
		}
	}
	return out
}

// CreateKey creates a key and returns it with its secret.
func (p *Platform) CreateKey(name string) Key {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lastKey++
	k := newKey(p.lastKey, name, p.Now(), newSecret(p.seed, p.lastKey))
	p.keys = append(p.keys, k)
	out := Key{ID: k.ID, Secret: k.secret}
	if p.live {
		out.Name, out.CreatedAt, out.CreatedBy = name, k.CreatedAt, demoUser
	}
	return out
}

// RevokeKey revokes a key immediately. A key may revoke itself; a revoked one is not found any more. The error is
// [ErrNoKey].
func (p *Platform) RevokeKey(id int64) (Key, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	i := slices.IndexFunc(p.keys, func(k *apiKey) bool { return k.ID == id })
	if i < 0 {
		return Key{}, ErrNoKey
	}
	out := p.keys[i].Key
	p.keys = slices.Delete(p.keys, i, i+1)
	out.Revoked = true
	if p.live {
		out.CreatedBy = demoUser
	} else {
		out.CreatedAt = ""
	}
	return out, nil
}

// UseKey returns the id of the valid key with the secret, or 0, and records its use from an address.
func (p *Platform) UseKey(secret, addr string) int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	k := p.withSecret(secret)
	if k == nil {
		return 0
	}
	k.KeyUse = &KeyUse{new(stamp(p.Now())), addr}
	return k.ID
}

// withSecret returns the valid key with the secret, or nil. The mutex is held.
func (p *Platform) withSecret(secret string) *apiKey {
	for _, k := range p.keys {
		if k.secret == secret && secret != "" {
			return k
		}
	}
	return nil
}

// KeyID returns the id of the valid key with the secret, or 0.
func (p *Platform) KeyID(secret string) int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	if k := p.withSecret(secret); k != nil {
		return k.ID
	}
	return 0
}

// RevokeSecret revokes the key with the secret, as the console does, and reports whether there was one.
func (p *Platform) RevokeSecret(secret string) bool {
	_, err := p.RevokeKey(p.KeyID(secret))
	return err == nil
}

// APIKey returns the secret of the initial key.
func (p *Platform) APIKey() string { return p.apiKey }

// SecretPrefix marks every issued secret as one of the mock.
const SecretPrefix = "pgt_demo_" //nolint:gosec // G101: it is no secret

// newSecret draws the secret of the key with the id.
func newSecret(seed uint64, id int64) string {
	sum := sha256.Sum256(binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, seed), bits(id)))
	return SecretPrefix + strings.ToLower(base32.StdEncoding.EncodeToString(sum[:20]))
}

// The keys that an account has gathered over the years, oldest first, each with its use.
const gathered = `first-try forgotten laptop-old forgotten terraform sometimes ci-deploy atwork grafana-exporter atwork
	backup-nightly atwork smoke-test never staging-seed forgotten alice-cli sometimes retool forgotten
	migration-2024 forgotten preview-branches atwork on-call sometimes dbt-runner atwork load-test never
	vercel-sync atwork demo-for-sales never bob-laptop sometimes cost-report never`

// demoKeys draws the initial keys: some in use, some forgotten, some never used, and last the one with a known secret.
func demoKeys(o *Options) (out []*apiKey) {
	usage := map[string][2]time.Duration{
		"atwork": {20 * time.Second, 9 * time.Hour}, "sometimes": {day, 30 * day}, "forgotten": {95 * day, 200 * day},
	}
	rng := newRand(o.Seed, 1<<40)
	id := 165_000 + rng.Int64N(400)
	all := strings.Fields(gathered)
	for i := 0; i < len(all); i += 2 {
		id += 1 + rng.Int64N(9)
		age := time.Duration(len(all)-i)*20*day + between(rng, 0, 30*day)
		k := newKey(id, all[i], o.Start.Add(-age), "")
		if ago, used := usage[all[i+1]]; used {
			at := o.Start.Add(-between(rng, ago[0], ago[1]))
			k.KeyUse = &KeyUse{new(stamp(at)), pick(rng, strings.Fields("192.0.2.34 198.51.100.232 203.0.113.9 2001:db8::d5b5"))}
		}
		out = append(out, k)
	}
	return append(out, newKey(id+1+rng.Int64N(9), "pgtower-demo", o.Start, o.APIKey))
}
