package sim

import (
	"cmp"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// apiKey is a valid key. Its use is replaced, never changed.
type apiKey struct {
	Key

	org     *organization // the owner of its list; nil for the account
	secret  string        // empty if it is unknown
	creator Creator
	created time.Time
	used    time.Time // the time of KeyUse, or zero
	habit   *habit    // of its use in the simulation; nil for none
	revoked time.Time // zero for a valid key
}

func newKey(id int64, name string, created time.Time, secret string) *apiKey {
	return &apiKey{
		Key:    Key{ID: id, Name: name, CreatedAt: stamp(created), KeyUse: &KeyUse{}},
		secret: secret, creator: Creator{ID: demoUser, Name: demoName}, created: created,
	}
}

// in reports whether the key is in the list of an organization or, without an id, in the account's.
func (k *apiKey) in(orgID string) bool {
	if k.org == nil {
		return orgID == ""
	}
	return k.org.ID == orgID
}

// Keys returns the keys of an organization or, without an id, of the account, oldest first.
func (p *Platform) Keys(orgID string) []Key { return p.LateKeys(orgID, 0) }

// LateKeys returns the keys as they were a lag ago, with their current last uses.
func (p *Platform) LateKeys(orgID string, lag time.Duration) []Key {
	p.mu.Lock()
	defer p.mu.Unlock()
	limit, out := p.Now().Add(-lag), []Key{}
	keys := p.keys
	if lag > 0 {
		keys = slices.Concat(keys, p.revoked)
		slices.SortFunc(keys, func(a, b *apiKey) int { return cmp.Compare(a.ID, b.ID) })
	}
	for _, k := range keys {
		if !k.in(orgID) || k.created.After(limit) || !k.revoked.IsZero() && !k.revoked.After(limit) {
			continue
		}
		out = append(out, p.listed(k, p.Now()))
	}
	return out
}

// CreateKey creates a key of the account or, with an id, of an organization, and returns it with its secret. With a
// project, the key reaches only that one. The error is [ErrNoProject] or, with [Options.Live], [ErrName].
func (p *Platform) CreateKey(orgID, projectID, name string) (Key, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if projectID != "" {
		project, err := p.project(projectID)
		if err != nil || project.org.ID != orgID {
			return Key{}, ErrNoProject
		}
	}
	taken := func(k *apiKey) bool { return k.in(orgID) && k.Name == name }
	if p.live && slices.ContainsFunc(p.keys, taken) {
		return Key{}, ErrName
	}
	if len(p.keys) >= maxKeys {
		return Key{}, fmt.Errorf("there are %d API keys: revoke some", maxKeys)
	}
	var k *apiKey
	if org := p.organization(orgID); org != nil {
		p.lastOrgKey++
		k = newKey(p.lastOrgKey, name, p.Now(), newSecret(p.seed, orgSecret+p.lastOrgKey))
		k.org, k.ProjectID = org, projectID
	} else {
		p.lastKey++
		k = newKey(p.lastKey, name, p.Now(), newSecret(p.seed, p.lastKey))
	}
	p.keys = append(p.keys, k)
	out := Key{ID: k.ID, Secret: k.secret, ProjectID: projectID}
	if p.live {
		out.Name, out.CreatedAt, out.CreatedBy = name, k.CreatedAt, demoUser
	}
	return out, nil
}

// RevokeKey immediately revokes a key of the account or, with an id, of an organization. A key may revoke itself. The error
// is [ErrNoKey], also for a revoked one.
func (p *Platform) RevokeKey(orgID string, id int64) (Key, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	i := slices.IndexFunc(p.keys, func(k *apiKey) bool { return k.in(orgID) && k.ID == id })
	if i < 0 {
		return Key{}, ErrNoKey
	}
	k := p.keys[i]
	p.keys = slices.Delete(p.keys, i, i+1)
	p.bury(k)
	out := k.Key
	out.Revoked = true
	if p.live {
		out.CreatedBy = k.creator.ID
	} else {
		out.CreatedAt = ""
	}
	return out, nil
}

// maxLag is how long a revoked key is kept for lists that are late.
const maxLag = day

// bury keeps a revoked key for lists that are late. It keeps at most maxKeys of them. The mutex is held.
func (p *Platform) bury(k *apiKey) {
	k.revoked = p.Now()
	p.revoked = slices.DeleteFunc(p.revoked, func(old *apiKey) bool { return k.revoked.Sub(old.revoked) > maxLag })
	p.revoked = append(p.revoked, k)
	if len(p.revoked) > maxKeys {
		p.revoked = slices.Delete(p.revoked, 0, 1)
	}
}

// Caller is a valid key: its list, its id and its reach.
type Caller struct {
	KeyID     int64  // 0 for no key
	OrgID     string // empty for a personal key
	ProjectID string // empty unless it reaches only this project
}

// Caller returns the valid key with the secret.
func (p *Platform) Caller(secret string) Caller {
	p.mu.Lock()
	defer p.mu.Unlock()
	k := p.withSecret(secret)
	if k == nil {
		return Caller{}
	}
	return k.caller()
}

func (k *apiKey) caller() Caller {
	if k.org == nil {
		return Caller{KeyID: k.ID}
	}
	return Caller{k.ID, k.org.ID, k.ProjectID}
}

// UseKey returns the valid key with the secret, and records its use from an address.
func (p *Platform) UseKey(secret, addr string) Caller {
	p.mu.Lock()
	defer p.mu.Unlock()
	k := p.withSecret(secret)
	if k == nil {
		return Caller{}
	}
	k.used = p.Now()
	k.KeyUse = &KeyUse{new(stamp(k.used)), addr}
	return k.caller()
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
func (p *Platform) KeyID(secret string) int64 { return p.Caller(secret).KeyID }

// RevokeSecret revokes the key with the secret, as a user of the console does, and reports whether there was one.
func (p *Platform) RevokeSecret(secret string) bool {
	k := p.Caller(secret)
	_, err := p.RevokeKey(k.OrgID, k.KeyID)
	return err == nil
}

// APIKey returns the secret of the initial key.
func (p *Platform) APIKey() string { return p.apiKey }

// SecretPrefix marks every issued secret as one of the mock.
const SecretPrefix = "pgt_demo_" //nolint:gosec // G101: it is no secret

// orgSecret keeps the secrets of the keys of organizations apart from those of the account with the same ids.
const orgSecret = 1 << 50

// newSecret draws the secret of the key with the id.
func newSecret(seed uint64, id int64) string {
	seeded := binary.BigEndian.AppendUint64(nil, seed)
	sum := sha256.Sum256(binary.BigEndian.AppendUint64(seeded, bits(id)))
	return SecretPrefix + strings.ToLower(base32.StdEncoding.EncodeToString(sum[:20]))
}

// gathered has the names of the keys that an account has gathered over the years, oldest first, each with its use.
const gathered = `first-try forgotten laptop-old forgotten terraform sometimes ci-deploy atwork grafana-exporter atwork
	backup-nightly atwork smoke-test never staging-seed forgotten alice-cli sometimes retool forgotten
	migration-2024 forgotten preview-branches atwork on-call sometimes dbt-runner atwork load-test never
	vercel-sync atwork demo-for-sales never bob-laptop sometimes cost-report never`

// demoKeys draws the initial keys: some in use, some forgotten, some never used. The last has a known secret.
func demoKeys(o *Options) []*apiKey {
	rng := newRand(o.Seed, 1<<40)
	keys := gatherKeys(rng, o.Start, 165_000+rng.Int64N(400), gathered)
	id := keys[len(keys)-1].ID + 1 + rng.Int64N(9)
	return append(keys, newKey(id, "pgtower-demo", o.Start, o.APIKey))
}

// gatherKeys draws keys with ids above id, from a text of names and uses.
func gatherKeys(rng *rand.Rand, start time.Time, id int64, text string) (out []*apiKey) {
	usage := map[string][2]time.Duration{
		"atwork": {20 * time.Second, 9 * time.Hour}, "sometimes": {day, 30 * day},
		"forgotten": {95 * day, 200 * day},
	}
	words := strings.Fields(text)
	addresses := strings.Fields("192.0.2.34 198.51.100.232 203.0.113.9 2001:db8::d5b5")
	for i := 0; i < len(words); i += 2 {
		id += 1 + rng.Int64N(9)
		age := time.Duration(len(words)-i)*20*day + between(rng, 0, 30*day)
		k := newKey(id, words[i], start.Add(-age), "")
		if ago, used := usage[words[i+1]]; used {
			k.used = start.Add(-between(rng, ago[0], min(ago[1], age)))
			from := pick(rng, addresses)
			k.KeyUse = &KeyUse{new(stamp(k.used)), from}
			second := addresses[(slices.Index(addresses, from)+1)%len(addresses)]
			k.habit = habitOf(k.Name, bits(id), k.used, start, from, second)
		}
		out = append(out, k)
	}
	return out
}
