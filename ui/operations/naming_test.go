package operations

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgtower/models"
	"pgtower/models/query"
	"pgtower/ui/page"
)

// telling is a service that tells names.
type telling struct {
	mu        sync.Mutex                 // for asked
	branches  map[string][]models.Branch // of projects
	endpoints map[string][]models.Endpoint
	asked     []string // what was asked for
}

// Branches is of [Service].
func (s *telling) Branches(_ context.Context, project string, _ models.PageRequest) (page models.Page[models.Branch], err error) {
	s.note("branches of " + project)
	page.Items, page.ServiceTime = s.branches[project], time.Now()
	return page, nil
}

func (s *telling) note(asked string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, asked)
}

// Endpoints is of [Service].
func (s *telling) Endpoints(_ context.Context, project string) (page models.Page[models.Endpoint], err error) {
	s.note("computes of " + project)
	page.Items, page.ServiceTime = s.endpoints[project], time.Now()
	return page, nil
}

func known(is bool) models.Opt[bool] { return models.Opt[bool]{Value: is, Known: true} }

// tell has the service tell names from now on.
func (b *bench) tell(s *telling) {
	b.live.names.Connect(s)
	b.Wait(2 * time.Second)
}

// onBranches runs a test with operations of three branches in a project.
func onBranches(t *testing.T, test func(b *bench, s *telling)) {
	t.Helper()
	onBench(t, Options{}, func(b *bench) {
		for _, id := range []string{"br-main-1", "br-preview-2", "br-old-3"} {
			o := b.service.add("a", models.StatusFinished, time.Now())
			o.BranchID, o.EndpointID = id, "ep-"+id
		}
		b.Wait(6 * time.Second)
		test(b, &telling{
			branches: map[string][]models.Branch{"a": {
				{ID: "br-main-1", Name: "main", Default: known(true), Protected: known(true)},
				{ID: "br-preview-2", Name: "preview/pr-481"},
			}},
			endpoints: map[string][]models.Endpoint{"a": {{ID: "ep-br-main-1", Name: "primary"}, {ID: "ep-br-preview-2"}}},
		})
	}, "a", "b")
}

// Names that come late take the place of ids. They mark no row as changed, and move nothing.
func TestNamesComeLate(t *testing.T) {
	t.Parallel()
	onBranches(t, func(b *bench, s *telling) {
		b.run("down")
		b.Wait(time.Minute) // no row is new any more
		before := strings.Split(drawn(b, 120), "\n")
		if all := strings.Join(before, "\n"); !strings.Contains(all, "br-preview-2 ") || strings.Contains(all, "pr-481") {
			t.Fatal(all)
		}
		b.Take()
		b.tell(s)
		after := strings.Split(drawn(b, 120), "\n")
		all := strings.Join(after, "\n")
		contains(t, all, "  main default, protected  ", "  preview/pr-481  ", "  br-old-3  ")
		for i := range before { // but for the cells of branches and computes, and ages
			if was, is := before[i], after[i]; firstCells(was) != firstCells(is) {
				t.Errorf("was %q, is %q", was, is)
			}
		}
		if len(b.news.changed) > 0 {
			t.Errorf("%v are marked as changed", b.news.changed)
		}
		b.Wait(3 * time.Minute) // what two lists lack is no longer listed
		if all := drawn(b, 120); !strings.Contains(all, "  ⊘ br-old-3  ") || len(b.news.changed) > 0 {
			t.Errorf("%v are marked as changed:\n%s", b.news.changed, all)
		}
		asked := len(s.asked)
		b.Wait(30 * time.Minute)
		if len(s.asked) > asked {
			t.Errorf("asked for %q", s.asked[asked:])
		}
	})
}

// firstCells returns what a line has before the branch.
func firstCells(line string) string { return string([]rune(line)[:min(54, len([]rune(line)))]) }

// The names of computes are read where something shows them: the column, and the details.
func TestNamesOfComputes(t *testing.T) {
	t.Parallel()
	onBranches(t, func(b *bench, s *telling) {
		drawn(b, 70)
		b.tell(s)
		if slices.ContainsFunc(s.asked, func(what string) bool { return strings.HasPrefix(what, "computes") }) {
			t.Errorf("asked for %q, and nothing shows computes", s.asked)
		}
		drawn(b, 134)
		b.Wait(6 * time.Second)
		if all := drawn(b, 134); !strings.Contains(all, "  primary  ") || !strings.Contains(all, "  ep-br-preview-2  ") {
			t.Errorf("asked for %q:\n%s", s.asked, all)
		}
	})
}

// A filter finds branches by their names and ids, and completes names.
func TestFilterByNameOfBranch(t *testing.T) {
	t.Parallel()
	onBranches(t, func(b *bench, s *telling) {
		b.tell(s)
		if len(s.asked) > 0 {
			t.Errorf("asked for %q, and nothing was drawn", s.asked)
		}
		for _, c := range []struct {
			filter string
			rows   int
		}{
			{"branch:preview/", 1},
			{"branch:br-preview", 1},
			{"preview/pr", 1},
			{"branch:br-old", 1},
			{"branch:none", 0},
			{"(endpoint:primary)", 1},
		} {
			b.filter(c.filter)
			if n := b.list.shown().Len(); n != c.rows {
				t.Errorf("%s: %d rows", c.filter, n)
			}
		}
		if !slices.Contains(s.asked, "branches of b") || slices.Index(s.asked, "computes of a") < 2 {
			t.Errorf("asked for %q", s.asked)
		}
		// A branch that is new is found, also if it is not on the screen before.
		b.filter("branch:pr-482")
		b.Wait(2 * time.Minute)
		s.branches["b"] = append(s.branches["b"], models.Branch{ID: "br-new-4", Name: "preview/pr-482"})
		b.service.add("b", models.StatusFinished, time.Now()).BranchID = "br-new-4"
		b.Wait(10 * time.Second)
		if n := b.list.shown().Len(); n != 1 {
			t.Errorf("%d rows of a new branch", n)
		}
	})
}

// Details have names beside the ids.
func TestDetailsHaveNames(t *testing.T) {
	t.Parallel()
	onBranches(t, func(b *bench, s *telling) {
		b.tell(s)
		b.filter("branch:main")
		b.run("details")
		b.Wait(2 * time.Second)
		all := strings.Join(strings.Fields(drawn(b, 120)), " ")
		contains(t, all,
			"branch main (default, protected)", "branch_id br-main-1", "endpoint primary", "endpoint_id ep-br-main-1",
		)
	})
}

// A view by names alerts of an operation whose branch gets its name later.
func TestAlertsByNamesThatComeLate(t *testing.T) {
	t.Parallel()
	own := []query.SavedView{{Name: "Previews", Filter: "branch:preview/ is:failed", Alert: true}}
	onBench(t, Options{Views: &own}, func(b *bench) {
		s := &telling{branches: map[string][]models.Branch{"a": {{ID: "br-main-1", Name: "main"}}}}
		b.tell(s)
		b.Wait(2 * time.Minute)
		b.Take()
		s.branches["a"] = append(s.branches["a"], models.Branch{ID: "br-new-2", Name: "preview/pr-482"})
		for _, branch := range []string{"br-main-1", "br-new-2"} {
			o := b.service.add("a", models.StatusRunning, time.Now())
			o.BranchID = branch
			b.fail(o)
		}
		b.Wait(20 * time.Second)
		alerts := 0
		for _, text := range b.effects() {
			if strings.HasPrefix(text, "rings: Previews: ") {
				alerts++
			}
			if strings.HasPrefix(text, "rings: ") && text != "rings: Previews: ✗ Create branch of A (preview/pr-482) failed" {
				t.Error(text)
			}
		}
		if alerts != 1 {
			t.Errorf("%d alerts", alerts)
		}
	}, "a")
}

// The lanes of the timeline are called by the names of branches and computes.
func TestLanesHaveNames(t *testing.T) {
	t.Parallel()
	onBranches(t, func(b *bench, s *telling) {
		b.tell(s)
		b.run("timeline")
		for lanes, want := range map[string][]string{
			"branch": {"preview/pr-481 · A", "main · A", "br-old-3"}, "endpoint": {"primary · A", "ep-br-preview-2"},
		} {
			b.run("lanes", lanes)
			b.Wait(6 * time.Second)
			all := drawn(b, 120)
			for _, name := range want {
				if !strings.Contains(all, name) {
					t.Errorf("no lane of %s:\n%s", name, all)
				}
			}
		}
	})
}

// The details show the planned maintenance of the project, and so does a report of that time.
func TestDetailsHaveMaintenance(t *testing.T) {
	t.Parallel()
	onBranches(t, func(b *bench, _ *telling) {
		at := time.Now().Add(2 * time.Hour)
		b.Do(b.Update(page.ProjectList{Complete: true, Projects: []models.Project{{ID: "a", Name: "A", MaintenanceAt: at}, {ID: "b", Name: "B"}}}))
		b.run("details")
		b.Wait(2 * time.Second)
		contains(t, strings.Join(strings.Fields(drawn(b, 120)), " "), " maintenance ! in 2 h ")
		none := b.copier.report("all", time.Now().Add(-time.Hour), time.Now(), b.list.incidents())
		b.Wait(2 * time.Hour)
		some := b.copier.report("all", time.Now().Add(-time.Hour), time.Now(), b.list.incidents())
		if strings.Contains(none.Text(false), "aintenance") || !strings.Contains(some.Text(false), "A, planned from "+at.UTC().Format("2006-01-02 15:04")) {
			t.Errorf("%s\n%s", none.Text(false), some.Text(false))
		}
	})
}

// The copies and the report of an operation have names beside ids.
func TestCopiesHaveNames(t *testing.T) {
	t.Parallel()
	onBranches(t, func(b *bench, s *telling) {
		b.tell(s)
		b.filter("branch:main endpoint:primary")
		r, _ := b.list.shown().Selected()
		var copied []string
		for _, item := range b.copier.copiesOf(r).items {
			copied = append(copied, item.Title+" "+item.Note)
		}
		for _, want := range []string{"branch_name main", "branch_id br-main-1", "endpoint_name primary"} {
			if !slices.Contains(copied, want) {
				t.Errorf("%q is not among %q", want, copied)
			}
		}
		contains(t, b.copier.reportAround(r).Text(false), "main (default, protected) br-main-1")
		related := b.onward.narrowings(r)
		if n := related[0]; n.note != "main" || n.filter != `branch:"br-main-1"` {
			t.Errorf("%+v", n)
		}
	})
}

// Groups by branch are called by the names of the branches, and are filtered by their ids.
func TestGroupsByBranch(t *testing.T) {
	t.Parallel()
	onBranches(t, func(b *bench, s *telling) {
		b.tell(s)
		b.run("statistics")
		b.run("group-by", "branch")
		b.Wait(6 * time.Second)
		all := drawn(b, 120)
		contains(t, all, " BRANCH ", " preview/pr-481 · A ", " main · A ", " br-old-3 ")
		if !slices.Contains(s.asked, "branches of b") {
			t.Errorf("asked for %q", s.asked)
		}
		for _, one := range b.groups.page.Rows() {
			if filter := b.groups.filterOf(&one); one.label == "main · A" && filter != `branch:"br-main-1"` {
				t.Errorf("%s: %s", one.label, filter)
			}
		}
	})
}
