package operations

import (
	"strings"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/models/incident"
	"pgtower/models/moment"
)

// A filter also shows rows that wait for older pages of other projects: their marks stay.
func TestMarksOfRowsThatWait(t *testing.T) {
	t.Parallel()
	onBench(t, Options{Since: moment.Ago(time.Minute)}, func(b *bench) {
		b.filter("is:finished")
		b.run("mark-all")
		marked := b.list.shown().CountMarked()
		if marked != b.live.timeline().Loaded() || marked == b.live.timeline().Len() {
			t.Fatalf("%d are marked", marked)
		}
		b.Wait(10 * time.Second)
		if rows, _ := b.copier.rows(); len(rows) != marked || b.list.shown().CountMarked() != marked {
			t.Errorf("%d of %d are still marked, %d are taken", b.list.shown().CountMarked(), marked, len(rows))
		}
	}, "a", "b")
}

// A report of an operation has every failure around it, also of other projects, and says if operations may be missing.
func TestReportOfARow(t *testing.T) {
	t.Parallel()
	onBench(t, Options{Since: moment.Ago(time.Minute)}, func(b *bench) {
		for range 40 {
			b.service.add("b", models.StatusFailed, time.Now()).Error = "no capacity"
		}
		b.Wait(6 * time.Second)
		b.run("top")
		r, _ := b.list.shown().Selected()
		text := b.copier.reportAround(r).Text(true)
		for _, o := range b.service["b"] {
			if o.Status.Failed() && !strings.Contains(text, o.ID) {
				t.Fatalf("%s is not in\n%s", o.ID, text)
			}
		}
		contains(t, text, "- Operation: "+r.Op.ID, "### no capacity", "40 failures in 1 project")
		b.run("bottom") // earlier operations are not loaded
		r, _ = b.list.shown().Selected()
		contains(t, b.copier.reportAround(r).Text(true), "Operations may be missing")
	}, "a", "b")
}

// The report of an operation says since when a place fails by all that was read. That of chosen operations says nothing of the time
// before them.
func TestReportSinceWhenAPlaceFails(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		began := time.Now()
		for range 20 {
			b.service.add("b", models.StatusFailed, began)
		}
		for range 10 {
			b.service.add("c", models.StatusFinished, began)
		}
		b.Wait(6 * time.Second)
		b.run("top")
		r, _ := b.list.shown().Selected()
		text := b.copier.reportAround(r).Text(true)
		contains(t, text, "B fails: 20 of ", ", since ")
		if strings.Contains(text, "or before") {
			t.Errorf("what was read before is not told:\n%s", text)
		}
		var chosen []incident.Operation
		for o := range b.list.incidents() {
			if !o.CreatedAt.Before(began) {
				chosen = append(chosen, o)
			}
		}
		contains(t, b.copier.reportOf("30 operations", chosen).Text(true), "B fails: 20 of 20 ", " or before.")
	}, "a", "b", "c")
}
