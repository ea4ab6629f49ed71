package control

import (
	"context"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/models/account"
)

// listsOnly fails all requests but those for lists, and for whom the key belongs to if it has a user.
type listsOnly struct {
	API

	user     string
	projects []models.Project
	keys     []models.APIKey
}

func (l listsOnly) Projects(context.Context, models.ListID, models.PageRequest) (models.Page[models.Project], error) {
	return models.Page[models.Project]{Items: l.projects}, nil
}

func (l listsOnly) APIKeys(context.Context, models.ListID) ([]models.APIKey, error) {
	return l.keys, nil
}

func (l listsOnly) Auth(context.Context) (models.Auth, error) {
	if l.user == "" {
		return models.Auth{}, &models.Error{Kind: models.KindNotFound, Status: 404}
	}
	return models.Auth{AccountID: l.user, Method: "api_key_user"}, nil
}

func (listsOnly) User(context.Context) (models.User, error) {
	return models.User{}, &models.Error{Kind: models.KindNotFound, Status: 404}
}

func (listsOnly) Organizations(context.Context) ([]models.Organization, error) {
	return nil, &models.Error{Kind: models.KindNotFound, Status: 404}
}

// A connection is to the account on the screen if the service says so or, without that, if enough projects or a key are
// the same.
func TestConnectionIsOfAnAccount(t *testing.T) {
	t.Parallel()
	const here = "https://console.example/api/v2"
	list := func(ids ...string) (out []models.Project) {
		for _, id := range ids {
			out = append(out, models.Project{ID: id})
		}
		return out
	}
	of := func(keys []models.KeyRef, ids ...string) Shown {
		return Shown{Projects: list(ids...), Keys: keys}
	}
	ada := func(ids ...string) Shown {
		return Shown{Identity: account.Identity{ID: "ada", Kind: models.PersonalKey}, Projects: list(ids...)}
	}
	refs := func(ids ...int64) (all []models.KeyRef) {
		for _, id := range ids {
			all = append(all, models.KeyRef{ID: id})
		}
		return all
	}
	key := []models.APIKey{{ID: 7}}
	for name, c := range map[string]struct {
		before Shown
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
		"the same user":              {ada("a"), here, listsOnly{user: "ada", projects: list("b")}, true},
		"another user":               {ada("a"), here, listsOnly{user: "eve", projects: list("a")}, false},
		"another address":            {of(nil, "a"), "https://elsewhere.example/api/v2", listsOnly{projects: list("a")}, false},
	} {
		connection := Connection{API: c.now, BaseURL: c.at, Account: account.New(account.Options{})}
		same, err := connection.IsOf(t.Context(), here, c.before, time.Now)
		if err != nil || same != c.same {
			t.Errorf("%s: %v, %v", name, same, err)
		}
	}
}
