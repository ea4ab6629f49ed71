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

	orphans map[orphan]lost
}

// orphan identifies a key without its secret. Names are unique in a list.
type orphan struct {
	list models.ListID
	name string
}

// lost is what is known of a key without its secret.
type lost struct {
	id       int64 // 0 while it is unknown whether the key exists
	requests int   // how many requests for lists there were when it was lost
	last     Record
}

// Revocation is the state of the revocation of a key.
type Revocation struct {
	State    State
	Name     string
	Err      error
	requests int // how many requests for lists there were when the answer came
	// open are the records of revocations of the key that had no answer. A refusal of a later one does not decide about them.
	open []Record
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
	return Changes{Revocations: map[models.KeyRef]Revocation{}, orphans: map[orphan]lost{}}
}

// Begin marks a key as being revoked.
func (c *Changes) Begin(k models.APIKey) {
	before := c.Revocations[k.Ref()]
	if before.State != Unknown {
		before.open = nil
	}
	c.Revocations[k.Ref()] = Revocation{State: Revoking, Name: k.Name, open: before.open}
}

// Answered takes in the answer to a revocation, with its record, after that many requests for lists.
func (c *Changes) Answered(k models.APIKey, last Record, err error, requests int) Revocation {
	r := c.Revocations[k.Ref()]
	r.State, r.Name, r.Err, r.requests = Refused, k.Name, err, requests
	if err != nil && models.MaybeRevoked(err) {
		r.open = append(r.open, last)
	}
	switch {
	case err == nil:
		r.State = Revoked
	case len(r.open) > 0:
		r.State = Unknown
	}
	c.Revocations[k.Ref()] = r
	return r
}

// Lose takes in that the secret of a new key is lost. Its id is 0 if the creation had no answer: last is its record then,
// after that many requests for lists.
func (c *Changes) Lose(in models.ListID, name string, id int64, last Record, requests int) {
	c.orphans[orphan{in, name}] = lost{id: id, requests: requests, last: last}
}

// Created takes in that a key was created, and its secret is known.
func (c *Changes) Created(in models.ListID, name string) { delete(c.orphans, orphan{in, name}) }

// IsOrphan reports whether the secret of a key is lost.
func (c *Changes) IsOrphan(k *models.APIKey) bool {
	return k.ID != 0 && c.orphans[orphan{k.List, k.Name}].id == k.ID
}

// Decided is what a list tells of the changes that had no answer.
type Decided struct {
	Gone    []string       // the names of keys that may have been revoked, and are no longer listed
	Err     error          // of the revocation of a key that is still listed, or nil
	Found   *models.APIKey // a new key whose secret is lost, or nil
	Records []Record       // for the journal, see [Send.Decided]
}

// Decide takes in a list: what it tells comes before what answers told, if it was requested after them.
func (c *Changes) Decide(list List) (d Decided) {
	for ref, r := range c.Revocations {
		if ref.List == list.ID() {
			c.decideRevocation(&d, ref, r, list)
		}
	}
	for of, key := range c.orphans {
		if of.list == list.ID() && key.id == 0 {
			c.orphans[of] = decideCreation(&d, key, list.Named(of.name), list.Request())
		}
	}
	return d
}

func (c *Changes) decideRevocation(d *Decided, ref models.KeyRef, r Revocation, list List) {
	there := list.Has(ref.ID)
	switch {
	case r.State == Revoking:
	case r.State == Unknown && !there:
		d.Gone = append(d.Gone, r.Name)
		d.record(Done, r.open...)
		delete(c.Revocations, ref)
	case r.State == Refused, r.State == StillListed, !there:
		delete(c.Revocations, ref)
	case list.Request() > r.requests:
		d.Err = r.Err
		d.record(Failed, r.open...)
		r.State, r.open = StillListed, nil
		c.Revocations[ref] = r
	}
}

// decideCreation decides about a creation by the key of the name, or by its absence. A later list may still have it.
func decideCreation(d *Decided, key lost, found *models.APIKey, request int) lost {
	switch {
	case found != nil:
		d.Found, key.id, key.last.ID = found, found.ID, found.ID
		d.record(Done, key.last)
	case key.last.Outcome == Undecided && request > key.requests:
		d.record(Failed, key.last)
		key.last.Outcome = Failed
	}
	return key
}

// record adds the records of an outcome.
func (d *Decided) record(outcome string, open ...Record) {
	for _, r := range open {
		r.Outcome, r.By, r.Error = outcome, ByList, ""
		d.Records = append(d.Records, r)
	}
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
