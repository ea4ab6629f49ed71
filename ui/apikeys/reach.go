package apikeys

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/keys"
	"pgtower/ui/dialog"
)

// askReach asks what a new key shall reach, and then for its name. Without a choice, it asks for the name.
func (p *Page) askReach() {
	reaches, w := p.account.Reaches(), p.words()
	if len(reaches) == 1 {
		p.newCreation(keys.Change{Key: keys.Wanted("", reaches[0])}).ask("")
		return
	}
	var items []*dialog.PickerItem
	for _, reach := range reaches {
		item := &dialog.PickerItem{
			ID: reach.Org + "/" + reach.Project, Title: w.names.Reach(reach), Note: w.kindOf(reach),
			Choose: func() tea.Cmd {
				p.newCreation(keys.Change{Key: keys.Wanted("", reach)}).ask("")
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

// kindOf returns of what kind a reach is.
func (w words) kindOf(reach models.Reach) string {
	switch {
	case reach.Project != "":
		return "project, of " + w.names.Org(reach.Org)
	case reach.Org != "":
		return "organization, all of its projects"
	}
	return strings.TrimPrefix(w.account.ReachWords(reach), "reaches ")
}
