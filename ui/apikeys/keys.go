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

// idleAfter is how long a key must not have been used to be called idle.
const idleAfter = 90 * 24 * time.Hour

// inUse is how recently a key must have been used for its loss to be likely to hurt.
const inUse = 7 * 24 * time.Hour

// listing is a list of keys as it was read.
type listing struct {
	table.Index[models.APIKey, int64]

	never, idle int // how many keys were never used, or not for long
	number      int // of the reading
}

// newListing looks through the keys once. It is work for a command.
func newListing(all []models.APIKey, now time.Time, number int) listing {
	id := func(k *models.APIKey) int64 { return k.ID }
	odd := func(i int) int64 { return math.MinInt64 + int64(i) }
	l := listing{Index: table.NewIndex(all, id, odd), number: number}
	for i := range all {
		switch k := &all[i]; {
		case k.NeverUsed():
			l.never++
		case idle(k, now):
			l.idle++
		}
	}
	return l
}

// named returns the key of a name, or nil.
func (l *listing) named(name string) *models.APIKey {
	if i := slices.IndexFunc(l.All, func(k models.APIKey) bool { return k.Name == name }); i >= 0 {
		return &l.All[i]
	}
	return nil
}

// nameProblem returns why no new key can have the name, or nothing.
func (l *listing) nameProblem(name string) string {
	switch n := utf8.RuneCountInString(name); {
	case name == "":
		return "A key needs a name."
	case n > models.MaxAPIKeyName:
		return fmt.Sprintf("At most %d characters: this has %d.", models.MaxAPIKeyName, n)
	case strings.ContainsFunc(name, func(r rune) bool { return r == unicode.ReplacementChar || !unicode.IsPrint(r) }):
		return "The name contains invisible characters."
	case l.named(name) != nil:
		return "A key with this name already exists."
	}
	return ""
}

// freeName returns the name, or one made of it that no key has yet.
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
	// orphans are the ids of the keys whose secret nobody has, by their names: 0 while it is not
	// known whether there is one, because its creation had no answer.
	orphans map[string]int64
	// own is the key that the session's requests are made with, without an id where that is not known.
	own target
	// maybeSaved is the id of a key of which it is not known whether the keyring has it, or 0.
	maybeSaved int64
	// reads counts how often the list was asked for.
	reads int
}

// target is a key that is to be revoked, as it was when that was asked for.
type target struct {
	id   int64
	name string
}

// revocation is how far the revocation of a key is.
type revocation struct {
	state revocationState
	name  string
	err   error
	reads int // how often the list had been asked for then
}

type revocationState int

const (
	notAsked revocationState = iota
	revoking
	revoked
	refused
	// unknown is a revocation that had no answer: the list will tell.
	unknown
	// stillListed is the revocation of a key that should be gone.
	stillListed
)

func newKeys() *keys {
	return &keys{revocations: map[int64]revocation{}, orphans: map[string]int64{}}
}

// set replaces the list. What is being revoked stays marked until the answer comes, and
// what was revoked as long as it is in a list that was asked for before. Of the keys whose
// revocation had no answer, it returns the names that are not listed, and the error where one
// still is.
func (l *keys) set(listed listing) (gone []string, err error) {
	l.listing = listed
	if i, ok := l.Find(l.own.id); ok {
		l.own.name = l.All[i].Name
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

// settle takes in the answer to a revocation.
func (l *keys) settle(t target, err error) revocation {
	r := revocation{state: refused, name: t.name, err: err, reads: l.reads}
	switch kind := models.KindOf(err); {
	case err == nil, kind == models.KindNotFound:
		r.state = revoked
	case maybeDone(kind):
		r.state = unknown
	}
	l.revocations[t.id] = r
	if l.Shared[t.id] && r.state != refused {
		delete(l.revocations, t.id) // which of the keys it was, only the list tells
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

// noID is why nothing can be done with a key that has none.
const noID = "its id could not be read"

// notRevocable returns why a key cannot be revoked now, or nothing.
func (l *keys) notRevocable(k *models.APIKey) string {
	switch {
	case l.revocations[k.ID].state == revoking:
		return "it is being revoked"
	case l.revocations[k.ID].state == revoked:
		return "it is revoked"
	case k.ID == 0:
		return noID
	}
	return ""
}

// isOwn reports whether the session's requests are made with the key.
func (l *keys) isOwn(k *models.APIKey) bool { return l.own.id != 0 && k.ID == l.own.id }

// findOrphans looks for keys whose creation had no answer, by name. It returns the id of a new find, or 0.
func (l *keys) findOrphans() (found int64) {
	for name, id := range l.orphans {
		if k := l.named(name); k != nil && id == 0 {
			found = k.ID
			l.orphans[name] = found
		}
	}
	return found
}

// isOrphan reports whether nobody has the key's secret.
func (l *keys) isOrphan(k *models.APIKey) bool { return k.ID != 0 && l.orphans[k.Name] == k.ID }

// idle reports whether a key has not been used for long.
func idle(k *models.APIKey, now time.Time) bool { return k.Idle(now).Value > idleAfter }

// maybeInUse reports whether something may be using a key: it was used lately, or nobody knows when it was.
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
