package apikeys

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/dialog"
)

// askReach asks what a new key shall reach, and then for its name. Without a choice, it asks for the name.
func (p *Page) askReach() {
	all := p.account.Reaches()
	if len(all) == 1 {
		p.askName(all[0])
		return
	}
	var items []*dialog.PickerItem
	for _, reach := range all {
		item := &dialog.PickerItem{
			ID: reach.Org + "/" + reach.Project, Title: p.words().names.Reach(reach), Note: p.about(reach),
			Choose: func() tea.Cmd {
				p.askName(reach)
				return nil
			},
		}
		if !p.keys.read(reach.List()) {
			item.Disabled, item.Note = true, p.account.KeyListName(reach.List())+" could not be read"
		}
		items = append(items, item)
	}
	p.session.Open(dialog.NewPicker("What shall the key reach?", items, items[0].ID))
}

// askName asks for the name of a new key that reaches that.
func (p *Page) askName(reach models.Reach) { (&creation{page: p, reach: reach}).ask("") }

// about tells of what kind a reach is.
func (p *Page) about(reach models.Reach) string {
	switch {
	case reach.Project != "":
		return "project, of " + p.words().names.Org(reach.Org)
	case reach.Org != "":
		return "organization, all of its projects"
	}
	return strings.TrimPrefix(p.account.ReachWords(reach), "reaches ")
}
