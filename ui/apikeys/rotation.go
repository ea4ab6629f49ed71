package apikeys

import (
	"maps"
	"slices"
	"sync/atomic"
	"time"

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
	store   keys.Store
	memory  keys.Memory                     // as last read or changed
	changes int                             // of it by this session
	open    map[models.ListID][]keys.Record // changes that other processes left open, as of the last lists
	phases  map[models.KeyRef]keys.Phase    // of the old keys, by the last lists
	audit   atomic.Pointer[keys.Audit]      // of all lists, for filters on other goroutines, too
	timer   page.Timer
}

// rotationTick is the time to look at the lists with rotations again.
type rotationTick struct{}

func newRotations() *rotations {
	r := &rotations{
		store: &keys.Volatile{}, open: map[models.ListID][]keys.Record{}, phases: map[models.KeyRef]keys.Phase{},
	}
	r.audit.Store(keys.NewAudit(nil, keys.AuditOptions{}))
	return r
}

// know takes in what is remembered by now, which this session changed.
func (r *rotations) know(m *keys.Memory) {
	r.memory.Merge(m)
	r.changes++
}

// openKeys returns the keys of which other processes left a change open.
func (r *rotations) openKeys() map[models.KeyRef]bool {
	all := map[models.KeyRef]bool{}
	for _, open := range r.open {
		maps.Copy(all, keys.OpenKeys(open))
	}
	return all
}

// memories are what is remembered when a list was read. What reads the list completes them, off the UI's goroutine.
type memories struct {
	store   keys.Store
	journal keys.Journal    // nil: there is none
	sent    map[string]bool // by this process, by the ids of requests
	changes int             // when the list was requested

	memory keys.Memory
	found  *keys.Together
	others map[string]int // see [keys.Listed.Others]
	left   keys.Decided   // what the list tells of changes that other processes left open
	open   []keys.Record  // those that still are
}

// memories returns what reads what is remembered.
func (p *Page) memories() memories {
	return memories{
		store: p.rotations.store, journal: p.options.Journal, sent: p.keys.SentIDs(), changes: p.rotations.changes,
	}
}

// complete takes in a list, and what is remembered by now: another program may have begun a rotation, or left a change open.
func (m *memories) complete(list *keys.Listed) {
	m.memory, _ = m.store.Load() // what this process knows, if the rest cannot be read
	if m.memory.Learn(list.Keys) {
		m.memory, _ = m.store.Change(func(known *keys.Memory) { known.Learn(list.Keys) })
	}
	m.found = keys.ReadTogether(list.Of, list.Keys, &m.memory, 0)
	if m.journal == nil {
		return
	}
	open, _ := m.journal.Open() // that it cannot be read, the next change tells
	m.left = keys.DecideOpen(open, list, &m.memory, m.sent)
	m.others = list.Others
	m.open = slices.DeleteFunc(open, func(r keys.Record) bool {
		return m.sent[r.RequestID] || slices.ContainsFunc(m.left.Records, func(done keys.Record) bool { return done.RequestID == r.RequestID })
	})
}

// receive takes over what a list tells of rotations. If keys were rotated since its request, what is known by now comes
// first.
func (r *rotations) receive(l *keyList) {
	m := &l.memories
	r.memory.Merge(&m.memory)
	r.open[l.id] = m.open
	if m.changes != r.changes {
		m.found = keys.ReadTogether(l.id, l.All, &r.memory, 0)
	}
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
		isNews := phase == keys.CanGo || before == keys.CanGo && (phase == keys.TooShort || phase == keys.Behind)
		if known && before != phase && isNews {
			news = append(news, ref)
		}
	}
	return news
}

// keepUses keeps the last uses that an earlier answer showed, if this one shows earlier uses, or lacks the key: it may come
// from a copy of the service's data that is behind.
func (l *listing) keepUses(before *listing) {
	l.missing = map[models.KeyRef]models.APIKey{}
	for i := range l.All {
		k := &l.All[i]
		shown, ok := before.missing[k.Ref()]
		if at, listed := before.Find(indexOf(k.Ref())); listed {
			shown, ok = *before.Row(at), true
		}
		if ok && k.LastUsedAt.Known && shown.CreatedAt.Equal(k.CreatedAt) && shown.LastUsedAt.Value.After(k.LastUsedAt.Value) {
			k.LastUsedAt, k.LastUsedFromAddr = shown.LastUsedAt, shown.LastUsedFromAddr
		}
	}
	lacks := func(k models.APIKey) bool {
		_, listed := l.Find(indexOf(k.Ref()))
		return k.ID != 0 && !listed
	}
	for ref, k := range before.missing {
		if lacks(k) {
			l.missing[ref] = k
		}
	}
	for _, k := range before.All {
		if lacks(k) {
			l.missing[k.Ref()] = k
		}
	}
}
