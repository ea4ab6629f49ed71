package operations

import (
	"cmp"
	"fmt"
	"maps"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/feed"
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

	session *page.Session
	project models.Project // the shown one; without an id, all are shown
	list    page.ProjectList
}

func (s *scope) all() bool { return s.project.ID == "" }

func (s *scope) title() string {
	switch n := len(s.list.Projects); {
	case !s.all():
		return s.name(s.project.ID)
	case n > 0:
		return fmt.Sprintf("all projects (%s)", count(n))
	}
	return "all projects"
}

// operation names the operation of a row: "Create branch of storefront".
func (s *scope) operation(r *row) string { return r.op.Action.Title() + " of " + s.name(r.project) }

// setProjects takes in the projects and returns those to poll. It keeps the names of those that are gone.
func (s *scope) setProjects(list page.ProjectList) []feed.Project {
	listed := make(names, len(list.Projects))
	polled := make([]feed.Project, 0, len(list.Projects))
	for i := range list.Projects {
		project := &list.Projects[i]
		name := project.Name
		if other, shared := listed[project.ID]; shared {
			name = other + " or " + name // the service does not tell which one it is
		}
		listed[project.ID] = name
		if project.ID == s.project.ID {
			s.project = *project
		}
		if !models.NoID(project.ID) {
			pinned := list.Pinned[project.ID]
			polled = append(polled, feed.Project{ID: project.ID, ChangedAt: project.ChangedAt(), Pinned: pinned})
		}
	}
	s.list, s.names = list, maps.Clone(s.names) // filters on other goroutines read the old names
	maps.Copy(s.names, listed)
	return polled
}

func (s *scope) show(project models.Project) func() tea.Cmd {
	return action.Do(func() { s.session.Emit(page.ShowOperations{Project: project}) })
}

// openProject goes to the project of an operation.
func (s *scope) openProject(r *row) tea.Cmd {
	s.session.Emit(page.ShowProject{ID: r.project})
	return nil
}

func (s *scope) choose() tea.Cmd {
	items := []*dialog.PickerItem{{Title: "all projects", Choose: s.show(models.Project{})}}
	for _, project := range s.list.Projects {
		if !models.NoID(project.ID) {
			item := &dialog.PickerItem{ID: project.ID, Title: project.Name, Note: project.ID, Choose: s.show(project)}
			items = append(items, item)
		}
	}
	s.session.Open(dialog.NewPicker("Choose a project", items, s.project.ID))
	return nil
}

func (s *scope) complete(typed string) []action.Value {
	typed = strings.ToLower(typed)
	var out []action.Value
	for _, project := range s.list.Projects {
		if strings.Contains(strings.ToLower(project.Name), typed) || strings.Contains(project.ID, typed) {
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
