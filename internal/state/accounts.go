package state

import (
	"slices"
	"time"

	"pgtower/models"
	"pgtower/models/account"
	"pgtower/models/keys"
)

// maxKnown is how long what is known of a key is used.
const maxKnown = 24 * time.Hour

// Account is what is known of an API key. It is used for a day at most.
type Account struct {
	Host     string    `json:"host"`  // of the service
	Print    string    `json:"print"` // the fingerprint of its secret, see [keys.Memory.Print]
	Read     time.Time `json:"read"`  // by this computer's clock
	Kind     string    `json:"kind"`
	Owner    string    `json:"owner,omitempty"` // the id of the user or the organization
	Orgs     []Named   `json:"organizations,omitempty"`
	Projects []Named   `json:"projects,omitempty"`
}

// Named is an organization, or a project with its organization.
type Named struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	OrgID  string `json:"org_id,omitempty"`
	Region string `json:"region_id,omitempty"`
}

// KnownOf returns what is known of a key of a service at a time; zero if nothing is.
func (s *State) KnownOf(host string, secret models.Secret, now time.Time) (snapshot account.Snapshot) {
	i := slices.IndexFunc(s.Accounts, s.isOf(host, secret))
	if i < 0 || !s.Accounts[i].freshAt(now) {
		return snapshot
	}
	saved := &s.Accounts[i]
	snapshot = account.Snapshot{Read: saved.Read, Kind: kindOf(saved.Kind), Owner: saved.Owner}
	for _, org := range saved.Orgs {
		snapshot.Organizations = append(snapshot.Organizations, models.Organization{ID: org.ID, Name: org.Name})
	}
	for _, p := range saved.Projects {
		snapshot.Projects = append(snapshot.Projects, models.Project{ID: p.ID, Name: p.Name, OrgID: p.OrgID, RegionID: p.Region})
	}
	return snapshot
}

// Reached are the organizations and projects that some keys reach.
type Reached struct{ Orgs, Projects []Named }

// ReachedOf returns the organizations and projects that are known of all keys of a service at a time, each once. They are only
// suggestions: the key in use may not reach them.
func (s *State) ReachedOf(host string, now time.Time) (names Reached) {
	for i := range s.Accounts {
		if entry := &s.Accounts[i]; entry.Host == host && entry.freshAt(now) {
			names.Orgs = appendNew(names.Orgs, entry.Orgs)
			names.Projects = appendNew(names.Projects, entry.Projects)
		}
	}
	return names
}

// OrgNames returns the names of the organizations that are known at a time, by id, of all services.
func (s *State) OrgNames(now time.Time) map[string]string {
	names := map[string]string{}
	for i := range s.Accounts {
		if entry := &s.Accounts[i]; entry.freshAt(now) {
			for _, org := range entry.Orgs {
				names[org.ID] = org.Name
			}
		}
	}
	return names
}

// appendNew adds the entries of others whose ids are not in the list yet.
func appendNew(list, others []Named) []Named {
	for _, second := range others {
		if !slices.ContainsFunc(list, func(entry Named) bool { return entry.ID == second.ID }) {
			list = append(list, second)
		}
	}
	return list
}

// Know replaces what is known of a key of a service; nil removes it. It drops all that is too old by now.
func (s *State) Know(host string, secret models.Secret, snapshot *account.Snapshot, now time.Time) {
	if s.Salt == "" && snapshot != nil {
		s.Salt = keys.NewSalt()
	}
	match := s.isOf(host, secret)
	s.Accounts = slices.DeleteFunc(s.Accounts, func(entry Account) bool { return match(entry) || !entry.freshAt(now) })
	if snapshot == nil {
		return
	}
	saved := Account{
		Host: host, Print: s.print(secret), Read: snapshot.Read.UTC(), Kind: snapshot.Kind.String(), Owner: snapshot.Owner,
	}
	for _, org := range snapshot.Organizations {
		saved.Orgs = appendPlain(saved.Orgs, Named{ID: org.ID, Name: org.Name})
	}
	for i := range snapshot.Projects {
		p := &snapshot.Projects[i]
		saved.Projects = appendPlain(saved.Projects, Named{ID: p.ID, Name: p.Name, OrgID: p.OrgID, Region: p.RegionID})
	}
	s.Accounts = newest(append(s.Accounts, saved), maxNamed, (*Account).size)
}

// newest returns the newest entries of a list, at most [maxAccounts], whose sizes together are no more than a limit.
func newest[T any](list []T, limit int, size func(*T) int) []T {
	first, sum := len(list), 0
	for first > max(0, len(list)-maxAccounts) {
		sum += size(&list[first-1])
		if sum > limit {
			break
		}
		first--
	}
	return list[first:]
}

func (k *Account) size() int { return len(k.Orgs) + len(k.Projects) }

// freshAt reports whether the record may be used at a time. One from the future may not.
func (k *Account) freshAt(now time.Time) bool {
	return !k.Read.After(now) && now.Sub(k.Read) < maxKnown
}

func (s *State) print(secret models.Secret) string {
	m := keys.Memory{Salt: s.Salt}
	return m.Print(secret)
}

// isOf returns a function that reports whether an account is that of a key of a service.
func (s *State) isOf(host string, secret models.Secret) func(Account) bool {
	print := s.print(secret)
	return func(entry Account) bool { return print != "" && entry.Host == host && entry.Print == print }
}

// appendPlain adds a name unless it is one that the state cannot hold.
func appendPlain(list []Named, entry Named) []Named {
	if entry.check() != nil || models.FindKey(entry.Name) >= 0 {
		return list
	}
	return append(list, entry)
}

// kinds are all kinds of keys by their names.
var kinds = []models.KeyKind{
	models.UnknownKey, models.AccountKey, models.PersonalKey, models.OrganizationKey, models.ProjectKey,
}

// kindOf returns a kind by its name, or -1.
func kindOf(name string) models.KeyKind {
	i := slices.IndexFunc(kinds, func(kind models.KeyKind) bool { return kind.String() == name })
	if i < 0 {
		return -1
	}
	return kinds[i]
}

func (n *Named) check() error {
	if !models.IsID(n.ID) || !isPlain(n.ID) || !isPlain(n.Name) || !isPlain(n.OrgID) || !isPlain(n.Region) {
		return wrong("organizations or projects")
	}
	return nil
}

func (k *Account) check() error {
	switch {
	case k.Host == "" || !isPlain(k.Host):
		return wrong("host")
	case k.Print == "" || !isPlain(k.Print), !isPlain(k.Owner):
		return wrong("print or owner")
	case kindOf(k.Kind) < 0:
		return wrong("kind")
	case k.Read.IsZero():
		return wrong("read")
	case k.size() > maxNamed:
		return wrong("organizations or projects")
	}
	for _, entry := range slices.Concat(k.Orgs, k.Projects) {
		if err := entry.check(); err != nil {
			return err
		}
	}
	return nil
}
