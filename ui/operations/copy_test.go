package operations

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"pgtower/models"
	"pgtower/models/query"
	"pgtower/ui/page"
)

// A copy of marked rows includes hidden ones, and its name counts them.
func TestCopyMarkedRows(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		b.service.add("a", models.StatusFailed, time.Now())
		b.wait(6 * time.Second)
		b.run(t, "mark")
		b.run(t, "mark")
		b.do(b.list.table.SetQuery(query.FailedQuery))
		b.wait(time.Second)
		b.effects()
		opens := func(want string) page.Dialog {
			t.Helper()
			e, ok := b.session.Effects()[0].(page.Open)
			if !ok || !strings.Contains(e.Dialog.View(b.frame(100)), want) {
				t.Fatalf("%+v, want %s", e, want)
			}
			return e.Dialog
		}
		enter := func(d page.Dialog) {
			t.Helper()
			for _, g := range d.Actions() {
				for _, a := range g.Actions {
					if len(a.Keys) > 0 && a.Keys[0] == "enter" {
						b.do(a.Run())
						return
					}
				}
			}
		}
		b.run(t, "copy")
		enter(opens("Copy: 2 marked rows, 1 hidden by the filter"))
		text := b.session.Effects()[0].(page.Copy)
		if got := text.Text.Reveal(); text.Label != "2 marked rows, 1 hidden by the filter" || !strings.Contains(got, "\na-00119\t") {
			t.Errorf("%s: %s", text.Label, got)
		}
		b.run(t, "export")
		export := opens("Saves the 2 marked rows, 1 hidden by the filter.")
		export.Update(tea.PasteMsg{Content: "x"})
		if got := strings.Count(export.View(b.frame(100)), "must end in"); got != 1 {
			t.Errorf("the wrong ending is named %d times", got)
		}
		b.list.table.Unmark()
		b.run(t, "copy")
		opens("Copy: Create branch of A")
	}, "a")
}
