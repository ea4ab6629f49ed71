package keys

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"pgtower/models"
)

// Changes are the changes of keys by this process, as far as answers and lists tell. Their times are by this computer's
// clock, which never goes back.
type Changes struct {
	Revocations map[models.KeyRef]Revocation

	creations map[place]creations
	sent      map[string]bool  // the ids of the requests
	claims    map[string]Claim // of the changes that lists decided
}

// place is the list and the name of a new key.
type place struct {
	list models.ListID
	name string
}

// creations are what is known of the keys that were created with a name.
type creations struct {
	made    []int64 // the ids of keys that are not new, or that an answer or a list has shown
	orphans []int64 // those of them whose secrets are lost
	// open are the records of creations without an answer, found the ids of the keys that lists have shown since, and lost is
	// when the last answer was given up.
	open  []Record
	found []int64
	lost  time.Time
	read  bool // a list was requested since then
}

// Revocation is the state of the revocation of a key.
type Revocation struct {
	State State
	Name  string
	Err   error
	// open are the records of revocations of the key that had no answer, and lost is when the last one was given up. A refusal
	// of a later one does not decide about them.
	open     []Record
	lost     time.Time
	answered time.Time // when the answer came
	created  time.Time // when the key was, by the service's clock
}

// State is what is known of a change.
type State int

// The states of revocations, then of creations.
const (
	NotAsked State = iota
	Revoking
	Revoked
	Refusal
	Unknown     // whether it was or will be carried out
	StillListed // by a list that was read too late for that, whatever the answer was
	NoLonger    // it was listed, and is no longer: it is revoked
	CarriedOut  // a key was created, and its secret is known
	Appeared    // a key was created, and its secret is lost
	Absent      // it was not created, and can no longer be
	Several     // keys were created, and it is unknown by which request
)

// NewChanges returns no changes.
func NewChanges() Changes {
	return Changes{
		Revocations: map[models.KeyRef]Revocation{}, creations: map[place]creations{}, sent: map[string]bool{},
		claims: map[string]Claim{},
	}
}

// Began records that a flow begins: the key of a revocation is being revoked.
func (c *Changes) Began(f *Flow) {
	if f.Revoke {
		c.startRevocation(f.Key)
	}
}

// Told records the outcome of the request of a flow.
func (c *Changes) Told(f *Flow) {
	switch {
	case f.NotSent:
	case f.Revoke:
		c.answered(f.Key, f.Record, f.Err, f.Answered)
	case f.Err == nil:
		c.created(f.Key.List, f.Record)
		if f.Made.Key.IsZero() {
			c.Lose(f.Made.Ref(), f.Key.Name)
		}
	case !Refused(f.Err):
		c.unanswered(f.Key.List, f.Record, f.Before, f.Answered)
	}
}

func (c *Changes) startRevocation(k models.APIKey) {
	previous := c.Revocations[k.Ref()]
	if previous.State != Unknown {
		previous.open = nil
	}
	c.Revocations[k.Ref()] = Revocation{
		State: Revoking, Name: k.Name, open: previous.open, lost: previous.lost, created: k.CreatedAt,
	}
}

// answered records the answer to a revocation at now. last is the record of the request.
func (c *Changes) answered(k models.APIKey, last Record, err error, now time.Time) {
	r := c.Revocations[k.Ref()]
	r.State, r.Name, r.Err, r.answered = Refusal, k.Name, err, now
	if err != nil && !Refused(err) {
		r.open, r.lost = append(r.open, last), now
	}
	switch {
	case err == nil:
		r.State = Revoked
	case len(r.open) > 0:
		r.State = Unknown
	}
	c.sent[last.RequestID] = true
	c.Revocations[k.Ref()] = r
}

// unanswered records that the creation of a key had no answer at now. listed is the list before it.
func (c *Changes) unanswered(id models.ListID, last Record, listed []models.APIKey, now time.Time) {
	key := place{id, last.Name}
	creation := c.creations[key]
	for _, k := range untold(listed, last.Name, creation.made) {
		creation.made = append(creation.made, k.ID)
	}
	creation.open, creation.lost, creation.read = append(creation.open, last), now, false
	c.creations[key] = creation
	c.sent[last.RequestID] = true
}

// created records a new key with a known secret, also if a list has shown it before.
func (c *Changes) created(id models.ListID, last Record) {
	key := place{id, last.Name}
	creation := c.creations[key]
	creation.made = append(creation.made, last.ID)
	creation.orphans = slices.DeleteFunc(creation.orphans, func(id int64) bool { return id == last.ID })
	c.creations[key] = creation
	c.sent[last.RequestID] = true
}

// Lose records that the secret of a new key is lost.
func (c *Changes) Lose(key models.KeyRef, name string) {
	lost := place{key.List, name}
	creation := c.creations[lost]
	creation.made, creation.orphans = append(creation.made, key.ID), append(creation.orphans, key.ID)
	c.creations[lost] = creation
}

// IsOrphan reports whether the secret of a key is lost.
func (c *Changes) IsOrphan(k *models.APIKey) bool {
	return k.ID != 0 && slices.Contains(c.creations[place{k.List, k.Name}].orphans, k.ID)
}

// SentIDs returns the ids of the requests that this process sent.
func (c *Changes) SentIDs() map[string]bool { return maps.Clone(c.sent) }

// Decided is what a list shows of the changes that had no answer.
type Decided struct {
	Gone    []string        // the names of keys that may have been revoked, and are no longer listed
	Absent  []string        // the names of keys that were not created
	Err     error           // of the revocation of a key that is still listed, or nil
	Found   []models.KeyRef // new keys whose secrets are lost
	Left    []models.APIKey // such keys of other processes, which ended without an answer
	Records []Record        // for the journal, see [Performer.Decided]
}

// Decide returns what a list shows of the changes. A change is decided once it can no longer be carried out.
func (c *Changes) Decide(list Listed) (d Decided) {
	listed := map[int64]bool{}
	if len(c.Revocations) > 0 {
		for i := range list.Keys {
			listed[list.Keys[i].ID] = true
		}
	}
	for _, ref := range slices.SortedFunc(maps.Keys(c.Revocations), byNumber) { // each time the same error and the same records
		r := c.Revocations[ref]
		switch {
		case ref.List != list.Of:
		case listed[ref.ID]:
			c.listed(&d, ref, r, &list)
		default:
			c.unlisted(&d, ref, r, &list)
		}
	}
	for key, open := range c.creations {
		if key.list == list.Of && len(open.open) > 0 {
			c.creations[key] = c.decideCreations(&d, key.name, open, &list)
		}
	}
	c.left(&d, &list)
	return d
}

func byNumber(a, b models.KeyRef) int { return cmp.Compare(a.ID, b.ID) }

// left decides changes that other processes left open, by a list.
func (c *Changes) left(d *Decided, list *Listed) {
	d.Gone, d.Absent = append(d.Gone, list.Left.Gone...), append(d.Absent, list.Left.Absent...)
	d.Records = append(d.Records, list.Left.Records...)
	for _, ref := range list.Left.Found {
		k := list.Keys[indexOf(list.Keys, ref)]
		c.Lose(ref, k.Name)
		d.Left = append(d.Left, k)
	}
}

// unlisted handles a revocation whose key is not in a list.
func (c *Changes) unlisted(d *Decided, ref models.KeyRef, r Revocation, list *Listed) {
	switch {
	case r.State == Revoking, r.State == Unknown && !list.proves(r.created, r.lost):
		return
	case r.State == Unknown:
		d.Gone = append(d.Gone, r.Name)
	}
	d.record(r.open, Done, "")
	c.claim(r.open, Claim{State: NoLonger})
	delete(c.Revocations, ref)
}

// proves reports whether a key that the list lacks is gone. A list may be older than the key. The key was listed when its
// revocation was asked for, so a list from after the lost answer proves it, too.
func (l *Listed) proves(created, lost time.Time) bool {
	early := l.AsOf.Early
	old := !created.IsZero() && !early.IsZero() && !early.Before(created.Add(youngFor))
	return old || !l.Asked.Before(lost.Add(youngFor))
}

// listed handles a revocation whose key is still in a list.
func (c *Changes) listed(d *Decided, ref models.KeyRef, r Revocation, list *Listed) {
	switch {
	case r.State == Refusal, r.State == StillListed:
		delete(c.Revocations, ref)
		return
	case r.State == Revoked && !list.Asked.Before(r.answered.Add(youngFor)):
	case r.State == Unknown && !list.Asked.Before(r.lost.Add(Deadline)):
	default:
		return
	}
	d.Err = cmp.Or(r.Err, d.Err)
	d.record(r.open, Failed, "")
	c.claim(r.open, Claim{State: StillListed})
	r.State, r.open = StillListed, nil
	c.Revocations[ref] = r
}

// untold returns the listed keys of a name that are not in made.
func untold(listed []models.APIKey, name string, made []int64) (found []models.KeyRef) {
	for i := range listed {
		if k := &listed[i]; k.Name == name && !slices.Contains(made, k.ID) {
			found = append(found, k.Ref())
		}
	}
	return found
}

// told reports whether a key is remembered: then its creation had an answer.
func (l *Listed) told(ref models.KeyRef) bool {
	return slices.ContainsFunc(l.Keys, func(k models.APIKey) bool {
		return k.Ref() == ref && l.Memory.Of(ref, k.CreatedAt) != nil
	})
}

// decideCreations decides the creations of a name by the listed keys that no answer has shown. If there are as many keys
// as creations, all were carried out. Once no more keys can appear, none was carried out if there is no key; otherwise it
// is unknown which ones were.
func (c *Changes) decideCreations(d *Decided, name string, open creations, list *Listed) creations {
	found := untold(list.Keys, name, open.made)
	found = slices.DeleteFunc(found, list.told) // another process has its secret
	for _, k := range found {
		open.made, open.orphans, open.found = append(open.made, k.ID), append(open.orphans, k.ID), append(open.found, k.ID)
	}
	d.Found, open.read = append(d.Found, found...), open.read || !list.Asked.Before(open.lost)
	candidates, state := len(open.open)+list.Others[name], Several
	switch n, late := len(open.found), !list.Asked.Before(open.lost.Add(Deadline)); {
	case n == candidates:
		if n == 1 {
			state, open.open[0].ID = Appeared, open.found[0]
		}
		d.record(open.open, Done, "")
	case n == 0 && late:
		state = Absent
		d.Absent = append(d.Absent, name)
		d.record(open.open, Failed, "")
	case late, n > candidates:
		d.record(open.open, Undecided, several(candidates, open.found))
	default:
		return open
	}
	c.claim(open.open, Claim{state, open.found, true})
	open.open, open.found = nil, nil
	return open
}

// several returns why it is unknown which creations were carried out.
func several(open int, found []int64) string {
	ids := strings.Trim(fmt.Sprint(found), "[]")
	return fmt.Sprintf("creations without an answer: %d; listed since then: id %s", open, ids)
}

// record records the outcome of changes without an answer by a list, and why it is unknown.
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

// OpenNames returns the names of keys that may have been created, as far as is known.
func (c *Changes) OpenNames() (names []string) {
	for key, made := range c.creations {
		if len(made.open) > 0 {
			names = append(names, key.name)
		}
	}
	slices.Sort(names)
	return names
}

// Until returns the time from which on a list decides its changes without an answer, or zero if there are none.
func (c *Changes) Until(id models.ListID) (until time.Time) {
	for ref, r := range c.Revocations {
		if ref.List == id && r.State == Unknown {
			until = later(until, r.lost.Add(Deadline))
		}
	}
	for where, open := range c.creations {
		if where.list == id && len(open.open) > 0 {
			until = later(until, open.lost.Add(Deadline))
		}
	}
	return until
}

const (
	readAgain     = 10 * time.Second // between two reads that may decide a change
	firstReading  = 2 * time.Second
	afterDeadline = time.Second
)

// Due returns when a list is to be read again at now, as it may decide a change; zero if none is open.
func (c *Changes) Due(id models.ListID, now time.Time) time.Time {
	until := c.Until(id)
	switch left := until.Sub(now); {
	case until.IsZero():
		return time.Time{}
	case left <= 0:
		return now.Add(readAgain) // the last list could not be read, or decided nothing
	case left > Deadline-firstReading:
		return now.Add(firstReading)
	case left <= readAgain:
		return until.Add(afterDeadline)
	}
	return now.Add(readAgain)
}
