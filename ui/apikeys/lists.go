package apikeys

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"pgtower/models"
	"pgtower/models/keys"
	"pgtower/ui/table"
)

// listing is the keys of one answer.
type listing struct {
	table.Index[models.APIKey]

	states  [models.KeyInOrder + 1]int // numbers of keys
	changes int                        // [rotations.changes] when it was requested
	uses    keys.Uses                  // the latest of all answers
	usages  keys.Usages                // the uses of the keys that were seen
	events  []keys.Event               // to be shown
	unkept  error                      // why the file does not have the uses, or nil
	began   time.Time                  // when it was requested, by the session's clock
	answer  keys.Listed
	found   *keys.Together
}

// newListing indexes the keys of an answer and counts their states. now is by the service's clock.
func newListing(answer keys.Listed, now time.Time) listing {
	l := listing{Index: table.NewIndex(answer.Keys, digits), answer: answer}
	l.read(&answer.Memory, now)
	return l
}

// digits returns the id of a key as text, or "" if it has none.
func digits(k *models.APIKey) string {
	if k.ID == 0 {
		return ""
	}
	return strconv.FormatInt(k.ID, 10)
}

// read evaluates the keys together with the memory of rotations.
func (l *listing) read(memory *keys.Memory, now time.Time) {
	l.found = keys.ReadTogether(l.answer.Of, l.All, memory, 0)
	l.found.Usages = l.usages
	clear(l.states[:])
	for i := range l.All {
		l.states[l.found.State(&l.All[i], now)]++
	}
}

// keyList is one list of keys: its last good answer, and the error of reading it since.
type keyList struct {
	listing

	id     models.ListID
	good   time.Time // when the answer came, or zero
	err    error
	wanted bool // it is to be read as soon as possible
}

// Has reports whether a key is listed.
func (l *keyList) Has(id int64) bool {
	_, ok := l.Find(indexOf(models.KeyRef{ID: id}))
	return ok
}

// lists are the lists of keys that the session's key may reach, in the order of the account. They are the rows of the table.
// Other goroutines read a copy, see [lists.Freeze].
type lists struct {
	all []*keyList
}

const staleAfter = time.Minute // older lists are read again when the page is shown

// set adds the lists that are new, and drops those that are gone. It returns the new ones.
func (l *lists) set(ids []models.ListID) (added []models.ListID) {
	previous := lists{l.all}
	l.all = nil
	for _, id := range ids {
		list := previous.get(id)
		if list == nil {
			list = &keyList{id: id}
			added = append(added, id)
		}
		l.all = append(l.all, list)
	}
	return added
}

// get returns a list, or nil.
func (l *lists) get(id models.ListID) *keyList {
	for _, list := range l.all {
		if list.id == id {
			return list
		}
	}
	return nil
}

// read reports whether a list was ever read.
func (l *lists) read(id models.ListID) bool {
	list := l.get(id)
	return list != nil && !list.good.IsZero()
}

// key returns the record of a key, or nil.
func (l *lists) key(ref models.KeyRef) *models.APIKey {
	if i, ok := l.Find(rowOf(ref)); ok {
		return l.Row(i)
	}
	return nil
}

// Shared reports whether several keys of a list have the id of a key.
func (l *lists) Shared(k *models.APIKey) bool {
	list := l.get(k.List)
	return list != nil && list.Shared(k)
}

// oldest returns the list that was read first, if another one was read at least [staleAfter] later; or nil.
func (l *lists) oldest() *keyList {
	byAge := func(a, b *keyList) int { return a.good.Compare(b.good) }
	if len(l.all) == 0 {
		return nil
	}
	first := slices.MinFunc(l.all, byAge)
	if first.good.IsZero() || slices.MaxFunc(l.all, byAge).good.Sub(first.good) < staleAfter {
		return nil
	}
	return first
}

// prefix is the beginning of the IDs of the rows of a list.
func prefix(id models.ListID) string {
	if id.Org == "" {
		return ""
	}
	return id.Org + "/"
}

// rowOf returns the identity of the row of a key. An id of 0 stands for an unknown id, and identifies no row.
func rowOf(ref models.KeyRef) table.Key {
	if ref.ID == 0 {
		return table.Key{}
	}
	return table.Key{ID: prefix(ref.List) + strconv.FormatInt(ref.ID, 10)}
}

// indexOf returns the identity of a key in its list.
func indexOf(ref models.KeyRef) table.Key { return rowOf(models.KeyRef{ID: ref.ID}) }

// Len returns the number of keys.
func (l *lists) Len() (n int) {
	for _, list := range l.all {
		n += list.Len()
	}
	return n
}

// Row returns a key.
func (l *lists) Row(i int) *models.APIKey {
	for _, list := range l.all {
		if i < list.Len() {
			return list.Row(i)
		}
		i -= list.Len()
	}
	panic("there is no such row")
}

// Key returns the identity of the row of a key.
func (l *lists) Key(k *models.APIKey) table.Key {
	list := l.get(k.List)
	if list == nil {
		return rowOf(k.Ref())
	}
	return table.Key{ID: prefix(k.List) + list.Index.Key(k).ID}
}

// Find returns the index of a row.
func (l *lists) Find(key table.Key) (i int, ok bool) {
	slash := strings.LastIndexByte(key.ID, '/')
	org, id := key.ID[:max(0, slash)], key.ID[slash+1:]
	for _, list := range l.all {
		if list.id.Org != org {
			i += list.Len()
			continue
		}
		n, ok := list.Find(table.Key{ID: id})
		return i + n, ok
	}
	return 0, false
}

// Has reports whether there is a row of the key.
func (l *lists) Has(key table.Key) bool {
	_, ok := l.Find(key)
	return ok
}

// Freeze returns the rows as they are now.
func (l *lists) Freeze() (rows table.Rows[*models.APIKey], divider int) {
	frozen := &lists{}
	for _, list := range l.all {
		copied := *list
		frozen.all = append(frozen.all, &copied)
	}
	return frozen, -1
}

// listed returns the keys of a list as last read.
func (l *lists) listed(id models.ListID) []models.APIKey {
	list := l.get(id)
	if list == nil {
		return nil
	}
	return list.All
}
