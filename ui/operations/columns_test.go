package operations

import (
	"testing"
	"time"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/ui/style"
)

// A number of retries that is cut is another number.
func TestRetriesAreNeverCut(t *testing.T) {
	t.Parallel()
	for n, want := range map[int64]string{
		1: "✗ failed ×1", 21: "✗ failed ×21", 99: "✗ failed ×99", 100: "✗ failed ×99+", 21_345: "✗ failed ×99+",
	} {
		if got := withRetries("✗ failed", n); got != want || style.Width(got) > statusWidth {
			t.Errorf("%d: %q", n, got)
		}
	}
	if got := withRetries("◌ scheduling", 213); got != "◌ sched… ×99+" {
		t.Errorf("%q", got)
	}
}

// A filter finds what the screen and the detail say of an operation, as it stands there.
func TestAFilterFindsWhatTheScreenSays(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 22, 15, 0, 0, 0, time.UTC)
	op := &models.Operation{
		ID: "532c7a10-eab6", ProjectID: "p", Action: "start_compute", Status: models.StatusFailed, BranchID: "br-odd-math-1",
		Error: "postgres exited: timeout", CreatedAt: now.Add(-28 * time.Minute), UpdatedAt: now,
	}
	timeline := feed.NewTimeline()
	for filter, want := range map[string]bool{
		`"start compute"`: true, "start_compute": true, "storefront": true, "timeout": true, `"exited: time"`: true,
		"532c7a": true, "532c": false, "today": true, "14:32": true, "2026-11-22 14:32": true, "15:00:00": true,
		"after:14:30": true, "before:14:32": false, "gone": false, "created:14:32": true, "updated:14:32": false,
	} {
		f, err := ParseFilter(filter, map[string]string{"p": "storefront"}, timeline)
		if err != nil || f.Match("p", op, now) != want {
			t.Errorf("%q: want %v, error %v", filter, want, err)
		}
	}
}

// No time that a service may send is sorted in the wrong place.
func TestSortedByCreation(t *testing.T) {
	t.Parallel()
	for _, c := range (&state{scope: &scope{}}).columns() {
		at := func(year int) row {
			return row{op: &models.Operation{CreatedAt: time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)}}
		}
		if c.Title == "CREATED" && (c.Compare(at(2300), at(2026), time.Time{}) <= 0 || c.Compare(at(1600), at(2026), time.Time{}) >= 0) {
			t.Error("in the wrong order")
		}
	}
}
