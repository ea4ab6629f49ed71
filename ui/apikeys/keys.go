package apikeys

import (
	"strconv"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/ui/action"
	"pgtower/ui/page"
	"pgtower/ui/table"
)

func createKey() action.Action { return action.New("n", "new", "n").Named("new").InFooter() }
func revokeKey() action.Action {
	return action.New("x", "revoke", "x", "delete").Named("revoke").InFooter()
}
func rotateKey() action.Action  { return action.New("R", "rotate", "R").Named("rotate") }
func copyKey() action.Action    { return action.New("y", "copy the id", "y").Named("copy") }
func refreshKey() action.Action { return action.New("r", "refresh", "r").Named("refresh") }

// AllKeys is everything that can be done on the page, in whichever state it is.
func AllKeys() []action.Group {
	group := action.Group{Title: "API keys", Actions: []action.Action{createKey(), revokeKey(), rotateKey(), copyKey(), refreshKey()}}
	return append([]action.Group{group}, table.AllKeys(action.Action{}, true)...)
}

// Keys declares what can be done on the page now.
func (p *Page) Keys() []action.Group {
	if p.Editing() {
		return p.table.Keys()
	}
	refresh := refreshKey()
	if p.busy {
		refresh = refresh.Unless("it is loading")
	}
	group := action.Group{Title: "API keys", Actions: []action.Action{
		createKey().Unless(p.notCreatable()), revokeKey().Unless(p.notRevocable()), rotateKey().Unless(p.notRotatable()),
		copyKey().Unless(p.notCopyable()), refresh,
	}}
	return append([]action.Group{group}, p.table.Keys()...)
}

// notRevocable says why nothing can be revoked now, or nothing.
func (p *Page) notRevocable() string {
	target, ok := p.table.List().Selected()
	switch {
	case p.readOnly != "":
		return p.readOnly
	case !ok:
		return "there is no key"
	case p.table.List().CountMarked() > 0:
		return ""
	}
	return p.rows.notRevocable(target)
}

// notCopyable says why there is no id to copy, or nothing.
func (p *Page) notCopyable() string {
	if k, ok := p.table.List().Selected(); ok && k.ID == 0 {
		return noID
	}
	return ""
}

// notCreatable says why no key can be created now, or nothing. Without the list it is
// not known which names are taken.
func (p *Page) notCreatable() string {
	switch {
	case p.readOnly != "":
		return p.readOnly
	case p.loaded.IsZero():
		return "the keys are not read yet"
	}
	return ""
}

// notRotatable says why this session's key cannot be rotated now, or nothing.
func (p *Page) notRotatable() string {
	if p.holder == nil {
		return "there is no place to keep a key"
	}
	return p.notCreatable()
}

func (p *Page) key(k tea.KeyPressMsg) tea.Cmd {
	// Whoever goes on has no wish to be brought back to where they were.
	p.resume = 0
	if p.Editing() {
		return p.toTable(k)
	}
	switch {
	case copyKey().Pressed(k):
		if key, ok := p.table.List().Selected(); ok {
			id := strconv.FormatInt(key.ID, 10)
			p.session.Tell(page.Copy{Label: "the id of " + key.Name, Text: models.NewSecret(id)})
		}
	case createKey().Pressed(k):
		p.open(p.nameForm())
	case revokeKey().Pressed(k):
		p.askToRevoke()
	case rotateKey().Pressed(k):
		p.open(p.rotateForm())
	case refreshKey().Pressed(k):
		return p.load()
	default:
		return p.toTable(k)
	}
	return nil
}

func (p *Page) open(d page.Dialog) { p.session.Tell(page.Open{Dialog: d}) }
