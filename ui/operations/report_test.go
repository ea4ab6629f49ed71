package operations

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/models/feed"
	"pgtower/models/query"
)

func TestReports(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC)
	known := &query.Facts{
		Names: names{"p-1": "store|front"}, Bound: time.Minute,
		Slow: func(models.Action) (time.Duration, bool) { return 10 * time.Second, true },
	}
	began := func(ago, took time.Duration, o models.Operation) *row {
		o.CreatedAt, o.UpdatedAt = now.Add(-ago), now.Add(took-ago)
		return &row{Operation: query.Operation{Op: &o, Project: "p-1", AsOf: now, Facts: known}}
	}
	failed := began(15*time.Minute, 12*time.Second, models.Operation{
		ID: "op-1", Action: "start_compute", Status: models.StatusFailed, FailuresCount: 2, BranchID: "br-1", EndpointID: "ep|1",
		Error: "no `pageserver` | <b>ready</b>", RetryAt: now,
	})
	before := began(17*time.Minute, 4*time.Second, models.Operation{
		ID: "op-0", Action: "suspend_compute", Status: models.StatusFinished, BranchID: "br-1",
	})
	running := began(20*time.Second, 0, models.Operation{ID: "op-2", Action: "import_data", Status: models.StatusRunning})
	usual := &feed.Durations{}
	for range 30 {
		usual.Add(3 * time.Second)
	}
	many := incident{row: running, usual: &feed.Durations{}, complete: "complete for 4 min", now: now}
	for i := range maxNeighbours + 7 {
		many.neighbours = append(many.neighbours, began(time.Duration(i)*10*time.Second, 0, models.Operation{
			ID: fmt.Sprint("op-", i), Action: "create_branch", Status: models.StatusFinished,
		}))
	}
	for name, i := range map[string]incident{
		"failed":  {row: failed, usual: usual, neighbours: []*row{failed, before}, now: now},
		"running": many,
		"dateless": {
			row: &row{Operation: query.Operation{
				Op: &models.Operation{ID: "op-3", Status: "paused"}, Project: "p-2", Facts: known,
			}},
			usual: usual, now: now,
		},
	} {
		path, got := filepath.Join("testdata", "report-"+name+".md"), i.markdown()
		if os.Getenv("PGTOWER_UPDATE") != "" {
			if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(path); err != nil || string(want) != got {
			t.Errorf("%v; PGTOWER_UPDATE=1 accepts\n%s\nin place of\n%s", err, got, want)
		}
	}
}

// Marked rows are copied and exported, whether or not the filter shows them.
func TestMarkedOperationsAreTaken(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		b.run(t, "mark")
		b.run(t, "mark")
		b.do(b.list.table.SetQuery("is:failed"))
		b.wait(time.Second)
		lines := strings.Split(strings.TrimSpace(b.copier.markedLines()), "\n")
		if len(lines) != 3 || !strings.HasPrefix(lines[0], "id\tproject_id\t") || !strings.HasPrefix(lines[1], "a-00119\ta\t") {
			t.Errorf("%q", lines)
		}
		rows, _ := b.copier.rows()
		if len(rows) != 2 || b.list.table.Matches() != 0 {
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
	onBench(t, Options{Since: time.Minute}, func(b *bench) {
		b.do(b.list.table.SetQuery("is:finished"))
		b.wait(time.Second)
		b.run(t, "mark-all")
		marked := b.list.table.CountMarked()
		if marked != b.live.timeline().Loaded() || marked == b.live.timeline().Len() {
			t.Fatalf("%d are marked", marked)
		}
		b.wait(10 * time.Second)
		if rows, _ := b.copier.rows(); len(rows) != marked || b.list.table.CountMarked() != marked {
			t.Errorf("%d of %d are still marked, %d are taken", b.list.table.CountMarked(), marked, len(rows))
		}
	}, "a", "b")
}

func TestTheIncidentOfARow(t *testing.T) {
	t.Parallel()
	onBench(t, Options{Since: time.Minute}, func(b *bench) {
		b.run(t, "down")
		r, _ := b.list.table.Selected()
		i := b.copier.incident(r)
		if len(i.neighbours) != 11 || i.complete != "" || idLines(r) != "id: "+r.Op.ID+"\nproject_id: "+r.Project {
			t.Errorf("%d neighbours, %q, %q", len(i.neighbours), i.complete, idLines(r))
		}
		b.run(t, "bottom") // earlier operations are not loaded
		r, _ = b.list.table.Selected()
		if i := b.copier.incident(r); i.complete == "" {
			t.Errorf("complete around %s", r.Op.ID)
		}
	}, "a", "b")
}
