package keys

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"pgtower/models"
)

// NameProblem returns what is wrong with a name for a new key, as a sentence, or "".
func NameProblem(name string) string {
	invisible := func(r rune) bool { return r == unicode.ReplacementChar || !unicode.IsPrint(r) }
	switch n := utf8.RuneCountInString(name); {
	case name == "":
		return "The name must not be empty."
	case n > models.MaxAPIKeyName:
		return fmt.Sprintf("The name must not be longer than %d characters; it has %d.", models.MaxAPIKeyName, n)
	case strings.ContainsFunc(name, invisible):
		return "The name contains invisible characters."
	case models.FindKey(name) >= 0:
		return "The name must not look like an API key."
	}
	return ""
}

// Listed is a list of keys as it was answered.
type Listed struct {
	Of    models.ListID
	Keys  []models.APIKey
	Asked time.Time     // when it was requested, by this computer's clock that only goes on; zero: it was not read
	AsOf  models.Moment // when it was read
	// What is known beside it, see [Performer.Take].
	Memory Memory         // as of the list
	Open   []Record       // the changes that other processes left open, and of which the list does not tell
	Left   Decided        // what it tells of such changes
	Others map[string]int // the numbers of creations that other processes left open, by names
}

// NewListed returns the answer to a request for a list.
func NewListed(of models.ListID, listed []models.APIKey, asked time.Time) Listed {
	l := Listed{Of: of, Keys: listed, Asked: asked}
	if len(listed) > 0 {
		l.AsOf = listed[0].AsOf
	}
	return l
}

// Named returns the first key of a name, or nil.
func Named(keys []models.APIKey, name string) *models.APIKey {
	at := slices.IndexFunc(keys, func(k models.APIKey) bool { return k.Name == name })
	if at < 0 {
		return nil
	}
	return &keys[at]
}

// Lacks reports whether no key has a name.
func (l *Listed) Lacks(name string) bool { return Named(l.Keys, name) == nil }

// Uses are the last uses of keys that any list has shown: a later list may come from a copy of the service's data that is
// behind.
type Uses map[models.KeyRef]models.APIKey

// Raise takes in the keys of a list, and gives them the last uses that are known.
func (u Uses) Raise(listed []models.APIKey) {
	for i := range listed {
		k := &listed[i]
		shown, ok := u[k.Ref()]
		if ok && k.LastUsedAt.Known && shown.CreatedAt.Equal(k.CreatedAt) && shown.LastUsedAt.Value.After(k.LastUsedAt.Value) {
			k.LastUsedAt, k.LastUsedFromAddr = shown.LastUsedAt, shown.LastUsedFromAddr
		}
		u[k.Ref()] = *k
	}
}
