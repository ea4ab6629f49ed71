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

// rotations are the keys that are being replaced, as far as known.
type rotations struct {
	store   keys.Store
	memory  keys.Memory                     // as last read or changed
	changes int                             // how often this session changed the memory
	open    map[models.ListID][]keys.Record // changes of other processes without an outcome, as of the last lists
	audit   atomic.Pointer[keys.Audit]      // of all lists, for filters on other goroutines, too
}

func newRotations() *rotations {
	r := &rotations{
		store: &keys.Volatile{}, open: map[models.ListID][]keys.Record{},
	}
	r.audit.Store(keys.NewAudit(nil, keys.AuditOptions{}))
	return r
}

// know merges the memory that a change of this session returned, if any.
func (r *rotations) know(m *keys.Memory) {
	if m != nil {
		r.memory.Merge(m)
		r.changes++
	}
}

// openKeys returns the keys with open changes of other processes.
func (r *rotations) openKeys() map[models.KeyRef]bool {
	refs := map[models.KeyRef]bool{}
	for _, open := range r.open {
		maps.Copy(refs, keys.OpenKeys(open))
	}
	return refs
}

// takeList merges the memory that was read with a list. If this session rotated keys after the request, the list is evaluated
// again with the merged memory.
func (r *rotations) takeList(l *keyList, now time.Time) {
	r.memory.Merge(&l.answer.Memory)
	r.open[l.id] = l.answer.Open
	if l.changes != r.changes {
		l.read(&r.memory, now)
	}
}
