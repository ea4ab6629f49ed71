package apikeys

import "pgtower/models"

// rows are the keys in the order of the service, with what pgtower did to them.
type rows struct {
	all  []models.APIKey
	byID map[int64]int
	fate map[int64]fate
}

// fate is what became of a key here since the list was read.
type fate struct {
	state state
	err   error
}

type state int

const (
	untouched state = iota
	revoking
	gone
	failed
)

// set replaces the list. What is being revoked stays marked until the answer comes, and
// what was revoked as long as it is listed: the list may have been asked for before.
func (r *rows) set(all []models.APIKey) {
	r.all = all
	r.byID = make(map[int64]int, len(all))
	for i := range all {
		r.byID[all[i].ID] = i
	}
	for id, f := range r.fate {
		_, listed := r.byID[id]
		if f.state == failed || f.state == gone && !listed {
			delete(r.fate, id)
		}
	}
}

// notRevocable says why a key cannot be revoked now, or nothing.
func (r *rows) notRevocable(k *models.APIKey) string {
	switch {
	case r.fate[k.ID].state == revoking:
		return "it is being revoked"
	case r.fate[k.ID].state == gone:
		return "it is revoked"
	case k.ID == 0:
		return "its id could not be read"
	}
	return ""
}

// Len is the number of keys.
func (r *rows) Len() int { return len(r.all) }

// Row returns a key.
func (r *rows) Row(i int) *models.APIKey { return &r.all[i] }

// Key names a key by its id.
func (*rows) Key(k *models.APIKey) int64 { return k.ID }

// Find returns where the key of an id is.
func (r *rows) Find(id int64) (int, bool) {
	i, ok := r.byID[id]
	return i, ok
}
