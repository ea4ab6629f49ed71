package mock

import (
	"cmp"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"net"
	"slices"
	"strings"
	"time"
)

// apiKey is a valid key. As in a real service, its secret is not in it.
type apiKey struct {
	id       int64
	name     string
	created  time.Time
	lastUsed time.Time // zero before the first use
	lastAddr string
	secret   digest // zero where nobody knows the secret
}

type digest [sha256.Size]byte

// keyring is the keys that are valid; a revoked one is gone from it. The server's
// mutex guards it.
type keyring struct {
	lastID   int64
	byID     map[int64]*apiKey
	bySecret map[digest]*apiKey
}

func newKeyring() keyring {
	return keyring{byID: map[int64]*apiKey{}, bySecret: map[digest]*apiKey{}}
}

func (k *keyring) add(key *apiKey) {
	k.byID[key.id] = key
	k.lastID = max(k.lastID, key.id)
	if key.secret != (digest{}) {
		k.bySecret[key.secret] = key
	}
}

// remove takes out the key and returns it, or nil where there is none.
func (k *keyring) remove(id int64) *apiKey {
	key, ok := k.byID[id]
	if !ok {
		return nil
	}
	delete(k.byID, id)
	delete(k.bySecret, key.secret)
	return key
}

// list returns copies of the keys, oldest first.
func (k *keyring) list() []apiKey {
	out := make([]apiKey, 0, len(k.byID))
	for _, key := range k.byID {
		out = append(out, *key)
	}
	slices.SortFunc(out, func(a, b apiKey) int { return cmp.Compare(a.id, b.id) })
	return out
}

// useKey returns the id of the valid key that has the secret, if there is one, and notes
// its use.
func (s *platform) useKey(secret string, now time.Time, remoteAddr string) (id int64, ok bool) {
	d := digestOf(secret)
	s.mu.Lock()
	defer s.mu.Unlock()
	key, ok := s.keys.bySecret[d]
	if !ok {
		return 0, false
	}
	key.lastUsed, key.lastAddr = now, host(remoteAddr)
	return key.id, true
}

// host returns the address without its port.
func host(addr string) string {
	if h, _, err := net.SplitHostPort(addr); err == nil {
		return h
	}
	return addr
}

// demoPrefix begins every secret that the mock gives out.
const demoPrefix = "pgt_demo_"

// newSecret draws the secret of the key with the id. It says of itself what it is, for
// whoever finds it in a log.
func newSecret(seed uint64, id int64) string {
	var b [16]byte
	binary.BigEndian.PutUint64(b[:8], seed)
	binary.BigEndian.PutUint64(b[8:], bits(id))
	sum := sha256.Sum256(b[:])
	return demoPrefix + strings.ToLower(base32.StdEncoding.EncodeToString(sum[:20]))
}

func digestOf(secret string) digest { return sha256.Sum256([]byte(secret)) }
