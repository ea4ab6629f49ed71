package account

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/models/poll"
)

// A project key needs the id of its project, if the service does not tell it.
func TestProjectKeyNeedsItsProject(t *testing.T) {
	t.Parallel()
	s := service{
		kind: models.ProjectKey, orgs: []string{"org-a"}, list: map[models.ListID][]string{{Project: "p1"}: {"p1"}},
	}
	a := New(Options{})
	drive(a, start(), s.answer)
	if !a.NeedsProject() || !errors.Is(a.Err(), ErrNoProject) {
		t.Errorf("a %s: %v", a.Kind(), a.Err())
	}
	a = New(Options{Project: "p1"})
	drive(a, start(), s.answer)
	if a.NeedsProject() || a.Err() != nil || !slices.Equal(ids(a), []string{"p1"}) {
		t.Errorf("%v, %q", a.Err(), ids(a))
	}
}

// If the service's refusal names the project, the user is asked nothing, and another named project is ignored.
func TestProjectKeyIsToldItsProject(t *testing.T) {
	t.Parallel()
	for _, named := range []string{"", "p1", "p2"} {
		s := service{
			kind: models.ProjectKey, orgs: []string{"org-a"}, list: map[models.ListID][]string{{Project: "p1"}: {"p1"}}, tells: "p1",
		}
		a := New(Options{Project: named})
		asked := drive(a, start(), s.answer)
		if a.NeedsProject() || a.Trouble() != nil || !slices.Equal(ids(a), []string{"p1"}) || a.Identity().Project != "p1" {
			t.Errorf("%q: %s, %v, %q", named, a.Describe(), a.Trouble(), ids(a))
		}
		for _, r := range asked {
			if r.List.Project == "p2" {
				t.Errorf("%q: asked for %+v, which another project was told before", named, r)
			}
		}
		snapshot := a.Snapshot(start())
		again := New(Options{Project: named})
		again.Restore(&snapshot)
		for _, r := range drive(again, start(), s.answer) {
			if r.Kind == Projects && r.List.Project != "p1" {
				t.Errorf("%q: what is remembered is asked again: %+v", named, r)
			}
		}
	}
}

// A project key that is remembered without its project is refused once, and then knows its project.
func TestProjectKeyOfAnUnknownProject(t *testing.T) {
	t.Parallel()
	for _, tells := range []string{"", "p1"} {
		s := service{
			kind: models.ProjectKey, orgs: []string{"org-a"}, list: map[models.ListID][]string{{Project: "p1"}: {"p1"}}, tells: tells,
		}
		for _, org := range []string{"", "org-a"} {
			a := New(Options{Org: org})
			a.Restore(&Snapshot{Read: start(), Kind: models.ProjectKey, Owner: "org-a"})
			if a.NeedsProject() || a.Trouble() != nil {
				t.Errorf("before an answer: %v", a.Trouble())
			}
			drive(a, start(), s.answer)
			if a.NeedsProject() != (tells == "") || len(ids(a)) != len(tells)/2 {
				t.Errorf("told %q: %v, %q", tells, a.Trouble(), ids(a))
			}
		}
	}
}

// A project of another key, such as that of a linked folder, counts as none. A project that was read once needs no other
// name.
func TestProjectKeyWithAnotherProject(t *testing.T) {
	t.Parallel()
	s := service{
		kind: models.ProjectKey, orgs: []string{"org-a"}, list: map[models.ListID][]string{{Project: "p1"}: {"p1"}},
		refuses: map[models.ListID]error{{Project: "p2"}: refusal(404, "outside the project")},
	}
	a := New(Options{Project: "p2"})
	drive(a, start(), s.answer)
	if !a.NeedsProject() || !strings.Contains(fmt.Sprint(a.Err()), "not for project p2") || strings.Contains(a.Describe(), "p2") {
		t.Errorf("%s: %v", a.Describe(), a.Err())
	}
	a = New(Options{Project: "p1"})
	drive(a, start(), s.answer)
	s.refuses[models.ListID{Project: "p1"}] = errScoped
	a.Refresh(start())
	drive(a, start(), s.answer)
	if a.NeedsProject() || a.Trouble() == nil || !slices.Equal(ids(a), []string{"p1"}) {
		t.Errorf("%v, %q", a.Trouble(), ids(a))
	}
}

// Keys of two projects of one organization have different identities; two keys of one project have the same.
func TestProjectKeysAreDistinguishedByTheirProjects(t *testing.T) {
	t.Parallel()
	identityWith := func(project string) Identity {
		s := service{
			kind: models.ProjectKey, orgs: []string{"org-a"}, list: map[models.ListID][]string{{Project: project}: {project}},
		}
		a := New(Options{Project: project})
		drive(a, start(), s.answer)
		return a.Identity()
	}
	first, again, other := identityWith("p1"), identityWith("p1"), identityWith("p2")
	if first != again || first == other {
		t.Errorf("%+v, %+v, %+v", first, again, other)
	}
}

// Identify needs two rounds of requests at most, whether or not the service tells the project. If it does not, the error
// says so.
func TestIdentifyOfAProjectKey(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ named, tells string }{{"", ""}, {"", "p1"}, {"p1", ""}, {"p2", "p1"}} {
		s := service{
			kind: models.ProjectKey, orgs: []string{"org-a"}, list: map[models.ListID][]string{{Project: "p1"}: {"p1"}}, tells: c.tells,
		}
		a, now := New(Options{Project: c.named}), start()
		clock := func() time.Time { now = now.Add(100 * time.Millisecond); return now }
		err := a.Identify(t.Context(), &scripted{answer: s.answer}, poll.NewLoop(poll.New(5), clock))
		if known := c.named+c.tells != ""; known != (err == nil) || a.NeedsProject() == known || known && !slices.Equal(ids(a), []string{"p1"}) {
			t.Errorf("%+v: %v, %q", c, err, ids(a))
		}
	}
}
