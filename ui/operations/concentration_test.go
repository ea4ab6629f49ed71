package operations

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/models/incident"
	"pgtower/ui/page"
)

// The line has the numbers of what failed, and leads to exactly these operations; noise has none.
func TestConcentration(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		b.Wait(time.Second)
		if got := drawn(b, 120); strings.Contains(got, "failures in 15 min") {
			t.Errorf("without failures:\n%s", got)
		}
		for range 20 {
			b.service.add("b", models.StatusFailed, time.Now()).Error = "no capacity"
		}
		b.service.add("a", models.StatusFailed, time.Now())
		b.Wait(6 * time.Second)
		const want = "✗ 20 of 21 failures in 15 min: B (20 of 34); elsewhere 1 of 29"
		if got := drawn(b, 120); !strings.Contains(got, want) {
			t.Fatalf("no %q in\n%s", want, got)
		}
		b.run("concentration")
		b.Wait(time.Second)
		if n := b.list.shown().Matches(); n != 20 {
			t.Errorf("%q shows %d operations, not 20", b.list.table.Query(), n)
		}
		b.run("concentration")
		if b.list.table.Query() != "" {
			t.Errorf("again leads to %q", b.list.table.Query())
		}
	}, "a", "b", "c")
}

// What was counted while all was loaded is not told once something is missing.
func TestConcentrationOfWhatIsNoLongerComplete(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		for range 20 {
			b.service.add("b", models.StatusFailed, time.Now())
		}
		b.Wait(6 * time.Second)
		count := b.together.search(b.window)
		unread := models.Project{ID: "unread"}
		b.Update(page.ProjectList{Complete: true, Projects: append(b.scope.list.Projects, unread)})
		b.together.search(b.window)
		b.Update(count().(page.Delivery).Msg)
		if b.together.known() {
			t.Errorf("%q is told", b.together.result.text())
		}
	}, "a", "b", "c")
}

// The counts above the rows are those of the line, also when failures have left the window since it was counted.
func TestConcentrationAgreesWithTheCounts(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		for i := range 20 {
			b.service.add("b", models.StatusFailed, time.Now().Add(-14*time.Minute-time.Duration(i)*time.Second))
		}
		b.Wait(6 * time.Second)
		later := b.session.ServiceNow().Add(50 * time.Second)
		s := b.summary(b.list.extent(), currency{})
		if now := s.timeline.Window(later, s.window).Failed; now == b.together.result.Failures() {
			t.Fatalf("all %d failures are still in the window", now)
		}
		if got := s.numbers(later)[0].n; got != b.together.result.Failures() {
			t.Errorf("%d failed above the rows, %d in the line", got, b.together.result.Failures())
		}
	}, "a", "b", "c")
}

// A group leads to its operations, in each dimension, as many as it counted.
func TestGroupsLeadToTheirOperations(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		for i, reason := range []string{"no answer within 5s", "no answer within 12s", "role \"x\" is in use", ""} {
			b.service.add([]string{"a", "b"}[i%2], models.StatusFailed, time.Now()).Error = reason
		}
		b.Wait(6 * time.Second)
		for range 4 {
			b.run("statistics")
			b.Wait(time.Second)
			if b.groups.by.String() == "error" && len(b.groups.page.Rows()) != 3 {
				t.Errorf("%d groups of errors", len(b.groups.page.Rows()))
			}
			for _, g := range slices.Clone(b.groups.page.Rows()) {
				b.Do(b.list.filter(filterFor(b.groups.by, g.Value)))
				b.Wait(time.Second)
				if got := b.list.shown().Matches(); got != g.Count {
					t.Errorf("by %v, %q has %d operations, and its filter %q shows %d", b.groups.by, g.Value, g.Count, b.list.table.Query(), got)
				}
				b.Do(b.list.filter(""))
				b.Wait(time.Second)
			}
			b.Do(b.groups.groupBy(b.groups.next()))
			b.run("statistics")
		}
	}, "a", "b")
}

// A count that comes after the user turned to another dimension changes nothing.
func TestGroupsIgnoreALateCount(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		b.service.add("a", models.StatusFailed, time.Now())
		b.Wait(6 * time.Second)
		late := b.actions.toggleGroups()
		b.Do(b.groups.groupBy(incident.Regions))
		b.Do(late)
		b.Wait(time.Second)
		if b.groups.by != incident.Regions || b.groups.next() != incident.Errors {
			t.Errorf("by %v", b.groups.by)
		}
	}, "a")
}
