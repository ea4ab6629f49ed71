// Package keychange changes API keys: it sends the changes, keeps a journal of them, and decides what came of them. The
// dashboard and the commands for scripts both change keys through it.
package keychange

import "pgtower/models"

// List is an answer to the request for a list of keys.
type List interface {
	ID() models.ListID
	Request() int                     // the number of the request
	Has(id int64) bool                // reports whether a key is listed
	Named(name string) *models.APIKey // returns the key of a name, or nil
}

// Changes are what this session did to keys, as far as answers and lists tell.
type Changes struct {
	Revocations map[models.KeyRef]Revocation
	Orphans     map[Orphan]int64 // ids of keys whose secret is lost; 0 while it is unknown whether the key exists
}

// Orphan is a key without its secret. Names are unique in a list.
type Orphan struct {
	List models.ListID
	Name string
}

// Revocation is the state of the revocation of a key.
type Revocation struct {
	State    State
	Name     string
	Err      error
	requests int // how many requests for lists there were when the answer came
	// again is set if an earlier revocation of the key is unknown: a refusal of this one does not decide about that.
	again bool
}

// State is the state of a revocation.
type State int

// The states of revocations.
const (
	NotAsked State = iota
	Revoking
	Revoked
	Refused
	Unknown     // nothing tells whether it was carried out: the next list decides
	StillListed // by a list that was requested later, whatever the answer was
)

// New returns no changes.
func New() Changes {
	return Changes{Revocations: map[models.KeyRef]Revocation{}, Orphans: map[Orphan]int64{}}
}

// Begin marks a key as being revoked.
func (c *Changes) Begin(k models.APIKey) {
	c.Revocations[k.Ref()] = Revocation{State: Revoking, Name: k.Name, again: c.Revocations[k.Ref()].State == Unknown}
}

// Answered takes in the answer to a revocation, after that many requests for lists.
func (c *Changes) Answered(k models.APIKey, err error, requests int) Revocation {
	r := Revocation{State: Refused, Name: k.Name, Err: err, requests: requests}
	switch {
	case err == nil:
		r.State = Revoked
	case models.MaybeRevoked(err), c.Revocations[k.Ref()].again:
		r.State = Unknown
	}
	c.Revocations[k.Ref()] = r
	return r
}

// Decide takes in a list: what it tells comes before what answers told, if it was requested after them. Of the
// revocations that were unknown, it returns the names that are gone, and the error of one that is still listed.
func (c *Changes) Decide(list List) (gone []string, err error) {
	for ref, r := range c.Revocations {
		if ref.List != list.ID() {
			continue
		}
		there := list.Has(ref.ID)
		later := list.Request() > r.requests
		switch {
		case r.State == Revoking:
		case r.State == Unknown && !there:
			gone = append(gone, r.Name)
			delete(c.Revocations, ref)
		case r.State == Refused, r.State == StillListed, !there:
			delete(c.Revocations, ref)
		case later:
			r.State = StillListed
			c.Revocations[ref] = r
			err = r.Err
		}
	}
	return gone, err
}

// FindOrphan finds a key of a list whose creation had no answer. It returns nil if there is no new one.
func (c *Changes) FindOrphan(list List) (found *models.APIKey) {
	for lost, id := range c.Orphans {
		if k := list.Named(lost.Name); lost.List == list.ID() && k != nil && id == 0 {
			found = k
			c.Orphans[lost] = k.ID
		}
	}
	return found
}

// IsOrphan reports whether the secret of a key is lost.
func (c *Changes) IsOrphan(k *models.APIKey) bool {
	return k.ID != 0 && c.Orphans[Orphan{k.List, k.Name}] == k.ID
}

// Open returns the keys that may have been revoked, as far as is known.
func (c *Changes) Open() (refs []models.KeyRef) {
	for ref, r := range c.Revocations {
		if r.State == Revoking || r.State == Unknown {
			refs = append(refs, ref)
		}
	}
	return refs
}
