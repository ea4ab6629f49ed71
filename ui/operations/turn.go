package operations

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/query"
	"pgtower/ui/page"
)

// screen returns what is shown as a view without a name or columns.
func (p *Page) screen() query.SavedView {
	project := cmp.Or(p.scope.project.ID, query.AllProjects)
	return query.SavedView{Filter: p.list.table.Query(), Project: project, Sort: p.list.order()}
}

func (p *Page) countViews() tea.Cmd { return p.tabs.count(p.views.every(), p.list) }

// turnToView applies a view. Settings of the previous view that this one leaves out return to their defaults.
func (p *Page) turnToView(to query.SavedView) tea.Cmd {
	from, _ := p.views.current()
	project := p.scope.project
	switch {
	case to.Project == query.AllProjects, to.Project == "" && from.Project != "":
		project = models.Project{}
	case to.Project != "" && to.Project != project.ID:
		project = p.scope.listed(to.Project)
	}
	cmd := p.showOperations(page.ShowOperations{Project: project})
	p.groups, p.views.last = nil, to.Name
	if to.Sort != "" || from.Sort != "" {
		cmd = tea.Batch(cmd, p.list.sort(to.Sort))
	}
	return tea.Batch(cmd, p.list.filter(to.Filter))
}

// showView returns a function that goes to a view, from any page.
func (p *Page) showView(to query.SavedView) func() tea.Cmd {
	return func() tea.Cmd {
		cmd := p.turnToView(to)
		p.session.Emit(page.ShowOperations{Project: p.scope.project})
		return cmd
	}
}
