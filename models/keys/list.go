package keys

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"pgtower/models"
)

// NameProblem returns what is wrong with a name for a new key, as a sentence, or "".
func NameProblem(name string) string {
	switch n := utf8.RuneCountInString(name); {
	case name == "":
		return "The name must not be empty."
	case n > models.MaxAPIKeyName:
		return fmt.Sprintf("The name must not be longer than %d characters; it has %d.", models.MaxAPIKeyName, n)
	case strings.ContainsFunc(name, isInvisible):
		return "The name contains invisible characters."
	case models.FindKey(name) >= 0:
		return "The name must not look like an API key."
	}
	return ""
}

func isInvisible(r rune) bool { return r == unicode.ReplacementChar || !unicode.IsPrint(r) }

// Wanted returns what is known of a key that is to be created.
func Wanted(name string, reach models.Reach) models.APIKey {
	return models.APIKey{List: reach.List(), Name: name, ProjectID: reach.Project}
}

// Listed is a list of keys as it was answered.
type Listed struct {
	Of    models.ListID
	Keys  []models.APIKey
	Asked time.Time     // when it was requested, by this computer's clock, which never goes back; zero: it was not read
	AsOf  models.Moment // when it was read
	// What is known beside it, see [Performer.Take].
	Memory Memory         // as of the list
	Open   []Record       // the changes that other processes left open, and the list does not decide
	Left   Decided        // what it decides of such changes
	Others map[string]int // the numbers of creations that other processes left open, by names
	// Begun are the names of keys that pgtower may just be creating, by the journal.
	Begun map[string]bool
}

// NewListed returns the answer to a request for a list.
func NewListed(id models.ListID, listed []models.APIKey, asked time.Time) Listed {
	l := Listed{Of: id, Keys: listed, Asked: asked}
	if len(listed) > 0 {
		l.AsOf = listed[0].AsOf
	}
	return l
}

// Named returns the first key of a name, or nil.
func Named(keys []models.APIKey, name string) *models.APIKey {
	index := slices.IndexFunc(keys, func(k models.APIKey) bool { return k.Name == name })
	if index < 0 {
		return nil
	}
	return &keys[index]
}

// indexOf returns the index of the first key with a reference, or -1.
func indexOf(keys []models.APIKey, ref models.KeyRef) int {
	return slices.IndexFunc(keys, func(k models.APIKey) bool { return k.Ref() == ref })
}

// hasID reports whether one of the keys has an id.
func hasID(keys []models.APIKey, id int64) bool {
	return slices.ContainsFunc(keys, func(k models.APIKey) bool { return k.ID == id })
}

// Lacks reports whether no key has a name.
func (l *Listed) Lacks(name string) bool { return Named(l.Keys, name) == nil }

// Uses are the last uses of keys that any list has shown: a later list may come from a copy of the service's data that is
// behind, or lack a key. They do not change.
type Uses map[models.KeyRef]use

type use struct {
	created time.Time
	at      models.Opt[time.Time]
	addr    string
}

// Raise sets the last uses of the keys of a list to those that are known, if they are later. It returns the uses that are
// known then.
func (u Uses) Raise(listed []models.APIKey) Uses {
	uses := make(Uses, max(len(u), len(listed)))
	maps.Copy(uses, u)
	for i := range listed {
		k := &listed[i]
		latest, ok := u[k.Ref()]
		if ok && k.LastUsedAt.Known && latest.created.Equal(k.CreatedAt) && latest.at.Value.After(k.LastUsedAt.Value) {
			k.LastUsedAt, k.LastUsedFromAddr = latest.at, latest.addr
		}
		uses[k.Ref()] = use{k.CreatedAt, k.LastUsedAt, k.LastUsedFromAddr}
	}
	return uses
}
