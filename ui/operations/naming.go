package operations

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/incident"
	"pgtower/models/naming"
	"pgtower/models/query"
	"pgtower/ui/page"
)

// asking is what needs names, besides the rows on the screen. The names are asked for again when it changes.
type asking struct {
	project string // that is shown, or ""
	lists   int    // how many lists of projects came
	filter  string // without one that is being typed
	lanes   string // the kind of the timeline's lanes, if they are shown
	groups  bool   // groups by branch are shown
	views   string // the filters that may use names

	branches, computes bool // the filter uses their names
}

// askNames asks for the names that the filter, the views, the groups and the timeline need, whether or not their projects are
// on the screen.
func (p *Page) askNames() {
	t := p.list.table
	now := asking{project: p.scope.project.ID, lists: p.scope.lists, branches: t.Uses("branch"), computes: t.Uses("endpoint")}
	if !t.Editing() {
		now.filter = t.Query()
	}
	if p.time.open {
		now.lanes = p.time.grouping()
	}
	now.groups = p.groups.shown && p.groups.by == incident.Branches
	for _, v := range p.views.every() {
		if mayUseNames(v.Filter) {
			now.views += v.Project + "\n" + v.Filter + "\n"
		}
	}
	if now != p.asking {
		p.asking = now
		p.live.names.Ask(p.namesWanted(&now))
	}
}

// recallNames reads the names that earlier runs remembered.
func (p *Page) recallNames() tea.Cmd {
	if p.kept == nil {
		return nil
	}
	store := p.kept
	recall := func(context.Context) ([]naming.Kept, error) { return store.RecallNames(), nil }
	return page.Call(p.session, page.Operations, recall, p.restoreNames)
}

func (p *Page) restoreNames(names []naming.Kept, _ error) tea.Cmd {
	p.live.names.Restore(names)
	if !p.namesCame(nil) {
		return nil
	}
	return p.refresh()
}

// namesCame reports whether answers brought names that are not shown yet.
func (p *Page) namesCame(answers page.Answered) bool {
	p.scope.book = p.live.names.Book()
	return p.live.namesCame(answers)
}

// KeptNames returns the names that later runs are to remember, or nil if the service told none.
func (p *Page) KeptNames() []naming.Kept {
	if !p.live.names.Told() {
		return nil
	}
	return p.live.names.Kept()
}

// mayUseNames reports whether a filter may use the names of branches or computes.
func mayUseNames(filter string) bool {
	filter = strings.ToLower(filter)
	return strings.Contains(filter, "branch") || strings.Contains(filter, "endpoint")
}

// namesWanted returns the projects whose names are wanted, with whether those of their computes are.
func (p *Page) namesWanted(a *asking) map[string]bool {
	projects := map[string]bool{}
	t := p.list.table
	branches, computes := a.branches || a.lanes == "branch" || a.groups, a.computes || a.lanes == "endpoint"
	for _, project := range p.scope.shownProjects() {
		if t.Editing() || t.MayMatch(p.list.row(project.ID, nil), query.FieldsOfProjects()...) {
			want(projects, project.ID, branches, computes)
		}
	}
	for _, v := range p.views.every() {
		if !mayUseNames(v.Filter) {
			continue
		}
		q, _ := query.Parse(v.Filter, fields(p.live.timeline))
		branches, computes := q.Uses("branch"), q.Uses("endpoint")
		for _, project := range p.scope.list.Projects {
			if v.Of(project.ID) {
				want(projects, project.ID, branches, computes)
			}
		}
	}
	return projects
}

// want adds a project to those whose names are wanted. Those of its computes come with those of its branches.
func want(projects map[string]bool, project string, branches, computes bool) {
	if branches || computes {
		projects[project] = projects[project] || computes
	}
}

// shownProjects returns the projects in scope.
func (s *scope) shownProjects() []models.Project {
	if s.all() {
		return s.list.Projects
	}
	return []models.Project{s.project}
}
