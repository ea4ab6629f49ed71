// Package keys is the life of an API key: it is created, verified and handed over; the key that it replaces becomes
// quiet, and is revoked. It also finds what is wrong with keys. The dashboard and the commands for scripts both ask it
// what to do and what may be claimed. When in doubt, a key is in use, and a change is unknown.
package keys

import (
	"cmp"
	"slices"
	"time"

	"pgtower/models"
)

// FindPairs returns the pairs among the keys of a list, by what is remembered and otherwise by the names of the
// successors, in the order of the old keys. atLeast lengthens the time for which old keys must be quiet; 0: it does not.
func FindPairs(listed []models.APIKey, memory *Memory, atLeast time.Duration) (pairs []Pair) {
	telling := slices.ContainsFunc(listed, func(k models.APIKey) bool { return k.LastUsedAt.Known && !k.NeverUsed() })
	learned := memory.clone()
	learned.Learn(listed) // a first use that this list shows proves nothing
	groups := byBase(listed)
	for i := range listed {
		old := &listed[i]
		if old.ID == 0 {
			continue
		}
		pair, ok := learned.pair(old, listed)
		if !ok {
			named := groups.successor(old)
			if named == nil {
				continue
			}
			pair = Pair{Old: old, Successor: named, Began: named.CreatedAt, Named: true}
		}
		pair.Quiet, pair.Told = max(pair.Quiet, atLeast), telling
		pairs = append(pairs, pair)
	}
	return pairs
}

// pair returns the pair of an old key by the last rotation that is remembered of it.
func (m *Memory) pair(old *models.APIKey, listed []models.APIKey) (Pair, bool) {
	var last *Rotation
	for i := range m.Rotations {
		r := &m.Rotations[i]
		if r.Old == old.Ref() && r.OldCreated.Equal(old.CreatedAt) && (last == nil || !r.Began.Before(last.Began)) {
			last = r
		}
	}
	if last == nil {
		return Pair{}, false
	}
	pair := Pair{Old: old, Began: last.Began, Quiet: last.Quiet}
	index := indexOf(listed, last.New)
	created := time.Time{}
	if index >= 0 {
		pair.Successor = &listed[index]
		created = pair.Successor.CreatedAt
	}
	made := m.Of(last.New, created)
	if made == nil {
		pair.Unclear = true
		return pair, true
	}
	pair.created, pair.Mark, pair.Handover, pair.Kept = made.Created, made.mark(), made.Handover, made.Own
	moved := !made.Moved.IsZero() && !made.Moved.After(old.AsOf.Early.Add(Slack)) // a file can say that it will be
	pair.Moved = moved && !old.LastUsedAt.Value.After(made.Moved.Add(Slack))
	pair.Unclear = !last.sound(made, old.AsOf.Late) || copies(listed, last.Old) > 1 || copies(listed, last.New) > 1
	return pair, true
}

// copies returns how many keys of a list have an id.
func copies(listed []models.APIKey, ref models.KeyRef) (n int) {
	for i := range listed {
		if listed[i].Ref() == ref {
			n++
		}
	}
	return n
}

// sound reports whether a remembered rotation can be true at a time of the service's clock: users can edit the file, and
// clocks can be wrong.
func (r *Rotation) sound(made *Made, late time.Time) bool {
	switch {
	case r.Old.ID <= 0, r.New.ID <= 0, r.Old == r.New, r.Old.List != r.New.List, made.Took <= 0:
		return false
	case r.Quiet < time.Minute, r.Quiet > maxQuiet:
		return false
	case late.IsZero():
		return true
	}
	return !later(later(made.Created, made.First), made.Moved).After(late)
}

// Asked returns the pair of two keys of one list that a command names. Their rotation is not remembered, so the first
// uses of the successor may be those of its creator.
func Asked(old, successor *models.APIKey, memory *Memory, quiet time.Duration) Pair {
	pair := Pair{
		Old: old, Successor: successor, Began: successor.CreatedAt, Quiet: quiet, Handover: Handover{Stage: Handing},
		Told: true, Mark: successor.CreatedAt.Add(askedMark),
	}
	if made := memory.Of(successor.Ref(), successor.CreatedAt); made != nil {
		pair.Kept = made.Own
		pair.Mark = later(pair.Mark, made.mark())
	}
	pair.Unclear = successor.CreatedAt.IsZero() || old.Reach() != successor.Reach()
	return pair
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
	byName := groups{}
	for i := range keys {
		k := &keys[i]
		if _, suffix := split(k.Name); suffix != "" && k.ID != 0 && !k.CreatedAt.IsZero() {
			byName[groupOf(k)] = append(byName[groupOf(k)], k)
		}
	}
	for _, group := range byName {
		slices.SortStableFunc(group, newestFirst)
	}
	return byName
}

// newestFirst compares keys by their age, by their ids where that is the same.
func newestFirst(a, b *models.APIKey) int {
	return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(b.ID, a.ID))
}

// successor returns the newest key that is the successor of another one by its name, or nil.
func (g groups) successor(old *models.APIKey) *models.APIKey {
	if old.CreatedAt.IsZero() {
		return nil
	}
	for _, k := range g[groupOf(old)] {
		if newestFirst(old, k) <= 0 {
			return nil // the rest is older
		}
		if succeeds(k.Name, old.Name) {
			return k
		}
	}
	return nil
}
