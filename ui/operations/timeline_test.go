package operations

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"

	"pgtower/models"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// In an order other than by time, the timeline does not follow now: the selection stays in view.
func TestTimelineOfAnOrder(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		b.service["a"][15].UpdatedAt = time.Now().Add(-10 * time.Minute)
		b.Wait(6 * time.Second)
		b.run("timeline")
		drawn(b, 100)
		b.Do(b.list.table.SortBy(slices.Index(b.ColumnNames(), "took"), true))
		shows := func(after string) {
			t.Helper()
			b.Wait(6 * time.Second)
			drawn(b, 100)
			if r, _ := b.list.shown().Selected(); r.Op.ID != "a-00104" || !b.time.chart.ShowsSelection() {
				t.Errorf("%s: selected %s, in view %v", after, r.Op.ID, b.time.chart.ShowsSelection())
			}
		}
		shows("sorted")
		b.Wait(time.Hour)
		shows("an hour later")
		b.time.Drag(page.Drag{By: 200})
		drawn(b, 100)
		if b.time.chart.ShowsSelection() {
			t.Error("the selection is in view after it was dragged away")
		}
		b.run("top")
		shows("at the top again")
	}, "a")
}

// The summary of the timeline has whole parts only: what matters least is left out first.
func TestSummaryOfATimeline(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		b.service["a"][3].Status = models.StatusFailed
		b.service["a"][2].Status = models.StatusRunning
		b.run("since", "20m")
		b.Wait(6 * time.Second)
		b.run("timeline")
		drawn(b, 200)
		texts := func(width int) (texts []string) {
			for _, part := range b.time.Summary(b.frame(width)) {
				texts = append(texts, part.Text)
			}
			return texts
		}
		for width, want := range map[int]string{
			120: "all projects (1), 14 operations, 1 failed, 1 running, median 0s, p95 0s, Dec 31 23:45 – 00:00",
			80:  "all projects (1), 14 operations, 1 failed, 1 running, Dec 31 23:45 – 00:00",
			72:  "all projects (1), 14 operations, 1 failed, Dec 31 23:45 – 00:00",
			60:  "all projects (1), 14 operations, 1 failed",
			40:  "all projects (1), 14 operations",
			20:  "14 operations",
		} {
			if got := strings.Join(texts(width), ", "); got != want {
				t.Errorf("%d cells: %s", width, got)
			}
		}
		b.time.Drag(page.Drag{By: int(3 * time.Minute / b.time.chart.Cell)})
		drawn(b, 200)
		if got := strings.Join(texts(200), ", "); !strings.HasSuffix(got, ", Dec 31 23:43 – 23:58") {
			t.Errorf("a time before today: %s", got)
		}
	}, "a")
}

// Moving to an operation out of view moves the timeline before it is drawn, so that it loads what it needs at once.
func TestTimelineMovesToTheSelection(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		b.run("since", "20m")
		b.Wait(6 * time.Second)
		b.run("timeline")
		for b.time.port.span > time.Minute {
			b.run("zoom-in")
		}
		drawn(b, 100)
		before := b.needed()
		b.run("bottom")
		if after := b.needed(); before != time.Minute || after < 10*time.Minute {
			t.Errorf("it needed operations of %s, then %s", before, after)
		}
	}, "a")
}

// Renaming a project makes room for its new name.
func TestTimelineNameOfALaneChanges(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		b.run("timeline")
		drawn(b, 200)
		const name = "a name that is longer than it was"
		b.Do(b.Update(page.ProjectList{Complete: true, Projects: []models.Project{{ID: "a", Name: name}}}))
		if got := drawn(b, 200); !strings.Contains(got, name+" ") {
			t.Error(got)
		}
	}, "a")
}

// With several organizations, each can have a lane; with one, that is not offered.
func TestTimelineLanesOfOrganizations(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		project := func(id, org string) models.Project {
			return models.Project{ID: id, Name: "project " + id, OrgID: "org-" + org, OrgName: org}
		}
		b.run("timeline")
		one := []models.Project{project("a", "Acme"), project("b", "Acme"), project("c", "Acme")}
		b.Do(b.Update(page.ProjectList{Complete: true, Projects: one}))
		if slices.Contains(b.time.groupings(), "organization") {
			t.Error("one organization is offered as lanes")
		}
		two := []models.Project{project("a", "Acme"), project("b", "Globex"), project("c", "Acme")}
		b.Do(b.Update(page.ProjectList{Complete: true, Projects: two}))
		b.run("lanes", "organization")
		b.Wait(time.Second)
		got := drawn(b, 120)
		if !strings.Contains(got, "Acme ") || !strings.Contains(got, "Globex ") || strings.Contains(got, "project a") {
			t.Error(got)
		}
	}, "a", "b", "c")
}

// The lanes are those of the filter whose rows are shown, also if they were drawn while these were being searched.
func TestTimelineLanesFollowTheFilter(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		b.filter("is:finished")
		b.run("timeline")
		if got := drawn(b, 120); !strings.Contains(got, "B ") || !strings.Contains(got, "C ") {
			t.Fatal(got)
		}
		search := b.list.table.SetQuery("is:finished project:a")
		b.Do(b.time.update())
		drawn(b, 120)
		b.Do(search)
		b.Wait(time.Second)
		if got := drawn(b, 120); !strings.Contains(got, " 2 quiet ") {
			t.Errorf("lanes of another filter:\n%s", got)
		}
	}, "a", "b", "c")
}

// Without colours, the legend of the timeline names the sign of a failure, not a colour.
func TestTimelineLegendWithoutColours(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		b.run("timeline")
		f := b.frame(120)
		if got := b.description(f).Note.Text; !strings.HasPrefix(got, "✗ failed · ◐ running · ") {
			t.Errorf("%q", got)
		}
		f.Theme = style.ChooseTheme("dark", true, colorprofile.TrueColor)
		if got := b.description(f).Note.Text; !strings.HasPrefix(got, "▄ ended, red failed · ") {
			t.Errorf("%q", got)
		}
	}, "a")
}
