package operations

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/incident"
	"pgtower/ui/page"
)

func (p *Page) toggleGroups() tea.Cmd {
	if p.groups != nil {
		p.groups = nil
		return nil
	}
	return p.openGroups()
}

// openGroups shows the groups, without counts before they are counted.
func (p *Page) openGroups() tea.Cmd {
	if !p.grouping.chosen {
		p.grouping.by = incident.Errors
	}
	p.groups = &groups{
		list: p.list, as: p.grouping, window: p.window, enter: p.actions.ofAction, leave: p.toggleGroups, turn: p.groupBy,
	}
	p.groups.newTable()
	return p.groups.refresh()
}

// copyGroup copies the report of the chosen group.
func (p *Page) copyGroup() tea.Cmd {
	g, ok := p.groups.table.Choose()
	if ok {
		text := models.NewSecret(p.copier.reportGroup(p.groups.as.by, g))
		p.session.Emit(page.Copy{Label: "the report of " + g.label, Text: text})
	}
	return nil
}

// groupBy shows the groups of a dimension.
func (p *Page) groupBy(by incident.Dimension) tea.Cmd {
	p.grouping = grouping{by, true}
	return p.openGroups()
}

// nextDimension returns the dimension after that in force.
func (p *Page) nextDimension() incident.Dimension {
	all := p.scope.dimensions()
	return all[(slices.Index(all, p.groups.as.by)+1)%len(all)]
}

func (p *Page) dimensionNames() (out []string) {
	for _, by := range p.scope.dimensions() {
		out = append(out, by.String())
	}
	return out
}

func (p *Page) groupByName(name string) tea.Cmd {
	return p.groupBy(p.scope.dimensions()[slices.Index(p.dimensionNames(), name)])
}
