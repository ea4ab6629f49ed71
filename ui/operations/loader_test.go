package operations

import (
	"strings"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/models/incident"
	"pgtower/models/moment"
	"pgtower/models/query"
	"pgtower/models/settings"
)

// The range is loaded without being asked for. It moves back with the reason that needs older operations, and never forward.
func TestRangeMovesBackOnly(t *testing.T) {
	t.Parallel()
	onBench(t, Options{Since: moment.Ago(40 * time.Minute)}, func(b *bench) {
		began := time.Now().Add(-2 * time.Second)
		back := func(want time.Duration, why reason) {
			t.Helper()
			got := b.live.poller.Range()
			if d := began.Sub(got.Since); d < want-5*time.Second || d > want+5*time.Second || b.loader.why != why || got.Most != feed.MostLoaded {
				t.Errorf("%v, %q, want %v, %q", began.Sub(got.Since), b.loader.why, want, why)
			}
		}
		back(40*time.Minute, forRange)
		b.filter("age:<30m")
		back(40*time.Minute, forRange)
		b.Do(b.list.table.SetQuery("age:<100m"))
		b.run("top")
		if got := b.description(b.frame(100)).Note.Text; !strings.HasPrefix(got, "◌ Loading 100 min for the filter: complete for 56 min of 100 min") {
			t.Error(got)
		}
		b.Wait(time.Second)
		back(100*time.Minute, forFilter)
		b.Do(b.list.table.SetQuery(""))
		b.Wait(10 * time.Minute)
		back(100*time.Minute, forFilter)
		b.run("window", "3h")
		b.Wait(time.Second)
		back(3*time.Hour, forCounts)
		if !b.list.extent().whole() {
			t.Errorf("%+v", b.list.extent())
		}
	}, "a")
}

// A range that the user asks for has a greater bound, in this scope alone, and the end of its load is told once.
func TestRangeThatTheUserAsksFor(t *testing.T) {
	t.Parallel()
	onBench(t, Options{Since: moment.Ago(30 * time.Minute)}, func(b *bench) {
		b.run("since", "1h")
		if got := b.live.poller.Range(); got.Most != feed.MostAsked || !got.Asked {
			t.Errorf("%+v", got)
		}
		b.Wait(time.Second)
		b.says(t, "✓ complete for 60 min: 74 operations")
		b.run("since", "1d")
		b.Wait(time.Second)
		b.says(t, "✓ complete: all 120 operations")
		b.run("choose-project")
		b.effects()
		b.resetList()
		b.Wait(time.Second)
		if got := b.live.poller.Range(); got.Most != feed.MostLoaded || time.Since(got.Since) < 24*time.Hour {
			t.Errorf("%+v", got)
		}
		b.says(t)
	}, "a")
}

// loaded checks whether more operations are loaded than previously, or as many.
func (b *bench) loaded(t *testing.T, previously int, more bool) {
	t.Helper()
	if got := b.live.timeline().Loaded(); got < previously || (got > previously) != more {
		t.Errorf("%d operations are loaded, previously %d", got, previously)
	}
}

// A project whose older pages cannot be read is named, and retried when the user refreshes.
func TestRangeThatCannotBeRead(t *testing.T) {
	t.Parallel()
	onBench(t, Options{Window: time.Minute, Since: moment.Ago(15 * time.Minute)}, func(b *bench) {
		before, all := b.live.timeline().Loaded(), b.service["a"]
		delete(b.service, "a")
		b.run("since", "1h")
		b.Wait(time.Second)
		errs := b.description(b.frame(100)).Trouble
		if last := errs[len(errs)-1]; last == nil || !strings.HasPrefix(last.Error(), "cannot read older operations (r: try again) of A (500)") {
			t.Errorf("%v", errs)
		}
		b.service["a"] = all
		b.Wait(time.Second)
		b.loaded(t, before, false)
		b.run("refresh")
		b.Wait(time.Second)
		b.loaded(t, before, true)
	}, "a")
}

// At the end of the list, older operations come along. At its top, nothing does.
func TestRangeMovesBackAtTheEndOfTheList(t *testing.T) {
	t.Parallel()
	onBench(t, Options{Window: time.Minute, Since: moment.Ago(10 * time.Minute)}, func(b *bench) {
		drawn(b, 100)
		before := b.live.timeline().Loaded()
		b.Wait(time.Minute)
		b.loaded(t, before, false)
		b.run("bottom")
		b.Wait(time.Second)
		b.loaded(t, before, true)
		for range 20 {
			b.run("bottom")
			b.Wait(time.Second)
			drawn(b, 100)
		}
		if got := b.description(b.frame(100)).Note.Text; got != "End of history." {
			t.Error(got)
		}
	}, "a")
}

// The line says how many projects of a fleet are complete, and how many operations a bound allows.
func TestCompleteFor(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	day := now.Add(-24 * time.Hour)
	for want, e := range map[string]extent{
		"complete":                    {Span: feed.Span{Range: day}},
		"complete for 24 h":           {Span: feed.Span{Range: day, Since: day}},
		"complete for 14 min of 24 h": {Span: feed.Span{Range: day, Since: now.Add(-14 * time.Minute), Projects: 40}},
		"complete for 3 h (100,000 operations)": {
			Span: feed.Span{Range: day, Since: now.Add(-3 * time.Hour), Capped: 100_000, Ranged: 1, Projects: 1},
		},
		"complete for 3 h (93,750 operations, older given back)": {
			Span: feed.Span{Range: day, Since: now.Add(-3 * time.Hour), Capped: 93_750, GivenBack: true, Projects: 1},
		},
		"complete for 3 h (100,000 operations), 3,120 of 5,000 projects for 24 h": {
			Span: feed.Span{Range: day, Since: now.Add(-3 * time.Hour), Capped: 100_000, Ranged: 3120, Projects: 5000},
		},
		"complete for 14 min, 3,120 of 5,000 projects for 24 h": {
			Span: feed.Span{Range: day, Since: now.Add(-14 * time.Minute), Ranged: 3120, Projects: 5000},
		},
		"12 projects not read yet":       {Span: feed.Span{Range: day, Since: day, Unread: 12}},
		"complete for 24 h without shop": {Span: feed.Span{Range: day, Since: day}, without: "shop"},
		"complete for 23 h as of 11:58:30": {
			Span: feed.Span{Range: day, Since: day}, until: now.Add(-90 * time.Second), clock: "11:58:30",
		},
	} {
		if got := e.completeFor(now); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// In little room, the line leaves out the number of projects if a bound allows no more operations.
func TestCompleteForInLittleRoom(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	span := feed.Span{Range: now.Add(-24 * time.Hour), Since: now.Add(-3 * time.Hour), Ranged: 3120, Projects: 5000}
	if got, want := (extent{Span: span}).brief(now), "complete for 3 h, 3,120 of 5,000 projects for 24 h"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	span.Capped, span.GivenBack = 93_750, true
	if got, want := (extent{Span: span}).brief(now), "complete for 3 h (93,750 operations, older given back)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Views, groups and the list have the same operations: those of the range, or all that are complete.
func TestViewsAndGroupsCountTheRange(t *testing.T) {
	t.Parallel()
	onBench(t, Options{Since: moment.Ago(30 * time.Minute)}, func(b *bench) {
		b.Wait(time.Second)
		b.Do(b.groups.groupBy(incident.Actions))
		b.Wait(time.Second)
		want := 0
		for i := range b.live.timeline().Loaded() {
			want += number(!b.live.timeline().PlacedAt(i).Before(b.list.extent().counted()))
		}
		if got := b.groups.page.Rows()[0].Count; got != want || b.tabs.counts["All"] != want || want < 30 {
			t.Errorf("%d in the groups, %v in the views, want %d", got, b.tabs.counts, want)
		}
		contains(t, drawn(b, 120), " operations in 43 min, complete to ")
		b.Do(b.list.filter("took:>=0s or is:unfinished"))
		b.Wait(time.Second)
		if got := b.list.shown().Matches(); got != want {
			t.Errorf("%d in the list, want %d", got, want)
		}
	}, "a", "b")
}

// A filter by time needs the operations of that time, others need none.
func TestFilterReach(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		for filter, want := range map[string]time.Duration{
			"age:<2h": 2 * time.Hour, "ended:<1h": 70 * time.Minute, "age:<5m ended:<1h": 5 * time.Minute,
			query.FailedQuery: 0, "branch": 0,
		} {
			b.Do(b.list.table.SetQuery(filter))
			if got := b.needed(); got != want {
				t.Errorf("%s needs %v", filter, got)
			}
		}
	}, "a")
}

// Enter loads if the selected row is not an operation.
func TestGapLoadsOnEnter(t *testing.T) {
	t.Parallel()
	onBench(t, Options{Since: moment.Ago(30 * time.Minute)}, func(b *bench) {
		b.Do(b.list.table.SetQuery("is:finished"))
		b.Wait(0)
		b.run("bottom")
		if a := b.actions.enter; a.IsHidden() || a.Look().Title != "load older" {
			t.Fatalf("%+v", a)
		}
		before := b.live.timeline().Loaded()
		b.run("load-gap")
		b.Wait(time.Second)
		b.loaded(t, before, true)
		b.run("top")
		if !b.actions.enter.IsHidden() {
			t.Error("Enter loads where it opens the details")
		}
		b.run("details")
		if d := b.list.display.record(b.list.row("a", &models.Operation{ID: "x"}), time.Now()); d.Title == "" {
			t.Errorf("%+v", d)
		}
	}, "a")
}

// The first range is since any time that the user may give, within its limits.
func TestFirstRange(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 22, 14, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Time{
		"3h": now.Add(-3 * time.Hour), "13:59:30": now.Add(-time.Minute), "14:30": now.Add(-24*time.Hour + 30*time.Minute),
		"yesterday": now.Add(-38 * time.Hour), "2026-11-01": now.AddDate(0, 0, -21).Add(-14 * time.Hour),
		"2025-01-01": now.AddDate(0, 0, -31), "2027-01-01": now.Add(-time.Minute),
	} {
		first, ok := moment.Parse(text)
		l := loader{first: first}
		if got := l.rangeStart(moment.ByService(now)); !ok || !got.Equal(want) || settings.CheckSince(first) != nil {
			t.Errorf("%s: %v, not %v; %v", text, got, want, settings.CheckSince(first))
		}
	}
	for _, text := range []string{"59s", "32d"} {
		if first, _ := moment.Parse(text); settings.CheckSince(first) == nil {
			t.Errorf("%s is allowed", text)
		}
	}
}
