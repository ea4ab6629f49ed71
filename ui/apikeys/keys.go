package apikeys

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"pgtower/models"
	"pgtower/ui/table"
)

const (
	idleAfter = 90 * 24 * time.Hour // how long a key is unused before it is idle
	// forgottenAfter is how long a key is unused before it is stale: longer than the interval of what runs once a year.
	forgottenAfter = 366 * 24 * time.Hour
	inUse          = 7 * 24 * time.Hour // how long a key counts as possibly in use after its last use
)

// listing is the list of keys of one response.
type listing struct {
	table.Index[models.APIKey]

	never, idle, stale int // numbers of keys; a stale one does not count as idle
	number             int // [keys.reads] when it was asked for
}

// newListing counts and indexes the keys, off the UI's goroutine.
func newListing(all []models.APIKey, now time.Time, number int) listing {
	id := func(k *models.APIKey) string { return rowOf(k.ID).ID }
	l := listing{Index: table.NewIndex(all, id), number: number}
	for i := range all {
		switch k := &all[i]; {
		case k.NeverUsed():
			l.never++
		case stale(k, now):
			l.stale++
		case idle(k, now):
			l.idle++
		}
	}
	return l
}

// rowOf returns the identity of the row of an API key. An id of 0, which means that there is none, identifies no row.
func rowOf(id int64) table.Key {
	if id == 0 {
		return table.Key{}
	}
	return table.Key{ID: strconv.FormatInt(id, 10)}
}

func (l *listing) named(name string) *models.APIKey {
	if i := slices.IndexFunc(l.All, func(k models.APIKey) bool { return k.Name == name }); i >= 0 {
		return &l.All[i]
	}
	return nil
}

func (l *listing) nameProblem(name string) string {
	switch n := utf8.RuneCountInString(name); {
	case name == "":
		return "The name must not be empty."
	case n > models.MaxAPIKeyName:
		return fmt.Sprintf("The name must not be longer than %d characters; it has %d.", models.MaxAPIKeyName, n)
	case strings.ContainsFunc(name, func(r rune) bool { return r == unicode.ReplacementChar || !unicode.IsPrint(r) }):
		return "The name contains invisible characters."
	case l.named(name) != nil:
		return "A key with this name already exists."
	}
	return ""
}

func (l *listing) freeName(name string) string {
	free := name
	for n := 2; l.nameProblem(free) != ""; n++ {
		free = fmt.Sprintf("%s-%d", name, n)
	}
	return free
}

// keys are the keys in the order of the service, with the revocations and creations of this session.
type keys struct {
	listing

	revocations map[int64]revocation
	orphans     map[string]int64 // ids of keys whose secret is lost, by name; 0 while it is unknown whether the key exists
	own         models.APIKey    // the session's; its id is 0 if unknown
	maybeSaved  int64            // the id of a key that may have been saved, or 0
	reads       int              // the number of requests for the list
}

// revocation is the state of the revocation of a key.
type revocation struct {
	state revocationState
	name  string
	err   error
	reads int // [keys.reads] when the answer came
}

type revocationState int

const (
	notAsked revocationState = iota
	revoking
	revoked
	refused
	unknown     // there was no answer: the next list decides
	stillListed // although it was revoked
)

// set replaces the list. A revoked key stays marked as such in lists that were requested before. Of the revocations
// without an answer, it returns the names that are no longer listed, and the error of one that still is.
func (l *keys) set(listed listing) (gone []string, err error) {
	l.listing = listed
	if i, ok := l.Find(rowOf(l.own.ID)); ok {
		l.own = l.All[i]
	}
	for id, r := range l.revocations {
		_, there := l.Find(rowOf(id))
		switch {
		case r.state == unknown && !there:
			gone = append(gone, r.name)
			delete(l.revocations, id)
		case r.state == refused, r.state == stillListed, !there && r.state != revoking:
			delete(l.revocations, id)
		case r.state == unknown, r.state == revoked && listed.number > r.reads:
			r.state = stillListed
			l.revocations[id] = r
			err = r.err
		}
	}
	return gone, err
}

func (l *keys) settle(k models.APIKey, err error) revocation {
	r := revocation{state: refused, name: k.Name, err: err, reads: l.reads}
	switch {
	case err == nil, models.KindOf(err) == models.KindNotFound:
		r.state = revoked
	case models.MaybeDone(err):
		r.state = unknown
	}
	l.revocations[k.ID] = r
	if l.Shared(&k) && r.state != refused {
		delete(l.revocations, k.ID) // only the next list shows which of the keys it was
	}
	return r
}

const noID = "the id is unreadable" // why a key without an id cannot be revoked or copied

func (l *keys) notRevocable(k *models.APIKey) string {
	switch {
	case l.revocations[k.ID].state == revoking:
		return "already being revoked"
	case l.revocations[k.ID].state == revoked:
		return "already revoked"
	case k.ID == 0:
		return noID
	}
	return ""
}

func (l *keys) isOwn(k *models.APIKey) bool { return l.own.ID != 0 && k.ID == l.own.ID }

// findOrphan finds a key whose creation had no answer, and returns its id, or 0 if there is no new one.
func (l *keys) findOrphan() (found int64) {
	for name, id := range l.orphans {
		if k := l.named(name); k != nil && id == 0 {
			found = k.ID
			l.orphans[name] = found
		}
	}
	return found
}

func (l *keys) isOrphan(k *models.APIKey) bool   { return k.ID != 0 && l.orphans[k.Name] == k.ID }
func idle(k *models.APIKey, now time.Time) bool  { return k.Idle(now).Value >= idleAfter }
func stale(k *models.APIKey, now time.Time) bool { return k.Idle(now).Value >= forgottenAfter }

// maybeInUse reports whether a key was used recently, or its last use is unknown.
func maybeInUse(k *models.APIKey, now time.Time) bool {
	idle := k.Idle(now)
	return !k.LastUsedAt.Known || idle.Known && idle.Value < inUse
}

// byUse compares keys by their last use. An unknown last use is the latest.
func byUse(a, b *models.APIKey, _ time.Time) int {
	x, y := a.LastUsedAt, b.LastUsedAt
	switch {
	case x.Known == y.Known:
		return x.Value.Compare(y.Value)
	case x.Known:
		return -1
	}
	return +1
}
