package ui

import (
	"context"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/models/account"
)

// listsOnly fails all requests but those for lists.
type listsOnly struct {
	noKinds

	projects []models.Project
	keys     []models.APIKey
}

func (l listsOnly) Projects(context.Context, models.ListID, models.PageRequest) (models.Page[models.Project], error) {
	return models.Page[models.Project]{Items: l.projects}, nil
}

func (l listsOnly) APIKeys(context.Context, models.ListID) ([]models.APIKey, error) {
	return l.keys, nil
}

func TestConnectionIsOfAnAccount(t *testing.T) {
	t.Parallel()
	const here = "https://console.example/api/v2"
	list := func(ids ...string) (out []models.Project) {
		for _, id := range ids {
			out = append(out, models.Project{ID: id})
		}
		return out
	}
	type shownBefore struct {
		keys     []models.KeyRef
		projects []models.Project
	}
	of := func(keys []models.KeyRef, ids ...string) shownBefore { return shownBefore{keys, list(ids...)} }
	refs := func(ids ...int64) (all []models.KeyRef) {
		for _, id := range ids {
			all = append(all, models.KeyRef{ID: id})
		}
		return all
	}
	key := []models.APIKey{{ID: 7}}
	for name, c := range map[string]struct {
		before shownBefore
		at     string
		now    listsOnly
		same   bool
	}{
		"the same":                   {of(nil, "a", "b"), here, listsOnly{projects: list("a", "b")}, true},
		"one is gone, one is new":    {of(nil, "a", "b"), here, listsOnly{projects: list("b", "c")}, true},
		"other projects":             {of(nil, "a", "b"), here, listsOnly{projects: list("c", "d"), keys: key}, false},
		"a shared project":           {of(nil, "a", "b"), here, listsOnly{projects: list("b", "c", "d")}, false},
		"none left":                  {of(refs(7), "a"), here, listsOnly{keys: key}, false},
		"none before":                {of(refs(7)), here, listsOnly{projects: list("a"), keys: key}, false},
		"never any, a key in common": {of(refs(6, 7)), here, listsOnly{keys: key}, true},
		"never any, other keys":      {of(refs(6)), here, listsOnly{keys: key}, false},
		"never any, keys not read":   {of(nil), here, listsOnly{keys: key}, true},
		"another address":            {of(nil, "a"), "https://elsewhere.example/api/v2", listsOnly{projects: list("a")}, false},
	} {
		connection := Connection{API: c.now, BaseURL: c.at, Account: account.New(account.Options{})}
		before := shownAccount{projects: c.before.projects, keys: c.before.keys}
		same, err := connection.isOf(t.Context(), here, before, time.Now)
		if err != nil || same != c.same {
			t.Errorf("%s: %v, %v", name, same, err)
		}
	}
}

// Dialogs about keys name the profile, unless there is only one.
func TestProfileAccount(t *testing.T) {
	t.Parallel()
	for want, p := range map[string]Profile{
		"console.example":                   {Name: unnamed, Host: "console.example"},
		"profile staging · console.example": {Name: "staging", Host: "console.example"},
		"profile demo":                      {Name: "demo", Host: "demo", Demo: true},
	} {
		if got := p.account(); got != want {
			t.Errorf("%s is named %q", p.Name, got)
		}
	}
}
