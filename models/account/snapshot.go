package account

import (
	"slices"
	"time"

	"pgtower/models"
)

// maxNamed is how many projects a snapshot names.
const maxNamed = 500

// Snapshot is what the program remembers of a key from one run to the next: its kind, which does not change, and the
// names of its organizations and projects. It does not prove that these exist: nothing may be called complete, or gone,
// because of it.
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

// Snapshot returns what is known at now.
func (a *Account) Snapshot(now time.Time) Snapshot {
	s := Snapshot{
		Read: now, Kind: a.Kind(), Owner: a.key.auth.good.AccountID, Organizations: slices.Clone(a.named),
	}
	for _, read := range []time.Time{a.Read(), a.key.orgs.asOf, a.noted} {
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

// Restore adds what is remembered of the key to an account whose lists were not read.
func (a *Account) Restore(s *Snapshot) {
	a.key.restore(s)
	for _, org := range s.Organizations {
		a.named = a.named.with(org)
	}
	a.Note(s.Read) // also without projects: the snapshot gets no younger
	for _, project := range s.Projects {
		if a.rank(project.ID) > 0 { // else it was read since
			a.Note(s.Read, project)
		}
	}
}

// restore sets the kind of the key. Its organizations may have changed: they are asked for again.
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
		k.auth.good, k.auth.asOf = models.Auth{AccountID: s.Owner, Method: personalMethod}, s.Read
	case k.ofOrg, k.ofOne:
		k.auth.good, k.auth.asOf = models.Auth{AccountID: s.Owner, Method: orgMethod}, s.Read
	}
}

// Note keeps projects that were read at a time, but not as a list. They give names; no list counts as read because of
// them.
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

// Project returns the known project with an id.
func (a *Account) Project(id string) (project models.Project, ok bool) {
	list := a.Projects()
	i := slices.IndexFunc(list, func(p models.Project) bool { return p.ID == id })
	if i < 0 {
		return models.Project{}, false
	}
	return list[i], true
}

// MayList reports whether a list of API keys may exist for the key, as far as its kind tells.
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
