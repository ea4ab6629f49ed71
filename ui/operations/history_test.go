package operations

import (
	"strings"
	"testing"
	"time"

	"pgtower/models"
)

// A filter or an order loads what it needs, and stops when another one replaces it.
func TestSearchLoadsWhatItNeeds(t *testing.T) {
	t.Parallel()
	onBench(t, Options{SearchBack: 90 * time.Minute}, func(b *bench) {
		b.run(t, "failed")
		b.wait(time.Second)
		b.says(t, "✓ complete for 90 min: 100 operations are loaded")
		if got := b.history.nothing(b.frame(100)).Title; got != "Nothing matches in the last 90 min, which is complete." {
			t.Error(got)
		}
		b.run(t, "load", "1,000")
		if got := b.history.progress(b.frame(100)); got != "Loading older operations: 100 of 1,000 · esc stops" {
			t.Error(got)
		}
		b.run(t, "stop-loading")
		b.says(t, "stopped: 100 operations are loaded, complete for 100 min")
		b.run(t, "failed")
		b.run(t, "load", "100000")
		b.wait(time.Second)
		b.says(t, "✓ all 120 operations are loaded: the service has nothing older")
		b.run(t, "bottom")
		drawn(b, 100)
		if got := b.note(b.frame(100)).Text; got != "End of history." {
			t.Error(got)
		}
		for filter, want := range map[string]time.Duration{
			"age:<2h": 2 * time.Hour, "ended:<1h": 70 * time.Minute, "age:<5m ended:<1h": 5 * time.Minute,
			failedQuery: 90 * time.Minute, "branch": 0,
		} {
			b.do(b.table.SetQuery(filter))
			if got := b.history.needed(); got != want {
				t.Errorf("%s needs %v", filter, got)
			}
		}
	}, "a")
}

// Pages are loaded as the selection nears the end, and only the user retries a failure.
func TestOlderOperationsComeAlong(t *testing.T) {
	t.Parallel()
	onBench(t, Options{Window: time.Minute}, func(b *bench) {
		drawn(b, 100)
		before, all := b.timeline().Loaded(), b.service["a"]
		delete(b.service, "a")
		b.run(t, "bottom")
		b.wait(time.Second)
		errs := b.trouble(b.frame(100))
		if last := errs[len(errs)-1]; last == nil || !strings.HasPrefix(last.Error(), "cannot read older operations (m: try again) of A (500)") {
			t.Errorf("%v", errs)
		}
		b.service["a"] = all
		b.run(t, "up")
		b.wait(time.Second)
		if got := b.timeline().Loaded(); got != before {
			t.Errorf("%d are loaded, before there were %d", got, before)
		}
		b.run(t, "older")
		b.wait(time.Second)
		if got := b.timeline().Loaded(); got <= before {
			t.Errorf("%d are loaded, before there were %d", got, before)
		}
	}, "a")
}

// Enter loads if the selected row is not an operation.
func TestEnterLoads(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		b.do(b.table.SetQuery("is:finished"))
		b.wait(0)
		b.run(t, "bottom")
		if a := b.enter(); a.Hidden || a.Title != "load older" {
			t.Fatalf("%+v", a)
		}
		before := b.timeline().Loaded()
		b.run(t, "load-gap")
		b.wait(time.Second)
		if got := b.timeline().Loaded(); got <= before {
			t.Errorf("%d are loaded, before there were %d", got, before)
		}
		b.run(t, "top")
		if !b.enter().Hidden {
			t.Error("Enter loads where it opens the details")
		}
		b.run(t, "details")
		if d := b.record(b.row("a", &models.Operation{ID: "x"}), time.Now()); d.Title == "" {
			t.Errorf("%+v", d)
		}
	}, "a")
}
