package operations

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/models/incident"
	"pgtower/ui/page"
	"pgtower/ui/style"
)

// The line has the numbers of what failed, and leads to exactly these operations; noise has none.
func TestConcentration(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		b.Wait(time.Second)
		if got := drawn(b, 120); strings.Contains(got, "fails: ") {
			t.Errorf("without failures:\n%s", got)
		}
		began := time.Now()
		for range 20 {
			b.service.add("b", models.StatusFailed, began).Error = "no capacity"
		}
		for range 8 {
			b.service.add("c", models.StatusFinished, began)
		}
		b.service.add("a", models.StatusFailed, began)
		b.Wait(6 * time.Second)
		want := "✗ B fails: 20 of 22 (91 %), elsewhere 1 of 13 · 3 min, since " + began.UTC().Format("15:04")
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

// When the line comes and when it goes, the rows that are looked at stay where they are on the screen.
func TestConcentrationMovesNoRow(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		selected := func() int {
			lines := b.View(b.frame(120))
			return slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, "▌") })
		}
		for range 12 {
			b.Do(b.Action("down"))
			selected()
		}
		before := selected()
		for range 20 {
			b.service.add("b", models.StatusFailed, time.Now())
		}
		for range 8 {
			b.service.add("a", models.StatusFinished, time.Now())
		}
		b.Wait(6 * time.Second)
		if line := selected(); !b.together.known() || line != before {
			t.Errorf("with a place that fails the row is in line %d, not %d:\n%s", line, before, drawn(b, 120))
		}
		b.Wait(20 * time.Minute)
		if line := selected(); b.together.known() || line != before {
			t.Errorf("without it the row is in line %d, not %d:\n%s", line, before, drawn(b, 120))
		}
	}, "a", "b")
}

// When the line comes, the lanes of the timeline keep their forms.
func TestConcentrationKeepsTheLanes(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		drawn(b, 120)
		b.run("timeline")
		drawn(b, 120)
		forms := b.time.kept
		for range 20 {
			b.service.add("b", models.StatusFailed, time.Now())
		}
		for range 8 {
			b.service.add("a", models.StatusFinished, time.Now())
		}
		b.Wait(6 * time.Second)
		drawn(b, 120)
		if !b.together.known() || !slices.Equal(b.time.kept, forms) || len(forms) != 2 {
			t.Errorf("with a place that fails %+v, before %+v:\n%s", b.time.kept, forms, drawn(b, 120))
		}
	}, "a", "b")
}

// Where most operations fail, the line says so, and its key shows all failures of the span.
func TestConcentrationOfEverything(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		for _, project := range []string{"a", "b"} {
			for range 60 {
				b.service.add(project, models.StatusFailed, time.Now())
			}
		}
		b.Wait(6 * time.Second)
		contains(t, drawn(b, 120), " ✗ most operations fail: 12", " %) · 3 min, since ")
		b.run("concentration")
		if got, want := b.list.table.Query(), "is:failed ended:<3m"; got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}, "a", "b")
}

// A pause counts once, at its time: the line has what was read until then, and stays.
func TestConcentrationInAPause(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		fail := func(n int) {
			for range n {
				b.service.add("b", models.StatusFailed, time.Now())
			}
		}
		for range 12 {
			b.service.add("c", models.StatusFinished, time.Now())
		}
		fail(10)
		b.Wait(6 * time.Second)
		contains(t, drawn(b, 120), " B fails: 10 of ")
		b.together.rested = time.Now().Add(time.Hour) // as after a count that took long
		fail(3)
		b.Wait(6 * time.Second)
		contains(t, drawn(b, 120), " B fails: 10 of ")
		b.run("pause")
		b.Wait(0)
		contains(t, drawn(b, 120), " B fails: 13 of ")
		frozen := drawn(b, 120)
		b.Wait(20 * time.Second)
		if got := drawn(b, 120); got != frozen {
			t.Errorf("after 20 s\n%s\nnot\n%s", got, frozen)
		}
	}, "a", "b", "c")
}

// A second place is counted in the line. The key leads to one after the other, whatever their spans are
// meanwhile, and the line says what is next.
func TestConcentrationOfTwoPlaces(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		for _, project := range []string{"a", "b"} {
			for range 15 {
				b.service.add(project, models.StatusFailed, time.Now())
			}
		}
		for range 60 {
			b.service.add("c", models.StatusFinished, time.Now())
		}
		b.Wait(6 * time.Second)
		if got := drawn(b, 120); !strings.Contains(got, " · +1 more place ") {
			t.Fatalf("no second place in\n%s", got)
		}
		line := &b.together.result
		first, second := line.queries()[0], line.queries()[1]
		if !strings.Contains(second, " !"+filterFor(line.places[0].By, line.places[0].Value)+" ") {
			t.Errorf("%q has the failures of the first place", second)
		}
		leads := []string{"C: next ", "C: all ", "C: show ", "C: next "}
		for i, want := range []string{first, second, "", first} {
			b.run("concentration")
			if b.list.table.Query() != want {
				t.Errorf("%q, not %q", b.list.table.Query(), want)
			}
			contains(t, drawn(b, 120), leads[i])
		}
		if line.places[0], line.places[1] = line.places[1], line.places[0]; line.next(second) != line.queries()[1] {
			t.Errorf("after the places changed, %q follows %q", line.next(second), second)
		}
		line.places[0], line.places[1] = line.places[1], line.places[0]
		line.places[0].Span = 15 * time.Minute
		b.run("concentration")
		if b.list.table.Query() != second {
			t.Errorf("after another span %q, not %q", b.list.table.Query(), second)
		}
	}, "a", "b", "c")
}

// In little room, what matters least gives way.
func TestConcentrationWithin(t *testing.T) {
	t.Parallel()
	place := incident.Concentration{
		Failed: 14, Ended: 20, FailedElsewhere: 2, EndedElsewhere: 57, Span: 5 * time.Minute,
	}
	c := concentration{places: []incident.Concentration{place, place}, labels: []string{"aws-eu-central-1", "b"}}
	minute := func(time.Time) string { return "20:19" }
	for width, want := range map[int]string{
		120: "aws-eu-central-1 fails: 14 of 20 (70 %), elsewhere 2 of 57 · 5 min, since 20:19 · +1 more place",
		90:  "aws-eu-central-1 fails: 14 of 20 (70 %) · 5 min, since 20:19 · +1 more place",
		72:  "aws-eu-central-1 fails: 14 of 20 (70 %) · since 20:19 · +1 more place",
		66:  "aws-eu-central-1 fails: 14 of 20 (70 %) · since 20:19",
	} {
		if got, whole := c.within(width, leastName, minute); got != want || !whole {
			t.Errorf("%d: %q, not %q", width, got, want)
		}
	}
	c.places[0].FailedElsewhere = 0
	if got, _ := c.within(120, leastName, minute); strings.Contains(got, "elsewhere") {
		t.Errorf("no failure elsewhere, and another place, in %q", got)
	}
	c.labels[0] = "customer-analytics-warehouse-prod"
	want := "customer-a…-prod fails: 14 of 20 (70 %) · since 20:19"
	if got, whole := c.within(53, leastName, minute); got != want || !whole {
		t.Errorf("%q, not %q", got, want)
	}
	if got, whole := c.within(52, leastName, minute); style.Width(got) != 52 || whole {
		t.Errorf("%q", got)
	}
	want = "custo…rod fails: 14 of 20 (70 %) · since 20:19"
	if got, whole := c.within(46, leastNameAlone, minute); got != want || !whole {
		t.Errorf("%q, not %q", got, want)
	}
	c.places[0].Quiet = true
	want = "customer-a…-prod failed: 14 of 20 (70 %) · since 20:19, last 20:19"
	if got, whole := c.within(66, leastName, minute); got != want || !whole {
		t.Errorf("%q, not %q", got, want)
	}
}

// What was counted while all was loaded is not told once something is missing.
func TestConcentrationOfWhatIsNoLongerComplete(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		for range 20 {
			b.service.add("b", models.StatusFailed, time.Now())
		}
		for range 10 {
			b.service.add("c", models.StatusFinished, time.Now())
		}
		b.Wait(6 * time.Second)
		if !b.together.known() {
			t.Fatal("nothing is told")
		}
		count := b.together.search()
		unread := models.Project{ID: "unread"}
		b.Update(page.ProjectList{Complete: true, Projects: append(b.scope.list.Projects, unread)})
		b.together.search()
		b.Update(count().(page.Delivery).Msg)
		if b.together.known() {
			t.Errorf("%q is told", b.together.said(b.list.extent()))
		}
		if got, want := b.notTogether(), "unknown: the last 13 min are not complete"; got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}, "a", "b", "c")
}

// The counts above the rows are those of a line of the same span, also when failures have left the window since it was counted.
func TestConcentrationAgreesWithTheCounts(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		for i := range 20 {
			b.service.add("b", models.StatusFailed, time.Now().Add(-14*time.Minute-time.Duration(i)*time.Second))
		}
		b.Wait(6 * time.Second)
		later := b.session.ServiceNow().Add(50 * time.Second)
		s := b.summary(b.list.extent(), currency{})
		if now := s.timeline.Window(later, s.window).Failed; now == b.together.result.places[0].Failures() {
			t.Fatalf("all %d failures are still in the window", now)
		}
		if got := s.numbers(later)[0].n; got != b.together.result.places[0].Failures() {
			t.Errorf("%d failed above the rows, %d in the line", got, b.together.result.places[0].Failures())
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
