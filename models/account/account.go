// Package account is what an API key is, which lists there are for it, and what they last answered.
//
// The live service has keys of three kinds and organizations; control-api.md knows neither (see [models.KeyKind]). An
// [Account] finds out which it is by asking, beside the first list, and decides which lists exist: the dashboard and the
// commands for scripts both read what [Account.Next] asks for, and nothing else.
package account

import (
	"slices"
	"time"

	"pgtower/models"
	"pgtower/models/feed"
)

// Options are what the user says about a key.
type Options struct {
	Org     string       // narrows everything to one organization; empty: all
	Project string       // the id of the project of a key of one project, which the service never tells; or empty
	Feed    feed.Options // the polling that the lists are for: it decides how often they are read
}

// Account is what a key is and reaches. The caller passes in the time and the answers: [Account.Next] returns the requests
// to start now, and [Account.Take] takes in an answer. An Account is not safe for concurrent use.
type Account struct {
	options Options
	proof   proof
	auth    question[models.Auth]
	user    question[models.User]
	orgs    question[[]models.Organization]
	own     question[models.Organization] // that of the key, where orgs do not tell
	lists   map[models.ListID]*list
	named   []models.Organization // all that the service has named for this key, in its order
}

// proof is what refusals have told about the key. A key does not change, so they stay true.
type proof struct {
	personal bool // it may list the projects of one organization at a time
	ofOrg    bool // it is a key of an organization, or of a project
	ofOne    bool // it is a key of one project
	noShares bool // the service has no list of shared projects
}

// New returns the account of a key that nothing is known of.
func New(o Options) *Account { return &Account{options: o, lists: map[models.ListID]*list{}} }

// Inherit keeps the projects of another key's account until the lists of this key tell whether it reaches them.
func (a *Account) Inherit(before *Account) {
	for id, old := range before.lists {
		if l := a.list(id); l.good.IsZero() {
			l.projects, l.inherited = old.projects, true
		}
	}
}

// Options returns the options in force.
func (a *Account) Options() Options { return a.options }

// SetFeed tells for which polling the lists are read.
func (a *Account) SetFeed(o feed.Options) { a.options.Feed = o }

// SetProject names the project of a key of one project.
func (a *Account) SetProject(id string) { a.options.Project = id }

// The methods of /auth for keys.
const (
	personalMethod = "api_key_user"
	orgMethod      = "api_key_org"
)

// Kind returns what the key is, as far as the answers tell.
func (a *Account) Kind() models.KeyKind {
	method := a.auth.good.Method
	switch {
	case a.proof.ofOne && method != personalMethod:
		return models.ProjectKey
	case method == personalMethod, a.proof.personal:
		return models.PersonalKey
	case method == orgMethod, a.proof.ofOrg:
		return models.OrganizationKey
	case models.NoSuchEndpoint(a.auth.err) && models.NoSuchEndpoint(a.orgs.err):
		return models.AccountKey
	}
	return models.UnknownKey
}

// Identity is whom a key belongs to, by the service, and its kind. Two keys with one Identity show the same.
type Identity struct {
	ID      string // of the user or the organization, or empty if the service has not told
	Kind    models.KeyKind
	Project string // the only one that it reaches, or empty
}

// Identity returns whom the key belongs to.
func (a *Account) Identity() Identity {
	is := Identity{ID: a.auth.good.AccountID, Kind: a.Kind()}
	if is.Kind == models.ProjectKey {
		is.Project = a.options.Project
	}
	return is
}

// NeedsProject reports whether the key is of one project, and nothing tells which: the one that was named is another.
func (a *Account) NeedsProject() bool {
	return a.Kind() == models.ProjectKey && (a.options.Project == "" || a.isOther(a.options.Project))
}

// isOther reports whether the service has refused a project because the key is of another one.
func (a *Account) isOther(project string) bool {
	l := a.lists[models.ListID{Project: project}]
	return l != nil && l.good.IsZero() && models.RefusalOf(l.err) == models.RefusedProjectKey
}

// Lists returns the lists of projects that there are for the key, as far as it is known: every list that is read is one
// of these, and is the account's own or was named by the service or the user for this key.
func (a *Account) Lists() []models.ListID {
	switch kind := a.Kind(); {
	case kind == models.ProjectKey && a.options.Project == "":
		return nil
	case kind == models.ProjectKey:
		return []models.ListID{{Project: a.options.Project}}
	case a.options.Org != "":
		return []models.ListID{{Org: a.options.Org}}
	case kind != models.PersonalKey:
		return []models.ListID{{}}
	}
	return a.personalLists()
}

// personalLists returns the lists of a user. Without any organization, the list of the account itself is answered.
func (a *Account) personalLists() (all []models.ListID) {
	for _, org := range a.orgs.good {
		all = append(all, models.ListID{Org: org.ID})
	}
	if len(all) == 0 && !a.orgs.known() {
		return nil
	}
	if len(all) == 0 && !a.proof.personal {
		all = append(all, models.ListID{})
	}
	if !a.proof.noShares {
		all = append(all, models.ListID{Shared: true})
	}
	return all
}

// KeyLists returns the lists of API keys that there may be for the key, in the order in which they are shown.
func (a *Account) KeyLists() []models.ListID {
	narrowed := a.options.Org
	switch kind := a.Kind(); {
	case kind == models.ProjectKey:
		return nil
	case narrowed != "" && kind != models.AccountKey: // without organizations, there is one list
		return []models.ListID{{Org: narrowed}}
	case kind == models.OrganizationKey:
		if id := a.orgOfKey(); id != "" {
			return []models.ListID{{Org: id}}
		}
		return nil
	}
	all := []models.ListID{{}}
	if a.Kind() == models.PersonalKey {
		for _, org := range a.orgs.good {
			all = append(all, models.ListID{Org: org.ID})
		}
	}
	return all
}

// orgOfKey returns the id of the organization that a key of an organization or of a project belongs to, or "".
func (a *Account) orgOfKey() string {
	switch {
	case a.auth.good.Method == orgMethod:
		return a.auth.good.AccountID
	case len(a.orgs.good) == 1:
		return a.orgs.good[0].ID
	}
	return ""
}

// Organizations returns all organizations that the service has named for the key. Do not modify the result.
func (a *Account) Organizations() []models.Organization { return a.named }

// OrgName returns the name of an organization, or its id if the name is unknown.
func (a *Account) OrgName(id string) string {
	i := slices.IndexFunc(a.named, func(o models.Organization) bool { return o.ID == id })
	if i >= 0 && a.named[i].Name != "" {
		return a.named[i].Name
	}
	return id
}

// name takes in an organization that the service has named.
func (a *Account) name(org models.Organization) {
	if org.ID == "" {
		return
	}
	i := slices.IndexFunc(a.named, func(o models.Organization) bool { return o.ID == org.ID })
	switch {
	case i < 0:
		a.named = append(a.named, org)
	case org.Name != "":
		a.named = slices.Clone(a.named) // readers keep the old one
		a.named[i] = org
	}
}

// left reports whether an organization that had a list is no longer one of the user's.
func (a *Account) left(id models.ListID) bool {
	if id.Org == "" || a.options.Org != "" || a.Kind() != models.PersonalKey || !a.orgs.known() {
		return false
	}
	named := slices.ContainsFunc(a.named, func(o models.Organization) bool { return o.ID == id.Org })
	return named && !slices.Contains(a.Lists(), id)
}

// Settled reports whether every question and every list was answered or refused: what is not among [Account.Projects] is
// gone, or not reached.
func (a *Account) Settled() bool {
	if !a.auth.tried() || !a.orgs.tried() {
		return false
	}
	for _, id := range a.Lists() {
		l := a.lists[id]
		if l == nil || l.good.IsZero() && l.err == nil {
			return false
		}
	}
	return true
}

// Complete reports whether all projects that the key reaches are known: no list is missing or cut off.
func (a *Account) Complete() bool {
	for _, id := range a.Lists() {
		l := a.lists[id]
		if l == nil || l.good.IsZero() || l.partial != "" {
			return false
		}
	}
	return len(a.Lists()) > 0
}

// Read returns when the oldest of the lists was last good, of those that ever were; zero if none was.
func (a *Account) Read() (oldest time.Time) {
	for _, id := range a.Lists() {
		l := a.lists[id]
		if l == nil || l.good.IsZero() {
			continue
		}
		if oldest.IsZero() || l.good.Before(oldest) {
			oldest = l.good
		}
	}
	return oldest
}

// Answering returns when the oldest of the lists that can be read was last good. If none can, it returns what Read does,
// and why. A list that refuses is a [Trouble] of its own, and does not age the others.
func (a *Account) Answering() (oldest time.Time, err error) {
	for _, id := range a.Lists() {
		l := a.lists[id]
		if l == nil || l.err != nil || l.good.IsZero() {
			continue
		}
		if oldest.IsZero() || l.good.Before(oldest) {
			oldest = l.good
		}
	}
	if oldest.IsZero() {
		return a.Read(), a.Trouble()
	}
	return oldest, nil
}
