package keys

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pgtower/models"
)

// Changes are what this session did to keys, as far as answers and lists tell.
type Changes struct {
	Revocations map[models.KeyRef]Revocation

	creations map[place]creations
}

// place is what keys are created with.
type place struct {
	list models.ListID
	name string
}

// creations are what is known of the keys that were created with a name.
type creations struct {
	made    []int64 // the ids of the keys, by answers and lists
	orphans []int64 // those of them whose secrets are lost
	// open are the records of creations without an answer, and found the ids of the keys that lists have shown since. Once
	// these are as many, no list tells more.
	open     []Record
	found    []int64
	requests int // how many requests for lists there were at the last answer that did not come
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

// NewChanges returns no changes.
func NewChanges() Changes {
	return Changes{Revocations: map[models.KeyRef]Revocation{}, creations: map[place]creations{}}
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

// Unanswered takes in that the creation of a key had no answer, after that many requests for lists.
func (c *Changes) Unanswered(in models.ListID, last Record, requests int) {
	at := place{in, last.Name}
	of := c.creations[at]
	of.open, of.requests = append(of.open, last), requests
	c.creations[at] = of
}

// Created takes in that a key was created, and its secret is known, also if a list has shown it before.
func (c *Changes) Created(in models.ListID, name string, id int64) {
	of := c.creations[place{in, name}]
	of.made = append(of.made, id)
	of.orphans = slices.DeleteFunc(of.orphans, func(one int64) bool { return one == id })
	c.creations[place{in, name}] = of
}

// Lose takes in that the secret of a new key is lost.
func (c *Changes) Lose(in models.ListID, name string, id int64) {
	of := c.creations[place{in, name}]
	of.made, of.orphans = append(of.made, id), append(of.orphans, id)
	c.creations[place{in, name}] = of
}

// IsOrphan reports whether the secret of a key is lost.
func (c *Changes) IsOrphan(k *models.APIKey) bool {
	return k.ID != 0 && slices.Contains(c.creations[place{k.List, k.Name}].orphans, k.ID)
}

// Decided is what a list tells of the changes that had no answer.
type Decided struct {
	Gone    []string        // the names of keys that may have been revoked, and are no longer listed
	Err     error           // of the revocation of a key that is still listed, or nil
	Found   []models.KeyRef // new keys whose secrets are lost
	Records []Record        // for the journal, see [Send.Decided]
}

// Decide takes in a list: what it tells comes before what answers told, if it was requested after them.
func (c *Changes) Decide(list Listed) (d Decided) {
	there := map[int64]bool{}
	if len(c.Revocations) > 0 {
		for i := range list.Keys {
			there[list.Keys[i].ID] = true
		}
	}
	for ref, r := range c.Revocations {
		if ref.List == list.Of {
			c.decideRevocation(&d, ref, r, there[ref.ID], list.Number)
		}
	}
	for at, of := range c.creations {
		if at.list == list.Of && len(of.open) > 0 {
			c.creations[at] = decideCreations(&d, of, untold(list.Keys, at.name, of.made), list.Number)
		}
	}
	return d
}

func (c *Changes) decideRevocation(d *Decided, ref models.KeyRef, r Revocation, there bool, request int) {
	switch {
	case r.State == Revoking:
	case !there:
		if r.State == Unknown {
			d.Gone = append(d.Gone, r.Name)
		}
		d.record(r.open, Done, "")
		delete(c.Revocations, ref)
	case r.State == Refused, r.State == StillListed:
		delete(c.Revocations, ref)
	case request > r.requests:
		d.Err = cmp.Or(r.Err, d.Err)
		d.record(r.open, Failed, "")
		r.State, r.open = StillListed, nil
		c.Revocations[ref] = r
	}
}

// untold returns the keys of a name that no answer told of.
func untold(keys []models.APIKey, name string, made []int64) (found []models.KeyRef) {
	for i := range keys {
		if k := &keys[i]; k.Name == name && !slices.Contains(made, k.ID) {
			found = append(found, k.Ref())
		}
	}
	return found
}

// decideCreations decides about creations by the keys of the name that no answer told of. If there are none, none was
// created until now: a later list may still have it. If there are as many as creations, all were. Otherwise nothing tells
// which ones were.
func decideCreations(d *Decided, of creations, found []models.KeyRef, request int) creations {
	for _, k := range found {
		of.made, of.orphans, of.found = append(of.made, k.ID), append(of.orphans, k.ID), append(of.found, k.ID)
	}
	d.Found = append(d.Found, found...)
	decided := !slices.ContainsFunc(of.open, func(r Record) bool { return r.By == "" })
	switch n := len(of.found); {
	case len(found) == 0 && (decided || request <= of.requests):
	case n == 0:
		d.record(of.open, Failed, "")
	case n == len(of.open):
		if n == 1 {
			of.open[0].ID = of.found[0]
		}
		d.record(of.open, Done, "")
	default:
		ids := strings.Trim(fmt.Sprint(of.found), "[]")
		d.record(of.open, Undecided, fmt.Sprintf("creations without an answer: %d; listed since then: id %s", len(of.open), ids))
	}
	if len(of.found) >= len(of.open) {
		of.open, of.found = nil, nil
	}
	return of
}

// record records what a list told of changes without an answer, and why it does not tell more.
func (d *Decided) record(open []Record, outcome, why string) {
	for i := range open {
		open[i].Outcome, open[i].By, open[i].Error = outcome, ByList, why
	}
	d.Records = append(d.Records, open...)
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
