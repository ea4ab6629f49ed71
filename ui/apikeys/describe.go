package apikeys

import (
	"time"

	"pgtower/models"
	"pgtower/models/query"
	"pgtower/ui/action"
	"pgtower/ui/listpage"
	"pgtower/ui/page"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

// newListPage returns the list of the page. It reads everything that it shows from the page.
func (p *Page) newListPage() *listPage {
	return listpage.New(listpage.Config[models.APIKey]{
		ID: page.APIKeys, Session: p.session, Fields: p.fields, Actions: p.newActions(), Row: "API key",
		Refresh: &action.Action{Run: p.refresh},
		Reading: reader{p}.reading, Describe: p.describe,
		Table: table.Config[*models.APIKey]{
			Source: p.keys, Columns: p.columns(), Fields: query.APIKeys(p.fields, p.audited, style.Value),
			Examples: []string{
				"ci", "never", "idle:>30d", "is:idle or never:used", "from:203.0.113",
				"before:2026-01-01",
			},
			Say:      func(k *models.APIKey, now time.Time) string { return p.words().say(k, now) },
			Values:   func(k *models.APIKey) models.Fields { return models.ValuesOf(p.fields, k) },
			Detail:   func(k *models.APIKey, now time.Time) table.Record { return p.words().record(k, now) },
			Markable: func(*models.APIKey) bool { return true },
		},
	})
}

// describe adds the texts around the rows.
func (p *Page) describe(f page.Frame, d *table.Description[*models.APIKey]) {
	d.Summary, d.Empty = p.words().summary(), p.none(f)
	d.Trouble = append(p.unread(), p.failed.err)
}

// unread returns an error for each list that could not be read, and one if it is unknown which lists there are.
func (p *Page) unread() (errs []error) {
	if unknown := p.account.KeyListsErr(); unknown != nil {
		errs = append(errs, models.About("cannot tell which lists of keys there are", 0, unknown))
	}
	for _, list := range p.keys.all {
		if list.err != nil {
			errs = append(errs, models.About("cannot read "+p.account.KeyListName(list.id), 0, list.err))
		}
	}
	return errs
}

// none is the empty state without any key.
func (p *Page) none(f page.Frame) table.EmptyState {
	if p.shown && len(p.keys.all) == 0 {
		return table.EmptyState{
			Title: "There is no list of keys for this key.",
			Body:  "It is a " + p.account.Describe() + ": sign in with a personal key.",
		}
	}
	return table.EmptyState{Title: "This account has no API keys.", Body: f.Key("new") + ": create one."}
}
