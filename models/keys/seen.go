package keys

import (
	"cmp"
	"hash/fnv"
	"strconv"
	"time"

	"pgtower/models"
)

// ListPlace is a list of keys of a service, as the file of uses names it.
type ListPlace struct {
	Host    string `json:"host"`
	Account string `json:"account,omitempty"` // the id of the user whose list it is, where the service tells; empty for organizations
	OrgID   string `json:"org_id,omitempty"`  // empty: the account's own list
}

// PlaceOf returns the place of a list of an account of a service.
func PlaceOf(host, account string, list models.ListID) ListPlace {
	if list.Org != "" {
		account = ""
	}
	return ListPlace{Host: host, Account: account, OrgID: list.Org}
}

// ID returns the list.
func (p ListPlace) ID() models.ListID { return models.ListID{Org: p.OrgID} }

func (p ListPlace) compare(o ListPlace) int {
	return cmp.Or(cmp.Compare(p.Host, o.Host), cmp.Compare(p.Account, o.Account), cmp.Compare(p.OrgID, o.OrgID))
}

// Seen is a line of the file of uses: what a list showed of a key when that changed, an event that was told, or that
// nothing changed. It never has a secret. Its times are by the service's clock.
//
// A last use is cumulative: a list that was read at some time and shows a last use proves that the key was not used between
// them, whether pgtower watched or not. So each line proves something by itself, whatever was lost before it.
type Seen struct {
	Version int       `json:"v,omitempty"`    // of the line; 0 stands for the first one
	Use     time.Time `json:"use,omitzero"`   // the last use of the key; zero: it was never used
	From    string    `json:"from,omitempty"` // the address of that use
	Was     time.Time `json:"was,omitzero"`   // the last use that the list showed before
	Until   time.Time `json:"until,omitzero"` // the last time at which a list showed that; zero: unknown
	Read    time.Time `json:"read,omitzero"`  // the earliest time at which the list was read; zero: unknown
	ID      int64     `json:"id,omitempty"`   // of the key; 0: the line is about the list
	Name    string    `json:"name,omitempty"` // never one that looks like a secret
	Created time.Time `json:"created_at,omitzero"`
	Unknown bool      `json:"unknown,omitempty"` // the service did not tell when the key was last used
	Gone    bool      `json:"gone,omitempty"`    // the list no longer has the key
	Told    string    `json:"told,omitempty"`    // the name of an [EventKind] that was told
	// Sum is the sum of the last uses of all keys of the list: nothing changed between the lines before it and Read.
	Sum string `json:"sum,omitempty"`

	ListPlace
}

// SeenVersion is the newest version of a line that this program knows.
const SeenVersion = 1

// seenKey identifies a key in its list, also if its id was used before.
type seenKey struct {
	id      int64
	created int64 // in Unix seconds
}

func seenKeyOf(id int64, created time.Time) seenKey { return seenKey{id, created.Unix()} }

func (s *Seen) key() seenKey { return seenKeyOf(s.ID, s.Created) }

// entrySum is the part of a key in the sum of its list.
func entrySum(id int64, use time.Time, unknown bool) uint64 {
	sum := fnv.New64a()
	text := strconv.AppendInt(nil, id, 10)
	switch {
	case unknown:
		text = append(text, '?')
	case !use.IsZero():
		text = use.UTC().AppendFormat(append(text, ' '), time.RFC3339Nano)
	}
	_, _ = sum.Write(text) // never fails
	return sum.Sum64()
}
