package account

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/models/poll"
)

// world is a service whose organizations, projects and refusals change, as each key sees it.
type world struct {
	service

	t      *rapid.T
	a      *Account
	now    time.Time
	told   map[string]bool // the organizations and projects that were named for this key
	flying []poll.Request
	honest bool // every answer is good
}

// signIn begins with another key: of the same account, or of another one without anything of the one before.
func (w *world) signIn(same bool) {
	before := w.a
	kinds := []models.KeyKind{models.PersonalKey, models.OrganizationKey, models.ProjectKey, models.AccountKey}
	w.kind = rapid.SampledFrom(kinds).Draw(w.t, "kind")
	o := Options{Project: rapid.SampledFrom([]string{"", "a-1"}).Draw(w.t, "project")}
	w.tells = rapid.SampledFrom([]string{"", "a-1", "b-9"}).Draw(w.t, "told")
	if w.kind == models.PersonalKey {
		o.Org = rapid.SampledFrom([]string{"", "", "org-a"}).Draw(w.t, "narrowed to")
	}
	w.a, w.flying = New(o), nil
	w.told = map[string]bool{"": true}
	w.told[o.Org], w.told[o.Project] = true, true
	if same && before != nil {
		w.a.Inherit(before)
	}
	w.a.Attach(poll.New(feed.MaxBudget), &scripted{answer: w.reply})
}

// reply answers a request, and notes what the answer names.
func (w *world) reply(r request) Answer {
	if !w.honest && rapid.IntRange(0, 3).Draw(w.t, "trouble") == 0 {
		return Answer{Err: rapid.SampledFrom([]error{
			errBusy, errNotMember, refusal(403, "forbidden"), &models.Error{Kind: models.KindTimeout},
		}).Draw(w.t, "error")}
	}
	if w.kind == models.AccountKey && (r.Kind != Projects || r.List.Shared) {
		return Answer{Err: errNoEndpoint}
	}
	got := w.service.answer(r)
	w.told[got.Auth.AccountID] = true
	for _, org := range got.Organizations {
		w.told[org.ID] = true
	}
	w.told[models.RefusedBy(got.Err).Project] = true
	return got
}

// ask makes the requests that are due: none may be about an organization or a project that no answer has named for this
// key.
func (w *world) ask() {
	requests, wait := w.a.poll.Next(w.now)
	if wait <= 0 {
		w.t.Fatalf("it wants to be called again after %s", wait)
	}
	for _, r := range requests {
		list := listOf(r.Subject)
		if !w.told[list.Org] || !w.told[list.Project] {
			w.t.Fatalf("requested %+v of a %s, which only knows %v", r.Subject, w.a.Kind(), w.told)
		}
	}
	w.flying = append(w.flying, requests...)
}

// answer answers any request in flight: good, late, refused or lost.
func (w *world) answer() {
	if len(w.flying) == 0 {
		return
	}
	i := rapid.IntRange(0, len(w.flying)-1).Draw(w.t, "which")
	turn := w.flying[i]
	w.flying = slices.Delete(w.flying, i, i+1)
	list := listOf(turn.Subject)
	before := w.projects(list)
	got := turn.Do(w.t.Context())
	w.a.poll.Receive(got, w.now)
	if got.Err != nil && turn.Kind == Projects && slices.Contains(w.a.shown(), list) && !slices.Equal(before, w.projects(list)) {
		w.t.Fatalf("an error of %+v changed its projects: %q, then %q", list, before, w.projects(list))
	}
}

func (w *world) projects(id models.ListID) (out []string) {
	if l := w.a.lists[id]; l != nil {
		for i := range l.projects {
			out = append(out, l.projects[i].ID)
		}
	}
	return out
}

// change changes memberships and projects.
func (w *world) change() {
	orgs := []string{"org-a", "org-b", "org-c"}
	w.orgs = orgs[:rapid.IntRange(1, 3).Draw(w.t, "organizations")]
	w.list = map[models.ListID][]string{shared(): {"s-1"}, {Project: "a-1"}: {"a-1"}, {Project: "b-9"}: {"b-9"}}
	for _, org := range orgs {
		for n := range rapid.IntRange(0, 2).Draw(w.t, "projects") {
			w.list[of(org)] = append(w.list[of(org)], fmt.Sprintf("%s-%d", org[4:], n))
		}
	}
	w.list[plain()] = w.list[of("org-a")]
	w.refuses = map[models.ListID]error{}
	if rapid.Bool().Draw(w.t, "refused") {
		w.refuses[of(rapid.SampledFrom(orgs).Draw(w.t, "by"))] = errNotMember
	}
}

// TestAccountPropertyAsksOnlyForWhatWasNamed plays sequences of sign-ins, switches, refusals and lost memberships: no request is
// about an organization or a project that nothing named for the key, and in the end all that can be read is shown.
func TestAccountPropertyAsksOnlyForWhatWasNamed(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := &world{t: t, now: start()}
		w.change()
		w.signIn(false)
		t.Repeat(map[string]func(*rapid.T){
			"":        func(*rapid.T) { w.ask() },
			"answer":  func(*rapid.T) { w.answer() },
			"wait":    func(*rapid.T) { w.now = w.now.Add(time.Duration(rapid.IntRange(1, 900).Draw(t, "s")) * time.Second) },
			"refresh": func(*rapid.T) { w.a.Refresh(w.now) },
			"change":  func(*rapid.T) { w.change() },
			"another": func(*rapid.T) { w.signIn(false) },
			"same":    func(*rapid.T) { w.signIn(true) },
			"ended":   func(*rapid.T) { w.a.poll.Drop(); w.flying = nil },
		})
		w.rest()
	})
}

// rest answers everything without trouble, twice: what was asked before an answer is asked again with it.
func (w *world) rest() {
	w.a.poll.Drop()
	w.honest, w.flying = true, nil
	for range 3 {
		w.now = w.now.Add(time.Hour)
		drive(w.a, w.now, w.reply)
	}
	want := map[string]bool{}
	for _, id := range w.a.Lists() {
		if w.refuses[id] == nil {
			for _, project := range w.list[id] {
				want[project] = true
			}
		}
	}
	for _, project := range ids(w.a) {
		delete(want, project)
	}
	if w.kind == models.ProjectKey && w.tells != "" && !slices.Equal(ids(w.a), []string{w.tells}) {
		w.t.Fatalf("the key is of %s, and shows %q", w.tells, ids(w.a))
	}
	if len(want) > 0 || !w.a.Settled() {
		w.t.Fatalf("settled %t without %v of a %s, %q", w.a.Settled(), want, w.a.Kind(), ids(w.a))
	}
	if w.a.Kind() != w.kind && w.kind != models.AccountKey {
		w.t.Fatalf("a %s is taken for a %s", w.kind, w.a.Kind())
	}
}
