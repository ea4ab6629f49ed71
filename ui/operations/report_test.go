package operations

import (
	"strings"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/models/moment"
)

// Marked rows are copied and exported, whether or not the filter shows them.
func TestMarkedOperationsAreTaken(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		b.run("mark")
		b.run("mark")
		b.filter("is:failed")
		lines := strings.Split(strings.TrimSpace(b.copier.markedLines()), "\n")
		if len(lines) != 3 || !strings.HasPrefix(lines[0], "id\tproject_id\t") || !strings.HasPrefix(lines[1], "a-00119\ta\t") {
			t.Errorf("%q", lines)
		}
		rows, _ := b.copier.rows()
		if len(rows) != 2 || b.list.shown().Matches() != 0 {
			t.Errorf("%d rows", len(rows))
		}
		b.list.table.Unmark()
		if rows, _ := b.copier.rows(); len(rows) != 0 {
			t.Errorf("%d rows", len(rows))
		}
	}, "a")
}

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

// A report of an operation has every failure around it, also of other projects, and says what may be missing.
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
		for _, part := range []string{"- Operation: " + r.Op.ID, "### no capacity", "40 failures in 1 project"} {
			if !strings.Contains(text, part) {
				t.Errorf("no %q in\n%s", part, text)
			}
		}
		b.run("bottom") // earlier operations are not loaded
		r, _ = b.list.shown().Selected()
		if text := b.copier.reportAround(r).Text(true); !strings.Contains(text, "Operations may be missing") {
			t.Error(text)
		}
	}, "a", "b")
}
