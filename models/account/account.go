// Package account finds out the kind of an API key and which lists exist for it, and keeps their last answers.
//
// The live service has keys of three kinds and organizations; control-api.md knows neither (see [models.KeyKind]). An
// [Account] asks for the kind along with the first list, and decides which lists exist. It is a reader of [poll.Poller],
// in the dashboard and in the commands for scripts.
package account

import (
	"cmp"
	"slices"
	"time"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/models/poll"
)

// Options are the user's settings for a key.
type Options struct {
	Org     string       // narrows everything to one organization; empty: all
	Project string       // the id of the project of a key of one project, for a service that does not tell it
	Feed    feed.Options // the polling that the lists are for: it decides how often they are read
}

// Account is the kind and the reach of a key. After [Account.Attach], a poller reads them. An Account is not safe for
// concurrent use.
//
// It has many methods because most are questions about the same few facts: the kind of the key, and the answers of the
// lists.
type Account struct {
	options Options
	key     key
	named   directory
	lists   lists
	quotas  quotas    // nil: they are not read
	noted   time.Time // when the oldest of the projects that are only noted was read; see [Account.Note]

	poll    *poll.Poller // nil: nothing is read
	service Service
	early   map[poll.Subject]bool // subjects to ask for before they are due
	only    []poll.Subject        // the only subjects to ask for; nil: all
}

// New returns the account of a key of which nothing is known.
func New(o Options) *Account {
	return &Account{options: o, lists: lists{}, early: map[poll.Subject]bool{}}
}

// Inherit keeps the projects of another key's account until the lists of this key show whether it reaches them. The other
// account is detached.
func (a *Account) Inherit(previous *Account) {
	previous.Detach()
	for id, old := range previous.lists {
		l := a.lists.get(id)
		if l.good.IsZero() {
			l.projects, l.inherited = old.projects, true
		}
	}
}

// Options returns the options in force.
func (a *Account) Options() Options { return a.options }

// SetFeed sets the polling that the lists are for.
func (a *Account) SetFeed(o feed.Options) { a.options.Feed = o }

// Kind returns the kind of the key, as far as the answers tell.
func (a *Account) Kind() models.KeyKind { return a.key.kind() }

// Identity is the owner of a key, according to the service, and its kind. Two keys with the same Identity show the same.
type Identity struct {
	ID      string // of the user or the organization, or empty if the service has not told
	Kind    models.KeyKind
	Project string // the only one that it reaches, or empty
}

// Identity returns the owner of the key.
func (a *Account) Identity() Identity {
	identity := Identity{ID: a.key.auth.good.AccountID, Kind: a.Kind()}
	if identity.Kind == models.ProjectKey {
		identity.Project = a.KeyProject()
	}
	return identity
}

// KeyProject returns the id of the only project that a project key reaches, or "". If the service does not tell it, it is
// the one that the user named.
func (a *Account) KeyProject() string { return cmp.Or(a.key.project, a.options.Project) }

// NeedsProject reports whether the key is a project key whose project is unknown: none was named, or another one.
func (a *Account) NeedsProject() bool {
	project := a.KeyProject()
	if a.Kind() != models.ProjectKey {
		return false
	}
	return project == "" && len(a.Lists()) == 0 || project != "" && a.lists.isOther(project)
}

// Lists returns the lists of projects that exist for the key, as far as it is known. No other list is read: each of these
// is the account's own, or the service or the user has named it for this key.
func (a *Account) Lists() []models.ListID {
	kind := a.Kind()
	switch {
	case kind == models.ProjectKey && a.KeyProject() != "":
		return []models.ListID{{Project: a.KeyProject()}}
	case kind == models.ProjectKey && a.key.untold:
		return nil
	case a.options.Org != "":
		return []models.ListID{{Org: a.options.Org}}
	case kind != models.PersonalKey:
		return []models.ListID{{}}
	}
	return a.personalLists()
}

// personalLists returns the lists of a user. A user without organizations has the list of the account itself.
func (a *Account) personalLists() (list []models.ListID) {
	for _, org := range a.key.orgs.good {
		list = append(list, models.ListID{Org: org.ID})
	}
	if len(list) == 0 && !a.key.orgs.known() {
		return nil
	}
	if len(list) == 0 && !a.key.personal {
		list = append(list, models.ListID{})
	}
	if !a.key.noShares {
		list = append(list, models.ListID{Shared: true})
	}
	return list
}

// KeyLists returns the lists of API keys that may exist for the key, in the order in which they are shown.
func (a *Account) KeyLists() []models.ListID {
	narrowed, kind := a.options.Org, a.Kind()
	switch {
	case kind == models.ProjectKey:
		return nil
	case narrowed != "" && kind != models.AccountKey: // without organizations, there is one list
		return []models.ListID{{Org: narrowed}}
	case kind == models.OrganizationKey:
		id := a.key.org()
		if id == "" {
			return nil
		}
		return []models.ListID{{Org: id}}
	}
	list := []models.ListID{{}}
	if kind == models.PersonalKey {
		for _, org := range a.key.orgs.good {
			list = append(list, models.ListID{Org: org.ID})
		}
	}
	return list
}

// KeyListsErr returns why there may be more lists of API keys than [Account.KeyLists] has, or nil: the kind of the key or
// its organizations could not be read.
func (a *Account) KeyListsErr() error {
	key, kind := &a.key, a.Kind()
	ofUser := kind == models.PersonalKey || kind == models.UnknownKey
	switch {
	case a.options.Org != "":
		return nil
	case kind == models.OrganizationKey && key.org() == "":
		return key.auth.err
	case kind == models.UnknownKey && key.auth.err != nil && !models.NoSuchEndpoint(key.auth.err):
		return key.auth.err
	case ofUser && !key.orgs.known() && !models.NoSuchEndpoint(key.orgs.err):
		return key.orgs.err
	}
	return nil
}

// Organizations returns all organizations that the service has named for the key. Do not modify the result.
func (a *Account) Organizations() []models.Organization { return a.named }

// OrgName returns the name of an organization, or its id if the name is unknown.
func (a *Account) OrgName(id string) string { return a.named.name(id) }

// left reports whether an organization that had a list is no longer one of the user's.
func (a *Account) left(id models.ListID) bool {
	// Only a personal key that is not narrowed to an organization has the lists of all its organizations.
	whole := a.options.Org == "" && a.Kind() == models.PersonalKey && a.key.orgs.known()
	if id.Org == "" || !whole {
		return false
	}
	return a.named.index(id.Org) >= 0 && !slices.Contains(a.Lists(), id)
}

// current returns the lists that exist for the key, in the order of [Account.Lists].
func (a *Account) current() (lists []*list) {
	for _, id := range a.Lists() {
		lists = append(lists, a.lists.at(id))
	}
	return lists
}

// Settled reports whether every question and every list was answered or refused: a project that is not among
// [Account.Projects] is gone, or not reached.
func (a *Account) Settled() bool {
	return a.key.auth.tried() && a.key.orgs.tried() && !slices.ContainsFunc(a.current(), (*list).pending)
}

// Complete reports whether all projects that the key reaches are known: no list is missing or cut off.
func (a *Account) Complete() bool {
	lists := a.current()
	return len(lists) > 0 && !slices.ContainsFunc(lists, (*list).incomplete)
}

// Read returns when the oldest of the lists was last good, of those that ever were; zero if none was.
func (a *Account) Read() time.Time { return oldest(a.current()) }

// Answering returns when the oldest of the lists that can be read was last good. If none can, it returns what Read does,
// and why. A list that cannot be read is a [Trouble] of its own, and does not age the others.
func (a *Account) Answering() (time.Time, error) {
	lists := a.current()
	readable := slices.DeleteFunc(slices.Clone(lists), (*list).failed)
	if instant := oldest(readable); !instant.IsZero() {
		return instant, nil
	}
	return oldest(lists), a.Trouble()
}

// oldest returns when the oldest of some lists was last good, of those that ever were.
func oldest(lists []*list) (instant time.Time) {
	for _, l := range lists {
		if !l.good.IsZero() && (instant.IsZero() || l.good.Before(instant)) {
			instant = l.good
		}
	}
	return instant
}
