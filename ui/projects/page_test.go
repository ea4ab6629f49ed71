package projects

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"pgtower/internal/driver"
	"pgtower/models"
	"pgtower/models/account"
	"pgtower/models/feed"
	"pgtower/models/poll"
	"pgtower/ui/action"
	"pgtower/ui/page"
)

// service is a service as one key sees it. Without organizations, it has no kinds of keys.
type service struct {
	orgs  []models.Organization
	lists map[models.ListID]models.Page[models.Project]
	err   error // of all lists
}

func (s *service) kinds() error {
	if len(s.orgs) > 0 {
		return nil
	}
	return &models.Error{Kind: models.KindNotFound, Status: 404}
}

func (s *service) Auth(context.Context) (models.Auth, error) {
	return models.Auth{AccountID: "ada", Method: "api_key_user"}, s.kinds()
}

func (s *service) User(context.Context) (models.User, error) {
	return models.User{ID: "ada"}, s.kinds()
}

func (s *service) Organizations(context.Context) ([]models.Organization, error) {
	return s.orgs, s.kinds()
}

func (s *service) Organization(context.Context, string) (models.Organization, error) {
	return models.Organization{}, s.kinds()
}

func (s *service) Projects(_ context.Context, of models.ListID, _ models.PageRequest) (models.Page[models.Project], error) {
	return s.lists[of], s.err
}

// newPage returns a page for a key of a service without kinds of keys.
func newPage(session *page.Session, o Options) *Page {
	s := &service{lists: map[models.ListID]models.Page[models.Project]{}}
	return New(session, s, account.New(account.Options{}), o)
}

// due returns the requests that are due, by subject.
func due(p *Page) map[poll.Subject]poll.Request {
	requests, _ := p.session.Polls.Next(p.session.Now())
	all := map[poll.Subject]poll.Request{}
	for _, r := range requests {
		all[r.Subject] = r
	}
	return all
}

// answer passes requests to the service, and their answers to the page.
func answer(p *Page, requests ...poll.Request) {
	var answers page.Answered
	for _, r := range requests {
		answers = append(answers, p.session.Polls.Receive(r.Do(context.Background()), p.session.Now()))
	}
	p.Update(answers)
}

// answers answers what is due. The list is that of the key.
func answers(p *Page, list models.Page[models.Project], err error) {
	s := p.service.(*service)
	s.lists[models.ListID{}], s.err = list, err
	answer(p, slices.Collect(maps.Values(due(p)))...)
}

// Projects can be pinned while the budget can poll them in every interval. Automatic reads of the list show no notice.
func TestPins(t *testing.T) {
	t.Parallel()
	session := page.NewSession(t.Context(), 1, func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) })
	saved := map[string]bool{}
	var failure error
	p := newPage(session, Options{
		Feed: feed.Options{Interval: time.Second, Budget: 8}, Pinned: []string{"b", "x", "y"},
		SavePin: func(id string, pinned func() bool) error { saved[id] = pinned(); return failure },
	})
	p.Start()
	answers(p, models.Page[models.Project]{
		Items: []models.Project{{ID: "a", Name: "one"}, {ID: "b", Name: "two"}, {ID: "c", Name: "three"}},
	}, nil)
	if len(*p.pinned.Load()) != 2 {
		t.Errorf("pinned are %v", *p.pinned.Load())
	}
	b := driver.NewBench(t, p, session)
	says := func(want string) {
		t.Helper()
		b.Take()
		b.Run("pin")
		if said := b.Notices(); said[len(said)-1] != want {
			t.Errorf("says %q, want %q", said, want)
		}
	}
	b.Run("down")
	says("Cannot pin one: 2 projects are pinned, and the budget of 8 requests a second allows no more every 1s.")
	b.Run("up")
	says("Unpinned two")
	b.Run("down")
	says("Pinned one")
	if len(saved) != 2 || saved["b"] || !saved["a"] {
		t.Errorf("saved %v", saved)
	}
	failure = errors.New("the disk is full")
	says("Unpinned one until you quit: the disk is full")
	says("Pinned one until you quit: the disk is full")
	if said := p.say(p.rows.Row(0), session.Now()); !strings.Contains(said, ", pinned") {
		t.Errorf("said is %q", said)
	}

	p.refresh()
	due(p)
	if s := p.Status(session.Now()); strings.Contains(s.Text, "loading") {
		t.Errorf("the list is read again, and the header says %q", s.Text)
	}
	b.Action("refresh")
	if s := p.Status(session.Now()); !strings.Contains(s.Text, "loading") {
		t.Errorf("the user asked for the list, and the header says %q", s.Text)
	}
}

// A failed list is retried with growing delays, and immediately on demand.
func TestListIsTriedAgain(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	session := page.NewSession(t.Context(), 1, func() time.Time { return now })
	p := newPage(session, Options{})
	p.Start()
	for _, seconds := range []time.Duration{5, 10, 20, 30, 30} {
		want := seconds * time.Second
		answers(p, models.Page[models.Project]{}, errors.New("no network"))
		effects := session.Effects()
		list, ok := effects[len(effects)-1].(page.ProjectList)
		if !ok || list.Err == nil || list.Next.Sub(now) != want {
			t.Errorf("tells %+v, want that it is tried again in %s", effects, want)
		}
		p.Update(page.RefreshProjects{})
	}
}

// The first list is shown page by page, a later one when it is complete. Pages may overlap, and two projects may have
// one id.
func TestListOfManyPages(t *testing.T) {
	t.Parallel()
	session := page.NewSession(t.Context(), 1, time.Now)
	p := newPage(session, Options{})
	a, b := models.Project{ID: "a", Name: "one"}, models.Project{ID: "b", Name: "two"}
	other := models.Project{ID: "b", Name: "three"}
	first := models.Page[models.Project]{Items: []models.Project{a, b}, Next: "x"}
	last := models.Page[models.Project]{Items: []models.Project{b, other}, Cursor: "x"}
	p.Start()
	answers(p, first, nil)
	if p.rows.Len() != 2 {
		t.Errorf("%d are shown, want those that have come", p.rows.Len())
	}
	answers(p, last, nil)
	if p.rows.Len() != 3 || !p.rows.Shared(&models.Project{ID: "b"}) || p.List().Len() != 3 {
		t.Errorf("%+v are shown", p.rows.All)
	}
	if r := p.record(&other, session.Now()); p.markedName(&other) != "⚠ three" || r.State != "duplicate id" || r.About == "" {
		t.Errorf("one of two projects with one id is %+v", r)
	}
	p.refresh()
	if answers(p, models.Page[models.Project]{Items: []models.Project{a}, Next: "x"}, nil); p.rows.Len() != 3 {
		t.Errorf("a list that is incomplete took the place of one that was complete")
	}
	session.Effects()
	p.list.Update(nil)
	open, _ := action.ByID(p.Actions(), "open-operations")
	open.Run()
	if effects := session.Effects(); len(effects) != 1 {
		t.Errorf("emits %+v", effects)
	}
}

// The first lists are answered in any order, and the page begins at its top. A row that the user chose stays selected.
func TestListBeginsAtTheTop(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"untouched": "a", "chosen": "c"} {
		p := newPage(page.NewSession(t.Context(), 1, time.Now), Options{})
		s := p.service.(*service)
		s.orgs = []models.Organization{{ID: "acme"}, {ID: "globex"}}
		p.Start()
		requests := due(p)
		answer(p, requests[poll.Subject{Kind: account.Auth}], requests[poll.Subject{Kind: account.Organizations}])
		requests = due(p)
		list := func(org string, ids ...string) {
			of := models.ListID{Org: org}
			var items []models.Project
			for _, id := range ids {
				items = append(items, models.Project{ID: id, Name: id, OrgID: org})
			}
			s.lists[of] = models.Page[models.Project]{Items: items}
			answer(p, requests[poll.Subject{Kind: account.Projects, Of: org}])
			p.list.Update(nil)
		}
		list("globex", "b", "c")
		if name == "chosen" {
			down, _ := action.ByID(p.Actions(), "down")
			down.Run()
		}
		list("acme", "a")
		if selected, _ := p.List().Selected(); selected == nil || selected.ID != want {
			t.Errorf("%s: %+v is selected, want %s", name, selected, want)
		}
	}
}
