package account

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/models/poll"
)

func start() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) }

func refusal(status int, message string) error {
	kinds := map[int]models.Kind{400: models.KindInvalid, 403: models.KindForbidden, 404: models.KindNotFound, 401: models.KindUnauthorized, 503: models.KindServer, 429: models.KindRateLimited}
	return &models.Error{Kind: kinds[status], Status: status, Message: message, Body: models.APIBody}
}

var (
	errNoEndpoint = refusal(404, "no such path in this API")
	errOrgID      = refusal(400, "org_id is required, you can find it on your organization settings page")
	errOrgKey     = refusal(404, "not allowed for organization API keys")
	errScoped     = refusal(403, "project-scoped keys are not allowed here")
	errNotMember  = refusal(403, "not an organization member")
	errBusy       = refusal(503, "try later")
)

// errOutside is the live service's refusal of a key of one project, which names it.
func errOutside(project string) error {
	const words = "not allowed to perform actions outside the project this key is scoped to"
	return refusal(404, words+`; subject_project_id:"`+project+`"`)
}

// request is what an account asks for.
type request struct {
	Kind string
	List models.ListID
	models.PageRequest
}

// scripted is a [Service] whose answers a test decides. It notes what it is asked for.
type scripted struct {
	answer func(request) Answer

	mu    sync.Mutex
	asked []request
}

func (s *scripted) ask(r request) Answer {
	s.mu.Lock()
	s.asked = append(s.asked, r)
	s.mu.Unlock()
	return s.answer(r)
}

func (s *scripted) Projects(_ context.Context, of models.ListID, r models.PageRequest) (models.Page[models.Project], error) {
	a := s.ask(request{Projects, of, r})
	return a.Page, a.Err
}

func (s *scripted) Auth(context.Context) (models.Auth, error) {
	a := s.ask(request{Kind: Auth})
	return a.Auth, a.Err
}

func (s *scripted) User(context.Context) (models.User, error) {
	a := s.ask(request{Kind: User})
	return a.User, a.Err
}

func (s *scripted) Organizations(context.Context) ([]models.Organization, error) {
	a := s.ask(request{Kind: Organizations})
	return a.Organizations, a.Err
}

func (s *scripted) Organization(_ context.Context, id string) (models.Organization, error) {
	a := s.ask(request{Kind: Organization, List: of(id)})
	return a.Organization, a.Err
}

// drive answers all requests that are due until there are none, and returns the requests.
func drive(a *Account, now time.Time, answer func(request) Answer) []request {
	s := &scripted{answer: answer}
	if a.poll == nil {
		a.Attach(poll.New(feed.MaxBudget), s)
	}
	a.service = s
	for {
		requests, _ := a.poll.Next(now)
		if len(requests) == 0 {
			return s.asked
		}
		for _, r := range requests {
			a.poll.Receive(r.Do(context.Background()), now)
		}
	}
}

// service is a live service, as one key sees it.
type service struct {
	kind    models.KeyKind
	orgs    []string
	list    map[models.ListID][]string // ids of projects
	refuses map[models.ListID]error
	fails   map[string]error
	tells   string // the project that the refusals of its key name; empty: they name none
}

func (s service) answer(r request) (a Answer) {
	if err := s.fails[r.Kind]; err != nil && r.Kind != Projects {
		return Answer{Err: err}
	}
	switch r.Kind {
	case Auth:
		a.Auth = models.Auth{AccountID: "u1", Method: "api_key_user"}
		if s.kind != models.PersonalKey {
			a.Auth = models.Auth{AccountID: s.orgs[0], Method: "api_key_org"}
		}
	case Organizations:
		for _, id := range s.orgs {
			a.Organizations = append(a.Organizations, models.Organization{ID: id, Name: "name of " + id})
		}
	case Organization:
		a.Organization = models.Organization{ID: r.List.Org, Name: "name of " + r.List.Org}
	case User:
		a.User = models.User{ID: "u1", Login: "ada"}
	case Projects:
		return s.projects(r)
	}
	return a
}

func (s service) projects(r request) (a Answer) {
	err := s.refuses[r.List]
	switch {
	case err != nil:
	case s.kind == models.PersonalKey && r.List == models.ListID{} && len(s.orgs) > 0:
		err = errOrgID
	case s.kind == models.ProjectKey && s.tells != "" && r.List.Project != s.tells:
		err = errOutside(s.tells)
	case s.kind == models.ProjectKey && r.List.Project == "":
		err = errScoped
	}
	if err != nil {
		return Answer{Err: err}
	}
	for _, id := range s.list[r.List] {
		a.Page.Items = append(a.Page.Items, models.Project{ID: id, Name: id})
	}
	return a
}

func ids(a *Account) (out []string) {
	for _, p := range a.Projects() {
		out = append(out, p.ID)
	}
	return out
}

func plain() models.ListID        { return models.ListID{} }
func shared() models.ListID       { return models.ListID{Shared: true} }
func of(org string) models.ListID { return models.ListID{Org: org} }

// Whatever a key is, its account has all that it reaches.
func TestAccountOfEveryKindOfKey(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		options  Options
		service  service
		kind     models.KeyKind
		projects []string
		keys     []models.ListID
		said     string
	}{
		"personal": {
			service: service{
				kind: models.PersonalKey, orgs: []string{"org-a", "org-b"},
				list: map[models.ListID][]string{of("org-a"): {"p1", "p2"}, of("org-b"): {"p3"}, shared(): {"p4", "p1"}},
			},
			kind: models.PersonalKey, projects: []string{"p1", "p2", "p3", "p4"},
			keys: []models.ListID{plain(), of("org-a"), of("org-b")}, said: "personal key of ada, 2 organizations",
		},
		"personal, narrowed": {
			options: Options{Org: "org-b"},
			service: service{
				kind: models.PersonalKey, orgs: []string{"org-a", "org-b"},
				list: map[models.ListID][]string{of("org-a"): {"p1"}, of("org-b"): {"p3"}, shared(): {"p4"}},
			},
			kind: models.PersonalKey, projects: []string{"p3"}, keys: []models.ListID{of("org-b")},
			said: "personal key of ada, 2 organizations",
		},
		"personal, of a user without organizations": {
			service: service{kind: models.PersonalKey, list: map[models.ListID][]string{plain(): {"p1"}}},
			kind:    models.PersonalKey, projects: []string{"p1"}, keys: []models.ListID{plain()},
			said: "personal key of ada, 0 organizations",
		},
		"of an organization": {
			service: service{
				kind: models.OrganizationKey, orgs: []string{"org-a"}, list: map[models.ListID][]string{plain(): {"p1"}},
			},
			kind: models.OrganizationKey, projects: []string{"p1"}, keys: []models.ListID{of("org-a")},
			said: "organization key of name of org-a",
		},
		"of an organization, by an older service": {
			service: service{
				kind: models.OrganizationKey, orgs: []string{"org-a"}, list: map[models.ListID][]string{plain(): {"p1"}},
				fails: map[string]error{Organizations: errOrgKey},
			},
			kind: models.OrganizationKey, projects: []string{"p1"}, keys: []models.ListID{of("org-a")},
			said: "organization key of name of org-a",
		},
		"of a project": {
			options: Options{Project: "p1"},
			service: service{
				kind: models.ProjectKey, orgs: []string{"org-a"}, list: map[models.ListID][]string{{Project: "p1"}: {"p1"}},
			},
			kind: models.ProjectKey, projects: []string{"p1"}, said: "project key of p1, in the organization name of org-a",
		},
		"of a service without kinds": {
			service: service{
				kind: models.AccountKey, orgs: []string{"org-a"}, list: map[models.ListID][]string{plain(): {"p1"}},
				fails: map[string]error{Auth: errNoEndpoint, Organizations: errNoEndpoint},
			},
			kind: models.AccountKey, projects: []string{"p1"}, keys: []models.ListID{plain()},
			said: "key of the account (this service has no organizations)",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := New(c.options)
			drive(a, start(), c.service.answer)
			if a.Kind() != c.kind || !slices.Equal(ids(a), c.projects) || !slices.Equal(a.KeyLists(), c.keys) {
				t.Errorf("a %s with %q and keys in %v", a.Kind(), ids(a), a.KeyLists())
			}
			if a.Describe() != c.said || !a.Complete() || a.Err() != nil || len(a.Troubles()) > 0 {
				t.Errorf("%q, complete %t, %v, %v", a.Describe(), a.Complete(), a.Err(), a.Troubles())
			}
			if again := drive(a, start().Add(askAgain), c.service.answer); c.kind == models.AccountKey && len(again) != 1 {
				t.Errorf("a service without kinds was asked again for %v", again)
			}
		})
	}
}

// Only a 404 or 405 on both questions, in other words than the live service's, proves that there are no kinds.
func TestAccountKeyIsProven(t *testing.T) {
	t.Parallel()
	page := &models.Error{Kind: models.KindNotFound, Status: 404, Body: models.WebPage}
	for name, c := range map[string]struct {
		auth, orgs error
		proof      bool
	}{
		"both unknown":       {errNoEndpoint, errNoEndpoint, true},
		"method not allowed": {refusal(405, ""), errNoEndpoint, true},
		"one busy":           {errNoEndpoint, errBusy, false},
		"rate limited":       {refusal(429, ""), errNoEndpoint, false},
		"web pages":          {page, page, false},
		"the live words":     {errNoEndpoint, errOrgKey, false},
		"no response":        {errNoEndpoint, &models.Error{Kind: models.KindTimeout}, false},
	} {
		s := service{
			list:  map[models.ListID][]string{plain(): {"p1"}},
			fails: map[string]error{Auth: c.auth, Organizations: c.orgs},
		}
		a := New(Options{})
		drive(a, start(), s.answer)
		if got := a.Kind() == models.AccountKey; got != c.proof || !slices.Equal(ids(a), []string{"p1"}) {
			t.Errorf("%s: a %s with %q", name, a.Kind(), ids(a))
		}
		// Words about org_id prove the opposite at any time.
		s.refuses = map[models.ListID]error{plain(): errOrgID}
		drive(a, start().Add(time.Hour), s.answer)
		if a.Kind() == models.AccountKey {
			t.Errorf("%s: a %s after org_id was required", name, a.Kind())
		}
	}
}

// ofTwoOrgs returns the service of a user of two organizations with a project each.
func ofTwoOrgs() service {
	return service{
		kind: models.PersonalKey, orgs: []string{"org-a", "org-b"},
		list: map[models.ListID][]string{of("org-a"): {"p1"}, of("org-b"): {"p3"}},
	}
}

// An organization whose list is refused is named, and its projects stay. The other lists are read on.
func TestAccountTroubleOfOneList(t *testing.T) {
	t.Parallel()
	s := ofTwoOrgs()
	a := New(Options{})
	drive(a, start(), s.answer)
	now := start().Add(time.Hour)
	s.refuses = map[models.ListID]error{of("org-b"): errNotMember}
	s.list[of("org-a")] = []string{"p2"}
	asked := drive(a, now, s.answer)
	if n := len(a.Troubles()); n != 1 || a.Err() != nil || !slices.Equal(ids(a), []string{"p2", "p3"}) {
		t.Fatalf("%v, %v, %q", a.Troubles(), a.Err(), ids(a))
	}
	trouble := a.Troubles()[0]
	if trouble.List != of("org-b") || !errors.Is(trouble.Err, errNotMember) || trouble.Projects != 1 {
		t.Errorf("%+v", trouble)
	}
	const named = "projects of name of org-b"
	if got := a.ListName(trouble.List); got != named || !strings.Contains(fmt.Sprint(a.PartlyRefused()), named) {
		t.Errorf("%s: %v", got, a.PartlyRefused())
	}
	if read, err := a.Answering(); err != nil || read != now {
		t.Errorf("the list that answers was read at %s: %v", read, err)
	}
	orgs := slices.DeleteFunc(asked, func(r request) bool { return r.Kind != Organizations })
	if len(orgs) != 2 {
		t.Errorf("after a refusal, the organizations were asked for %d times", len(orgs))
	}

	// Left: it is not asked again, and is still named.
	s.orgs = []string{"org-a"}
	now = now.Add(time.Hour)
	drive(a, now, s.answer)
	for _, r := range drive(a, now.Add(time.Hour), s.answer) {
		if r.List == of("org-b") {
			t.Errorf("requested %v of an organization that the user left", r)
		}
	}
	if n := len(a.Troubles()); n != 1 || !slices.Equal(ids(a), []string{"p2", "p3"}) {
		t.Errorf("%v, %q", a.Troubles(), ids(a))
	}
}

// If no list can be read, the account says why, and when the next one is asked for again.
func TestAccountWithEveryListRefused(t *testing.T) {
	t.Parallel()
	s := service{kind: models.PersonalKey, orgs: []string{"org-a"}, refuses: map[models.ListID]error{of("org-a"): errNotMember, shared(): errBusy}}
	a := New(Options{})
	drive(a, start(), s.answer)
	if _, err := a.Answering(); !errors.Is(err, errNotMember) {
		t.Errorf("why no list can be read: %v", err)
	}
	if err := a.Err(); !errors.Is(err, errNotMember) || a.RetryAt() != start().Add(time.Second) {
		t.Errorf("%v, again at %s", err, a.RetryAt())
	}
	a = New(Options{})
	s.fails = map[string]error{Organizations: errBusy}
	drive(a, start(), s.answer)
	if err := a.Err(); !errors.Is(err, errBusy) {
		t.Errorf("without organizations: %v", err)
	}
}

// Projects that could not be read in time stay: with their known record, or with their ids.
func TestProjectsThatAreUnavailableStay(t *testing.T) {
	t.Parallel()
	a, page := New(Options{}), models.Page[models.Project]{}
	answer := func(r request) Answer {
		if r.Kind != Projects {
			return Answer{Err: errNoEndpoint}
		}
		return Answer{Page: page}
	}
	page.Items = []models.Project{{ID: "p1", Name: "one"}, {ID: "p2", Name: "two"}}
	drive(a, start(), answer)
	page.Items, page.Unavailable = []models.Project{{ID: "p2", Name: "two"}}, []string{"p1", "p3"}
	drive(a, start().Add(time.Hour), answer)
	if got := a.Projects(); len(got) != 3 || got[1].Name != "one" || got[2].ID != "p3" || !a.Complete() {
		t.Errorf("%+v", got)
	}
	page.Unavailable = nil
	drive(a, start().Add(2*time.Hour), answer)
	if got := ids(a); !slices.Equal(got, []string{"p2"}) {
		t.Errorf("after a complete list: %q", got)
	}
}

// Records without an id cannot be told apart: each counts, also if two organizations list the same.
func TestProjectsWithoutIDsAreCountedOneByOne(t *testing.T) {
	t.Parallel()
	a := New(Options{})
	none := models.Project{ID: "(no id) 00000001"}
	if !models.NoID(none.ID) {
		t.Fatal("the id has another form")
	}
	drive(a, start(), func(r request) Answer {
		if r.Kind != Projects {
			return Answer{Err: errNoEndpoint}
		}
		return Answer{Page: models.Page[models.Project]{Items: []models.Project{none, none}}}
	})
	if n := len(a.Projects()); n != 2 {
		t.Errorf("%d projects", n)
	}
	user := service{kind: models.PersonalKey, orgs: []string{"org-a", "org-b"}, list: map[models.ListID][]string{
		of("org-a"): {none.ID, "p1"}, of("org-b"): {none.ID, "p1"},
	}}
	a = New(Options{})
	drive(a, start(), user.answer)
	if got := ids(a); len(got) != 3 {
		t.Errorf("of two organizations: %q", got)
	}
}

// With another key of the account, projects stay until its lists have answered.
func TestInheritKeepsProjects(t *testing.T) {
	t.Parallel()
	s := ofTwoOrgs()
	a := New(Options{})
	drive(a, start(), s.answer)
	next := New(Options{})
	next.Inherit(a)
	if next.Identity().ID != "" {
		t.Error("the account of a key is known before any answer")
	}
	if !slices.Equal(ids(next), []string{"p1", "p3"}) || next.Settled() {
		t.Errorf("before its first answer: %q", ids(next))
	}
	s.orgs = []string{"org-a"}
	for _, r := range drive(next, start(), s.answer) {
		if r.List.Org == "org-b" {
			t.Errorf("requested %v, which only the earlier key was told of", r)
		}
	}
	if next.Identity() != a.Identity() || !slices.Equal(ids(next), []string{"p1"}) {
		t.Errorf("%+v, %q", next.Identity(), ids(next))
	}
}

// A load does not wait long for answers about the key once its lists are there.
func TestLoadWaitsForListsOnly(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := New(Options{})
		if err := a.Load(t.Context(), slow{}, poll.NewLoop(poll.New(5), time.Now)); err != nil || !slices.Equal(ids(a), []string{"p1"}) {
			t.Errorf("%v, %q", err, ids(a))
		}
	})
}
