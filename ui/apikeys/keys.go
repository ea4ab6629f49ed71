package apikeys

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"pgtower/models"
	"pgtower/ui/table"
)

const (
	idleAfter = 90 * 24 * time.Hour // a key that was not used for so long is idle
	// forgottenAfter is when an idle key is stale. Only its last use is known, and not how regular that was: what uses
	// it on a schedule, even once a year, has used it before.
	forgottenAfter = 366 * 24 * time.Hour
	inUse          = 7 * 24 * time.Hour // a key that was used within it may still be in use
)

// listing is a list of keys as it was read.
type listing struct {
	table.Index[models.APIKey, int64]

	never, idle, stale int // how many keys were never used, are idle but not stale, or stale
	number             int // [keys.reads] when it was asked for
}

// newListing looks through the keys once, off the UI's goroutine.
func newListing(all []models.APIKey, now time.Time, number int) listing {
	id := func(k *models.APIKey) int64 { return k.ID }
	odd := func(i int) int64 { return math.MinInt64 + int64(i) }
	l := listing{Index: table.NewIndex(all, id, odd), number: number}
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

// keys are the keys in the order of the service, with what pgtower knows of them besides.
type keys struct {
	listing

	revocations map[int64]revocation
	orphans     map[string]int64 // ids of keys whose secret is lost, by name: 0 while it is unknown if there is one
	own         models.APIKey    // the session's; its id is 0 if unknown
	maybeSaved  int64            // the id of a key that the keyring may have, or 0
	reads       int              // how often the list was asked for
}

// revocation is how far the revocation of a key is.
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
	unknown     // there was no answer: the list will tell
	stillListed // it should be gone
)

// set replaces the list. A revoked key stays marked in lists that were asked for before. Of the revocations without an
// answer, it returns the names that are not listed, and the error where one still is.
func (l *keys) set(listed listing) (gone []string, err error) {
	l.listing = listed
	if i, ok := l.Find(l.own.ID); ok {
		l.own = l.All[i]
	}
	for id, r := range l.revocations {
		_, there := l.Find(id)
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
	switch kind := models.KindOf(err); {
	case err == nil, kind == models.KindNotFound:
		r.state = revoked
	case maybeDone(kind):
		r.state = unknown
	}
	l.revocations[k.ID] = r
	if l.Shared[k.ID] && r.state != refused {
		delete(l.revocations, k.ID) // which of the keys it was, only the list tells
	}
	return r
}

// maybeDone reports whether a change may have been made although it failed.
func maybeDone(kind models.Kind) bool {
	return slices.Contains([]models.Kind{
		models.KindTimeout, models.KindUnreachable, models.KindCutOff, models.KindStalled, models.KindCanceled,
		models.KindMalformed, models.KindTooLarge, models.KindServer,
	}, kind)
}

const noID = "the id is unreadable" // why nothing can be done with a key that has none

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

// findOrphan looks for a key whose creation had no answer. It returns the id of a new find, or 0.
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

// maybeInUse reports whether a key was used lately, or its last use is unknown.
func maybeInUse(k *models.APIKey, now time.Time) bool {
	idle := k.Idle(now)
	return !k.LastUsedAt.Known || idle.Known && idle.Value < inUse
}

// byUse orders keys by their last use. One whose last use is unknown may be in use now.
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
