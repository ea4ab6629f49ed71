package apikeys

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/keys"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

const (
	watchEvery = 30 * time.Second // how often lists with rotations are read while the page is shown
	watchRest  = 10 * time.Minute // and while it is not
	// fresh is how old a list may be for what it tells of a rotation to make a revocation easier.
	fresh = 5 * time.Minute
)

// rotations are the keys that are being replaced, as far as this session knows.
type rotations struct {
	store      keys.Store                   // nil: only this session remembers
	remembered []keys.Memory                // by the store, as last read
	here       []keys.Memory                // what this session knows better
	changes    int                          // of here
	verified   map[models.KeyRef]time.Time  // successors that pgtower used, until a later list shows it
	phases     map[models.KeyRef]keys.Phase // of the old keys, by the last lists
	audit      atomic.Pointer[keys.Audit]   // of all lists, for filters on other goroutines, too
	timer      page.Timer
}

// rotationTick is the time to look at the lists with rotations again.
type rotationTick struct{}

func newRotations() *rotations {
	r := &rotations{verified: map[models.KeyRef]time.Time{}, phases: map[models.KeyRef]keys.Phase{}}
	r.audit.Store(keys.NewAudit(nil, keys.AuditOptions{}))
	return r
}

// add takes over what this session knows of a rotation, which comes before what the store remembers.
func (r *rotations) add(m keys.Memory) {
	r.here = slices.DeleteFunc(r.here, m.Same)
	r.here = append(r.here, m)
	r.changes++
}

// to returns what is remembered of the rotation to a successor, the last of several.
func to(all []keys.Memory, successor models.KeyRef) (m keys.Memory, ok bool) {
	for _, one := range slices.Backward(all) {
		if one.Successor == successor {
			return one, true
		}
	}
	return keys.Memory{}, false
}

// to returns what is known of the rotation to a successor.
func (r *rotations) to(successor models.KeyRef) (m keys.Memory, ok bool) {
	return to(slices.Concat(r.remembered, r.here), successor)
}

// memories are what was known of rotations when a list was requested. What reads the list completes them, off the UI's
// goroutine.
type memories struct {
	store      keys.Store
	remembered []keys.Memory
	here       []keys.Memory
	changes    int
	verified   map[models.KeyRef]time.Time
	quiet      time.Duration // how long an old key must be quiet, unless that is remembered

	marked []keys.Memory // whose successors have no more uses of pgtower's own than the list shows
	found  *keys.Together
}

// memories returns what is known now of the rotations in a list.
func (r *rotations) memories(in models.ListID, quiet time.Duration) memories {
	m := memories{
		store: r.store, remembered: r.remembered, here: slices.Clone(r.here), changes: r.changes,
		quiet:    quiet,
		verified: map[models.KeyRef]time.Time{},
	}
	for ref, at := range r.verified {
		if ref.List == in {
			m.verified[ref] = at
		}
	}
	return m
}

// complete takes in the keys of the list, and what the store remembers by now: another program may have begun a rotation.
func (m *memories) complete(in models.ListID, listed []models.APIKey) {
	if m.store != nil {
		all, err := m.store.Load()
		if err == nil {
			m.remembered = all
		}
	}
	all := slices.Concat(m.remembered, m.here)
	for i := range listed {
		at, verified := m.verified[listed[i].Ref()]
		one, ok := to(all, listed[i].Ref())
		if verified && ok {
			one.Mark = keys.Mark(at, &listed[i])
			m.marked = append(m.marked, one)
		}
	}
	m.found = keys.ReadTogether(in, listed, slices.Concat(all, m.marked), m.quiet)
}

// receive takes over what a list tells of rotations, and returns what is to be saved. If keys were rotated since its
// request, what is known by now comes first.
func (r *rotations) receive(l *keyList) []keys.Memory {
	m := &l.memories
	r.remembered = m.remembered
	if m.changes != r.changes {
		m.found = keys.ReadTogether(l.id, l.All, slices.Concat(r.remembered, r.here), m.quiet)
		return nil // a later list tells of the successors that were verified
	}
	for ref, at := range m.verified {
		if r.verified[ref].Equal(at) {
			delete(r.verified, ref)
		}
	}
	for _, one := range m.marked {
		r.add(one)
	}
	return m.marked
}

// save saves what is remembered of rotations.
func (r *rotations) save(s *page.Session, all []keys.Memory) tea.Cmd {
	store := r.store
	if store == nil || len(all) == 0 {
		return nil
	}
	return page.Call(s, page.APIKeys, func(context.Context) (struct{}, error) {
		for _, m := range all {
			if err := store.Save(m); err != nil {
				return struct{}{}, err
			}
		}
		return struct{}{}, nil
	}, func(_ struct{}, err error) tea.Cmd {
		warnOfMemory(s, err)
		return nil
	})
}

// warnOfMemory tells that a rotation is not remembered, if there is an error.
func warnOfMemory(s *page.Session, err error) {
	if err != nil {
		s.Notify(style.Waiting, "The rotation is remembered until you quit only: "+sentence(err))
	}
}

// compare takes in the audit of a list that was read. It returns the old keys of which there is news.
func (r *rotations) compare(found *keys.Together) (news []models.KeyRef) {
	all := r.audit.Load()
	for _, pair := range found.Pairs {
		_, phase, ok := all.Replaced(pair.Old)
		ref := pair.Old.Ref()
		before, known := r.phases[ref]
		if !ok {
			delete(r.phases, ref)
			continue
		}
		r.phases[ref] = phase
		isNews := phase == keys.CanGo || before == keys.CanGo && phase == keys.InUse
		if known && before != phase && isNews {
			news = append(news, ref)
		}
	}
	return news
}

// keepUses keeps the last uses that an earlier answer showed, if this one shows earlier uses: it may come from a copy of
// the service's data that is behind. It keeps those of every key, as a copy may lack the successor of one, and a rotation
// may begin before the answer comes. A successor's are not kept: they may be pgtower's own, and only make its old key look
// replaceable.
func (l *listing) keepUses(before *listing) {
	successors := map[models.KeyRef]bool{}
	for _, pair := range l.found.Pairs {
		if pair.Successor != nil {
			successors[pair.Successor.Ref()] = true
		}
	}
	for _, pair := range l.found.Pairs {
		delete(successors, pair.Old.Ref())
	}
	for i := range l.All {
		k := &l.All[i]
		at, listed := before.Find(indexOf(k.Ref()))
		if !listed || !k.LastUsedAt.Known || successors[k.Ref()] {
			continue
		}
		shown := before.Row(at)
		if shown.LastUsedAt.Value.After(k.LastUsedAt.Value) {
			k.LastUsedAt, k.LastUsedFromAddr = shown.LastUsedAt, shown.LastUsedFromAddr
		}
	}
}
