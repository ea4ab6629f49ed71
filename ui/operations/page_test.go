package operations

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/models/incident"
	"pgtower/models/moment"
	"pgtower/ui/action"
	"pgtower/ui/announce"
	"pgtower/ui/page"
	"pgtower/ui/table"
)

// The catalogue of actions uses pages without a service or a clock.
func TestActionsOfAnEmptyPage(t *testing.T) {
	t.Parallel()
	p := New(page.NewSession(t.Context(), 0, nil), nil, Options{})
	ids := map[string]bool{}
	for _, g := range p.Actions() {
		for _, a := range g.Actions {
			if a.ID == "" || ids[a.ID] || a.Run == nil && a.Arg == nil {
				t.Errorf("%+v", a)
			}
			ids[a.ID] = true
		}
	}
	for id := range strings.FieldsSeq(`load-gap failed unfinished watch copy export
		choose-project all-projects pause refresh since at statistics window project interval details`) {
		if !ids[id] {
			t.Errorf("%s is missing", id)
		}
	}
}

// The number of projects is announced once the list is complete, and its changes are not.
func TestScopeAnnouncesTheNumberOfProjects(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		var speaker announce.Speaker
		says := func(list page.ProjectList) bool {
			b.Do(b.Update(list))
			return slices.Contains(speaker.Say(b.Describe(b.frame(0)), ""), "All projects ("+count(len(list.Projects))+")")
		}
		one, two := models.Project{ID: "one"}, models.Project{ID: "two"}
		for i, c := range []struct {
			list page.ProjectList
			want bool
		}{
			{page.ProjectList{}, false},
			{page.ProjectList{Projects: []models.Project{one}}, false},
			{page.ProjectList{Projects: []models.Project{one, two}, Settled: true}, true},
			{page.ProjectList{Projects: []models.Project{one, two}, Settled: true}, false},
			{page.ProjectList{Projects: []models.Project{one}, Settled: true}, false},
		} {
			if got := says(c.list); got != c.want {
				t.Errorf("list %d: the number is announced %v, want %v", i, got, c.want)
			}
		}
	})
}

// The page shows all projects or one, and goes back to a row that has to be loaded.
func TestScope(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		contains(t, drawn(b, 120), "all projects (2)   15 min: 0 failed, 0 running, 28 finished")
		b.run("down")
		if place := b.ViewState(); place.Project != "" || !strings.HasSuffix(place.Row.ID, "-00119") {
			t.Errorf("%+v", place)
		}
		// The user goes back to a row that is not loaded yet.
		back := page.ViewState{
			Project: "b", Row: key{Project: "b", ID: "b-00040"}, Query: "is:finished", Began: b.service["b"][79].CreatedAt,
		}
		b.Do(b.Update(page.ShowOperations{Project: models.Project{ID: "b", Name: "B"}, Back: &back}))
		if place := b.ViewState(); place != back {
			t.Errorf("%+v", place)
		}
		b.Wait(10 * time.Second)
		if r, ok := b.list.shown().Selected(); !ok || r.Op.ID != "b-00040" || b.ViewState() != back {
			t.Errorf("selected is %+v", r.Op)
		}
		// If the user moves meanwhile, the row is not restored.
		b.Do(b.Update(page.ShowOperations{}))
		b.Do(b.Update(page.ShowOperations{Project: models.Project{ID: "b"}, Back: &page.ViewState{Row: key{Project: "b", ID: "gone"}}}))
		b.run("down")
		if place := b.ViewState(); place.Row.ID == "gone" {
			t.Errorf("%+v", place)
		}
		b.run("all-projects")
		b.says(t, "page.ShowOperations")
	}, "a", "b")
}

// The projects of an organization that the user chose are polled first, until all are shown again.
func TestScopeOfAnOrganizationIsPolledFirst(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		var projects []models.Project
		for i := range 120 {
			project := models.Project{ID: fmt.Sprintf("p%03d", i), OrgID: "org-1", OrgName: "Acme"}
			if i%20 == 7 {
				project.OrgID, project.OrgName = "org-2", "Globex"
			}
			projects = append(projects, project)
			b.service.add(project.ID, models.StatusFinished, time.Now())
		}
		oldest := func() (oldest time.Duration) {
			for range 20 {
				b.Wait(time.Second)
				for i := 7; i < len(projects); i += 20 {
					oldest = max(oldest, time.Since(b.live.poller.Feed(projects[i].ID).AsOf()))
				}
			}
			return oldest
		}
		b.Do(b.Update(page.ProjectList{Complete: true, Projects: projects}))
		b.Wait(30 * time.Second)
		before := oldest()
		b.Do(b.Update(page.ShowOperations{Back: &page.ViewState{Query: `organization:"Globex" is:finished`}}))
		b.Wait(10 * time.Second)
		chosen := oldest()
		b.Do(b.Update(page.ShowOperations{Back: &page.ViewState{}}))
		b.Wait(20 * time.Second)
		if after := oldest(); before < 11*time.Second || chosen > 8*time.Second || after < 11*time.Second {
			t.Errorf("they are up to %v old before, %v while they are chosen, and %v after", before, chosen, after)
		}
	})
}

// The line above the rows is shorter on narrow screens, and complete in words.
func TestSummary(t *testing.T) {
	t.Parallel()
	onBench(t, Options{Since: moment.Ago(time.Minute)}, func(b *bench) {
		for width, want := range map[int][]string{
			20:  {"15 min:", "0 failed"},
			40:  {"15 min:", "0 failed", "0 running"},
			60:  {"all projects (2)", "15 min:", "0 failed", "0 running", "28 finished"},
			75:  {"all projects (2)", "15 min:", "0 failed", "0 running", "28 finished", "79 shown"},
			95:  {"all projects (2)", "15 min:", "0 failed", "0 running", "28 finished", "-15m", "now"},
			200: {"all projects (2)", "15 min:", "0 failed", "0 running", "28 finished", "79 shown, complete for 40 min", "-15m", "now", "peak 2 in 20 s"},
		} {
			parts := b.description(b.frame(width)).Summary
			if 1+summaryWidth(parts) > width && width > 20 {
				t.Errorf("%d cells in %d: %+v", summaryWidth(parts), width, parts)
			}
			var got []string
			for _, p := range parts {
				if p.Text != "" && !strings.ContainsAny(p.Text, "█▇") {
					got = append(got, p.Text)
				}
			}
			if !slices.EqualFunc(got, want, strings.Contains) {
				t.Errorf("%d: got %q, want %q", width, got, want)
			}
		}
		f := b.frame(0)
		f.Accessible = true
		said := ""
		for _, p := range b.Describe(f).Parts {
			said += p.Text + "\n"
		}
		contains(t, said, "Last 15 minutes: 0 failed, 0 running, 28 finished")
	}, "a", "b")
}

// Where operations of the window are missing, its counts are lower bounds.
func TestSummaryOfAnIncompleteWindowSaysAtLeast(t *testing.T) {
	t.Parallel()
	onBench(t, Options{Since: moment.Ago(30 * time.Minute)}, func(b *bench) {
		contains(t, drawn(b, 120), " 15 min: 0 failed, 0 running, 28 finished ")
		b.live.reconnect(newest{b.service})
		b.run("window", "1h")
		b.Wait(time.Second)
		contains(t, drawn(b, 120), " 1 h: ≥0 failed, ≥0 running, ≥")
	}, "a", "b")
}

// A click on a count filters by it, and the count matches the filter.
func TestSummaryCountsAreFilters(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		drawn(b, 120)
		b.Do(b.Update(page.Click{X: 28, Y: 0}))
		b.Wait(0)
		if b.list.table.Query() != "is:failed ended:<15m" || b.list.shown().Matches() != 0 {
			t.Errorf("%q shows %d", b.list.table.Query(), b.list.shown().Matches())
		}
		b.run("window")
		b.Wait(time.Second)
		if b.list.table.Query() != "is:failed ended:<1h" {
			t.Errorf("%q", b.list.table.Query())
		}
		b.says(t, "Counting the last 1 h")
		drawn(b, 120)
		b.Do(b.Update(page.Click{X: 28, Y: 0}))
		b.run("window", "1d")
		b.says(t, "Counting the last 24 h")
		if b.list.table.Query() != "" || b.window != maxWindow {
			t.Errorf("%q, %v", b.list.table.Query(), b.window)
		}
		for wrong, want := range map[string]string{
			"window 3s":   `must be whole minutes between 1m and 24h, such as 15m, not "3s"`,
			"window long": `must be whole minutes between 1m and 24h, such as 15m, not "long"`,
			"interval 2h": `must be a duration from 1s to 5m, not "2h"`,
		} {
			if err := b.Wrong(wrong); err == nil || err.Error() != want {
				t.Errorf("%s: %v", wrong, err)
			}
		}
	}, "project")
}

// The groups are of actions while nothing failed, unless the user chose errors. They count what arrives, and back leads to the feed.
func TestGroups(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		b.run("statistics")
		if got := drawn(b, 120); !strings.Contains(got, " error  action  project  branch") || !strings.Contains(got, "Create branch") {
			t.Error(got)
		}
		f := b.frame(0)
		f.Accessible = true
		if d := b.Describe(f); d.Name != "Groups of all projects (1) by action" || !d.Over {
			t.Errorf("%+v", d)
		}
		enters := 0
		for _, g := range action.Visible(b.Actions()) {
			for _, a := range g.Actions {
				enters += number(a.KeyLabel() == "↵")
				if slices.ContainsFunc([]string{"w", "=", "space"}, func(key string) bool { return slices.Contains(a.Keys, key) }) &&
					a.Reason() != "the groups are shown" {
					t.Errorf("%+v", a)
				}
			}
		}
		if a, ok := action.ByID(b.Actions(), "mark"); !ok || a.IsHidden() || enters != 1 {
			t.Errorf("%+v, %d actions of Enter", a, enters)
		}
		b.run("group-by", "error")
		b.Wait(time.Second)
		if len(b.groups.page.Rows()) > 0 || b.groups.by != incident.Errors {
			t.Errorf("errors were chosen, and %v are shown", b.groups.by)
		}
		b.run("group-by", "action")
		b.Wait(time.Second)
		before := b.groups.page.Rows()[0].Count
		b.service.add("a", models.StatusFailed, time.Now())
		b.Wait(6 * time.Second)
		if got := b.groups.page.Rows()[0]; got.Count != before+1 || got.Failed != 1 {
			t.Errorf("%+v, before %d", got, before)
		}
		b.run("back")
		if b.groups.shown {
			t.Error("back does not lead to the feed")
		}
	}, "a")
}

// summaryWidth returns the width of parts, with the spaces between both ends.
func summaryWidth(parts []table.Part) int {
	i := slices.IndexFunc(parts, func(p table.Part) bool { return p.Right })
	if i < 0 {
		return width(parts)
	}
	return width(parts[:i]) + width(parts[i:])
}

// The project of --project may be given by its id or by its name; an unknown one is told, with the nearest name.
func TestScopeOfAProjectByItsName(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"calm-lake-1": "calm-lake-1", "CALM-LAKE-1": "calm-lake-1", "red-hill-2": "red-hill-2", "RED-HIL-2": ""} {
		onBench(t, Options{Project: text}, func(b *bench) {
			if got := b.ViewState().Project; got != want && want != "" {
				t.Errorf("%s: %q is shown", text, got)
			}
			settled := b.scope.list
			settled.Settled = true
			b.Do(b.Update(settled))
			switch said := strings.Join(b.effects(), " "); {
			case want != "" && said != "":
				t.Errorf("%s: %s", text, said)
			case want == "" && said != `No listed project has the id or the name "RED-HIL-2"; did you mean RED-HILL-2 (red-hill-2)?`:
				t.Errorf("%s: %s", text, said)
			}
			b.Do(b.Update(page.ShowOperations{}))
			b.Do(b.Update(settled))
			if got := b.ViewState().Project; got != "" {
				t.Errorf("%s: %q is shown again", text, got)
			}
		}, "calm-lake-1", "red-hill-2")
	}
}
