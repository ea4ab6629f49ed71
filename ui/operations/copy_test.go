package operations

import (
	"strings"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/models/query"
	"pgtower/ui/page"
)

// A copy of marked rows includes hidden ones, and its name counts them.
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
		if got := text.Text.Reveal(); text.Label != "2 marked rows, 1 hidden by the filter" || !strings.Contains(got, "\na-00119\t") {
			t.Errorf("%s: %s", text.Label, got)
		}
		b.run("export")
		export := b.opens(t, "Saves the 2 marked rows, 1 hidden by the filter.")
		export.Paste("x")
		if got := strings.Count(export.Drawn(), "must end in"); got != 1 {
			t.Errorf("the wrong ending is named %d times", got)
		}
		b.list.table.Unmark()
		b.run("copy")
		b.opens(t, "Copy: Create branch of A")
	}, "a")
}
