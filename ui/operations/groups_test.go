package operations

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/models/format"
	"pgtower/models/incident"
	"pgtower/models/moment"
	"pgtower/ui/action"
	"pgtower/ui/announce"
	"pgtower/ui/page"
)

// The longest duration of a group is exact, though the others are rounded to a bucket of the histogram.
func TestGroupsHaveTheirLongestExactly(t *testing.T) {
	t.Parallel()
	for _, longest := range []time.Duration{
		8 * time.Second, 84_761 * time.Millisecond, 87_238 * time.Millisecond, 541 * time.Second,
	} {
		var of []incident.Operation
		for _, took := range []time.Duration{time.Second, longest, 2 * time.Second} {
			of = append(of, incident.Operation{Operation: &models.Operation{
				Action: "create_branch", Status: models.StatusFinished,
				Total: models.Opt[time.Duration]{Value: took, Known: true},
			}})
		}
		label := func(_ incident.Dimension, value string) string { return value }
		count := groupCount{by: incident.Actions, counted: slices.Values(of), length: time.Hour, label: label}
		count.group(nil)
		if len(count.groups) != 1 || count.groups[0].quantile(1) != longest {
			t.Errorf("the longest of %v is %v", longest, count.groups[0].quantile(1))
		}
	}
}

// In the groups, the export has the groups, and never the operations that they cover.
func TestGroupsAreExported(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		failed := b.service.add("a", models.StatusFailed, time.Now())
		failed.Error, failed.UpdatedAt = "no room", failed.CreatedAt.Add(time.Second)
		b.Wait(6 * time.Second)
		b.run("statistics")
		b.Wait(time.Second)
		export := b.groups.page.Export()
		var csv strings.Builder
		if err := export.Print(&csv, format.CSV); err != nil {
			t.Fatal(err)
		}
		header, rest, _ := strings.Cut(csv.String(), "\n")
		if header != "group,failed,last_15m,before,projects,first_failure,last_failure,operations,unfinished,id,median_ms,p95_ms,max_ms" {
			t.Errorf("the fields are %s", header)
		}
		if !strings.HasPrefix(rest, "no room,1,1,") || strings.Count(rest, "\n") != 1 {
			t.Errorf("exported are %q", rest)
		}
		b.run("export")
		b.Opened().Says("Saves the 1 row shown, in this order.")
	}, "a")
}

// The groups are counted even if polls come faster than a count takes: a count ends before the next one begins.
func TestGroupsAreCountedHoweverOftenPollsCome(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		b.service.add("a", models.StatusFailed, time.Now())
		b.Wait(6 * time.Second)
		count := b.groups.show(15 * time.Minute)
		if b.groups.refresh() != nil {
			t.Error("another count begins during one")
		}
		delivery, _ := count().(page.Delivery)
		then, _ := delivery.Msg.(page.Result)
		if again := then(); again == nil || !b.groups.counted || !b.groups.counting {
			t.Errorf("counted %t, counted again %t", b.groups.counted, b.groups.counting)
		}
	}, "a")
}

// The errors of the window are on top, even if an older error failed more often. At 80 cells, an error has 40. A long filter is
// cut, the number of failures is not.
func TestGroupsShowWhatFailsNow(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		fail := func(reason string, ago time.Duration) {
			failed := b.service.add("a", models.StatusFailed, time.Now().Add(-ago))
			failed.Error = reason
		}
		fail("the old error", 90*time.Minute)
		fail("the old error", 90*time.Minute)
		now := "the compute did not acknowledge the configuration of its roles"
		fail(now, 0)
		b.Wait(6 * time.Second)
		b.run("statistics")
		b.Wait(time.Second)
		lines := b.View(b.frame(80))
		if first := slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, now[:39]+"…") }); first < 0 ||
			!strings.Contains(lines[first+1], "the old error") {
			t.Errorf("%s", strings.Join(lines, "\n"))
		}
		b.run("statistics")
		b.filter("is:failed or action:start_compute or action:apply_config or project:a")
		b.run("statistics")
		b.Wait(time.Second)
		if head := b.View(b.frame(80)); !strings.Contains(strings.Join(head, "\n"), "  / is:failed or ac…  3 failures in 24 h ") {
			t.Errorf("%s", strings.Join(head, "\n"))
		}
	}, "a")
}

// head returns the line above the groups.
func (b *bench) head(width int) string {
	f := b.frame(width)
	return b.View(f)[b.above]
}

// The line above the groups names the time of what is counted: the range or, if older operations are counted, a longer one.
func TestGroupsNameTheTimeThatIsCounted(t *testing.T) {
	t.Parallel()
	onBenchApart(t, Options{}, 13*time.Minute, func(b *bench) {
		b.service.add("a", models.StatusFailed, time.Now()).Error = "no room"
		b.Wait(6 * time.Second)
		b.run("statistics")
		b.Wait(time.Second)
		contains(t, b.head(80), "  1 failure in 24 h to ")
		b.Do(b.groups.groupBy(incident.Actions))
		b.Wait(time.Second)
		contains(t, b.head(80), "  121 operations in 26 h to ")
		b.Do(b.list.table.SetQuery("is:failed")) // of which none is older, whatever they are grouped by
		b.Wait(time.Second)
		contains(t, b.head(80), "  1 operation in 24 h")
		b.Do(b.list.table.SetQuery(""))
		b.Wait(time.Second)
	}, "a")
}

// newest is a service that answers first pages only.
type newest struct{ service }

func (n newest) Operations(ctx context.Context, project string, r models.PageRequest) (models.Page[models.Operation], error) {
	if r.Cursor != "" {
		return models.Page[models.Operation]{}, errBroken
	}
	return n.service.Operations(ctx, project, r)
}

// Where operations of the range were not read, the line says for how long the count is complete and, in less room, that there may
// be more.
func TestGroupsOfAnIncompleteRangeSaySo(t *testing.T) {
	t.Parallel()
	onBench(t, Options{Since: moment.Ago(30 * time.Minute)}, func(b *bench) {
		b.service.add("a", models.StatusFailed, time.Now()).Error = "no room"
		b.Wait(6 * time.Second)
		b.run("statistics")
		b.Wait(time.Second)
		contains(t, b.head(120), "  1 failure in 43 min, complete to ")
		b.live.reconnect(newest{b.service})
		b.run("since", "24h")
		b.Wait(time.Second)
		contains(t, b.head(120), "  1 failure, complete for 43 min of 24 h")
		contains(t, b.head(72), "  1 failure, complete for 43 min ")
		contains(t, b.head(60), "  ≥1 failure in 24 h ")
		if got := b.head(60); strings.Contains(got, "complete") {
			t.Errorf("%s", got)
		}
	}, "a")
}

// Where operations have no readable time, it is not said that all are of the span.
func TestGroupsOfUnknownTimeSaySo(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		b.service.add("a", models.StatusFailed, time.Time{})
		b.service.add("a", models.StatusFailed, time.Now())
		b.Wait(6 * time.Second)
		b.run("statistics")
		b.Wait(time.Second)
		contains(t, b.head(120), "  2 failures in 24 h or at unknown times, complete to ")
	}, "a")
}

// A project that cannot be read is named and, in less room, there may be more.
func TestGroupsWithoutAProjectSaySo(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		delete(b.service, "b")
		b.Wait(20 * time.Second)
		b.run("statistics")
		b.Do(b.groups.groupBy(incident.Actions))
		b.Wait(time.Second)
		contains(t, b.head(120), "  240 operations in 24 h, complete without B (500 for ")
		contains(t, b.head(80), "  ≥240 operations in 24 h ")
	}, "a", "b")
}

// While the service does not answer, the time that was read does not grow.
func TestGroupsOfASilentServiceSaySo(t *testing.T) {
	t.Parallel()
	onBench(t, Options{Since: moment.Ago(30 * time.Minute)}, func(b *bench) {
		b.live.reconnect(refusing{b.service, &errTimeout})
		b.Wait(5 * time.Minute)
		b.run("statistics")
		b.Do(b.groups.groupBy(incident.Actions))
		b.Wait(time.Second)
		contains(t, b.head(120), " operations in 43 min, complete as of 00:00:0")
	}, "a")
}

// Where no project can be read, also of a service that does not answer any more, all is complete as of the last read.
func TestGroupsWithoutAllProjectsSaySo(t *testing.T) {
	t.Parallel()
	onBench(t, Options{Since: moment.Ago(30 * time.Minute)}, func(b *bench) {
		failure := errBroken
		b.live.reconnect(refusing{b.service, &failure})
		b.Wait(time.Minute)
		failure = errTimeout
		b.Wait(time.Minute)
		b.run("statistics")
		b.Do(b.groups.groupBy(incident.Actions))
		b.Wait(time.Second)
		contains(t, b.head(120), " operations in 43 min, complete as of 00:00:0")
	}, "a", "b")
}

// The rule below the groups explains the state of the selected one, whole at 80 cells.
func TestGroupsExplainTheSelectedState(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		add := func(status models.Status, action models.Action, reason string, ago time.Duration) {
			o := b.service.add("a", status, time.Now().Add(-ago))
			o.Action, o.Error = action, reason
		}
		add(models.StatusFailed, "import_data", "never again", 90*time.Minute)
		add(models.StatusFailed, "apply_config", "again", 80*time.Minute)
		add(models.StatusFailed, "create_branch", "works", 70*time.Minute)
		add(models.StatusRunning, "apply_config", "", time.Minute)
		add(models.StatusFinished, "delete_timeline", "", time.Minute)
		add(models.StatusFailed, "start_compute", "fails", 0)
		b.Wait(6 * time.Second)
		b.run("statistics")
		b.Wait(time.Second)
		about := map[string]string{}
		for range b.groups.page.Rows() {
			drawn(b, 80)
			entry, _ := b.groups.page.List().Selected()
			about[entry.label] = b.Rule().Left
			b.run("down")
		}
		want := map[string]string{
			"fails":       "Failing: failed in the last 15 min, and none finished since.",
			"never again": "Not tried: the same action has not begun there since it failed.",
			"again":       "Tried again: the same action began there later, and none finished.",
			"works":       "Worked since: the same action finished there after it had failed.",
		}
		if !maps.Equal(about, want) {
			t.Errorf("%q", about)
		}
		if got := b.groups.about(&group{Group: incident.Group{Failed: 1}}); !strings.HasPrefix(got, "Unknown: ") {
			t.Errorf("%q", got)
		}
		parts := b.Describe(b.frame(80)).Parts
		if i := slices.IndexFunc(parts, func(p announce.Part) bool { return p.Name == "about" }); i < 0 || !parts[i].Quiet {
			t.Errorf("announced with each state, or never: %+v", parts)
		}
		b.Do(b.groups.groupBy(incident.Actions))
		b.Wait(time.Second)
		b.run("bottom")
		drawn(b, 80)
		if entry, _ := b.groups.page.List().Selected(); entry.Failed > 0 || b.Rule().Left != "" {
			t.Errorf("%d failed, and the rule is %q", entry.Failed, b.Rule().Left)
		}
	}, "a")
}

// In little room, dimensions give way, but not the one in force, the number with its time, or the filter.
func TestGroupsKeepTheirCountInLittleRoom(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		b.run("statistics")
		b.Do(b.groups.groupBy(incident.Regions))
		b.filter("is:finished or action:start_compute or project:a")
		b.Wait(time.Second)
		for width, want := range map[int]string{
			90: " error  action  project  branch  region  / is:finished or action:s…  0 operations in 24 h",
			60: " error  region  +3  / is:finished or…  0 operations in 24 h",
			40: " region  +4  / i…  0 operations in 24 h",
		} {
			if got := strings.TrimRight(b.head(width), " "); got != want {
				t.Errorf("%q, not %q", got, want)
			}
		}
	}, "a")
}

// A trend has every failure of its time once, the last one in its last part, and dots the parts that are not known.
func TestTrendsHaveEachFailureOnce(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	span := incident.Span{Now: now, Since: now.Add(-90 * time.Minute)}
	trend := newTrend(span, 24*time.Hour)
	for _, ago := range []time.Duration{25 * time.Hour, 24 * time.Hour, 23*time.Hour + time.Minute, 61 * time.Minute, time.Minute, 0, -time.Second} {
		trend.add(now.Add(-ago), span, 24*time.Hour)
	}
	if got := trend.draw(); got != "▆┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄▃█" {
		t.Errorf("%s of %v", got, trend.parts)
	}
}

// A trend is about the range, in the units that name it.
func TestTrendsAreAsLongAsTheyAreNamed(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for back, want := range map[time.Duration]time.Duration{
		10 * time.Second: time.Minute, 90 * time.Minute: 90 * time.Minute, 24*time.Hour + 50*time.Minute: 24 * time.Hour,
		7*24*time.Hour + 5*time.Hour: 7 * 24 * time.Hour,
	} {
		got := trendLength(extent{Span: feed.Span{Range: now.Add(-back)}}, now)
		if got != want {
			t.Errorf("of %v: %v, not %v", back, got, want)
		}
	}
	if got := trendLength(extent{}, now); got != 24*time.Hour {
		t.Errorf("of everything: %v", got)
	}
}

// The key that leaves the groups is named for where it leads.
func TestGroupsNameTheWayOut(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		short := func() string {
			a, _ := action.ByID(b.Actions(), "statistics")
			return a.Look().Short
		}
		for _, c := range []struct{ pressed, want string }{
			{"statistics", "list"}, {"statistics", "groups"}, {"timeline", "groups"}, {"statistics", "timeline"},
		} {
			b.run(c.pressed)
			if got := short(); got != c.want {
				t.Errorf("after %s, %q", c.pressed, got)
			}
		}
	}, "a")
}
