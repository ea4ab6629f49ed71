package operations

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"pgtower/models"
	"pgtower/models/query"
)

// Columns are hidden on narrow screens. Ages, durations and numbers of failures are never cut.
func TestColumnsOfFailuresInLittleRoom(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		o := b.service.add("a", models.StatusFailed, time.Now().Add(-400*24*time.Hour))
		o.UpdatedAt, o.FailuresCount, o.Error = o.CreatedAt.Add(75*time.Minute), 12, "endpoint did not become ready"
		b.Wait(6 * time.Second)
		b.run("failed")
		b.Wait(time.Second)
		for _, c := range []struct {
			width int
			want  string
		}{
			{40, "STATUS ACTION PROJECT AGE"},
			{55, "ERROR ACTION PROJECT AGE TOOK"},
			{60, "ERROR ACTION PROJECT AGE"},
			{64, "ERROR ACTION PROJECT AGE"},
			{76, "ERROR ACTION PROJECT AGE TOOK"},
			{100, "ERROR ACTION PROJECT BRANCH AGE TOOK"},
		} {
			lines := strings.Split(drawn(b, c.width), "\n")
			got := strings.Join(strings.Fields(strings.ReplaceAll(lines[1]+lines[2], "UTC", "")), " ")
			if !strings.Contains(got, c.want) || !strings.Contains(got, "×12 ") || !strings.Contains(got, " 13mo") {
				t.Errorf("%d cells: %s", c.width, got)
			}
			if strings.Contains(c.want, "TOOK") && !strings.Contains(got, " !1h15m") {
				t.Errorf("%d cells: %s", c.width, got)
			}
		}
	}, "a", "b")
}

// A column without a text in any visible row gives its room to others.
func TestColumnsWithoutErrors(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		failed := b.service.add("a", models.StatusFailed, time.Now())
		b.Do(b.list.table.SetQuery(query.FailedQuery)) // which puts the error first
		b.Wait(6 * time.Second)
		has := func(want bool) {
			t.Helper()
			if got := drawn(b, 120); strings.Contains(got, "ERROR") != want {
				t.Error(got)
			}
		}
		has(false)
		failed.Error, failed.UpdatedAt = "no memory", time.Now()
		b.Wait(6 * time.Second)
		has(true)
		b.session.Layout.SetColumns("operations", []string{"error", "action"})
		has(true)
		b.filter("is:finished")
		has(false)
	}, "a")
}

// Any time that a service may send is sorted correctly.
func TestColumnsSortByCreation(t *testing.T) {
	t.Parallel()
	for _, c := range (&list{fields: query.OperationFields(operationOf)}).columns() {
		at := func(year int) *row {
			return &row{Operation: query.Operation{Op: &models.Operation{CreatedAt: time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)}}}
		}
		if c.Title == "CREATED" && (c.Compare(at(2300), at(2026), time.Time{}) <= 0 || c.Compare(at(1600), at(2026), time.Time{}) >= 0) {
			t.Error("in the wrong order")
		}
	}
}

// The line below the failures has the whole error of the selected row.
func TestErrorThatIsCut(t *testing.T) {
	t.Parallel()
	onBench(t, Options{}, func(b *bench) {
		o := b.service.add("a", models.StatusFailed, time.Now())
		o.Action, o.Error = "prepare_secondary_pageserver", "the pageserver did not confirm the tenant's location"
		b.Wait(6 * time.Second)
		b.filter(query.FailedQuery)
		contains(t, drawn(b, 80), " the pageserver did not confir… Prepare secondary pageserver ")
		if got := ansi.Strip(b.list.table.Rule().Left); got != o.Error {
			t.Errorf("the line below has %q", got)
		}
	}, "a")
}

// At 80 cells, the error of a fold takes what the numbers behind it leave free. Beside it, a single row has its action in full, as a
// fold with one action has; different actions inside a fold take no cells from the errors. The rows of the view decide it: not those
// before it, which are drawn once more, and not those of a fold that is opened.
func TestErrorOfAFoldTakesFreeCells(t *testing.T) {
	t.Parallel()
	const long, folded = "the_longest_action_has_cells_", "no free capacity in the region"
	for name, c := range map[string]struct {
		finished, single string // actions
		fold             [2]string
		want             []string
	}{
		"in the fold": {
			"suspend", "suspend",
			[2]string{long + "a", long + "b"},
			[]string{" 12 × no free capacity in the region      2 actions  ", " 2 projects  ", " the compute did not become ready in time Suspend    A "},
		},
		"in a row": {
			"suspend", long + "a",
			[2]string{long + "a", long + "b"},
			[]string{" 12 × no free capacity in the region  2 actions ", " 2 projects  ", " The longest action has cell… A "},
		},
		"of the whole fold": {
			"suspend", "",
			[2]string{"apply_storage_config", "apply_storage_config"},
			[]string{" 12 × no free capacity in the region    Apply storage config 2 projects "},
		},
		"in another view": {
			long + "a", "",
			[2]string{"apply_config", "suspend"},
			[]string{" 12 × no free capacity in the region      2 actions  2 projects ", " TOOK"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			onBench(t, Options{}, func(b *bench) {
				add := func(project, action, text string) {
					status := models.StatusFailed
					if text == "" {
						status = models.StatusFinished
					}
					o := b.service.add(project, status, time.Now())
					o.Action, o.Error = models.Action(action), text
				}
				if c.single != "" {
					add("a", c.single, "the compute did not become ready in time")
				}
				for i := range 12 {
					add(string("ab"[i%2]), c.fold[i%2], folded)
				}
				add("a", c.finished, "")
				b.Wait(6 * time.Second)
				arranged := b.list.table.SetQuery(query.FailedQuery)
				drawn(b, 80)
				b.Do(arranged)
				b.Wait(time.Second)
				contains(t, drawn(b, 80), c.want...)
				title := func() string { return regexp.MustCompile(`ERROR .*`).FindString(drawn(b, 80)) }
				before := title()
				b.run("details")
				if after := title(); after != before {
					t.Errorf("opened: %q, before: %q", after, before)
				}
			}, "a", "b")
		})
	}
}
