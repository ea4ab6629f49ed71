package account

import (
	"fmt"
	"slices"
	"time"

	"pgtower/models"
	"pgtower/models/poll"
)

const (
	pageSize = 400 // the live service's maximum
	// These limits bound the time and memory for a service that always has one more page.
	maxPages    = 1000
	maxProjects = 100_000
)

// list is a list of projects: its last good answer, and what went wrong since.
type list struct {
	projects  []models.Project // of the last good, complete answer; during the first one, of the pages so far
	good      time.Time        // when it was complete, or zero
	validFor  time.Duration    // how long it is not asked for again after that
	err       error            // why it could not be read since, or nil
	partial   string           // why there may be more projects, or empty
	inherited bool             // the projects are those of an earlier key's list
	loading   *pages           // nil unless it is being read
}

// pages collects a list while it is read. Pages may overlap. Different projects with one id are kept.
type pages struct {
	read        int // how many
	cursor      string
	projects    []models.Project
	seen        map[identity]bool
	unavailable []string
}

type identity struct {
	id, name string
	created  time.Time
	copy     int // the number of a record without an id among the like ones of its page
}

// add adds a page, and reports whether it had any project that was not there yet.
func (p *pages) add(page models.Page[models.Project]) (added bool) {
	p.read++
	p.unavailable = append(p.unavailable, page.Unavailable...)
	copies := map[identity]int{}
	for i := range page.Items {
		project := &page.Items[i]
		id := identity{id: project.ID, name: project.Name, created: project.CreatedAt}
		if models.NoID(project.ID) {
			copies[id]++
			id.copy = copies[id]
		}
		if !p.seen[id] {
			p.seen[id], added = true, true
			p.projects = append(p.projects, *project)
		}
	}
	return added
}

// lists are all lists that were asked for.
type lists map[models.ListID]*list

// get returns a list, and adds it if it is missing.
func (ls lists) get(id models.ListID) *list {
	if ls[id] == nil {
		ls[id] = &list{}
	}
	return ls[id]
}

// at returns a list, or an empty one if it was never asked for.
func (ls lists) at(id models.ListID) *list {
	if l := ls[id]; l != nil {
		return l
	}
	return &list{}
}

// count returns how many projects the lists have together.
func (ls lists) count() (n int) {
	for _, l := range ls {
		n += len(l.projects)
	}
	return n
}

// isOther reports whether the service has refused a project because the key is for another one.
func (ls lists) isOther(project string) bool {
	l := ls.at(models.ListID{Project: project})
	return l.good.IsZero() && models.RefusalOf(l.err) == models.RefusedProjectKey
}

// pending reports whether the list was never read or refused.
func (l *list) pending() bool { return l.good.IsZero() && l.err == nil }

func (l *list) failed() bool   { return l.err != nil }
func (l *list) readable() bool { return l.err == nil }
func (l *list) busy() bool     { return l.loading != nil }

// open reports whether the first answer of the list, or the rest of it, is still to come.
func (l *list) open() bool { return l.pending() || l.busy() }

// incomplete reports whether the list was never read, or not to its end.
func (l *list) incomplete() bool { return l.good.IsZero() || l.partial != "" }

// nextPage returns the request for the next page, which may be the first one.
func (l *list) nextPage() models.PageRequest {
	if l.loading == nil {
		l.loading = &pages{seen: map[identity]bool{}}
	}
	return models.PageRequest{Limit: pageSize, Cursor: l.loading.cursor}
}

// receivePage adds a page to a list that is being read, or ends that with an error. The first load shows the pages as
// they come; later ones replace the list when they are complete.
func (a *Account) receivePage(got Answer, now time.Time) {
	l := a.lists.get(got.List)
	if got.Err != nil {
		l.err, l.loading = got.Err, nil
		refused := models.RefusalOf(got.Err) != models.NoRefusal
		if refused || models.KindOf(got.Err) == models.KindForbidden {
			a.early[poll.Subject{Kind: Organizations}] = true // which there are may have changed
		}
		return
	}
	if l.loading == nil || l.loading.cursor != got.Cursor {
		return // of a load that has failed meanwhile
	}
	p := l.loading
	rest := p.add(got.Page) && !got.Page.Last()
	partial := got.Page.Damage
	if n := len(p.projects); rest && (p.read == maxPages || n >= maxProjects) {
		rest, partial = false, fmt.Sprintf("pgtower stopped after %d projects", n)
	}
	if rest {
		p.cursor = got.Page.Next
		if l.good.IsZero() && !l.inherited {
			l.projects = slices.Clone(p.projects)
		}
		return
	}
	l.end(partial)
	l.good, l.err = now, nil
	l.validFor = rereadAfter(a.options.Feed, a.lists.count())
	for i := range l.projects {
		a.nameOrg(&l.projects[i])
	}
}

// nameOrg keeps the name of the organization that a project has.
func (a *Account) nameOrg(p *models.Project) {
	if p.OrgName != "" {
		a.named = a.named.with(models.Organization{ID: p.OrgID, Name: p.OrgName})
	}
}

// end replaces the projects by those that were read. Projects that the service could not read in time exist: they stay
// with their known record, or with their id alone. After an incomplete load, all other known projects stay, too.
func (l *list) end(partial string) {
	read, previous := l.loading, l.projects
	l.projects, l.partial, l.loading, l.inherited = read.projects, partial, nil, false
	if len(read.unavailable) == 0 && partial == "" {
		return
	}
	listed := make(map[string]bool, len(read.projects))
	for i := range read.projects {
		listed[read.projects[i].ID] = true
	}
	for i := range previous {
		if !listed[previous[i].ID] {
			listed[previous[i].ID] = true
			l.projects = append(l.projects, previous[i])
		}
	}
	for _, id := range read.unavailable {
		if !listed[id] {
			listed[id] = true
			l.projects = append(l.projects, models.Project{ID: id})
		}
	}
}

// shown returns the lists whose projects are shown: the current ones, those of organizations that the user left and,
// until all current ones have answered, the earlier ones.
func (a *Account) shown() []models.ListID {
	list := a.Lists()
	var others []models.ListID
	settled := a.Settled()
	for id := range a.lists {
		if !slices.Contains(list, id) && (!settled || a.left(id)) {
			others = append(others, id)
		}
	}
	slices.SortFunc(others, compareLists)
	return append(list, others...)
}

// Projects returns the projects of all lists, each once. Those without an id cannot be told apart: they come as often as
// they are listed. A project stays until a good answer of its list lacks it.
func (a *Account) Projects() []models.Project {
	var list []models.Project
	from := map[string]int{} // the list in which a project was found
	for n, id := range a.shown() {
		l := a.lists.at(id)
		for i := range l.projects {
			project := l.projects[i]
			if first, found := from[project.ID]; found && first != n && !models.NoID(project.ID) {
				continue // shared with a user who is also a member
			}
			from[project.ID] = n
			if project.OrgID == "" {
				project.OrgID = id.Org
			}
			if name := a.OrgName(project.OrgID); project.OrgName == "" && name != project.OrgID {
				project.OrgName = name
			}
			if id.Project == "" {
				a.usedOf(&project)
			}
			list = append(list, project)
		}
	}
	return list
}
