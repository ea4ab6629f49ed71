package operations

import (
	"fmt"
	"maps"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/models/moment"
	"pgtower/models/query"
)

// walked counts the operations of the views one by one, as of the time of the tabs.
func walked(b *bench) map[string]int {
	c := b.list.censusOf(b.views.every())
	c.began, c.now = b.tabs.shown.began, b.tabs.shown.now
	counts := map[string]int{}
	rows := b.list.rows.counted
	for i, name := range c.names {
		counts[name] = 0
		for row := range rows.Len() {
			counts[name] += number(c.tests[i](rows.ProjectAt(row), rows.At(row), rows.AsOf(row)))
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
