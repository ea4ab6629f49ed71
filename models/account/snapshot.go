package account

import (
	"slices"
	"time"

	"pgtower/models"
)

// maxNamed is how many projects a snapshot names.
const maxNamed = 500

// Snapshot is what the program remembers of a key from one run to the next: what it is, which does not change, and what its
// organizations and projects are called. It does not tell which of them there are: nothing may be said to be complete, or
// to be gone, because of it.
type Snapshot struct {
	Read          time.Time // when the oldest part of it was read
	Kind          models.KeyKind
	Owner         string // the id of the user or the organization, as in [Identity]
	Organizations []models.Organization
	Projects      []models.Project // id, name, organization and region
}

// Store remembers the snapshot of one key. Another key finds nothing.
type Store interface {
	Recall() Snapshot // the zero Snapshot if nothing is remembered
	Keep(snapshot *Snapshot)
	Forget()
}

// Snapshot returns what is known at a time.
func (a *Account) Snapshot(now time.Time) Snapshot {
	s := Snapshot{
		Read: now, Kind: a.Kind(), Owner: a.key.auth.good.AccountID, Organizations: slices.Clone(a.named),
	}
	for _, read := range []time.Time{a.Read(), a.key.orgs.at, a.noted} {
		if !read.IsZero() && read.Before(s.Read) {
			s.Read = read
		}
	}
	list := a.Projects()
	slices.SortStableFunc(list, func(p, q models.Project) int { return a.rank(p.ID) - a.rank(q.ID) })
	for i := range list[:min(len(list), maxNamed)] {
		p := &list[i]
		if p.Name != "" && !models.NoID(p.ID) {
			s.Projects = append(s.Projects, models.Project{ID: p.ID, Name: p.Name, OrgID: p.OrgID, RegionID: p.RegionID})
		}
	}
	return s
}

// rank returns 0 for a project that was asked for by its id, and 1 for others.
func (a *Account) rank(project string) int {
	if a.lists.at(models.ListID{Project: project}).projects != nil {
		return 0
	}
	return 1
}

// Restore completes an account whose lists were not read with what is remembered of its key.
func (a *Account) Restore(s *Snapshot) {
	a.key.restore(s)
	for _, org := range s.Organizations {
		a.named = a.named.with(org)
	}
	a.Note(s.Read) // it gets no younger, also without projects
	for _, project := range s.Projects {
		if a.rank(project.ID) > 0 { // else it was read since
			a.Note(s.Read, project)
		}
	}
}

// restore takes over what the key is. Its organizations are not those of today: they are asked for again.
func (k *key) restore(s *Snapshot) {
	k.plain = s.Kind == models.AccountKey
	k.personal = s.Kind == models.PersonalKey && s.Owner == "" // else /auth has told
	k.ofOrg = s.Kind == models.OrganizationKey
	k.ofOne = s.Kind == models.ProjectKey
	if k.ofOne && len(s.Projects) == 1 {
		k.project = s.Projects[0].ID // a key of one project stays one of that
	}
	switch {
	case s.Owner == "" || k.plain:
	case s.Kind == models.PersonalKey:
		k.auth.good, k.auth.at = models.Auth{AccountID: s.Owner, Method: personalMethod}, s.Read
	case k.ofOrg, k.ofOne:
		k.auth.good, k.auth.at = models.Auth{AccountID: s.Owner, Method: orgMethod}, s.Read
	}
}

// Note keeps projects that were read at a time, and not as a list: they have names, and no list is known because of them.
func (a *Account) Note(read time.Time, projects ...models.Project) {
	if a.noted.IsZero() || read.Before(a.noted) {
		a.noted = read
	}
	for i := range projects {
		a.nameOrg(&projects[i])
		named := a.lists.get(models.ListID{Project: projects[i].ID})
		if named.good.IsZero() {
			named.projects, named.inherited = projects[i:i+1:i+1], true
		}
	}
}

// Project returns a project that is known by its id.
func (a *Account) Project(id string) (project models.Project, ok bool) {
	list := a.Projects()
	i := slices.IndexFunc(list, func(p models.Project) bool { return p.ID == id })
	if i < 0 {
		return models.Project{}, false
	}
	return list[i], true
}

// MayList reports whether there may be a list of API keys for the key, as far as its kind tells.
func (a *Account) MayList(id models.ListID) bool {
	switch a.Kind() {
	case models.AccountKey:
		return id.Org == ""
	case models.OrganizationKey:
		return id.Org != ""
	case models.ProjectKey:
		return false
	default:
		return true
	}
}
