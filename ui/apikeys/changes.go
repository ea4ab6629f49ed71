package apikeys

import (
	"pgtower/models"
)

// changes are what this session did to keys, as far as answers and lists tell.
type changes struct {
	revocations map[models.KeyRef]revocation
	orphans     map[orphan]int64 // ids of keys whose secret is lost; 0 while it is unknown whether the key exists
}

// orphan is a key without its secret. Names are unique in a list.
type orphan struct {
	list models.ListID
	name string
}

// revocation is the state of the revocation of a key.
type revocation struct {
	state    revocationState
	name     string
	err      error
	requests int // [lists.requests] when the answer came
	// again is set if an earlier revocation of the key is unknown: a refusal of this one does not decide about that.
	again bool
}

type revocationState int

const (
	notAsked revocationState = iota
	revoking
	revoked
	refused
	unknown     // nothing tells whether it was carried out: the next list decides
	stillListed // by a list that was requested later, whatever the answer was
)

func newChanges() changes {
	return changes{revocations: map[models.KeyRef]revocation{}, orphans: map[orphan]int64{}}
}

// begin marks a key as being revoked.
func (c *changes) begin(k models.APIKey) {
	c.revocations[k.Ref()] = revocation{state: revoking, name: k.Name, again: c.revocations[k.Ref()].state == unknown}
}

// answered takes in the answer to a revocation, after that many requests for lists.
func (c *changes) answered(k models.APIKey, err error, requests int) revocation {
	r := revocation{state: refused, name: k.Name, err: err, requests: requests}
	switch {
	case err == nil:
		r.state = revoked
	case models.MaybeRevoked(err), c.revocations[k.Ref()].again:
		r.state = unknown
	}
	c.revocations[k.Ref()] = r
	return r
}

// decide takes in a list: what it tells comes before what answers told, if it was requested after them. Of the
// revocations that were unknown, it returns the names that are gone, and the error of one that is still listed.
func (c *changes) decide(list *keyList) (gone []string, err error) {
	for ref, r := range c.revocations {
		if ref.List != list.id {
			continue
		}
		_, there := list.Find(indexOf(ref))
		later := list.number > r.requests
		switch {
		case r.state == revoking:
		case r.state == unknown && !there:
			gone = append(gone, r.name)
			delete(c.revocations, ref)
		case r.state == refused, r.state == stillListed, !there:
			delete(c.revocations, ref)
		case later:
			r.state = stillListed
			c.revocations[ref] = r
			err = r.err
		}
	}
	return gone, err
}

// findOrphan finds a key of a list whose creation had no answer. It returns nil if there is no new one.
func (c *changes) findOrphan(list *keyList) (found *models.APIKey) {
	for lost, id := range c.orphans {
		if k := list.named(lost.name); lost.list == list.id && k != nil && id == 0 {
			found = k
			c.orphans[lost] = k.ID
		}
	}
	return found
}

func (c *changes) isOrphan(k *models.APIKey) bool {
	return k.ID != 0 && c.orphans[orphan{k.List, k.Name}] == k.ID
}

// open returns the keys that may have been revoked, as far as is known.
func (c *changes) open() (refs []models.KeyRef) {
	for ref, r := range c.revocations {
		if r.state == revoking || r.state == unknown {
			refs = append(refs, ref)
		}
	}
	return refs
}
