package operations

import (
	"strings"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/models/query"
	"pgtower/ui/page"
)

// A copy of marked rows includes hidden ones, and its name counts them. Without marks, the rows that the filter shows are taken.
func TestCopyMarkedRows(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		b.service.add("a", models.StatusFailed, time.Now())
		b.Wait(6 * time.Second)
		b.run("mark")
		b.run("mark")
		b.filter(query.FailedQuery)
		b.Take()
		b.run("copy")
		b.opens(t, "Copy: 2 marked rows, 1 hidden by the filter").Press("enter")
		text := b.Take()[0].(page.Copy)
		lines := strings.Split(text.Text.Reveal(), "\n")
		if text.Label != "2 marked rows, 1 hidden by the filter" || len(lines) != 3 ||
			!strings.HasPrefix(lines[0], "id\tproject_id\t") || !strings.HasPrefix(lines[2], "a-00119\ta\t") {
			t.Errorf("%s: %q", text.Label, lines)
		}
		b.run("export")
		export := b.opens(t, "Saves the 2 marked rows, 1 hidden by the filter.")
		export.Paste("x")
		if got := strings.Count(export.Drawn(), "must end in"); got != 1 {
			t.Errorf("the wrong ending is named %d times", got)
		}
		b.list.table.Unmark()
		if rows, _ := b.copier.rows(); len(rows) != 1 {
			t.Errorf("without marks, %d rows are taken", len(rows))
		}
		b.run("copy")
		b.opens(t, "Copy: Create branch of A")
	}, "a")
}
