package projects

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/ui/action"
	"pgtower/ui/page"
)

// A list that goes on and on is followed no further than memory allows, and the page says
// that there may be more.
func TestEndlessListOfProjects(t *testing.T) {
	t.Parallel()
	p := New(page.NewSession(t.Context(), 1, func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }), nil, Options{})
	p.busy = true
	const size = 10_000
	for n := 0; p.busy; n++ {
		if n*size > maxProjects {
			t.Fatalf("asks for more after %d projects", n*size)
		}
		projects := make([]models.Project, size)
		for i := range projects {
			projects[i].ID = strconv.Itoa(n*size + i)
		}
		p.took(loaded{depth: n, page: models.ProjectPage{Projects: projects, Cursor: strconv.Itoa(n), Next: strconv.Itoa(n + 1)}})
	}
	if !strings.Contains(p.partial, "stopped after 100,000 projects") {
		t.Errorf("says %q", p.partial)
	}
}

// The list is read again often where it says which of many projects changed, within a part
// of the budget.
func TestListIsReadAgain(t *testing.T) {
	t.Parallel()
	o := feed.Options{Interval: 5 * time.Second, Budget: 10}
	for projects, want := range map[int]time.Duration{
		0: time.Minute, 25: time.Minute, 26: 15 * time.Second, 5000: 15 * time.Second, 20_000: 50 * time.Second,
	} {
		if got := rereadAfter(o, projects); got != want {
			t.Errorf("%d projects: %s, want %s", projects, got, want)
		}
	}
}

// Projects are pinned as long as the budget can ask them in every interval, and what is
// read again on its own says nothing.
func TestPins(t *testing.T) {
	t.Parallel()
	session := page.NewSession(t.Context(), 1, func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) })
	p := New(session, nil, Options{
		Feed: feed.Options{Interval: time.Second, Budget: 4}, Pinned: []string{"b", "x", "y"}, Profile: "work",
	})
	p.Start()
	p.took(loaded{page: models.ProjectPage{Projects: []models.Project{{ID: "a", Name: "one"}, {ID: "b", Name: "two"}, {ID: "c", Name: "three"}}}})
	if len(*p.pinned.Load()) != 2 {
		t.Errorf("pinned are %v", *p.pinned.Load())
	}
	press := func(want string) {
		t.Helper()
		p.Update(action.Press("*"))
		told := session.Told()
		if n, ok := told[len(told)-1].(page.Notice); !ok || n.Text != want {
			t.Errorf("says %q, want %q", told, want)
		}
	}
	press("Cannot pin one: 2 projects are pinned, and the budget of 4 requests a second can ask no more every 1s.")
	p.Update(action.Press("down"))
	press(`Unpinned two. To keep: pinned = ["x"] in [profiles.work] of config.toml.`)
	p.Update(action.Press("up"))
	press(`Pinned one. To keep: pinned = ["a", "x"] in [profiles.work] of config.toml.`)
	if f := (page.Frame{Now: session.Now()}); !strings.Contains(p.say(p.rows.Row(0), f.Now), ", pinned") {
		t.Errorf("said is %q", p.say(p.rows.Row(0), f.Now))
	}

	p.load()
	if s := p.Status(session.Now()); strings.Contains(s.Text, "loading") {
		t.Errorf("the list is read again, and the header says %q", s.Text)
	}
	p.Update(action.Press("r"))
	if s := p.Status(session.Now()); !strings.Contains(s.Text, "loading") {
		t.Errorf("the user asked for the list, and the header says %q", s.Text)
	}
}
