package apikeys

import (
	"strconv"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/action"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
)

// newActions returns the actions of the page.
func (p *Page) newActions() []*action.Action {
	return []*action.Action{
		{
			ID: "new", Title: "create a key", Short: "new", Keys: []string{"n"},
			Footer: action.Shown, Disabled: p.off(conditions.create), Run: action.Do(p.askReach),
		},
		{
			ID: "revoke", Title: "revoke", Keys: []string{"x", "delete"}, Footer: action.Shown,
			Disabled: p.off(conditions.revoke), Run: action.Do(p.askToRevoke),
		},
		{
			ID: "rotate", Title: "rotate", Keys: []string{"R"}, Footer: action.Shown, Vary: p.lookOfRotate,
			Disabled: p.off(conditions.rotate), Run: action.Do(p.askRotation),
		},
		{
			ID: "rotate-own", Title: "rotate this session's key",
			Disabled: p.off(conditions.rotateOwn), Run: action.Do(p.askOwnRotation),
		},
		{
			ID: "copy", Title: "copy", Keys: []string{"y"}, Footer: action.LowPriority,
			Disabled: p.off(conditions.copy), Run: action.Do(p.copy),
		},
	}
}

// off returns a function that returns why something cannot be done now, or "".
func (p *Page) off(why func(conditions) string) func() string {
	return func() string { return why(p.conditions()) }
}

func (p *Page) conditions() conditions {
	selected, _ := p.List().Selected()
	return conditions{
		keys: p.keys, selected: selected, marked: p.List().CountMarked(),
		unread: p.AsOf().IsZero(), readOnly: p.options.ReadOnly, fixed: p.account.KeysFixed(),
		unsaved: p.options.KeyStore == nil,
	}
}

// lookOfRotate names the session's key if that would be rotated.
func (p *Page) lookOfRotate(l action.Look) action.Look {
	selected, ok := p.List().Selected()
	if ok && p.List().CountMarked() == 0 && p.keys.isOwn(selected) {
		l.Title = "rotate this session's key"
	}
	return l
}

// copy offers to copy the id or the name of a key.
func (p *Page) copy() {
	k, ok := p.Choose()
	if !ok {
		return
	}
	items := []*dialog.PickerItem{p.copyItem(k, "id", strconv.FormatInt(k.ID, 10)), p.copyItem(k, "name", k.Name)}
	p.session.Open(dialog.NewPicker("Copy: "+k.Name, items, ""))
}

func (p *Page) copyItem(k *models.APIKey, what, text string) *dialog.PickerItem {
	secret := page.Copy{Label: "the " + what + " of " + k.Name, Text: models.NewSecret(text)}
	return &dialog.PickerItem{
		ID: what, Title: what, Note: text, Choose: action.DoWith(p.session.Emit, page.Effect(secret)),
	}
}

// refresh reads all lists, and the organizations: lists of new ones are added, lists of others removed.
func (p *Page) refresh() tea.Cmd {
	p.session.Emit(page.RefreshProjects{})
	p.load()
	return nil
}
