package operations

import (
	"fmt"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/models/query"
	"pgtower/ui/page"
)

// fail makes an operation fail.
func (b *bench) fail(o *models.Operation) {
	o.Status, o.UpdatedAt = models.StatusFailed, time.Now()
}

// A view alerts of operations in all its projects, whatever is shown, and of each operation once, even if its filter
// changes.
func TestAlertsOfViews(t *testing.T) {
	t.Parallel()
	own := []query.SavedView{
		{Name: "Trouble", Filter: "project:B is:failed", Alert: true, Run: []string{"tell"}},
		{Name: "of A", Project: "a", Run: []string{"tell"}},
		{Name: "of another profile", Filter: "is:failed", Alert: true, Profiles: []string{"prod"}},
		{Name: "quiet", Filter: "is:failed"},
	}
	onBench(t, Options{Views: &own, Project: "a", SaveView: func(query.SavedView) error { return nil }}, func(b *bench) {
		b.fail(b.service.add("b", models.StatusRunning, time.Now()))
		b.Wait(6 * time.Second)
		b.says(t, "✗ Create branch of B failed", "rings: Trouble: ✗ Create branch of B failed")
		if got := b.Title(); got != "1 alert since you looked · 0 running" {
			t.Error(got)
		}
		// A view saved under its name has another filter: earlier operations do not alert.
		b.Do(b.list.table.SetQuery("create"))
		b.run("save", "view trouble")
		b.confirms(t, "This view alerts and runs tell. It will do so for each new operation that matches the new filter.")
		if v := own[0]; !v.Alert || len(v.Run) != 1 || v.Filter != "create" || v.Project != "a" {
			t.Errorf("%+v", v)
		}
		b.Wait(time.Minute)
		b.opens(t, "Saved the view trouble")
		b.service.add("a", models.StatusFinished, time.Now())
		b.Wait(6 * time.Second)
		b.says(t, "rings: trouble: ✓ Create branch of A finished after 0s", "of A: ✓ Create branch of A finished after 0s")
		b.Update(page.UserActive{})
		if got := b.Title(); got != "0 running" {
			t.Error(got)
		}
	}, "a", "b")
}

// An alert that depends on time comes once, while the operation runs.
func TestAlertsOfViewsInTime(t *testing.T) {
	t.Parallel()
	own := []query.SavedView{{Name: "Stuck", Filter: "is:unfinished took:>30s", Alert: true}}
	onBench(t, Options{Views: &own}, func(b *bench) {
		b.service.add("a", models.StatusRunning, time.Now())
		b.Wait(29 * time.Second)
		b.says(t)
		b.Wait(7 * time.Second)
		b.says(t, "rings: Stuck: ◐ Create branch of A running for 33s · slow")
		b.Wait(time.Minute)
		b.fail(&b.service["a"][0])
		b.Wait(6 * time.Second)
		b.says(t, "✗ Create branch of A failed")
	}, "a")
}

// Failures soon after an alert are in the next one, even those that a page missed.
func TestAlertsOfABurstAreOne(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		burst := func(n int) {
			for range n {
				b.service.add("a", models.StatusFailed, time.Now())
			}
		}
		burst(45) // a page has 20
		b.Wait(6 * time.Second)
		told := b.effects()
		burst(3)
		b.Wait(5 * time.Second)
		b.service.add("a", models.StatusFailed, time.Now()).Error = "late"
		b.Wait(6 * time.Second)
		told = append(told, b.effects()...)
		if got := fmt.Sprint(told); got != "[✗ Create branch of A failed, +19 more ✗ Create branch of A failed, +28 more]" {
			t.Error(got)
		}
		b.Wait(time.Minute)
		b.says(t)
	}, "a")
}
