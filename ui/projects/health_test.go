package projects

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/models/query"
	"pgtower/ui/announce"
	"pgtower/ui/page"
	"pgtower/ui/style"
	"pgtower/ui/table"
)

func testNow() time.Time { return time.Date(2026, 11, 22, 15, 0, 0, 0, time.UTC) }

// withHealth returns a page of projects with their health; the ids are the names.
func withHealth(t *testing.T, health page.ProjectHealth, names ...string) *Page {
	t.Helper()
	p := newPage(page.NewSession(t.Context(), 1, testNow), Options{})
	p.Start()
	var list models.Page[models.Project]
	for _, name := range names {
		list.Items = append(list.Items, models.Project{ID: name, Name: name})
	}
	answers(p, list, nil)
	p.Update(health)
	return p
}

// The health of a project is shown in its cells, in words and in the details.
func TestHealthIsShown(t *testing.T) {
	t.Parallel()
	at := func(ago time.Duration) time.Time { return testNow().Add(-ago) }
	window := 15 * time.Minute
	for _, c := range []struct {
		health      feed.ProjectHealth
		cells       string
		tone        style.Tone
		state, said string
		fields      []string
	}{
		{
			feed.ProjectHealth{},
			"◌ not read yet – – – – – –", style.Muted,
			"not read yet", "shop, not read yet", nil,
		},
		{
			feed.ProjectHealth{Read: at(time.Second), Window: window, Whole: true},
			"✓ ok                 0 0 0 – <10s", style.Good,
			"ok", "shop, ok, failed 0",
			[]string{"running 0", "failed 0 in 15 minutes"},
		},
		{
			feed.ProjectHealth{
				Read: at(time.Minute), Window: window, Running: 1, Failed: 1200, Failing: true, Slow: 2, Changed: at(time.Hour),
			},
			"✗ failing ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄ 1 1,200+ 2+ 1h 1m", style.Bad,
			"failing", "shop, failing, failed 1,200+",
			[]string{
				"running 1", "failed 1,200+ in 15 minutes, not all loaded", "slow 2+ in 15 minutes, not all loaded",
				"changed 2026-11-22 14:00:00 UTC (1 hour ago)", "read 2026-11-22 14:59:00 UTC",
			},
		},
		{
			feed.ProjectHealth{Read: at(time.Minute), Window: window, Whole: true, Failed: 3, Slow: 2},
			"✗ failed 3                 0 3 2 – 1m", style.Bad,
			"failed", "shop, failed, failed 3",
			[]string{"failed 3 in 15 minutes"},
		},
		{
			feed.ProjectHealth{Read: at(time.Minute), Window: window, Failed: 3},
			"✗ failed 3+ ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄ 0 3+ 0+ – 1m", style.Bad,
			"failed", "shop, failed, failed 3+",
			[]string{"failed 3+ in 15 minutes, not all loaded"},
		},
		{
			feed.ProjectHealth{Read: at(time.Minute), Window: window},
			"◌ incomplete ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄ 0 0+ 0+ – 1m", style.Muted,
			"incomplete", "shop, incomplete, failed 0+", nil,
		},
		{
			feed.ProjectHealth{
				Read: at(time.Minute), Window: window, Whole: true, Running: 1, Slow: 1,
				Trend: [feed.TrendParts]int{0: 1, 14: 8},
			},
			"! slow ▁             █ 1 0 1 – 1m", style.Waiting,
			"slow", "shop, slow, failed 0", nil,
		},
		{
			feed.ProjectHealth{Err: errors.New("not allowed")},
			"✗ unreadable – – – – – –", style.Bad,
			"unreadable", "shop, unreadable", nil,
		},
		{
			feed.ProjectHealth{Read: at(time.Minute), Whole: true, Err: &models.Error{Kind: models.KindNotFound}},
			"✗ unreadable                 0 0 0 – 1m", style.Bad, "unreadable", "shop, unreadable, failed 0", nil,
		},
	} {
		p := withHealth(t, page.ProjectHealth{"shop": c.health}, "shop")
		var cells []string
		for i, column := range p.healthColumns() {
			cell, tone := column.Cell(p.rows.Row(0), testNow())
			cells = append(cells, cell)
			if i == 0 && tone != c.tone {
				t.Errorf("%s: tone %v", cell, tone)
			}
		}
		if got := strings.Join(cells, " "); got != c.cells {
			t.Errorf("%+v: shows %q, want %q", c.health, got, c.cells)
		}
		if said := p.say(p.rows.Row(0), testNow()); said != c.said {
			t.Errorf("%+v: says %q, want %q", c.health, said, c.said)
		}
		r := p.record(p.rows.Row(0), testNow())
		if r.AnnouncedState != c.state || r.Tone != c.tone || (r.Error == "") != (c.health.Err == nil) {
			t.Errorf("%+v: the record is %+v", c.health, r)
		}
		for _, want := range c.fields {
			if !slices.ContainsFunc(r.Fields, func(f table.Field) bool { return f.Label+" "+f.Value == want }) {
				t.Errorf("%+v: no %q in %+v", c.health, want, r.Fields)
			}
		}
	}
}

// A project that is known to be over its quota is not ok, whatever its operations did. The window is named where it begins to count.
func TestHealthOfAProjectOverItsQuota(t *testing.T) {
	t.Parallel()
	read := feed.ProjectHealth{Read: testNow(), Window: 15 * time.Minute, Whole: true}
	failing, unreadable := read, read
	failing.Failed, failing.Failing, unreadable.Err = 2, true, errors.New("refused")
	p := withHealth(t, page.ProjectHealth{"ok": read, "failing": failing, "unreadable": unreadable, "other": failing}, "ok", "failing", "unreadable", "other")
	list := slices.Clone(p.rows.All)
	for i := range list[:3] {
		list[i].Quota.ComputeTimeSeconds = models.Opt[int64]{Value: 100, Known: true}
		list[i].Used.ComputeTimeSeconds = models.Opt[int64]{Value: 101, Known: true}
	}
	p.setProjects(list)
	p.Update(page.ProjectHealth{"failing": failing})
	var cells, summary []string
	for i := range 4 {
		health, _ := p.healthCell(p.rows.Row(i), testNow())
		note, _ := p.noteCell(p.rows.Row(i), testNow())
		cells = append(cells, health+" | "+note)
	}
	if want := []string{
		"✗ over quota | no compute starts", "✗ over quota | no compute starts", "✗ unreadable | over its quota: no compute starts", "✗ failing | ",
	}; !slices.Equal(cells, want) {
		t.Errorf("%q, want %q", cells, want)
	}
	for _, part := range p.summary() {
		summary = append(summary, part.Text)
	}
	if got := strings.Join(summary, ", "); got != "4 projects, 1 unreadable, 3 over quota, 15 min: 2 failing, 2 failed, 1 region" {
		t.Errorf("the summary is %s", got)
	}
	for filter, want := range map[string]int{"is:over-quota": 3, "health:over": 2, "is:failing": 2} {
		q, err := query.Parse(filter, p.fields())
		n := 0
		for i := range p.rows.All {
			if err == nil && q.Match(&p.rows.All[i], testNow()) {
				n++
			}
		}
		if n != want {
			t.Errorf("%s: %d projects, %v", filter, n, err)
		}
	}
	p.session.Layout.SetColumns("projects", []string{"name", "note"})
	if note, _ := p.noteCell(p.rows.Row(0), testNow()); note != "over its quota: no compute starts" {
		t.Errorf("without HEALTH, the note is %q", note)
	}
	p.session.Layout.SetColumns("projects", nil)
	if p.compareHealth(p.rows.Row(0), p.rows.Row(3), testNow()) >= 0 {
		t.Error("failing is worse than over quota")
	}
}

// Projects are filtered, sorted and counted by their health. A click on a count filters by it, and again by nothing.
func TestHealthIsFilteredSortedAndCounted(t *testing.T) {
	t.Parallel()
	read := testNow().Add(-time.Minute)
	p := withHealth(t, page.ProjectHealth{
		"fine":   {Read: read, Whole: true},
		"failed": {Read: read, Failed: 7, Slow: 1},
		"worse":  {Read: testNow(), Failed: 5, Failing: true, Running: 2},
		"cut":    {Read: read, Failed: 1, Failing: true, Running: 1, Err: errors.New("refused")},
		"other":  {Failed: 7}, // not listed
	}, "fine", "never", "failed", "worse", "cut")
	matches := func(filter string) string {
		t.Helper()
		q, err := query.Parse(filter, p.fields())
		if err != nil {
			t.Fatalf("%s: %v", filter, err)
		}
		var names []string
		for _, project := range p.rows.All {
			if q.Match(&project, testNow()) {
				names = append(names, project.Name)
			}
		}
		return strings.Join(names, " ")
	}
	for filter, want := range map[string]string{
		"is:failing": "worse cut", "is:failed": "failed worse cut", "is:running": "worse cut", "is:slow": "failed", "is:unread": "never",
		"is:unreadable": "cut", "failed:>2": "failed worse", "running:0": "fine failed", "slow:>=1": "failed",
		"health:ok": "fine", "failing": "worse", "health:failed": "failed", "read:>10s": "fine failed cut",
	} {
		if got := matches(filter); got != want {
			t.Errorf("%s: shows %q, want %q", filter, got, want)
		}
	}
	sorted := slices.SortedStableFunc(slices.Values(p.rows.All), func(a, b models.Project) int {
		return p.healthColumns()[0].Compare(&a, &b, testNow())
	})
	var names []string
	for _, project := range sorted {
		names = append(names, project.Name)
	}
	if got := strings.Join(names, " "); got != "cut worse failed never fine" {
		t.Errorf("the worst first are %s", got)
	}
	var summary []string
	for _, part := range p.summary() {
		summary = append(summary, part.Text)
	}
	if got := strings.Join(summary, ", "); got != "5 projects, 1 unreadable, 2 failing, 3 failed, 1 slow, 2 running, 1 not read yet, 1 region" {
		t.Errorf("the summary is %s", got)
	}
	for _, want := range []string{"is:failing", ""} {
		if p.summary()[2].Run(); p.Query() != want {
			t.Errorf("a click filters by %q", p.Query())
		}
	}
}

// The line above the rows shows its parts whole or not at all. All of them are announced.
func TestHealthThatDoesNotFit(t *testing.T) {
	t.Parallel()
	p := withHealth(t, page.ProjectHealth{
		"a": {Read: testNow(), Window: 15 * time.Minute, Failed: 1, Running: 1},
	}, "a", "b")
	const all = " 2 projects   15 min: 1 failed   1 running   1 not read yet   1 region"
	for width, want := range map[int]string{
		200: all, style.Width(all): all,
		style.Width(all) - 1: " 2 projects   15 min: 1 failed   1 running   1 not read yet",
		57:                   " 2 projects   15 min: 1 failed   1 running",
		40:                   " 2 projects   15 min: 1 failed",
	} {
		f := page.Frame{Width: width, Height: 20, Theme: &style.Theme{}, Now: testNow()}
		if got := strings.TrimRight(p.View(f)[0], " "); got != want {
			t.Errorf("%d cells: %q, want %q", width, got, want)
		}
		f.Accessible = true
		if parts := p.Describe(f).Parts; !slices.ContainsFunc(parts, func(part announce.Part) bool {
			return strings.HasSuffix(part.Text, "1 not read yet, 1 region")
		}) {
			t.Errorf("%d cells: announces %+v", width, parts)
		}
	}
}

// Pinned projects come first, and the others keep their order.
func TestPinsComeFirst(t *testing.T) {
	t.Parallel()
	p := withHealth(t, nil, "a", "b", "c", "d")
	order := func(want string) {
		t.Helper()
		var names string
		for i := range p.rows.Len() {
			names += p.rows.Row(i).Name
		}
		if selected, _ := p.List().Selected(); names != want || selected.Name != "c" {
			t.Errorf("the order is %s, and %s is selected", names, selected.Name)
		}
	}
	p.options.Feed = feed.Options{Interval: time.Second, Budget: 10}
	p.Restore(table.Key{ID: "c"}, false)
	p.togglePin()
	order("cabd")
	p.refresh()
	answers(p, models.Page[models.Project]{Items: []models.Project{{ID: "a", Name: "a"}, {ID: "b", Name: "b"}, {ID: "c", Name: "c"}}}, nil)
	order("cab")
	p.togglePin()
	order("cab")
}

// A trend in few cells has all of its parts, and a cell of which a part has failures is red.
func TestShortTrend(t *testing.T) {
	t.Parallel()
	h := feed.ProjectHealth{FailedIn: 1<<0 | 1<<7}
	for cells, want := range map[int][]int{8: {0, 4}, 15: {0, 7}, 20: {0, 1, 10}} {
		var red []int
		for at := range cells {
			if h.TrendFailed(trendParts(at, cells)) {
				red = append(red, at)
			}
		}
		if !slices.Equal(red, want) {
			t.Errorf("%d cells: %v are red, want %v", cells, red, want)
		}
	}
	for trend, want := range map[string]string{
		"█              ":       "█       ",
		"▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁":       "▄███████",
		strings.Repeat("┄", 15): strings.Repeat("┄", 8),
		"–":                     "–",
	} {
		if got := fitTrend(trend, narrowTrend); got != want {
			t.Errorf("%q: %q, want %q", trend, got, want)
		}
	}
}
