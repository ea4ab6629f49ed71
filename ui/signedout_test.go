package ui

import (
	"context"
	"net/http"
	"regexp"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"pgtower/client/mock"
	"pgtower/models"
	"pgtower/models/account"
	"pgtower/ui/page"
)

// revokeOwn revokes the session's key, and waits until the screen shows it.
func revokeOwn(p *program) {
	p.server.RevokeSecret(p.server.APIKey())
	for range 10 {
		p.Wait(time.Second)
		if p.model.session.over() {
			return
		}
	}
	p.t.Fatalf("the refusal is not seen:\n%s", p.screen())
}

// TestRefusedKeyKeepsTheIncidentOnTheScreen loses the session with a filter and a watch, and continues with another key
// of the same account.
func TestRefusedKeyKeepsTheIncidentOnTheScreen(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, inBusiest, func(p *program) {
		p.Wait(time.Second) // in a second of its own, it is on top
		p.begin(mock.Task{ProjectID: p.server.BusiestProject(), Action: "create_branch", Wait: time.Second, Run: 11 * time.Minute})
		p.Wait(6 * time.Second)
		p.Press("w", "/")
		p.Type("branch")
		p.Press("enter", "j", "j")
		before, rows := p.model.session.pages.all[page.Operations].ViewState(), p.model.session.pages.all[page.Operations]
		other := p.createOther()
		revokeOwn(p)
		p.sees("signed out · as of 00:0", "Create branch", "Sign in", "The service refused the API key (401).",
			"It came from the keyring.", "/ branch")
		screen, asked := p.screen(), atomic.Int64{}
		p.watch = func(*http.Request) { asked.Add(1) }
		p.Wait(10 * time.Minute)
		if n := asked.Load(); n > 0 {
			t.Errorf("%d requests without a key", n)
		}
		if p.screen() != screen {
			t.Errorf("the screen moved from\n%s\nto\n%s", screen, p.screen())
		}
		p.Send(pasteOf(other))
		p.Press("enter")
		p.sees("● live, every 5s", "Create branch")
		p.seesNot("Sign in", "signed out")
		if after := p.model.session.pages.all[page.Operations].ViewState(); after != before || p.model.session.pages.all[page.Operations] != rows {
			t.Errorf("went on at %+v, was at %+v", after, before)
		}
		p.Wait(time.Minute)
		p.sees("● live, every 5s")
		if len(p.alerts) == 0 {
			t.Error("the watch was lost")
		}
		if !slices.Equal(p.keys, []string{other}) {
			t.Errorf("%d keys were saved", len(p.keys))
		}
	})
}

// TestOneRefusalDoesNotEndTheSession refuses a single request.
func TestOneRefusalDoesNotEndTheSession(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, inBusiest, func(p *program) {
		p.Wait(6 * time.Second)
		p.inject("401 count=1")
		p.Wait(time.Minute)
		p.sees("● live, every 5s")
		p.seesNot("Sign in")
	})
}

// TestKeysForThePageAreNotTypedAsAKey keeps typing when the form appears.
func TestKeysForThePageAreNotTypedAsAKey(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, withOthers, func(p *program) {
		other := p.createOther()
		p.Press("/")
		p.server.RevokeSecret(p.server.APIKey())
		for range 100 { // a key every 100 ms, from before the form appears until long after
			time.Sleep(100 * time.Millisecond)
			p.Type("x")
		}
		p.Press("tab", "esc", "enter")
		p.sees("signed out", "API key:")
		p.seesNot("•", "Switch profile", "◌ verifying the key…")
		p.Wait(time.Second)
		p.Type("abc")
		p.sees("API key: •••")
		p.Press("ctrl+u")
		p.Send(pasteOf(other))
		p.Press("enter")
		p.sees("● live, every 5s")
	})
}

func TestAPasteIsMeantForTheForm(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, nil, func(p *program) {
		p.Press("3")
		other := p.createOther()
		p.model.session.signOut("Now.")
		p.Press("x")
		p.Send(pasteOf(other))
		p.Press("enter")
		p.sees("3 API keys", "read just now")
		p.seesNot("Sign in")
	})
}

// TestAnotherAccountsKeyClearsTheRows signs in with another account's key at the same address.
func TestAnotherAccountsKeyClearsTheRows(t *testing.T) {
	t.Parallel()
	play(t, 200, 36, inBusiest, func(p *program) {
		old := p.screen()
		row := p.model.session.pages.all[page.Operations].ViewState()
		revokeOwn(p)
		server, err := mock.New(mock.Options{Seed: 9, Clock: time.Now, Projects: 3})
		if err != nil {
			t.Fatal(err)
		}
		p.server = server
		p.Send(pasteOf(server.APIKey()))
		p.Press("enter")
		p.sees("all projects (3)", "Cleared the previous rows: this key may not reach them.")
		for _, id := range regexp.MustCompile(`[a-z]+-[a-z]+-[a-z]+-\d{6}`).FindAllString(old, -1) {
			p.seesNot(id)
		}
		if now := p.model.session.pages.all[page.Operations].ViewState(); now.Project == row.Project {
			t.Errorf("still at %+v", now)
		}
		p.Press("[")
		p.sees("nowhere to go back")
	})
}

// TestARefusedKeyIsFoundAgain looks for a key where only the refused one is found.
func TestARefusedKeyIsFoundAgain(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, inBusiest, func(p *program) {
		revokeOwn(p)
		p.Wait(time.Second)
		p.Press("enter")
		p.reads("The key from the keyring was also refused (401). Enter another one.")
		p.noKey = true
		p.Press("enter")
		p.reads("No other key was found in the environment or the keyring.")
		p.sees("signed out · as of", "storefront")
		p.down = true
		p.Send(pasteOf("napi_other"))
		p.Press("enter")
		p.Wait(time.Minute)
		p.sees("signed out · as of", "storefront", "✗")
	})
}

// TestRequestsOfAnEndedSessionAreRepeated ends the session while pages of history, the list of keys and a filter are in
// progress.
func TestRequestsOfAnEndedSessionAreRepeated(t *testing.T) {
	t.Parallel()
	play(t, 120, 36, inBusiest, func(p *program) {
		p.Press("3", "1")
		loaded := func() int { return len(p.model.session.seen.projects) }
		if loaded() == 0 {
			t.Fatal("no projects")
		}
		other := p.createOther()
		p.inject("latency=3s of /projects/*/operations")
		p.inject("latency=3s of /api_keys")
		p.Press("3", "r", "1", "m")
		p.server.RevokeSecret(p.server.APIKey())
		p.Press("2", "r", "1")
		p.Wait(4 * time.Second)
		p.sees("signed out")
		p.server.Faults.Clear()
		p.Send(pasteOf(other))
		p.Press("enter")
		p.Wait(6 * time.Second)
		p.sees("● live, every 5s")
		p.seesNot("refused", "loading")
		p.Press("3")
		p.sees("read 6 seconds ago", "other")
	})
}

func TestSignedOutOnTheSmallestScreen(t *testing.T) {
	t.Parallel()
	play(t, 60, 15, withOthers, func(p *program) {
		revokeOwn(p)
		p.sees("signed out · as of", "Service: ", "API key: ", "[ Sign in ]")
		p.Wait(time.Second)
		p.Press("esc")
		p.Type("stag")
		p.Press("enter")
		p.Wait(time.Second)
		p.sees("● live, every 2s")
		p.seesNot("signed out")
	})
}

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

func TestAccountsAreDistinguished(t *testing.T) {
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
