package operations

import (
	"strings"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/ui/action"
)

// A failure is shown once, and counted until the user looks and is at the top.
func TestPollingTellsFailures(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		b.run("down") // the selection stays
		failed := b.service.add("a", models.StatusFailed, time.Now())
		failed.Error = "no room"
		b.service.add("b", models.StatusRunning, time.Now())
		b.service.add("b", models.StatusError, time.Now().Add(time.Millisecond))
		b.Wait(6 * time.Second)
		b.says(t, "✗ Create branch of A failed: no room, +1 more")
		if got := b.Title(); got != "2 alerts since you looked · 1 running" {
			t.Error(got)
		}
		f := b.frame(100)
		if note := b.description(f).Note; note.Text != "▲ 3 new, 2 failed · g: newest" || note.Announced.Text != "3 new above, 2 failed. g: go to the top." {
			t.Errorf("%+v", note)
		}
		f.Accessible = true
		if news := b.Describe(f).News; len(news) != 2 { // without the failure of the last notice
			t.Errorf("%+v", news)
		}
		b.run("top")
		if got := b.Title(); got != "1 running" || b.news.away != 0 {
			t.Errorf("%q, %d away", got, b.news.away)
		}
	}, "a", "b")
}

// Records that deviate from the specification are told once, and marked in their rows.
func TestPollingTellsDamageOnce(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		for range 2 {
			b.service.add("a", models.StatusFinished, time.Now()).Damage = "failures_count"
			b.Wait(6 * time.Second)
		}
		b.says(t, "Some records could not be read in full.")
		if got := drawn(b, 120); strings.Count(got, "⚠ Create branch") != 2 {
			t.Error(got)
		}
	}, "a")
}

// A notice shows the end of a watch, also while the feed is paused, and why an operation cannot be watched.
func TestWatches(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		b.run("top")
		b.run("watch")
		b.says(t, "Create branch of A already ended")
		id := b.service.add("a", models.StatusScheduling, time.Now()).ID
		b.Wait(6 * time.Second)
		b.run("top")
		b.run("watch")
		b.says(t, "◉ watching Create branch of A; you will be notified when it ends")
		if a, _ := action.ByID(b.Actions(), "watch"); a.Look().Title != "unwatch" {
			t.Error(a.Look().Title)
		}
		b.run("watch")
		b.says(t, "no longer watching Create branch of A")
		b.run("watch")
		b.says(t, "◉ watching Create branch of A; you will be notified when it ends")
		o := b.service.find("a", id)
		o.Status = models.StatusRunning // which does not end the watch
		b.Wait(6 * time.Second)
		b.says(t)
		o.Status, o.UpdatedAt = models.StatusFinished, o.CreatedAt.Add(1500*time.Millisecond)
		b.run("pause")
		paused := b.Status(time.Now()).Text
		b.Wait(6 * time.Second)
		b.says(t, "rings: ✓ Create branch of A finished after 1.5s · slow")
		if got := b.Status(time.Now()).Text; got != paused {
			t.Errorf("what is watched moves the pause: %q, then %q", paused, got)
		}
		if len(b.watches) != 0 {
			t.Errorf("%v", b.watches)
		}
	}, "a")
}
