package apikeys

import (
	"time"

	"pgtower/models"
	"pgtower/models/query"
	"pgtower/ui/announce"
	"pgtower/ui/page"
	"pgtower/ui/table"
)

// View draws the list.
func (p *Page) View(f page.Frame) []string { return p.Draw(f, p.description(f)) }

// Describe returns the list in words.
func (p *Page) Describe(f page.Frame) announce.Description {
	return p.list.Describe(f, p.description(f))
}

func (p *Page) description(f page.Frame) table.Description[*models.APIKey] {
	return table.Description[*models.APIKey]{
		ID: page.APIKeys, Name: page.APIKeys.Title(),
		Summary: p.words().summary(), Trouble: append(p.unread(), p.failed.err),
		Empty: p.reading().Empty(f, "API keys", p.none(f)),
	}
}

// unread returns an error for each list that could not be read.
func (p *Page) unread() (all []error) {
	for _, of := range p.keys.all {
		if of.err != nil {
			all = append(all, models.About("cannot read "+p.account.KeyListName(of.id), 0, of.err))
		}
	}
	return all
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

// words returns what tells of the keys as they are now.
func (p *Page) words() words {
	return words{
		times: p.session.Times, account: p.account, label: p.options.Account,
		names: *p.names.Load(), keys: p.keys, audit: p.audited(),
	}
}

func (p *Page) newTable() *list {
	namesNow := func() models.Names { return *p.names.Load() }
	return table.New(table.Config[*models.APIKey]{
		Source: p.keys, Order: "order of the service", Fields: query.APIKeys(namesNow, p.audited),
		Examples: []string{
			"ci", "never", "idle:>30d", "is:idle or never:used", "from:203.0.113",
			"before:2026-01-01",
		},
		Say:      func(k *models.APIKey, now time.Time) string { return p.words().say(k, now) },
		Values:   (*models.APIKey).Fields,
		Detail:   func(k *models.APIKey, now time.Time) table.Record { return p.words().record(k, now) },
		Markable: func(*models.APIKey) bool { return true }, Session: p.session, Page: page.APIKeys,
		Columns: columns(p.words, namesNow, p.audited),
	})
}
