package apikeys

import (
	"strings"

	"pgtower/models"
	"pgtower/models/keys"
	"pgtower/ui/action"
	"pgtower/ui/dialog"
)

// askReach asks what a new key shall reach, if there is a choice, and then for its name.
func (p *Page) askReach() {
	reaches, w := p.account.Reaches(), p.words()
	if len(reaches) == 1 {
		p.askName(reaches[0])
		return
	}
	var items []*dialog.PickerItem
	for _, reach := range reaches {
		item := &dialog.PickerItem{
			ID: reach.Org + "/" + reach.Project, Title: w.names.Reach(reach), Note: w.kindOf(reach),
			Choose: action.DoWith(p.askName, reach),
		}
		if !p.keys.read(reach.List()) {
			item.Disabled, item.Note = true, p.account.KeyListName(reach.List())+" could not be read"
		}
		items = append(items, item)
	}
	p.session.Open(dialog.NewPicker("What shall the key reach?", items, items[0].ID))
}

func (p *Page) askName(reach models.Reach) {
	p.newCreation(keys.Change{Key: keys.Wanted("", reach)}).ask("")
}

// kindOf returns the kind of a reach in words.
func (w words) kindOf(reach models.Reach) string {
	switch {
	case reach.Project != "":
		return "project, of " + w.names.Org(reach.Org)
	case reach.Org != "":
		return "organization, all of its projects"
	}
	return strings.TrimPrefix(w.account.ReachWords(reach), "reaches ")
}
