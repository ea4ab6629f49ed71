package operations

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/models/naming"
	"pgtower/models/query"
	"pgtower/ui/action"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

type names map[string]string

func (n names) name(id string) string { return cmp.Or(n[id], id) }

// scope is the projects, and the one that is shown.
type scope struct {
	names

	orgs    query.Organizations
	regions map[string]string // of projects, by id
	book    naming.Book       // the names of branches and computes
	linked  string            // the id of the first project to choose, or empty
	asked   string            // the id or the name of the project to show once it is listed, or empty
	oneOrg  bool              // the projects are of one organization, or of none: then it is shown nowhere
	session *page.Session
	project models.Project // the shown one; without an id, all are shown
	list    page.ProjectList
	lists   int // how many lists came
}

func (s *scope) all() bool    { return s.project.ID == "" }
func (s *scope) single() bool { return !s.all() }

// unnamed reports whether there are projects, and none with an id: no operation can be read.
func (s *scope) unnamed() bool {
	hasID := func(project models.Project) bool { return !models.NoID(project.ID) }
	listed := s.list.Projects
	return s.all() && s.list.Complete && len(listed) > 0 && !slices.ContainsFunc(listed, hasID)
}

func (s *scope) title() string {
	switch n := len(s.list.Projects); {
	case s.single():
		return s.name(s.project.ID)
	case n > 0:
		return fmt.Sprintf("all projects (%s)", count(n))
	}
	return "all projects"
}

// scopeKey identifies the title for the accessible mode: the number of projects is announced once all are listed, and
// changes of it are not.
func (s *scope) scopeKey() string {
	if s.single() {
		return "scope " + s.title()
	}
	listed := s.list.Settled && len(s.list.Projects) > 0
	return fmt.Sprint("all projects, listed ", listed)
}

// operation names the operation of a row: "Create branch of storefront (preview/pr-481)".
func (s *scope) operation(r *row) string {
	branch, _ := r.Branch()
	return r.title() + " of " + s.name(r.Project) + when(branch.Name != "", " ("+branch.Name+")")
}

// listed returns the project of an id, as it is listed.
func (s *scope) listed(id string) models.Project {
	i := slices.IndexFunc(s.list.Projects, func(l models.Project) bool { return l.ID == id })
	if i < 0 {
		return models.Project{ID: id}
	}
	return s.list.Projects[i]
}

// setProjects replaces the list of projects and returns those to poll. It keeps the names of projects that are gone.
func (s *scope) setProjects(list page.ProjectList) []feed.Project {
	listed, orgs := make(names, len(list.Projects)), make(query.Organizations, len(list.Projects))
	regions := make(map[string]string, len(list.Projects))
	polled := make([]feed.Project, 0, len(list.Projects))
	for i := range list.Projects {
		project := &list.Projects[i]
		name := project.Name
		if listedName, shared := listed[project.ID]; shared {
			name = listedName + " or " + name // the service does not tell which one it is
		}
		listed[project.ID], regions[project.ID], orgs[project.ID] = name, project.RegionID, project.Organization()
		if project.ID == s.project.ID {
			s.project = *project
		}
		if !models.NoID(project.ID) {
			pinned := list.Pinned[project.ID]
			polled = append(polled, feed.Project{
				ID: project.ID, ChangedAt: project.ChangedAt(), Pinned: pinned,
			})
		}
	}
	s.list = list
	s.lists++
	s.names, s.orgs, s.regions = with(s.names, listed), with(s.orgs, orgs), with(s.regions, regions)
	s.oneOrg = len(s.orgs.All()) < 2
	return polled
}

// with returns a map with the entries of another one: filters on other goroutines read the old one.
func with[M ~map[string]V, V any](old, added M) M {
	merged := make(M, len(old)+len(added))
	maps.Copy(merged, old)
	maps.Copy(merged, added)
	return merged
}

// unlisted returns why no project can be chosen, or "".
func (s *scope) unlisted() string {
	return when(len(s.list.Projects) == 0, "the projects have not been loaded")
}

func (s *scope) show(project models.Project) func() tea.Cmd {
	return action.DoWith[page.Effect](s.session.Emit, page.ShowOperations{Project: project})
}

// openProject goes to the project of an operation.
func (s *scope) openProject(r *row) tea.Cmd {
	s.session.Emit(page.ShowProject{ID: r.Project})
	return nil
}

func (s *scope) choose() tea.Cmd {
	items := []*dialog.PickerItem{{Title: "all projects", Choose: s.show(models.Project{})}}
	title := "Choose a project"
	i := slices.IndexFunc(s.list.Projects, s.isLinked)
	if i >= 0 {
		items = append(items, s.item(s.list.Projects[i], "linked to this folder"))
	}
	if !s.oneOrg {
		title = "Choose a project or an organization"
		for _, org := range s.orgs.All() {
			items = append(items, &dialog.PickerItem{
				ID: org.ID, Title: org.Label(), Note: "organization · " + org.ID,
				Choose: s.showOrg(org),
			})
		}
	}
	for _, project := range s.list.Projects {
		if models.NoID(project.ID) || s.isLinked(project) {
			continue
		}
		items = append(items, s.item(project, when(!s.oneOrg, s.orgs.Name(project.ID))))
	}
	s.session.Open(dialog.NewPicker(title, items, s.project.ID))
	return nil
}

func (s *scope) isLinked(project models.Project) bool {
	return s.linked != "" && project.ID == s.linked
}

func (s *scope) item(project models.Project, about string) *dialog.PickerItem {
	return &dialog.PickerItem{
		ID: project.ID, Title: cmp.Or(project.Name, project.ID), Note: project.ID + when(about != "", " · "+about),
		Choose: s.show(project),
	}
}

// showOrg shows the operations of an organization: all, with a filter. Two of the same name are told apart by their ids.
func (s *scope) showOrg(org models.Organization) func() tea.Cmd {
	filter := cmp.Or(query.Exactly("organization", org.Label()), query.Exactly("organization", org.ID))
	namesakes := func(o models.Organization) bool { return o.ID != org.ID && strings.EqualFold(o.Label(), org.Label()) }
	if slices.ContainsFunc(s.orgs.All(), namesakes) {
		filter = query.Exactly("organization", org.ID)
	}
	return action.DoWith[page.Effect](s.session.Emit, page.ShowOperations{Back: &page.ViewState{Query: filter}})
}

func (s *scope) complete(typed string) []action.Value {
	typed = strings.ToLower(typed)
	var out []action.Value
	for _, project := range s.list.Projects {
		name := strings.ToLower(project.Name)
		if strings.Contains(name, typed) || strings.Contains(project.ID, typed) {
			out = append(out, action.Value{Text: project.Name, Note: project.ID})
		}
	}
	return out
}

// parse parses a name, an id or an unambiguous beginning of a name.
func (s *scope) parse(arg string) (func() tea.Cmd, error) {
	var begin []models.Project
	for _, project := range s.list.Projects {
		switch {
		case project.ID == arg, project.Name == arg:
			return s.show(project), nil
		case arg != "" && strings.HasPrefix(strings.ToLower(project.Name), strings.ToLower(arg)):
			begin = append(begin, project)
		}
	}
	switch len(begin) {
	case 0:
		return nil, fmt.Errorf("unknown project %q", arg)
	case 1:
		return s.show(begin[0]), nil
	}
	return nil, fmt.Errorf("%d projects start with %q", len(begin), arg)
}

func count(n int) string { return style.Count(n) }

// shared reports whether the name of a project is a part of another one's, which a filter would find, too.
func (s *scope) shared(project string) bool {
	name := strings.ToLower(s.name(project))
	for id, otherName := range s.names {
		if id != project && strings.Contains(strings.ToLower(otherName), name) {
			return true
		}
	}
	return false
}

// when returns a text if something holds, or "".
func when(holds bool, text string) string {
	if holds {
		return text
	}
	return ""
}
