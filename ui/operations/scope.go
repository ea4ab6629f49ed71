package operations

import (
	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
)

// all says that the operations of all projects are shown.
func (p *Page) all() bool { return p.project.ID == "" }

// show makes the timeline and the table of the projects in scope.
func (p *Page) show() {
	p.poller.SetScope(p.project.ID)
	p.timeline = p.poller.Timeline()
	p.rows = newRows(p.timeline)
	p.rows.place(p.extent())
	p.table = p.newTable()
	p.stats = nil
	p.marks, p.failures.away = nil, 0
}

// turnTo shows the operations of a project, or of all for one without an id.
func (p *Page) turnTo(project models.Project) tea.Cmd {
	if project.ID == p.project.ID {
		p.project = project
		return nil
	}
	p.project, p.resume = project, ""
	p.show()
	return p.poll()
}

// comeBackTo shows the operations of a project as the person left them. What they see
// already is not moved under them: there, the filter alone may be another one.
func (p *Page) comeBackTo(project models.Project, at page.Place) tea.Cmd {
	same := project.ID == p.project.ID
	cmd := p.turnTo(project)
	if at.Query != p.table.Query() {
		cmd = tea.Batch(cmd, p.table.SetQuery(at.Query))
	}
	if same {
		return cmd
	}
	p.resume, p.back, p.sought = at.Row, at, 0
	return tea.Batch(cmd, p.comeBack())
}

// tookProjects takes in which projects there are. What is loaded of those that are
// there still stays.
func (p *Page) tookProjects(list page.ProjectList) tea.Cmd {
	p.projects = list
	before := p.names
	p.names = make(map[string]string, len(list.Projects))
	for i := range list.Projects {
		project := &list.Projects[i]
		name := project.Name
		if other, shared := p.names[project.ID]; shared {
			name = other + " or " + name // which of them it is, nobody knows
		}
		p.names[project.ID] = name
		if project.ID == p.project.ID {
			p.project = *project
		}
	}
	for id, name := range before {
		if _, listed := p.names[id]; !listed {
			p.names[id] = name // its operations are shown still
		}
	}
	p.learn()
	// A project without an id has no operations that could be asked for.
	scheduled := make([]feed.Project, 0, len(list.Projects))
	for i := range list.Projects {
		if one := &list.Projects[i]; !models.NoID(one.ID) {
			scheduled = append(scheduled, feed.Project{ID: one.ID, ChangedAt: one.ChangedAt(), Pinned: list.Pinned[one.ID]})
		}
	}
	p.poller.SetProjects(scheduled, list.Complete)
	return tea.Batch(p.refresh(), p.poll())
}

// name is how a project is called on the screen.
func (p *Page) name(project string) string {
	if name := p.names[project]; name != "" {
		return name
	}
	return project
}

// chooseProject lets the person pick what to watch.
func (p *Page) chooseProject() {
	items := []dialog.PickerItem{{ID: "", Title: "all projects", Then: page.ShowOperations{}}}
	for _, project := range p.projects.Projects {
		if models.NoID(project.ID) {
			continue
		}
		items = append(items, dialog.PickerItem{
			ID: project.ID, Title: project.Name, Note: project.ID,
			Then: page.ShowOperations{Project: project},
		})
	}
	p.session.Tell(page.Open{Dialog: dialog.NewPicker("Operations of which project?", items, p.project.ID)})
}
