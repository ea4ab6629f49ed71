package keys

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"sync"
	"time"

	"pgtower/models"
)

// Stage is how far the hand-over of a secret is.
type Stage int

// The stages of a hand-over.
const (
	Nobody  Stage = iota // has the secret
	Handing              // it was about to be handed over: it may be there
	Handed
)

// Handover is what became of the secret of a new key.
type Handover struct {
	Stage Stage
	To    string // where the secret is, such as "file"; empty if that is not known
}

// Made is a key that pgtower created, on this computer. Its times are by the service's clock.
type Made struct {
	Key     models.KeyRef
	Created time.Time // distinguishes the key from one with the same id in another account; zero if unknown
	Print   string    // the fingerprint of its secret, see [Memory.Print]; empty if unknown
	// First is the first use of the key that any list has shown, and Took how long pgtower may have gone on verifying it:
	// until then the uses of the key are pgtower's own.
	First time.Time
	Took  time.Duration
	// Until is set if pgtower verified the key again later: the uses until then are its own, too.
	Until    time.Time
	Handover Handover
	Own      bool      // the key became one with which pgtower works
	Moved    time.Time // when pgtower went from the old key to this one; zero if it did not
}

// Rotation is a key that is being replaced, or was. Its times are by the service's clock.
type Rotation struct {
	Old, New models.KeyRef
	// OldCreated distinguishes the old key from one with the same id in another account.
	OldCreated time.Time
	Began      time.Time
	Quiet      time.Duration // how long the old key must be quiet
}

// Memory is what is remembered of the keys of a service.
type Memory struct {
	Salt      string // of the fingerprints
	Made      []Made
	Rotations []Rotation // oldest first
}

// Store remembers from one run of the program to the next. One process alone may change it at a time. A rotation whose
// old key was revoked is still needed: the successor may be that of other old keys, too.
type Store interface {
	// Load returns what is remembered, with an error as far as this process knows it.
	Load() (Memory, error)
	// Change changes what is remembered, and returns it. After an error, it is remembered by this process only.
	Change(change func(*Memory)) (Memory, error)
}

// Volatile is a [Store] that remembers until the process ends. The zero value is ready for use.
type Volatile struct {
	mu     sync.Mutex
	memory Memory
}

// Load returns what is remembered.
func (v *Volatile) Load() (Memory, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.memory.clone(), nil
}

// Change changes what is remembered.
func (v *Volatile) Change(change func(*Memory)) (Memory, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.memory.Salt == "" {
		v.memory.Salt = NewSalt()
	}
	change(&v.memory)
	return v.memory.clone(), nil
}

// NewSalt returns a salt for fingerprints.
func NewSalt() string {
	salt := make([]byte, 8)
	_, _ = rand.Read(salt) // never fails
	return hex.EncodeToString(salt)
}

func (m *Memory) clone() Memory {
	return Memory{m.Salt, slices.Clone(m.Made), slices.Clone(m.Rotations)}
}

// Print returns the fingerprint of a secret. It tells whether a key is the same, and nothing else of it.
func (m *Memory) Print(secret models.Secret) string {
	const length = 16
	if m.Salt == "" || secret.IsZero() {
		return ""
	}
	sum := sha256.Sum256([]byte(m.Salt + secret.Reveal()))
	return hex.EncodeToString(sum[:])[:length]
}

// is reports whether two records may be of one key: the time of the creation is not always known.
func (m *Made) is(key models.KeyRef, created time.Time) bool {
	return m.Key == key && (m.Created.IsZero() || created.IsZero() || m.Created.Equal(created))
}

// Of returns what is remembered of a key that pgtower created, or nil. created may be zero.
func (m *Memory) Of(key models.KeyRef, created time.Time) *Made {
	for i := len(m.Made) - 1; i >= 0; i-- {
		if m.Made[i].is(key, created) {
			return &m.Made[i]
		}
	}
	return nil
}

// Printed returns the key with a fingerprint, or nil.
func (m *Memory) Printed(fingerprint string) *Made {
	i := slices.IndexFunc(m.Made, func(made Made) bool { return made.Print == fingerprint })
	if fingerprint == "" || i < 0 {
		return nil
	}
	return &m.Made[i]
}

// Add adds a key that was created, or further facts about it.
func (m *Memory) Add(made Made) {
	if entry := m.Of(made.Key, made.Created); entry != nil {
		entry.merge(made)
		return
	}
	m.Made = append(m.Made, made)
}

// Begin adds a rotation, the newest one, in place of an earlier record of it.
func (m *Memory) Begin(r Rotation) {
	m.Rotations = slices.DeleteFunc(m.Rotations, r.same)
	m.Rotations = append(m.Rotations, r)
}

// same reports whether two records are of one rotation.
func (r *Rotation) same(o Rotation) bool {
	return r.Old == o.Old && r.OldCreated.Equal(o.OldCreated) && r.New == o.New
}

// Hand records where the secret of a key went. It never goes back to an earlier stage.
func (m *Memory) Hand(key models.KeyRef, handover Handover) {
	if made := m.Of(key, time.Time{}); made != nil {
		made.merge(Made{Handover: handover})
	}
}

// Verified records how long pgtower verified a new key. If the answer was lost, that may go on.
func (m *Memory) Verified(key models.KeyRef, took time.Duration, lost bool) {
	if lost {
		took += lateBy
	}
	if made := m.Of(key, time.Time{}); made != nil {
		made.merge(Made{Took: took})
	}
}

// VerifyAgain records that pgtower verifies a key again that was handed over. If nothing bounds the present, all of its
// uses may be pgtower's own.
func (m *Memory) VerifyAgain(key models.KeyRef, now models.Moment) {
	made := m.Of(key, time.Time{})
	switch {
	case made == nil:
	case now.Late.IsZero():
		made.Own = true
	default:
		made.merge(Made{Until: now.Late.Add(verifyingAgain)})
	}
}

// Keep records that pgtower works with a key that it created. moved is when it left the old key of its rotation; zero if
// it did not.
func (m *Memory) Keep(key models.KeyRef, moved time.Time) {
	if made := m.Of(key, time.Time{}); made != nil {
		made.merge(Made{Own: true, Moved: moved})
	}
}

// Mine records that pgtower works with a key that it created: its secret was found.
func (m *Memory) Mine(key models.KeyRef, created time.Time) {
	if made := m.Of(key, created); made != nil {
		made.Own = true
	}
}

// Learn adds what a list shows of the keys that pgtower created: the first use of one that any list shows is pgtower's
// own. It reports whether anything changed.
func (m *Memory) Learn(listed []models.APIKey) (changed bool) {
	if len(m.Made) == 0 {
		return false
	}
	for i := range listed {
		k := &listed[i]
		made := m.Of(k.Ref(), k.CreatedAt)
		switch {
		case k.ID == 0 || made == nil:
			continue
		case made.Created.IsZero() && !k.CreatedAt.IsZero():
			made.Created, changed = k.CreatedAt, true
		}
		if used := k.LastUsedAt.Value; made.First.IsZero() && !used.IsZero() {
			made.First, changed = used, true
		}
	}
	return changed
}

// mark returns the time until which the uses of the key are pgtower's own. It is zero if no list has shown one.
func (m *Made) mark() time.Time {
	if m.First.IsZero() {
		return time.Time{}
	}
	return later(m.First.Add(m.Took+Slack), m.Until)
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// merge adds the facts of another record of the same key: when in doubt, uses are pgtower's own.
func (m *Made) merge(o Made) {
	if m.Created.IsZero() {
		m.Created = o.Created
	}
	m.Print = cmp.Or(m.Print, o.Print)
	m.First, m.Until = later(m.First, o.First), later(m.Until, o.Until)
	if m.Took == 0 || o.Took > 0 && o.Took < m.Took {
		m.Took = o.Took
	}
	if o.Handover.Stage > m.Handover.Stage {
		m.Handover = o.Handover
	}
	m.Own = m.Own || o.Own
	if m.Moved.IsZero() || !o.Moved.IsZero() && o.Moved.Before(m.Moved) {
		m.Moved = o.Moved
	}
}

// Merge adds the memory of another process.
func (m *Memory) Merge(o *Memory) {
	m.Salt = cmp.Or(m.Salt, o.Salt)
	for _, made := range o.Made {
		if m.Salt != o.Salt {
			made.Print = "" // it tells nothing here
		}
		m.Add(made)
	}
	for _, r := range o.Rotations {
		if !slices.ContainsFunc(m.Rotations, r.same) {
			m.Rotations = append(m.Rotations, r)
		}
	}
	slices.SortStableFunc(m.Rotations, func(a, b Rotation) int { return a.Began.Compare(b.Began) })
}

// CheckQuiet returns what is wrong with the time for which an old key must be quiet, or nil.
func CheckQuiet(d time.Duration) error {
	if d < time.Minute || d > maxQuiet {
		return errors.New("must be between 1m and 91d, such as 24h or 8d")
	}
	return nil
}
