package operations

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/models/poll"
	"pgtower/models/query"
	"pgtower/ui/page"
)

// The state of the feed is the same on the screen and in words, and counts down only with motion.
func TestCondition(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		f := b.frame(100)
		digits := regexp.MustCompile(`[0-9]+`)
		is := func(text, long, said string) {
			t.Helper()
			got := b.Status(time.Now())
			if got.Text != text || long != digits.ReplaceAllString(got.Long, "N") || b.description(f).State.Text != said {
				t.Errorf("got %+v, %q", got, b.description(f).State.Text)
			}
		}
		is("● live, every 5s", "● live, every Ns · all within Ns", "Live, updated every 5 seconds.")
		for _, age := range []time.Duration{0, 4 * time.Second} { // the screen may show an older one
			if got := b.Status(time.Now().Add(age)).Long; !strings.HasSuffix(got, " · all within 10s") {
				t.Errorf("after %v, %q", age, got)
			}
		}
		b.run("interval", "10s")
		is("● live, every 10s", "● live, every Ns · all within Ns", "Live, updated every 10 seconds.")
		b.run("pause")
		at := time.Now().UTC().Format(time.TimeOnly)
		is("‖ paused at "+at+" UTC", "‖ paused at N:N:N UTC · only watches alert", "Paused, only watches alert. p: resume.")
		if a, before := b.AsOf(), time.Now(); !a.Equal(before) || b.Ticks() {
			t.Errorf("as of %v, at %v", a, before)
		}
		if got := b.Refuses("refresh"); got != "polling is paused" {
			t.Errorf("refresh: %q", got)
		}
		b.run("pause")
		delete(b.service, "b")
		b.Wait(12 * time.Second)
		is("◌ partly live · 1 not read", "◌ partly live, every Ns · others within Ns · N not read", "Partly live: 1 project cannot be read.")
		errs := b.description(f).Trouble
		if len(errs) != 1 || errs[0].Error() != "cannot read B (500): the service failed" {
			t.Errorf("%v", errs)
		}
		b.scope.list.Err, b.still = errors.New("no route"), true
		if got := b.description(f).Empty; got.Title != "✗ no route" {
			t.Errorf("%+v", got)
		}
		delete(b.service, "a")
		b.Wait(12 * time.Second)
		if got := b.Status(time.Now()); strings.Contains(got.Text, "next") || !strings.Contains(got.Text, "✗ the service failed · rows ") {
			t.Errorf("%+v", got)
		}
	}, "a", "b")
}

// An empty list of a project whose operations are known is a failure: nothing new is claimed to be missing or not.
func TestConditionOfAnEmptiedList(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		all := b.service["b"]
		b.service["b"] = nil
		b.Wait(12 * time.Second)
		contains(t, drawn(b, 120), " 15 min, cannot read B (unexpected response format for ", "): ≥0 failed")
		contains(t, drawn(b, 48), " 15 min, cannot read B: ≥0 failed, 0 running ")
		contains(t, drawn(b, 40), " 15 min: ≥0 failed, 0 running ")
		errs := b.description(b.frame(120)).Trouble
		if len(errs) != 1 || !strings.HasSuffix(errs[0].Error(), ": the list has none of the operations of the last hours") {
			t.Errorf("%v", errs)
		}
		b.service["b"] = all
		b.Wait(40 * time.Second)
		if got := b.Status(time.Now()).Text; got != "● live, every 5s" {
			t.Error(got)
		}
	}, "a", "b")
}

// A long rate limit says when the service is asked again, also without motion and before anything was read.
func TestConditionOfALongRateLimit(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		now, limit := time.Now(), &models.Error{Kind: models.KindRateLimited, Status: 429, RetryAfter: 26 * time.Hour}
		b.session.Polls.Refresh(b.live.poller, now)
		requests, _ := b.session.Polls.Next(now)
		b.session.Polls.Receive(poll.Answer{Request: requests[0], Err: limit}, now)
		for _, c := range []struct {
			still bool
			want  string
		}{{false, "◌ rate limited · next 26h"}, {true, "◌ rate limited · next at "}} {
			b.still = c.still
			if got := b.Status(time.Now()); !strings.HasPrefix(got.Text, c.want) {
				t.Errorf("%+v", got)
			}
		}
		b.Update(page.ProjectList{Err: limit})
		if got := b.description(b.frame(100)).Empty; !strings.HasSuffix(got.Body, " Next try in 26h.") {
			t.Errorf("%+v", got)
		}
		b.run("refresh")
		b.says(t, "Rate limited: next try in 26h", "page.RefreshProjects")
	}, "a", "b")
}

// After a 429 the header shows the budget in force, until it has grown back.
func TestConditionShowsAReducedBudget(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		now, limit := time.Now(), &models.Error{Kind: models.KindRateLimited, Status: 429, RetryAfter: time.Second}
		b.session.Polls.Refresh(b.live.poller, now)
		requests, _ := b.session.Polls.Next(now)
		for _, r := range requests {
			b.session.Polls.Receive(poll.Answer{Request: r, Err: limit}, now)
		}
		b.Wait(10 * time.Second)
		got := b.Status(time.Now())
		if got.Text != "● live, every 5s · 5 of 10/s" ||
			!strings.HasSuffix(got.Long, " · after a 429 5 of 10 requests a second, all again 100 s after the last one") {
			t.Errorf("%+v", got)
		}
		b.Wait(time.Minute)
		if got = b.Status(time.Now()); got.Text != "● live, every 5s · 6 of 10/s" {
			t.Errorf("after 70 s: %+v", got)
		}
		b.Wait(30 * time.Second)
		if got = b.Status(time.Now()); got.Text != "● live, every 5s" {
			t.Errorf("after 100 s: %+v", got)
		}
	}, "a", "b")
}

// The error of several projects omits their common part, and begins with the status.
func TestTroubleOfManyProjects(t *testing.T) {
	t.Parallel()
	failed := &models.Error{Kind: models.KindServer, Status: 502, Doing: "list operations of a"}
	if got := models.About("cannot read a", 3, failed).Error(); got != "cannot read a (502) and 3 more: the service failed" {
		t.Error(got)
	}
	if got := models.Doing(failed, "list operations").Error(); !strings.HasPrefix(got, "list operations: ") {
		t.Error(got)
	}
	if odd := errors.New("odd"); !errors.Is(models.Doing(odd, ""), odd) || models.About("x", 0, odd).Error() != "x: odd" {
		t.Error("another error was changed")
	}
}

// Deleted projects keep their names, and projects with one id have both names.
func TestScopeNamesProjects(t *testing.T) {
	t.Parallel()
	s := &scope{session: page.NewSession(t.Context(), 1, time.Now), names: names{}}
	list := func(projects ...models.Project) []feed.Project {
		return s.setProjects(page.ProjectList{Projects: projects, Pinned: map[string]bool{"b": true}})
	}
	list(models.Project{ID: "a", Name: "shop"}, models.Project{ID: "gone", Name: "old", OrgID: "org", OrgName: "Acme"})
	polled := list(
		models.Project{ID: "a", Name: "shop"}, models.Project{ID: "a", Name: "store"}, models.Project{ID: "b", Name: "shipping"},
	)
	if len(polled) != 3 || !polled[2].Pinned {
		t.Errorf("%+v", polled)
	}
	for id, want := range map[string]string{"a": "shop or store", "b": "shipping", "gone": "old", "x": "x"} {
		if got := s.name(id); got != want {
			t.Errorf("%s is called %q", id, got)
		}
	}
	if got := s.orgs.Name("gone"); got != "Acme" {
		t.Errorf("the organization of a project that is gone is %q", got)
	}
	if got := s.complete("SH"); len(got) != 2 || got[1].Note != "b" {
		t.Errorf("%+v", got)
	}
	for arg, want := range map[string]string{
		"b": "", "shipp": "", "store": "", "SHO": "", "s": `3 projects start with "s"`, "x": `unknown project "x"`, "": `unknown project ""`,
	} {
		run, err := s.parse(arg)
		if (err != nil) != (want != "") || err != nil && err.Error() != want {
			t.Errorf("%q: %v", arg, err)
		}
		if err != nil {
			continue
		}
		run()
		if e := s.session.Effects(); len(e) != 1 || e[0].(page.ShowOperations).Project.ID == "" {
			t.Errorf("%q: %+v", arg, e)
		}
	}
	list(models.Project{ID: "gone"})
	if got := s.orgs.Name("gone"); got != "" || len(s.orgs.All()) > 0 {
		t.Errorf("a project that has lost its organization is shown with %q of %v", got, s.orgs.All())
	}
}

// How long an operation runs is a lower bound after two intervals without asking about it, and at once if its project cannot be
// read or nothing answers.
func TestAgesAreLowerBoundsOfWhatWasNotAskedAbout(t *testing.T) {
	t.Parallel()
	begin := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	op := &models.Operation{ID: "1", Status: models.StatusRunning, CreatedAt: begin, UpdatedAt: begin}
	asked := begin.Add(30 * time.Second)
	for _, c := range []struct {
		after      time.Duration // it was asked about
		silent     bool
		unreadable []string
		want       string
	}{
		{after: 5 * time.Second, want: "35s…"},
		{after: 25 * time.Second, want: "≥30s"},
		{after: 5 * time.Second, silent: true, want: "≥30s"},
		{after: 5 * time.Second, unreadable: []string{"a", "p"}, want: "≥30s"},
		{after: 5 * time.Second, unreadable: []string{"a", "q"}, want: "35s…"},
	} {
		limit := func(models.Action) (time.Duration, bool) { return 0, false }
		facts := &query.Facts{Slow: limit, Bound: 10 * time.Second, Silent: c.silent, Unreadable: c.unreadable}
		r := &row{Operation: query.Operation{Op: op, Project: "p", AsOf: asked, Facts: facts}}
		if got, _ := took(r, asked.Add(c.after)); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

// Of organizations with the same name, the one that was chosen is shown.
func TestScopeTellsOrganizationsOfOneNameApart(t *testing.T) {
	t.Parallel()
	s := &scope{session: page.NewSession(t.Context(), 1, time.Now), names: names{}}
	s.setProjects(page.ProjectList{Projects: []models.Project{
		{ID: "a", OrgID: "org-1", OrgName: "Acme"}, {ID: "b", OrgID: "org-2", OrgName: "acme"}, {ID: "c", OrgID: "org-3", OrgName: "Acme Staging"},
	}})
	for org, want := range map[string]string{
		"org-1": `organization:"org-1"`, "org-2": `organization:"org-2"`, "org-3": `organization:"Acme Staging"`,
	} {
		i := slices.IndexFunc(s.orgs.All(), func(o models.Organization) bool { return o.ID == org })
		s.showOrg(s.orgs.All()[i])()
		e := s.session.Effects()
		if len(e) != 1 || e[0].(page.ShowOperations).Back.Query != want {
			t.Errorf("%s: %+v", org, e)
		}
	}
}

// A request whose time has come is being made: that its time is now would be said until its answer comes.
func TestStatusOfARequestThatIsMade(t *testing.T) {
	t.Parallel()
	c := currency{now: time.Now()}
	for wait, want := range map[time.Duration]string{
		20 * time.Second: " · next 20s", time.Second / 2: " · next 1s", 0: " · asking", -40 * time.Second: " · asking",
	} {
		if got := c.nextTry(c.now.Add(wait)); got != want {
			t.Errorf("%s: %q, not %q", wait, got, want)
		}
	}
	if got := c.nextTry(time.Time{}); got != "" {
		t.Errorf("without a time, %q", got)
	}
}
