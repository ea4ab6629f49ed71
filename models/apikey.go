package models

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"pgtower/models/record"
)

// MaxAPIKeyName is the maximum length of a key's name, in characters.
const MaxAPIKeyName = 64

// RecommendedMaxAPIKeys is the recommended maximum number of keys of an account (section 8).
const RecommendedMaxAPIKeys = 10_000

// KeyRef identifies an API key. Ids are unique only within a list.
type KeyRef struct {
	List ListID
	ID   int64 // 0 if it could not be read
}

// Reach is what an API key can be used for: a project, an organization or, if both are empty, everything.
type Reach struct {
	Org     string // the id of the organization whose list has the key, or empty
	Project string // the id of the only project, or empty
}

// List returns the list that keeps keys of this reach.
func (r Reach) List() ListID { return ListID{Org: r.Org} }

// APIKey is an API key (section 2.1), without its secret.
type APIKey struct {
	List      ListID // the list that keeps it: its request tells, not the record
	AsOf      Moment // when its list was read
	ID        int64
	Name      string
	ProjectID string // of the live service: the id of the only project that the key reaches, or empty
	CreatedBy string // of the live service: the name of its creator or else the id, or empty
	// CreatedByID is the id of the user who created it, or empty.
	CreatedByID string
	CreatedAt   time.Time
	// LastUsedAt is a known zero before the first request, and unknown if it could not be read.
	LastUsedAt       Opt[time.Time]
	LastUsedFromAddr string // the network address of the last caller
	Revoked          bool   // true in the response to a revocation (section 4.3)
	Damage           string // which parts of the record could not be read, or empty
}

// UnmarshalJSON decodes a record of the list or of a revoke response (sections 4.2, 4.3). It keeps List and AsOf.
func (k *APIKey) UnmarshalJSON(b []byte) error {
	r := readObject(b, make([]field, 0, usualFields))
	*k = APIKey{
		List:             k.List,
		AsOf:             k.AsOf,
		ID:               r.keyID(),
		Name:             r.text("name"),
		ProjectID:        r.sharedID("project_id"),
		CreatedBy:        r.creator("created_by"),
		CreatedByID:      r.creatorID("created_by"),
		CreatedAt:        r.time("created_at"),
		LastUsedAt:       r.timeOrNone("last_used_at"),
		LastUsedFromAddr: r.text("last_used_from_addr"),
		Revoked:          r.flag("revoked").Value,
	}
	if k.NeverUsed() && k.LastUsedFromAddr != "" {
		k.LastUsedAt.Known = false // it was used from there
	}
	r.required("id")
	k.Damage = r.damaged()
	return nil
}

// APIKeyFields returns the fields of API keys. names returns the current names of organizations and projects; any
// goroutine may call it.
func APIKeyFields(names func() Names) []record.Field[*APIKey] {
	return append(slices.Clip(apiKeyFields),
		record.Field[*APIKey]{
			Name: "reach", Derived: true, Unseen: true,
			Get:   record.Words(func(k *APIKey) string { return names().Reach(k.Reach()) }),
			Title: "REACHES", Width: 16, Least: 10, Grow: 1, Priority: 1, Plain: true, Filter: "reach", Searched: 1,
		},
		record.Field[*APIKey]{
			Name: "organization", Derived: true, Unseen: true, Filter: "org",
			Get: record.Words(func(k *APIKey) string { return named(names().Org(k.List.Org), k.List.Org) }),
		},
		record.Field[*APIKey]{
			Name: "project", Derived: true, Unseen: true, Filter: "project",
			Get: record.Words(func(k *APIKey) string { return named(names().Reach(k.Reach()), k.ProjectID) }),
		},
	)
}

// named returns a name with its id, or "" without an id.
func named(name, id string) string {
	if id == "" {
		return ""
	}
	return name + " " + id
}

var apiKeyFields = []record.Field[*APIKey]{
	{
		Name: "id", Get: record.Counts(record.Serial, func(k *APIKey) (int64, bool) { return k.ID, k.ID != 0 }),
		Title: "ID", Width: 10, Grow: 1, Priority: 2, Filter: "id", Searched: 1,
	},
	{
		Name: "name", Get: record.Words(func(k *APIKey) string { return k.Name }),
		Title: "NAME", Width: 18, Least: 17, Grow: 2, Filter: "name", Searched: 1,
	},
	{
		Name: "created_at", Get: record.Moments(func(k *APIKey) time.Time { return k.CreatedAt }),
		Title: "CREATED", Width: 8, Priority: 3, Filter: "created",
	},
	{
		Name: "last_used_at", Get: record.Getter[*APIKey]{Kind: record.Moment, At: (*APIKey).lastUse},
		Title: "LAST USED", Width: 10, Least: 9, Lost: "unknown", Zero: "never", Filter: "used",
	},
	{
		Name: "last_used_from_addr", Get: record.Words(func(k *APIKey) string { return k.LastUsedFromAddr }),
		Title: "FROM", Width: 15, Priority: 4, Filter: "from", Searched: 1,
	},
	{Name: "list", Unseen: true, Get: record.Words((*APIKey).owner)},
	{Name: "org_id", Absent: true, Get: record.IDs(func(k *APIKey) string { return k.List.Org })},
	{Name: "project_id", Absent: true, Get: record.IDs(func(k *APIKey) string { return k.ProjectID })},
	{
		Name: "created_by", Absent: true, Get: record.Words(func(k *APIKey) string { return k.CreatedBy }),
		Title: "CREATED BY", Width: 12, Priority: 5, Filter: "by", Searched: 1,
	},
	{Name: "created_by_id", Absent: true, Get: record.IDs(func(k *APIKey) string { return k.CreatedByID })},
	{Name: "damage", Aside: true, Get: record.Words(func(k *APIKey) string { return k.Damage })},
}

func (k *APIKey) lastUse(time.Time) record.Value {
	return record.Value{Known: k.LastUsedAt.Known, Time: k.LastUsedAt.Value}
}

// owner returns whose list has the key.
func (k *APIKey) owner() string {
	if k.List.Org == "" {
		return "account"
	}
	return "organization"
}

// Fields returns the key's fields.
func (k *APIKey) Fields() Fields { return ValuesOf(apiKeyFields, k) }

// keyID reads the id of a key. An id below 1 is damage: no command accepts it, and a negative argument would be a flag.
func (r *jsonObject) keyID() int64 {
	id := r.integer("id")
	if id.Known && id.Value <= 0 {
		r.bad("id", "a number above 0")
	}
	return max(id.Value, 0)
}

// creator reads the creator of a record: an object with an id and a name, or an id.
func (r *jsonObject) creator(name string) string {
	v := r.get(name)
	if v == nil || v[0] != '{' {
		return strings.Trim(shown(v), `"`)
	}
	who := readObject(v, make([]field, 0, usualFields))
	return cmp.Or(who.text("name"), shown(who.id("id")))
}

// creatorID reads the id of the creator of a record, or "" if it is no id.
func (r *jsonObject) creatorID(name string) string {
	v := r.get(name)
	if v != nil && v[0] == '{' {
		who := readObject(v, make([]field, 0, usualFields))
		return shown(who.id("id"))
	}
	id, ok := unquote(v)
	if !ok || len(id) > maxID {
		return ""
	}
	return shown(id)
}

// Addresses returns the addresses of a use. The service lists several of a caller behind proxies, with commas between them.
func Addresses(from string) (list []string) {
	for address := range strings.SplitSeq(from, ",") {
		if address = strings.TrimSpace(address); address != "" {
			list = append(list, address)
		}
	}
	return list
}

// Ref identifies the key.
func (k *APIKey) Ref() KeyRef { return KeyRef{k.List, k.ID} }

// Reach returns what the key can be used for.
func (k *APIKey) Reach() Reach { return Reach{Org: k.List.Org, Project: k.ProjectID} }

// NeverUsed reports whether the key is known never to have been used.
func (k *APIKey) NeverUsed() bool { return k.LastUsedAt.Known && k.LastUsedAt.Value.IsZero() }

// New reports whether the key was created less than [KeyNewFor] before now: it may not be used yet.
func (k *APIKey) New(now time.Time) bool {
	return !k.CreatedAt.IsZero() && now.Sub(k.CreatedAt) < KeyNewFor
}

// Idle returns how long the key has been unused at now. It is unknown for a key that was never used.
func (k *APIKey) Idle(now time.Time) Opt[time.Duration] {
	if !k.LastUsedAt.Known || k.NeverUsed() {
		return Opt[time.Duration]{}
	}
	return Opt[time.Duration]{now.Sub(k.LastUsedAt.Value), true}
}

// KeyState is the condition of a key, the most urgent first.
type KeyState int

// The states of keys, by their records alone.
const (
	KeyDamaged     KeyState = iota
	KeyNamedSecret          // its name looks like a secret that was pasted into the wrong field
	KeyNeverUsed            // since it was created, [KeyNewFor] ago or earlier
	KeyStale                // unused for [KeyStaleAfter]
	KeyIdle                 // unused for [KeyIdleAfter]
	KeyUseUnknown           // its last use could not be read
	KeyInOrder
)

const (
	// KeyNewFor is how long after its creation a key that was never used is in order.
	KeyNewFor = 24 * time.Hour
	// KeyIdleAfter is how long a key is unused before it is idle.
	KeyIdleAfter = 90 * 24 * time.Hour
	// KeyStaleAfter is how long a key is unused before it is stale: longer than a year, because of yearly jobs.
	KeyStaleAfter = 366 * 24 * time.Hour
)

// State returns the most urgent of the key's states at now.
func (k *APIKey) State(now time.Time) KeyState {
	idle := k.Idle(now)
	switch {
	case k.Damage != "":
		return KeyDamaged
	case FindKey(k.Name) >= 0:
		return KeyNamedSecret
	case k.NeverUsed() && k.New(now):
		return KeyInOrder
	case k.NeverUsed():
		return KeyNeverUsed
	case !idle.Known:
		return KeyUseUnknown
	case idle.Value >= KeyStaleAfter:
		return KeyStale
	case idle.Value >= KeyIdleAfter:
		return KeyIdle
	}
	return KeyInOrder
}

// Note returns the key's state at now in a few words, or "".
func (k *APIKey) Note(now time.Time) string {
	days := int(k.Idle(now).Value.Hours() / 24)
	switch k.State(now) {
	case KeyDamaged:
		return "damaged"
	case KeyNamedSecret:
		return "name looks like a secret"
	case KeyNeverUsed:
		return "never used"
	case KeyStale:
		return fmt.Sprintf("stale %d days", days)
	case KeyIdle:
		return fmt.Sprintf("idle %d days", days)
	case KeyUseUnknown:
		return "last use unknown"
	case KeyInOrder:
	}
	return ""
}

// Names are the names of organizations and projects, by id. They never change.
type Names struct{ Orgs, Projects map[string]string }

// Org returns the name of an organization, or its id.
func (n Names) Org(id string) string { return cmp.Or(n.Orgs[id], id) }

// Reach returns what a key reaches in a word or two: the name of a project or an organization, or "everything".
func (n Names) Reach(r Reach) string {
	switch {
	case r.Project != "":
		return cmp.Or(n.Projects[r.Project], r.Project)
	case r.Org != "":
		return n.Org(r.Org)
	}
	return "everything"
}

// CreatedAPIKey is the response to a creation (section 4.1). Its Key passes [Secret.Check] or is zero.
type CreatedAPIKey struct {
	List      ListID // the list that keeps it
	ID        int64
	Key       Secret
	Name      string    // of the live service, or empty
	ProjectID string    // of the live service: the id of the only project that the key reaches, or empty
	CreatedAt time.Time // of the live service, or zero
	Damage    string    // which parts of the record could not be read, or empty
}

// UnmarshalJSON decodes a create response, and keeps the list. An unusable secret is damage: the id is still needed to
// revoke the key.
func (k *CreatedAPIKey) UnmarshalJSON(b []byte) error {
	r := readObject(b, make([]field, 0, usualFields))
	secret := string(r.unquoted("key"))
	*k = CreatedAPIKey{
		List: k.List, ID: r.keyID(), Key: NewSecret(secret),
		Name: r.text("name"), ProjectID: r.sharedID("project_id"), CreatedAt: r.time("created_at"),
	}
	r.required("id")
	r.required("key")
	if err := k.Key.Check(); err != nil {
		// Pasting a secret with a line break would run the rest as a command.
		k.Key = Secret{}
		if secret != "" {
			r.note(err.Error())
		}
	}
	k.Damage = r.damaged()
	return nil
}

// Ref identifies the key.
func (k *CreatedAPIKey) Ref() KeyRef { return KeyRef{k.List, k.ID} }

// Reach returns what the key can be used for, by the answer.
func (k *CreatedAPIKey) Reach() Reach { return Reach{Org: k.List.Org, Project: k.ProjectID} }
