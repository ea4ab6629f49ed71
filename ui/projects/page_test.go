package projects

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/ui/action"
	"pgtower/ui/page"
	"pgtower/ui/query"
)

// An endless list is read up to a limit, and the page shows that there may be more.
func TestEndlessListOfProjects(t *testing.T) {
	t.Parallel()
	p := New(page.NewSession(t.Context(), 1, time.Now), nil, Options{})
	p.load()
	const size = 10_000
	for n := 0; p.Busy; n++ {
		if n*size > maxProjects {
			t.Fatalf("asks for more after %d projects", n*size)
		}
		projects := make([]models.Project, size)
		for i := range projects {
			projects[i].ID = strconv.Itoa(n*size + i)
		}
		next := models.Page[models.Project]{Items: projects, Cursor: strconv.Itoa(n), Next: strconv.Itoa(n + 1)}
		p.took(next, nil)
	}
	if !strings.Contains(p.partial, "stopped after 100,000 projects") {
		t.Errorf("says %q", p.partial)
	}
}

// The list is read often if it decides which projects to poll, within a share of the budget.
func TestListIsReadAgain(t *testing.T) {
	t.Parallel()
	o := feed.Options{Interval: 5 * time.Second, Budget: 10}
	for projects, want := range map[int]time.Duration{
		0: time.Minute, 25: time.Minute, 26: 15 * time.Second, 5000: 15 * time.Second, 20_000: 50 * time.Second,
	} {
		if got := RereadAfter(o, projects); got != want {
			t.Errorf("%d projects: %s, want %s", projects, got, want)
		}
	}
}

// Projects can be pinned while the budget can poll them in every interval. Automatic reads of the list show no notice.
func TestPins(t *testing.T) {
	t.Parallel()
	session := page.NewSession(t.Context(), 1, func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) })
	p := New(session, nil, Options{
		Feed: feed.Options{Interval: time.Second, Budget: 4}, Pinned: []string{"b", "x", "y"}, Profile: "work",
	})
	p.Start()
	p.took(models.Page[models.Project]{
		Items: []models.Project{{ID: "a", Name: "one"}, {ID: "b", Name: "two"}, {ID: "c", Name: "three"}},
	}, nil)
	if len(*p.pinned.Load()) != 2 {
		t.Errorf("pinned are %v", *p.pinned.Load())
	}
	do := func(id string) {
		t.Helper()
		a, ok := action.ByID(p.Actions(), id)
		if !ok || a.Disabled != "" {
			t.Fatalf("%s cannot be done: %+v", id, a)
		}
		a.Run()
	}
	says := func(want string) {
		t.Helper()
		session.Effects()
		do("pin")
		if n, ok := session.Effects()[0].(page.Notice); !ok || n.Text != want {
			t.Errorf("says %q, want %q", n.Text, want)
		}
	}
	do("down")
	says("Cannot pin one: 2 projects are pinned, and the budget of 4 requests a second allows no more every 1s.")
	do("up")
	says(`Unpinned two. To keep: pinned = ["x"] in [profiles.work] of config.toml.`)
	do("down")
	says(`Pinned one. To keep: pinned = ["a", "x"] in [profiles.work] of config.toml.`)
	if said := p.say(p.rows.Row(0), session.Now()); !strings.Contains(said, ", pinned") {
		t.Errorf("said is %q", said)
	}

	p.load()
	if s := p.Status(session.Now()); strings.Contains(s.Text, "loading") {
		t.Errorf("the list is read again, and the header says %q", s.Text)
	}
	do("refresh")
	if s := p.Status(session.Now()); !strings.Contains(s.Text, "loading") {
		t.Errorf("the user asked for the list, and the header says %q", s.Text)
	}
}

// A failed list is retried with growing delays, and immediately on demand.
func TestListIsTriedAgain(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	session := page.NewSession(t.Context(), 1, func() time.Time { return now })
	p := New(session, nil, Options{})
	p.Start()
	for _, seconds := range []time.Duration{5, 10, 20, 40, 60, 60} {
		want := seconds * time.Second
		p.took(models.Page[models.Project]{}, errors.New("no network"))
		effects := session.Effects()
		list, ok := effects[len(effects)-1].(page.ProjectList)
		if !ok || list.Err == nil || list.Next.Sub(now) != want {
			t.Errorf("tells %+v, want that it is tried again in %s", effects, want)
		}
		if p.Update(page.RefreshProjects{}); !p.Busy {
			t.Error("the list is not read again")
		}
	}
}

// The first list is shown page by page, a later one when it is complete. Pages may overlap, and two projects may have
// one id.
func TestPagesOfProjects(t *testing.T) {
	t.Parallel()
	session := page.NewSession(t.Context(), 1, time.Now)
	p := New(session, nil, Options{})
	a, b := models.Project{ID: "a", Name: "one"}, models.Project{ID: "b", Name: "two"}
	other := models.Project{ID: "b", Name: "three"}
	first := models.Page[models.Project]{Items: []models.Project{a, b}, Next: "x"}
	last := models.Page[models.Project]{Items: []models.Project{b, other}}
	p.Start()
	p.took(first, nil)
	if p.rows.Len() != 2 {
		t.Errorf("%d are shown, want those that have come", p.rows.Len())
	}
	p.took(last, nil)
	if p.rows.Len() != 3 || !p.rows.Shared(&models.Project{ID: "b"}) || p.Len() != 3 {
		t.Errorf("%+v are shown", p.rows.All)
	}
	p.load()
	if p.took(models.Page[models.Project]{Items: []models.Project{a}, Next: "x"}, nil); p.rows.Len() != 3 {
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

// A filter finds the texts of the screen and the details as they are shown.
func TestAFilterFindsWhatTheScreenSays(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 22, 15, 0, 0, 0, time.UTC)
	project := &models.Project{
		Name: "shop", ID: "floral-king-961888", RegionID: "aws-eu-west-2", PlatformID: "aws", Provisioner: "k8s-neonvm",
		ProxyHost: "eu.console.example", CreatedAt: now.Add(-48 * time.Hour), UpdatedAt: now,
		PgVersion: models.Opt[int64]{Value: 17, Known: true}, CPUUsedSec: models.Opt[int64]{Value: 3725, Known: true}, BranchLogicalSizeLimit: models.Opt[int64]{Value: 10_240, Known: true},
	}
	for filter, want := range map[string]bool{
		`"10,240 MiB"`: true, "10,240": true, "3,725": true, "1h02m": true, "neonvm": true, "eu.console": true, "today": true,
		"2026-11-20": true, "pg:17": true, "pg:>17": false, "pg:>=15": true, "before:yesterday": true, "after:2026-11-21": false,
	} {
		q, err := query.Parse(filter, Fields(func(*models.Project) bool { return false }))
		if err != nil || q.Match(project, now) != want {
			t.Errorf("%q: want %v, error %v", filter, want, err)
		}
	}
}

// paged is a service with one page for each cursor.
type paged map[string]models.Page[models.Project]

func (s paged) Projects(_ context.Context, r models.PageRequest) (models.Page[models.Project], error) {
	return s[r.Cursor], nil
}

// Each page is requested with the cursor of the one before it.
func TestListFollowsItsCursors(t *testing.T) {
	t.Parallel()
	service := paged{
		"": {Items: []models.Project{{ID: "a"}}, Next: "x"}, "x": {Items: []models.Project{{ID: "b"}}, Cursor: "x"},
	}
	if all, _, err := Read(t.Context(), service); err != nil || len(all) != 2 {
		t.Errorf("read %+v, %v", all, err)
	}
	p := New(page.NewSession(t.Context(), 1, time.Now), service, Options{})
	cmd := p.load()
	for range 2 {
		d, ok := cmd().(page.Delivery)
		if !ok {
			t.Fatal("no page was read")
		}
		cmd = p.Update(d.Msg)
	}
	if p.rows.Len() != 2 || p.Busy {
		t.Errorf("%+v are shown", p.rows.All)
	}
}
