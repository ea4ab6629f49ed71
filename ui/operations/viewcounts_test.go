package operations

import (
	"fmt"
	"maps"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/models/moment"
	"pgtower/models/naming"
	"pgtower/models/query"
	"pgtower/ui/page"
)

// walked counts the operations of the views one by one, as of the time of the tabs.
func walked(b *bench) map[string]int {
	counts := map[string]int{}
	for _, view := range b.views.every() {
		q, _ := query.Parse(view.Filter, fields(b.live.timeline))
		if !b.scope.all() && view.Project != "" && view.Project != b.scope.project.ID {
			continue
		}
		counts[view.Name] = 0
		rows := b.list.rows.counted
		for i := range rows.Len() {
			r, now := newRow(b.list.rows.facts, rows.ProjectAt(i), rows.At(i)), b.tabs.shown.began
			if r.AsOf = rows.AsOf(i); r.Running() {
				now = b.tabs.shown.now
			}
			counts[view.Name] += number((view.Project == "" || view.Project == r.Project) && q.Match(r, now))
		}
	}
	return counts
}

func checkTabs(t *testing.T, b *bench, when string) {
	t.Helper()
	if expected := walked(b); !maps.Equal(b.tabs.counts, expected) {
		t.Errorf("%s: %v, want %v", when, b.tabs.counts, expected)
	}
}

// The tabs have the numbers of their views whatever is read, and whatever else decides which operations a view has.
func TestTabsCountWhatTheirViewsHave(t *testing.T) {
	t.Parallel()
	for _, atOnce := range []int{60, 50_000} {
		own := []query.SavedView{
			{Name: "of b", Filter: "failed", Project: "b"},
			{Name: "named", Filter: "project:renamed"},
			{Name: "long", Filter: "took:>3s"},
			{Name: "web", Filter: "branch:web"},
			{Name: "word", Filter: "web"},
		}
		onBench(t, Options{Views: &own, Since: moment.Ago(30 * time.Minute)}, func(b *bench) {
			b.tabs.atOnce = atOnce
			checkTabs(t, b, "at first")
			statuses := []models.Status{models.StatusRunning, models.StatusFailed, models.StatusFinished}
			for step := range 40 {
				b.service.add("b", statuses[step%3], time.Now())
				b.Wait(6 * time.Second)
				checkTabs(t, b, fmt.Sprint("an operation came, ", step))
				op := &b.service["b"][0]
				op.Status, op.UpdatedAt = models.StatusFinished, time.Now()
				if step%4 == 0 {
					op.Status = models.StatusFailed
				}
				b.Wait(6 * time.Second)
				checkTabs(t, b, fmt.Sprint("an operation ended, ", step))
			}
			list := b.scope.list
			list.Projects[1].Name = "renamed"
			b.Do(b.Update(list))
			b.Wait(time.Second)
			checkTabs(t, b, "a project got another name")
			b.service["a"][0].BranchID = "br-1"
			b.Wait(6 * time.Second)
			b.Do(b.restoreNames([]naming.Kept{{Project: "a", ID: "br-1", Name: naming.Name{Name: "web"}}}, nil))
			b.Wait(time.Second)
			checkTabs(t, b, "a branch got its name")
			if b.tabs.counts["web"] != 1 || b.tabs.counts["word"] != 1 {
				t.Error(b.tabs.counts)
			}
			b.run("since", "2h")
			b.Wait(time.Second)
			checkTabs(t, b, "a wider range")
			own[0].Filter = "is:finished"
			b.Do(b.tabs.refresh())
			b.Wait(0)
			checkTabs(t, b, "another filter")
			own = append(own, query.SavedView{Name: "recent", Filter: "age:<3m"})
			for range 5 {
				b.Wait(6 * time.Second)
				checkTabs(t, b, "a view of the last minutes")
				if age := b.session.ServiceNow().Sub(b.tabs.shown.began); age > 10*time.Second {
					t.Errorf("the last minutes are those of %s ago", age)
				}
			}
			b.run("project", "b")
			b.Wait(time.Second)
			checkTabs(t, b, "one project")
			if b.tabs.counts["of b"] == 0 || b.tabs.counts["Failed"] == 0 || b.tabs.counts["named"] == 0 {
				t.Error(b.tabs.counts)
			}
		}, "a", "b")
	}
}

// The tabs count the range also where the first page of a project reaches back for days, before the range is known.
func TestTabsCountOnlyTheRange(t *testing.T) {
	t.Parallel()
	onBenchApart(t, Options{Since: moment.Ago(30 * time.Minute)}, 24*time.Hour, func(b *bench) {
		for range 3 {
			b.service.add("b", models.StatusFinished, time.Now())
			b.Wait(10 * time.Second)
			checkTabs(t, b, "days apart")
		}
		if all := b.tabs.counts["All"]; all > 60 {
			t.Errorf("%d are counted", all)
		}
	}, "a", "b")
}

// Where nothing is read of another scope, the tabs have no numbers of the previous one.
func TestTabsForgetAnotherScope(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		delete(b.service, "a")
		list := b.scope.list
		list.Projects = append(list.Projects, models.Project{ID: "broken", Name: "BROKEN"})
		b.Do(b.Update(list))
		b.Do(b.Update(page.ShowOperations{Project: models.Project{ID: "broken"}}))
		b.Wait(10 * time.Second)
		if len(b.tabs.counts) > 0 || b.live.timeline().Read() > 0 {
			t.Errorf("counted: %v in %q, %d read", b.tabs.counts, b.scope.title(), b.live.timeline().Read())
		}
	}, "a")
}
