package apikeys

import (
	"cmp"
	"math"
	"slices"
	"time"

	"pgtower/models"
)

// rows are the keys in the order of the service, with what pgtower knows of them besides.
type rows struct {
	listing

	fate map[int64]fate
	// own is the key that the session's requests are made with, without an id where that
	// is not known.
	own target
	// perhapsKept is a key of which it is not known whether the keyring has it.
	perhapsKept target
	// lost are the creations whose answer had no secret or did not come, by name.
	lost map[string]*lost
	// reads counts how often the list was asked for.
	reads int
}

// lost is a key whose secret nobody has, and which may not exist.
type lost struct {
	before map[int64]int // the ids that there were before
	id     int64         // of the key, once it was found in the list
}

// listing is a list of keys as it was read, with what is looked up in it.
type listing struct {
	all    []models.APIKey
	byID   map[int64]int
	byName map[string]int
	// odd are the rows whose id does not tell them apart: it could not be read, or is that of
	// a row above.
	odd map[*models.APIKey]int64
	// shared are the ids that more than one key has.
	shared map[int64]bool
	// never and idle count the keys that may be forgotten.
	never, idle int
	number      int // of the reading
}

// newListing looks through the keys once. It is work for a command.
func newListing(all []models.APIKey, now time.Time, number int) listing {
	l := listing{
		all: all, number: number, byID: make(map[int64]int, len(all)), byName: make(map[string]int, len(all)),
		odd: map[*models.APIKey]int64{}, shared: map[int64]bool{},
	}
	for i := range all {
		k := &all[i]
		_, twice := l.byID[k.ID]
		if twice {
			l.shared[k.ID] = true
		}
		if twice || k.ID == 0 {
			l.odd[k] = math.MinInt64 + int64(i)
		}
		l.byID[cmp.Or(l.odd[k], k.ID)], l.byName[k.Name] = i, i
		switch {
		case k.NeverUsed():
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
	name  string
	err   error
	reads int // how often the list had been asked for then
}

type state int

const (
	untouched state = iota
	revoking
	gone
	failed
	// unsure is a key whose revocation had no answer: the list will tell.
	unsure
	// listed is one that should be gone, and is still in the list.
	listed
)

// set replaces the list. What is being revoked stays marked until the answer comes, and
// what was revoked as long as it is in a list that was asked for before. Of
// those whose revocation had no answer, it returns the names that are not listed, and
// the error where one still is.
func (r *rows) set(l listing) (revoked []string, err error) {
	r.listing = l
	if i, ok := r.byID[r.own.id]; ok && r.own.id != 0 {
		r.own.name = r.all[i].Name
	}
	for id, f := range r.fate {
		_, there := r.byID[id]
		switch {
		case f.state == unsure && !there:
			revoked = append(revoked, f.name)
			delete(r.fate, id)
		case f.state == failed, f.state == listed, !there && f.state != revoking:
			delete(r.fate, id)
		case f.state == unsure, f.state == gone && l.number > f.reads:
			f.state = listed
			r.fate[id] = f
			err = f.err
		}
	}
	return revoked, err
}

// settle takes in the answer to a revocation.
func (r *rows) settle(t target, err error) fate {
	f := fate{state: failed, name: t.name, err: err, reads: r.reads}
	switch kind := models.KindOf(err); {
	case err == nil:
		f.state = gone
	case kind == models.KindNotFound:
		f.state = gone
	case carriedOutPerhaps(kind):
		f.state = unsure
	}
	r.fate[t.id] = f
	if r.shared[t.id] && f.state != failed {
		delete(r.fate, t.id) // which of the keys it was, only the list tells
	}
	return f
}

// carriedOutPerhaps says that a change may have been made although it failed.
func carriedOutPerhaps(kind models.Kind) bool {
	return slices.Contains([]models.Kind{
		models.KindTimeout, models.KindUnreachable, models.KindCutOff, models.KindStalled, models.KindCanceled,
		models.KindMalformed, models.KindTooLarge, models.KindServer,
	}, kind)
}

// noID is why nothing can be done with a key that has none.
const noID = "its id could not be read"

// notRevocable says why a key cannot be revoked now, or nothing.
func (r *rows) notRevocable(k *models.APIKey) string {
	switch {
	case r.fate[k.ID].state == revoking:
		return "it is being revoked"
	case r.fate[k.ID].state == gone:
		return "it is revoked"
	case k.ID == 0:
		return noID
	}
	return ""
}

// isOwn says that the session's requests are made with the key.
func (r *rows) isOwn(k *models.APIKey) bool { return r.own.id != 0 && k.ID == r.own.id }

// found looks for the keys whose creation had no answer: a key of that name which was
// not there before. It returns the id of one that was not found before, or 0.
func (r *rows) found() (id int64) {
	for name, l := range r.lost {
		i, ok := r.byName[name]
		if !ok || l.id != 0 {
			continue
		}
		if _, before := l.before[r.all[i].ID]; !before {
			l.id = r.all[i].ID
			id = l.id
		}
	}
	return id
}

// secretLost says that a key's secret never came.
func (r *rows) secretLost(k *models.APIKey) bool {
	l, ok := r.lost[k.Name]
	return ok && l.id != 0 && l.id == k.ID
}

// Len is the number of keys.
func (r *rows) Len() int { return len(r.all) }

// Row returns a key.
func (r *rows) Row(i int) *models.APIKey { return &r.all[i] }

// Key names a key by its id, or by its place where it has none of its own.
func (r *rows) Key(k *models.APIKey) int64 { return cmp.Or(r.odd[k], k.ID) }

// Find returns where the key of an id is.
func (r *rows) Find(id int64) (int, bool) {
	i, ok := r.byID[id]
	return i, ok
}
