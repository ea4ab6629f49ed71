package operations

import (
	"strings"
	"testing"
	"time"

	"pgtower/models/moment"
	"pgtower/ui/page"
)

// at returns the service's time that many minutes ago, as a user types it.
func at(minutes int) string {
	return time.Now().Add(-time.Duration(minutes) * time.Minute).UTC().Format("2006-01-02 15:04:05")
}

// Going to a time loads it and selects its operation.
func TestJump(t *testing.T) {
	t.Parallel()
	onBench(t, Options{Window: time.Minute, Since: moment.Ago(time.Minute)}, func(b *bench) {
		drawn(b, 100)
		b.run("since", "1h")
		b.Wait(time.Second)
		b.says(t, "✓ complete for 60 min: 82 operations")
		if b.list.shown().Held() || b.list.shown().Cursor() != 0 {
			t.Error("the selection moved")
		}
		b.run("statistics")
		b.run("at", at(90))
		b.Wait(time.Second)
		b.says(t, "page.ShowOperations", "✓ complete for 90 min: 102 operations",
			"Began 1999-12-31 22:30:00 UTC: Create branch of A")
		if r, _ := b.list.shown().Selected(); r.Op.ID != "a-00030" || !b.list.shown().Held() || b.groups.shown {
			t.Errorf("at %s, %v", r.Op.ID, b.groups.shown)
		}
		b.showOperations(page.ShowOperations{Project: b.scope.project, Back: &page.ViewState{Project: b.scope.project.ID}})
		if b.list.shown().Cursor() != 0 || !b.list.shown().Following() {
			t.Errorf("back at %d", b.list.shown().Cursor())
		}
		b.run("at", "30m")
		b.says(t, "✓ complete for 30 min: 102 operations", "page.ShowOperations",
			"Began 1999-12-31 23:30:00 UTC: Create branch of A")
		if r, _ := b.list.shown().Selected(); r.Op.ID != "a-00090" {
			t.Errorf("at %s", r.Op.ID)
		}
		b.Do(b.list.table.SetQuery("a-0008")) // ids from 80 to 89
		b.Wait(0)
		b.run("at", "2h")
		b.Wait(time.Second)
		got := b.effects()
		const none = "No operation shown began by 1999-12-31 22:00"
		if last := got[len(got)-1]; !strings.HasPrefix(last, none) {
			t.Errorf("%q", got)
		}
	}, "a")
}

// The selection stays if the user moves meanwhile, or not everything can be read.
func TestJumpIsLeft(t *testing.T) {
	t.Parallel()
	onBench(t, Options{Window: time.Minute, Since: moment.Ago(time.Minute)}, func(b *bench) {
		drawn(b, 100)
		here := func(want int, what string) {
			t.Helper()
			if got := b.list.shown().Cursor(); got != want || !b.onward.jump.to.IsZero() {
				t.Errorf("%s: at %d", what, got)
			}
		}
		b.run("at", at(70))
		b.run("down")
		b.Wait(time.Second)
		here(1, "gone on")
		b.effects()
		all := b.service["a"]
		delete(b.service, "a")
		b.run("at", at(110))
		b.Wait(time.Second)
		here(1, "unreadable")
		b.says(t, "page.ShowOperations", "page.Failed", "Complete for 95 min of 110 min")
		b.service["a"] = all
	}, "a")
	onBench(t, Options{}, func(b *bench) {
		for line, want := range map[string]string{
			"at 25:00":      `"25:00" is not a time such as 3d, 14:32, yesterday or 2026-11-20 09:00`,
			"since ":        `"" is not a time such as 3d, 14:32, yesterday or 2026-11-20 09:00`,
			"at 2999-01-01": `"2999-01-01" is still to come`,
		} {
			if err := b.Wrong(line); err == nil || err.Error() != want {
				t.Errorf("%s: %v", line, err)
			}
		}
		proposed := timeArg(b.live, "", nil).Complete("9d")
		if len(proposed) != 1 || proposed[0].Note != "1999-12-23 00:00:02 UTC (9 days ago)" {
			t.Errorf("%+v", proposed)
		}
	}, "a")
}

// A time is read by the service's clock, which no answer has told before a project was read. If answers have no date, what
// is about a time says so.
func TestTimeOfTheUserNeedsAnAnswer(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		b.Do(b.list.table.SetQuery("after:3h"))
		if err := b.Wrong("since 3h"); err == nil || err.Error() != "the service's clock is not known yet" {
			t.Error(err)
		}
		if back, _ := b.filterBack(); back != 0 {
			t.Errorf("%v back", back)
		}
	})
	onBench(t, Options{}, func(b *bench) {
		b.Do(b.list.table.SetQuery("after:3h"))
		if back, _ := b.filterBack(); back != 3*time.Hour || b.Wrong("since 3h") != nil {
			t.Errorf("%v back, %v", back, b.Wrong("since 3h"))
		}
		const note = "by this computer's clock: the service sent no readable date"
		for _, undated := range []bool{false, true} {
			b.session.Undated = undated
			proposed := timeArg(b.live, "", nil).Complete("9d")
			if len(proposed) != 1 || strings.HasSuffix(proposed[0].Note, " UTC, by this computer's clock") != undated {
				t.Errorf("undated %v: %+v", undated, proposed)
			}
			r, _ := b.list.shown().Selected()
			if text := b.copier.reportAround(r).Text(true); strings.Contains(text, "\nThe span is "+note+".\n") != undated {
				t.Errorf("undated %v:\n%s", undated, text)
			}
		}
	}, "a")
}

// While the feed is paused, a clock time of the filter is the latest one that is not after the time that is shown.
func TestFilterReachesBackFromWhatIsShown(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		b.filter("after:23:30")
		b.run("pause")
		for range 3 {
			back, shown := b.filterBack()
			if at := shown.Add(-back).UTC(); at.Format(time.DateTime) != "1999-12-31 23:30:00" {
				t.Errorf("%v before %v", back, shown)
			}
			b.Wait(10 * time.Hour)
		}
	}, "a")
}

// Going back to a row that is older than the range loads it.
func TestScopeGoesBackToARowOlderThanTheRange(t *testing.T) {
	t.Parallel()
	onBench(t, Options{Window: time.Minute, Since: moment.Ago(time.Minute)}, func(b *bench) {
		row := b.service["a"][110]
		back := page.ViewState{Step: 1, Row: key{Project: "a", ID: row.ID}, Began: row.CreatedAt}
		b.Do(b.Update(page.ShowOperations{Back: &back}))
		b.Wait(0)
		if got := b.ViewState(); got != back {
			t.Errorf("while it is loaded: %+v", got)
		}
		b.Wait(2 * time.Second)
		if r, ok := b.list.selected(); !ok || r.Op.ID != row.ID || b.loader.why != forRow {
			t.Errorf("%+v is selected, loaded%s", r, b.loader.why)
		}
	}, "a")
}
