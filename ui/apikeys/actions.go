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
			Footer: action.Shown, Disabled: p.off(changes.create), Run: action.Do(p.askReach),
		},
		{
			ID: "revoke", Title: "revoke", Keys: []string{"x", "delete"}, Footer: action.Shown,
			Disabled: p.off(changes.revoke), Run: action.Do(p.askToRevoke),
		},
		{
			ID: "rotate", Title: "rotate", Keys: []string{"R"}, Footer: action.Shown, Vary: p.lookOfRotate,
			Disabled: p.off(changes.rotate), Run: action.Do(p.askRotation),
		},
		{
			ID: "rotate-own", Title: "rotate this session's key",
			Disabled: p.off(changes.rotateOwn), Run: action.Do(p.askOwnRotation),
		},
		{
			ID: "copy", Title: "copy", Keys: []string{"y"}, Footer: action.LowPriority,
			Disabled: p.off(changes.copy), Run: action.Do(p.copy),
		},
	}
}

// off returns a function that tells why something cannot be done now, or "".
func (p *Page) off(why func(changes) string) func() string {
	return func() string {
		selected, _ := p.List().Selected()
		return why(changes{
			keys: p.keys, selected: selected, marked: p.List().CountMarked(),
			unread: p.AsOf().IsZero(), readOnly: p.options.ReadOnly, fixed: p.account.KeysFixed(),
			unsaved: p.options.KeyStore == nil,
		})
	}
}

// lookOfRotate names the key of the session where that is what is rotated.
func (p *Page) lookOfRotate(l action.Look) action.Look {
	selected, ok := p.List().Selected()
	if ok && p.List().CountMarked() == 0 && p.keys.isOwn(selected) {
		l.Title = "rotate this session's key"
	}
	return l
}

// copy offers the id and the name of a key.
func (p *Page) copy() {
	k, ok := p.Choose()
	if !ok {
		return
	}
	item := func(what, text string) *dialog.PickerItem {
		return &dialog.PickerItem{ID: what, Title: what, Note: text, Choose: action.Do(func() {
			p.session.Emit(page.Copy{Label: "the " + what + " of " + k.Name, Text: models.NewSecret(text)})
		})}
	}
	items := []*dialog.PickerItem{item("id", strconv.FormatInt(k.ID, 10)), item("name", k.Name)}
	p.session.Open(dialog.NewPicker("Copy: "+k.Name, items, ""))
}

// refresh reads all lists, and asks which organizations there are, whose lists then come or go.
func (p *Page) refresh() tea.Cmd {
	p.session.Emit(page.RefreshProjects{})
	p.load()
	return nil
}
