package apikeys

import (
	"slices"
	"time"

	"pgtower/models"
)

// rows are the keys in the order of the service, with what pgtower knows of them besides.
type rows struct {
	listing

	fate map[int64]fate
	// own is the id of the key that the session's requests are made with, 0 where that
	// is not known.
	own int64
	// lost are the names under which keys may have been created without an answer, true
	// until such a key was found in the list.
	lost map[string]bool
}

// listing is a list of keys as it was read, with what is looked up in it.
type listing struct {
	all    []models.APIKey
	byID   map[int64]int
	byName map[string]int
	// never and idle count the keys that may be forgotten.
	never, idle int
}

// newListing looks through the keys once. It is work for a command.
func newListing(all []models.APIKey, now time.Time) listing {
	l := listing{all: all, byID: make(map[int64]int, len(all)), byName: make(map[string]int, len(all))}
	for i := range all {
		k := &all[i]
		l.byID[k.ID], l.byName[k.Name] = i, i
		switch {
		case k.LastUsedAt.IsZero():
			l.never++
		case idle(k, now):
			l.idle++
		}
	}
	return l
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
	// unsure is a key whose revocation had no answer: the list will tell.
	unsure
)

// set replaces the list. What is being revoked stays marked until the answer comes, and
// what was revoked as long as it is listed: the list may have been asked for before. Of
// those whose revocation had no answer, it returns the names that are not listed, and
// the error where one still is.
func (r *rows) set(l listing) (revoked []string, err error) {
	was := r.listing
	r.listing = l
	for id, f := range r.fate {
		_, listed := r.byID[id]
		switch {
		case f.state == unsure && !listed:
			revoked = append(revoked, was.all[was.byID[id]].Name)
			delete(r.fate, id)
		case f.state == failed, !listed && f.state != revoking:
			delete(r.fate, id)
		case f.state == unsure:
			r.fate[id] = fate{failed, f.err}
			err = f.err
		}
	}
	return revoked, err
}

// settle takes in the answer to a revocation.
func (r *rows) settle(id int64, err error) fate {
	var f fate
	switch kind := models.KindOf(err); {
	case err == nil:
		f = fate{state: gone}
	case kind == models.KindNotFound:
		f = fate{gone, err}
	case carriedOutPerhaps(kind):
		f = fate{unsure, err}
	default:
		f = fate{failed, err}
	}
	r.fate[id] = f
	return f
}

// carriedOutPerhaps says that a change may have been made although it failed.
func carriedOutPerhaps(kind models.Kind) bool {
	return slices.Contains([]models.Kind{
		models.KindTimeout, models.KindUnreachable, models.KindCanceled, models.KindMalformed, models.KindTooLarge, models.KindServer,
	}, kind)
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

// ownKey is the key that the session's requests are made with, if it is known and listed.
func (r *rows) ownKey() (*models.APIKey, bool) {
	i, ok := r.byID[r.own]
	if r.own == 0 || !ok {
		return nil, false
	}
	return &r.all[i], true
}

// named says whether there is a key of a name.
func (r *rows) named(name string) (*models.APIKey, bool) {
	i, ok := r.byName[name]
	if !ok {
		return nil, false
	}
	return &r.all[i], true
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
