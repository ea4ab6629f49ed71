// Package keys is the life of an API key: it is created, verified and handed over; the key that it replaces becomes quiet, and
// is revoked. What is wrong with keys is found here, too. The dashboard and the commands for scripts both ask it what to do
// and what may be claimed. When in doubt, a key is in use, and a change is unknown.
package keys

import (
	"errors"
	"slices"
	"time"

	"pgtower/models"
)

// QuietFor is how long an old key must be quiet before it can go, unless the user has set another time.
const QuietFor = 24 * time.Hour

// CheckQuiet returns why an old key cannot be asked to be quiet for so long, or nil.
func CheckQuiet(d time.Duration) error {
	if d < time.Minute || d > 31*24*time.Hour {
		return errors.New("must be between 1m and 744h, such as 24h")
	}
	return nil
}

// Verifying is how long after a verification begins, or after a creation of which no more is remembered, the successor's
// uses prove nothing: they may be those of the program that created it.
const Verifying = 10 * time.Minute

// Memory is what is remembered of a rotation. Its times are by the service's clock.
type Memory struct {
	Old, Successor models.KeyRef
	// OldCreated distinguishes the old key from one with the same id in another account.
	OldCreated time.Time
	Began      time.Time
	Quiet      time.Duration // how long the old key must be quiet; 0: [QuietFor]
	// Mark is the time until which the uses of the successor are pgtower's own. Zero: until [Verifying] after its creation.
	Mark time.Time
	// Kept reports whether the successor became a key of pgtower, which uses it from then on, and Moved whether pgtower used the
	// old key before.
	Kept, Moved bool
}

// Store remembers rotations from one run of the program to the next. One whose old key was revoked is still needed: the
// successor may be that of other old keys, too.
type Store interface {
	Load() ([]Memory, error)
	Save(m Memory) error // also in place of what is remembered of the same rotation
}

// Same reports whether two memories are of one rotation.
func (m *Memory) Same(o Memory) bool {
	return m.Old == o.Old && m.OldCreated.Equal(o.OldCreated) && m.Successor == o.Successor
}

// of reports whether the memory is about an old key.
func (m *Memory) of(old *models.APIKey) bool {
	return m.Old == old.Ref() && m.OldCreated.Equal(old.CreatedAt)
}

// Pair is a key that is being replaced, and its successor.
type Pair struct {
	Old       *models.APIKey
	Successor *models.APIKey // nil if it is no longer listed
	Began     time.Time
	Quiet     time.Duration // how long the old key must be quiet
	Mark      time.Time     // uses of the successor until then prove nothing
	Named     bool          // only the names tell of the rotation
	// Kept and Moved are those of the [Memory]. Other memories may tell, too, that the successor was kept.
	Kept, Moved bool
	// Told is whether the service tells of any key of the list when it was used.
	Told bool
}

// FindPairs returns the pairs among the keys of a list, by what is remembered and otherwise by the names of the successors, in
// the order of the old keys. quiet is how long an old key must be quiet if that is not remembered.
func FindPairs(keys []models.APIKey, remembered []Memory, quiet time.Duration) (pairs []Pair) {
	told := slices.ContainsFunc(keys, func(k models.APIKey) bool { return k.LastUsedAt.Known && !k.NeverUsed() })
	groups := byBase(keys)
	for i := range keys {
		old := &keys[i]
		if old.ID == 0 {
			continue
		}
		pair, ok := remember(old, keys, remembered)
		if !ok || pair.Successor == nil {
			named := groups.successor(old)
			if named != nil {
				pair = Pair{Old: old, Successor: named, Began: named.CreatedAt, Mark: firstMark(named), Named: true}
				pair.learn(remembered)
				ok = true
			}
		}
		if !ok {
			continue
		}
		if pair.Quiet <= 0 {
			pair.Quiet = quiet
		}
		pair.Told = told
		pairs = append(pairs, pair)
	}
	return pairs
}

// remember returns the pair of an old key by the last rotation that is remembered of it. A successor that is not listed is
// nil only if the list was read after the rotation began.
func remember(old *models.APIKey, keys []models.APIKey, all []Memory) (Pair, bool) {
	var last *Memory
	for i := range all {
		if all[i].of(old) && (last == nil || !all[i].Began.Before(last.Began)) {
			last = &all[i]
		}
	}
	if last == nil {
		return Pair{}, false
	}
	pair := Pair{Old: old, Began: last.Began, Quiet: last.Quiet, Mark: last.Mark, Moved: last.Moved}
	at := slices.IndexFunc(keys, func(k models.APIKey) bool { return k.ID != 0 && k.Ref() == last.Successor })
	if at < 0 {
		return pair, old.AsOf.Early.After(last.Began)
	}
	pair.Successor = &keys[at]
	if pair.Mark.IsZero() {
		pair.Mark = firstMark(pair.Successor)
	}
	pair.learn(all)
	return pair, true
}

// firstMark returns until when the uses of a successor may be the verification of which nothing is remembered. It is zero
// if the time of the creation is unknown.
func firstMark(successor *models.APIKey) time.Time {
	if successor.CreatedAt.IsZero() {
		return time.Time{}
	}
	return successor.CreatedAt.Add(Verifying)
}

// learn takes in which uses of the successor prove nothing, also by what is remembered of other old keys.
func (p *Pair) learn(remembered []Memory) {
	for _, m := range remembered {
		if m.Successor != p.Successor.Ref() {
			continue
		}
		p.Kept = p.Kept || m.Kept
		if m.Mark.After(p.Mark) {
			p.Mark = m.Mark
		}
	}
}

// group identifies keys of which one may be the successor of the others.
type group struct {
	reach models.Reach
	base  string // the first characters of the base name
}

type groups map[group][]*models.APIKey

func groupOf(k *models.APIKey) group {
	base, _ := split(k.Name)
	const longest = "-20060102-1000" // the longest suffix
	return group{k.Reach(), cut(base, longest)}
}

// byBase returns the successors among the keys, by their names, the newest first.
func byBase(keys []models.APIKey) groups {
	all := groups{}
	for i := range keys {
		k := &keys[i]
		if _, suffix := split(k.Name); suffix != "" && k.ID != 0 && !k.CreatedAt.IsZero() {
			all[groupOf(k)] = append(all[groupOf(k)], k)
		}
	}
	for _, some := range all {
		slices.SortStableFunc(some, func(a, b *models.APIKey) int { return -compare(a, b) })
	}
	return all
}

// compare compares keys by their age, by their ids where that is the same.
func compare(a, b *models.APIKey) int {
	if c := a.CreatedAt.Compare(b.CreatedAt); c != 0 {
		return c
	}
	switch {
	case a.ID < b.ID:
		return -1
	case a.ID > b.ID:
		return +1
	}
	return 0
}

// successor returns the newest key that is the successor of another one by its name, or nil.
func (g groups) successor(old *models.APIKey) *models.APIKey {
	if old.CreatedAt.IsZero() {
		return nil
	}
	for _, k := range g[groupOf(old)] {
		if compare(old, k) >= 0 {
			return nil // the rest is older
		}
		if succeeds(k.Name, old.Name) {
			return k
		}
	}
	return nil
}

// Mark returns the time until which the uses of a successor are pgtower's own: verified is when its verification ended,
// and successor its record as read after that.
func Mark(verified time.Time, successor *models.APIKey) time.Time {
	if last := successor.LastUsedAt.Value; last.After(verified) {
		return last
	}
	return verified
}
