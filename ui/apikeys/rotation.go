package apikeys

import (
	"maps"
	"sync/atomic"
	"time"

	"pgtower/models"
	"pgtower/models/keys"
)

const (
	watchEvery = 30 * time.Second // how often lists with rotations are read while the page is shown
	watchRest  = 10 * time.Minute // and while it is not
	// watchAlerts is how often lists are read while a view alerts, whatever is shown.
	watchAlerts = time.Minute
)

// rotations are the keys that are being replaced, as far as this session knows.
type rotations struct {
	store   keys.Store
	memory  keys.Memory                     // as last read or changed
	changes int                             // of it by this session
	open    map[models.ListID][]keys.Record // changes that other processes left open, as of the last lists
	audit   atomic.Pointer[keys.Audit]      // of all lists, for filters on other goroutines, too
}

func newRotations() *rotations {
	r := &rotations{
		store: &keys.Volatile{}, open: map[models.ListID][]keys.Record{},
	}
	r.audit.Store(keys.NewAudit(nil, keys.AuditOptions{}))
	return r
}

// know merges the memory after a change of this session, or none.
func (r *rotations) know(m *keys.Memory) {
	if m != nil {
		r.memory.Merge(m)
		r.changes++
	}
}

// openKeys returns the keys of which other processes left a change open.
func (r *rotations) openKeys() map[models.KeyRef]bool {
	refs := map[models.KeyRef]bool{}
	for _, open := range r.open {
		maps.Copy(refs, keys.OpenKeys(open))
	}
	return refs
}

// takeList takes over what a list tells of rotations. If keys were rotated since its request, what is known by now comes
// first.
func (r *rotations) takeList(l *keyList, now time.Time) {
	r.memory.Merge(&l.answer.Memory)
	r.open[l.id] = l.answer.Open
	if l.changes != r.changes {
		l.read(&r.memory, now)
	}
}
