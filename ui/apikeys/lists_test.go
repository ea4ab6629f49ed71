package apikeys

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/models/account"
	"pgtower/models/keys"
	"pgtower/models/poll"
	"pgtower/ui/action"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// live is a service with organizations, as one key sees it: a personal one, or that of an organization.
type live struct {
	orgs []models.Organization
	org  string
	err  error // of all that tells what the key is
}

func (l live) Auth(context.Context) (models.Auth, error) {
	if l.org != "" {
		return models.Auth{AccountID: l.org, Method: "api_key_org"}, nil
	}
	return models.Auth{AccountID: "u1", Method: "api_key_user"}, l.err
}

func (l live) User(context.Context) (models.User, error) {
	return models.User{ID: "u1", Login: "ada"}, nil
}

func (l live) Organizations(context.Context) ([]models.Organization, error) { return l.orgs, l.err }

func (l live) Organization(context.Context, string) (models.Organization, error) {
	return models.Organization{}, nil
}

func (l live) Projects(
	_ context.Context, of models.ListID, _ models.PageRequest,
) (models.Page[models.Project], error) {
	if of.Org != "acme" {
		return models.Page[models.Project]{}, nil
	}
	return models.Page[models.Project]{Items: []models.Project{{ID: "p1", Name: "storefront"}}}, nil
}

// loop drives what asks before there is a session.
func loop() *poll.Loop { return poll.NewLoop(poll.New(poll.DefaultBudget), time.Now) }

func plain() models.ListID { return models.ListID{} }
func acme() models.ListID  { return models.ListID{Org: "acme"} }
func other() models.ListID { return models.ListID{Org: "other"} }

// personal returns the account of a personal key with two organizations, and a project.
func personal(t *testing.T) *account.Account {
	t.Helper()
	a := account.New(account.Options{})
	s := live{orgs: []models.Organization{{ID: "acme", Name: "Acme"}, {ID: "other", Name: "Other"}}}
	if err := a.Load(t.Context(), s, loop()); err != nil {
		t.Fatal(err)
	}
	return a
}

// Keys of one id in two lists are two keys: for marks, for the selection and for changes.
func TestKeysOfSeveralLists(t *testing.T) {
	t.Parallel()
	b := benchOf(t, personal(t), Options{OwnID: 1, OwnList: models.Opt[models.ListID]{Value: acme(), Known: true}}, []models.APIKey{
		{ID: 1, Name: "mine"},
		{ID: 2},
		{List: acme(), ID: 1, Name: "ci"},
		{List: acme(), ID: 1, Name: "twin"},
		{List: other(), ID: 1, Name: "web", ProjectID: "p1"},
		{List: other(), Name: "no id"},
		{List: other(), Name: "none either"},
	})
	if b.keys.Len() != 7 {
		t.Fatalf("there are %d keys", b.keys.Len())
	}
	seen := map[string]bool{}
	for i := range b.keys.Len() {
		row := b.keys.Row(i)
		key := b.keys.Key(row)
		if at, ok := b.keys.Find(key); !ok || at != i || seen[key.ID] || !b.keys.Has(key) {
			t.Errorf("row %d of %q is found at %d, %t", i, key.ID, at, ok)
		}
		seen[key.ID] = true
	}
	frozen, _ := b.keys.Freeze()
	b.keys.all[0].listing = newListing(keys.Listed{}, time.Now())
	if frozen.Len() != 7 || frozen.Row(2).Name != "ci" {
		t.Error("frozen rows have changed")
	}
	var own []string
	for i := range b.keys.Len() {
		if b.keys.isOwn(b.keys.Row(i)) {
			own = append(own, b.keys.Row(i).Name)
		}
	}
	if !slices.Equal(own, []string{"ci", "twin"}) || !b.keys.Shared(b.keys.Row(0)) || b.keys.Shared(b.keys.Row(2)) {
		t.Errorf("own are %q", own)
	}
}

// A key is the session's own only with its list: the list of the id in the keyring is not guessed.
func TestOwnKeyNeedsItsList(t *testing.T) {
	t.Parallel()
	if b := benchOf(t, personal(t), Options{OwnID: 1}, accountKeys("mine")); b.keys.isOwn(b.keys.Row(0)) {
		t.Error("a key is taken for the session's own by its id")
	}
}

// A session that does not know its own key knows in which lists it cannot be.
func TestOwnKeyIsNotOfAnotherKind(t *testing.T) {
	t.Parallel()
	b := benchOf(t, personal(t), Options{}, []models.APIKey{{ID: 1, Name: "mine"}, {List: acme(), ID: 2, Name: "ci"}})
	if !b.words().mayBeOwn(b.keys.Row(0)) || b.words().mayBeOwn(b.keys.Row(1)) {
		t.Error("a personal key is in the account's list, and in no organization's")
	}
}

// A revocation goes to the list of the key, and that list alone decides.
func TestRevocationInItsList(t *testing.T) {
	t.Parallel()
	b := benchOf(t, personal(t), Options{}, []models.APIKey{{ID: 1, Name: "mine"}, {List: acme(), ID: 1, Name: "ci"}})
	b.service.revoke = func(k models.APIKey) (models.APIKey, error) {
		b.service.asked = append(b.service.asked, "in "+k.List.Org)
		return k, failure(models.KindNotFound)
	}
	b.Do(b.revoke(models.APIKey{List: acme(), ID: 1, Name: "ci"}, false, nil))
	if got := strings.Join(b.service.asked, ", "); got != "revoke, in acme, list acme" {
		t.Errorf("asked for %s", got)
	}
	if r := b.keys.Revocations; len(r) != 1 || r[models.KeyRef{List: acme(), ID: 1}].State != keys.Unknown {
		t.Errorf("%+v", r)
	}
	b.ahead += keys.Deadline
	b.reads(acme())
	if r := b.keys.Revocations; len(r) != 1 || r[models.KeyRef{List: acme(), ID: 1}].State != keys.StillListed {
		t.Errorf("%+v", r)
	}
	b.service.revoke = func(k models.APIKey) (models.APIKey, error) { return k, failure(models.KindForbidden) }
	ci := b.keys.Row(1)
	b.Do(b.revoke(*ci, false, nil))
	note, _ := b.words().note(ci, time.Now())
	contains(t, note+"\n"+b.failed.err.Error(), "✗ not revoked", "cannot revoke ci of Acme")
}

// After a batch, each list of a key that was tried is read once, also if the batch was stopped.
func TestBatchReadsEachListOnce(t *testing.T) {
	t.Parallel()
	for _, stopped := range []bool{false, true} {
		b := benchOf(t, personal(t), Options{}, []models.APIKey{
			{ID: 1}, {List: acme(), ID: 1}, {List: acme(), ID: 2}, {List: other(), ID: 3},
		})
		want := "revoke, revoke, revoke, list, list acme"
		if stopped {
			want = "revoke, list"
			b.service.revoke = func(k models.APIKey) (models.APIKey, error) {
				b.Opened().Run("stop")
				return k, nil
			}
		}
		b.Do(b.startBatch(b.targets()[:3], false))
		if got := strings.Join(b.service.asked, ", "); got != want {
			t.Errorf("stopped %t: asked for %s", stopped, got)
		}
	}
}

// A list that cannot be read is named, and the others are shown.
func TestListsThatCannotBeRead(t *testing.T) {
	t.Parallel()
	b := benchOf(t, personal(t), Options{}, []models.APIKey{{ID: 1, Name: "mine"}, {List: other(), ID: 2, Name: "web"}})
	b.service.fails[acme()] = &models.Error{Kind: models.KindForbidden, Status: 403, Message: "not an organization member"}
	b.reload()
	if err := (reader{b.Page}).reading().Err; b.keys.Len() != 2 || err != nil {
		t.Errorf("%d keys, %v", b.keys.Len(), err)
	}
	contains(t, b.Text(), "cannot read the keys of Acme (403): not an organization member")
}

// Lists are added when the account knows more organizations.
func TestListsFollowTheAccount(t *testing.T) {
	t.Parallel()
	a := account.New(account.Options{})
	b := benchOf(t, a, Options{}, []models.APIKey{{ID: 1, Name: "mine"}, {List: acme(), ID: 1, Name: "ci"}})
	if b.keys.Len() != 1 {
		t.Fatalf("%d keys of an unknown account", b.keys.Len())
	}
	if err := a.Load(t.Context(), live{orgs: []models.Organization{{ID: "acme", Name: "Acme"}}}, loop()); err != nil {
		t.Fatal(err)
	}
	b.Do(b.Update(page.ProjectList{}))
	if got := strings.Join(b.service.asked, ", "); got != "list acme" || b.keys.Len() != 2 {
		t.Errorf("asked for %s, %d keys", got, b.keys.Len())
	}
}

// Refreshing also asks for the organizations, which another page reads: the user may have joined one.
func TestRefreshAsksForTheOrganizations(t *testing.T) {
	t.Parallel()
	b := benchOf(t, personal(t), Options{}, nil)
	b.Take()
	b.Run("refresh")
	if !slices.Contains(b.Effects(), page.Effect(page.RefreshProjects{})) || len(b.service.asked) != 3 {
		t.Errorf("asked for %q, with %v", b.service.asked, b.Effects())
	}
}

// The kind of the session's key decides who can create keys.
func TestCreateIsForPersonalKeys(t *testing.T) {
	t.Parallel()
	a := account.New(account.Options{})
	if err := a.Recognize(t.Context(), live{org: "acme"}, loop()); err != nil {
		t.Fatal(err)
	}
	b := benchOf(t, a, Options{}, []models.APIKey{{List: acme(), ID: 1, Name: "ci"}})
	for _, id := range []string{"new", "rotate"} {
		if got, _ := action.ByID(b.Actions(), id); got.Reason() != "only a personal key can create keys" {
			t.Errorf("%s is %q", id, got.Reason())
		}
	}
	if b.keys.Len() != 1 {
		t.Errorf("%d keys", b.keys.Len())
	}
	refused := &models.Error{Kind: models.KindForbidden, Status: 403, Message: "not allowed for project-scoped API keys"}
	if err := a.Recognize(t.Context(), live{err: refused}, loop()); err != nil {
		t.Fatal(err)
	}
	b = benchOf(t, a, Options{}, nil)
	contains(t, b.Text(), "There is no list of keys for this key.", "sign in with a personal key")
}

// Lists are answered in any order, and the page begins at its top, unless the user has chosen a key.
func TestListsBeginAtTheTop(t *testing.T) {
	t.Parallel()
	b := benchOf(t, personal(t), Options{}, nil)
	for _, of := range b.keys.all {
		of.good = time.Time{}
	}
	b.service.keys = []models.APIKey{{ID: 1, Name: "mine"}, {List: acme(), ID: 1, Name: "ci"}}
	b.reads(acme())
	b.reads(plain())
	if k, _ := b.List().Selected(); k.Name != "mine" {
		t.Errorf("%s is selected", k.Name)
	}
	b.keys.all[0].good = time.Time{}
	b.Run("down")
	b.service.keys = slices.Insert(b.service.keys, 0, models.APIKey{ID: 9, Name: "new"})
	b.reads(plain())
	if k, _ := b.List().Selected(); k.Name != "ci" {
		t.Errorf("the user chose ci, and %s is selected", k.Name)
	}
}

// A key that reaches more than the user asked for is shown with its reach, and revoking it is the default.
func TestCreateMakesAWiderKey(t *testing.T) {
	t.Parallel()
	b := benchOf(t, personal(t), Options{}, nil)
	b.service.wider = true
	asked := models.Reach{Org: "acme", Project: "p1"}
	b.creates(keys.Change{Key: keys.Wanted("ci", asked)})
	b.Opened().Says("The service created a key that reaches all projects of Acme.",
		"You asked for one that reaches the project storefront alone.")
	actions := b.Opened().Actions()
	if got := actions[0].Actions[0]; got.Title != "revoke it" || !slices.Equal(got.Keys, []string{"enter"}) {
		t.Errorf("the default is %+v", got)
	}
	b.Do(actions[0].Actions[0].Run())
	if got := strings.Join(b.service.asked, ", "); got != "create ci, list acme, revoke" || len(b.service.keys) != 0 {
		t.Errorf("asked for %s; left are %v", got, b.service.keys)
	}
}

// After a refusal, the form is back, with the service's reason and the typed name.
func TestCreateThatIsRefusedLeadsBackIntoTheForm(t *testing.T) {
	t.Parallel()
	b := benchOf(t, personal(t), Options{}, nil)
	b.service.createErr = &models.Error{Kind: models.KindInvalid, Status: 409, Body: models.APIBody, Message: "choose another unique name"}
	b.creates(keys.Change{Key: keys.Wanted("ci", models.Reach{Org: "acme"})})
	b.Opened().Says("New API key", "No key was created: the service rejected the request (status 409): choose another unique name.")
	b.Opened().Draws("ci")
	b.service.keys = []models.APIKey{{List: acme(), ID: 1, Name: "ci"}} // somebody else's
	b.reload()
	if b.keys.IsOrphan(b.keys.Row(0)) {
		t.Error("a key of somebody else is said to be without its secret")
	}
}

// A new key can reach what the account has lists for, narrowest first. A list that was not read gets no key.
func TestCreateAsksForTheReach(t *testing.T) {
	t.Parallel()
	b := benchOf(t, personal(t), Options{}, nil)
	b.keys.get(other()).good = time.Time{}
	b.askReach()
	text := b.Opened().Drawn()
	at := -1
	for _, want := range []string{
		"storefront  ", "project, of Acme", "Acme  ", "organization, all of its projects", "Other  ",
		"the keys of Other could not be read", "everything", "all projects of all organizations of its user",
	} {
		next := strings.Index(text, want)
		if next < at {
			t.Errorf("%q is at %d, after %d, in\n%s", want, next, at, text)
		}
		at = max(at, next)
	}
	c := account.New(account.Options{})
	one := benchOf(t, c, Options{}, nil)
	one.askReach()
	one.Opened().Says("The key works with every project of the account, until it is revoked.")
}

// Keys that may have been revoked are named when the user leaves.
func TestExitWarningNamesOpenRevocations(t *testing.T) {
	t.Parallel()
	b := benchOf(t, personal(t), Options{}, []models.APIKey{{ID: 1, Name: "mine"}, {List: acme(), ID: 2, Name: "ci"}})
	if got := b.ExitWarning(); got != "" {
		t.Errorf("nothing was done: %q", got)
	}
	one, two := *b.keys.Row(0), *b.keys.Row(1)
	_ = b.revoke(one, false, nil)
	if got := b.ExitWarning(); got != "The API key mine (id 1) may have been revoked." {
		t.Errorf("%q", got)
	}
	b.service.fails[acme()] = failure(models.KindTimeout)
	b.service.revoke = func(k models.APIKey) (models.APIKey, error) { return k, failure(models.KindNotFound) }
	b.Do(b.revoke(two, false, nil))
	if got := b.ExitWarning(); got != "These API keys may have been revoked: ci (id 2), mine (id 1)." {
		t.Errorf("%q", got)
	}
}

// Keys that may have been created are named as well, until a list decides.
func TestExitWarningNamesOpenCreations(t *testing.T) {
	t.Parallel()
	b := newBench(t, Options{}, "one")
	b.service.create = func(models.APIKey) (bool, error) { return false, failure(models.KindTimeout) }
	b.creates(named("new"))
	if got := b.ExitWarning(); got != "The API key new may have been created, with the secret lost." {
		t.Errorf("%q", got)
	}
	b.late()
	if got := b.ExitWarning(); got != "" {
		t.Errorf("a list told: %q", got)
	}
}

// The age on the page is that of the oldest list, which is named if others are newer.
func TestListsNameTheOldest(t *testing.T) {
	t.Parallel()
	b := benchOf(t, personal(t), Options{}, nil)
	now := b.session.Now()
	status := b.Status(now)
	if status.Text != "read just now" || status.Long != "" {
		t.Errorf("%+v", status)
	}
	b.keys.get(acme()).good = now.Add(-5 * time.Minute)
	status = b.Status(now)
	if status.Text != "read 5 minutes ago" || status.Long != "read 5 minutes ago (the keys of Acme)" {
		t.Errorf("%+v", status)
	}
}

// If the organizations are unknown, the page does not claim that there are no keys.
func TestListsOfUnknownOrganizations(t *testing.T) {
	t.Parallel()
	a := account.New(account.Options{})
	busy := &models.Error{Kind: models.KindServer, Status: 503, Message: "try later"}
	if err := a.Load(t.Context(), live{err: busy}, loop()); err != nil {
		t.Fatal(err)
	}
	b := benchOf(t, a, Options{}, nil)
	if screen := strings.Join(b.View(page.Frame{Width: 100, Height: 20, Now: time.Now(), Theme: &style.Theme{}}), "\n"); strings.Contains(screen, "has no API keys") ||
		!strings.Contains(screen, "try later") {
		t.Errorf("the page shows\n%s", screen)
	}
}
