package account

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/models/feed"
)

// A list without an end is read up to a limit, and the account says that there may be more.
func TestListWithoutAnEnd(t *testing.T) {
	t.Parallel()
	a := New(Options{})
	drive(a, start(), func(r request) Answer {
		if r.Kind != Projects {
			return Answer{Err: errNoEndpoint}
		}
		const size = 10_000
		n, _ := strconv.Atoi(r.Cursor)
		page := models.Page[models.Project]{Cursor: r.Cursor, Next: strconv.Itoa(n + size)}
		for i := range size {
			page.Items = append(page.Items, models.Project{ID: strconv.Itoa(n + i)})
		}
		return Answer{Page: page}
	})
	if a.Partial() != "pgtower stopped after 100000 projects" || a.Complete() || len(a.Projects()) != maxProjects {
		t.Errorf("%q, complete %t, %d projects", a.Partial(), a.Complete(), len(a.Projects()))
	}
}

// The lists are read often if they decide which projects to poll, within a share of the budget.
func TestListsAreReadAgain(t *testing.T) {
	t.Parallel()
	o := feed.Options{Interval: 5 * time.Second, Budget: 10}
	for projects, want := range map[int]time.Duration{
		0: time.Minute, o.MaxPinned(): time.Minute, o.MaxPinned() + 1: 15 * time.Second, 5000: 15 * time.Second, 20_000: 50 * time.Second,
	} {
		if got := rereadAfter(o, projects); got != want {
			t.Errorf("%d projects: %s, want %s", projects, got, want)
		}
	}
}

// Each page is requested with the cursor of the one before it.
func TestListFollowsItsCursors(t *testing.T) {
	t.Parallel()
	pages := map[string]models.Page[models.Project]{
		"": {Items: []models.Project{{ID: "a"}}, Next: "x"}, "x": {Items: []models.Project{{ID: "b"}}, Cursor: "x"},
	}
	a := New(Options{})
	drive(a, start(), func(r request) Answer {
		if r.Kind != Projects {
			return Answer{Err: errNoEndpoint}
		}
		return Answer{Page: pages[r.Cursor]}
	})
	if !slices.Equal(ids(a), []string{"a", "b"}) || !a.Complete() || a.Loading() {
		t.Errorf("%q, complete %t", ids(a), a.Complete())
	}
}
