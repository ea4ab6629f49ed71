package apikeys

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"pgtower/models"
	"pgtower/models/keys"
)

const inUse = 7 * 24 * time.Hour // how long a key counts as possibly in use after its last use

// shownKeys are the keys of all lists, with the changes of this session.
type shownKeys struct {
	lists
	keys.Changes

	own        models.APIKey // the session's; its id is 0 if it or its list is unknown
	maybeSaved models.KeyRef // a key that may have been saved as the profile's; its id is 0 if none may
}

// nameProblem returns what is wrong with a name for a new key of a list, or "".
func (l *shownKeys) nameProblem(id models.ListID, name string) string {
	problem, list := keys.NameProblem(name), l.get(id)
	if problem == "" && list != nil && keys.Named(list.All, name) != nil {
		return "A key with this name already exists."
	}
	return problem
}

// takeList replaces a list by the answer to its request, and returns what that decides of open changes.
func (l *shownKeys) takeList(list *keyList, got listing, now time.Time) keys.Decided {
	list.listing, list.good = got, now
	k := l.key(l.own.Ref())
	if k != nil {
		l.own = *k
	}
	return l.Decide(got.answer)
}

// successorName returns a free name for the successor of a key. It contains the name of the old one.
func (l *shownKeys) successorName(old *models.APIKey, now time.Time) string {
	list := l.get(old.List)
	return keys.SuccessorName(cmp.Or(old.Name, "pgtower"), now, func(name string) bool {
		return list == nil || keys.Named(list.All, name) == nil
	})
}

const noID = "the id is unreadable" // why a key without an id cannot be revoked or copied

func (l *shownKeys) notRevocable(k *models.APIKey) string {
	switch {
	case l.Revocations[k.Ref()].State == keys.Revoking:
		return "already being revoked"
	case l.Revocations[k.Ref()].State == keys.Revoked:
		return "already revoked"
	case k.ID == 0:
		return noID
	}
	return ""
}

func (l *shownKeys) isOwn(k *models.APIKey) bool { return l.own.ID != 0 && k.Ref() == l.own.Ref() }

// openNames returns the keys that may have been revoked, by name and id.
func (l *shownKeys) openNames() (names []string) {
	for _, ref := range l.Open() {
		names = append(names, l.Revocations[ref].Name+" (id "+strconv.FormatInt(ref.ID, 10)+")")
	}
	slices.Sort(names)
	return names
}

// maybeInUse reports whether a key was used recently, or its last use is unknown.
func maybeInUse(k *models.APIKey, now time.Time) bool {
	idle := k.Idle(now)
	return !k.LastUsedAt.Known || idle.Known && idle.Value < inUse
}

// asOfNow returns the record of a key as its list has it now, and whether it is listed.
func (l *shownKeys) asOfNow(k *models.APIKey) (current *models.APIKey, listed bool) {
	if current := l.key(k.Ref()); current != nil && k.ID != 0 {
		return current, true
	}
	return k, false
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
