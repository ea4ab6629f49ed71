package account

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgtower/models"
)

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

// A project that is not the key's, such as that of a linked folder, is asked for as if none had been named. What was
// read once needs no other name.
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

// Keys of two projects of one organization do not show the same; two keys of one project do.
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
