package operations

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"pgtower/internal/driver"
	"pgtower/models"
	"pgtower/models/query"
	"pgtower/ui/action"
	"pgtower/ui/page"
)

// onViews runs a test with a page of two projects; a has a failure.
func onViews(t *testing.T, o Options, test func(b *bench)) {
	t.Helper()
	onBench(t, o, func(b *bench) {
		b.service.add("a", models.StatusFailed, time.Now())
		b.Wait(6 * time.Second)
		b.effects()
		test(b)
	}, "a", "b")
}

// A view sets project, filter, order and columns, and is the current one as long as they agree.
func TestViews(t *testing.T) {
	t.Parallel()
	own := []query.SavedView{
		{Name: "of B", Project: "b", Sort: "-took", Columns: []string{"took", "status"}},
		{Name: "everywhere", Project: "all", Filter: "create"},
	}
	onViews(t, Options{Views: &own}, func(b *bench) {
		is := func(name, project, filter, order string) {
			t.Helper()
			got, _ := b.views.current()
			if got.Name != name || b.scope.project.ID != project || b.list.table.Query() != filter || b.list.order() != order {
				t.Errorf("%q of %q, %q, %q", got.Name, b.scope.project.ID, b.list.table.Query(), b.list.order())
			}
		}
		is("All", "", "", "")
		b.run("failed")
		is("Failed", "", "is:failed", "")
		b.run("view", "Unfinished")
		is("Unfinished", "", "is:unfinished", "")
		b.says(t, "page.ShowOperations")
		b.run("view", "OF b")
		is("of B", "b", "", "-took")
		// Settings of this view are reset by one without them.
		b.run("view", "everywhere")
		is("everywhere", "", "create", "")
		b.run("view", "of B")
		b.Do(b.list.table.SortBy(0, false))
		b.run("failed")
		is("Failed", "b", "is:failed", "status")
		b.Do(b.list.table.SetQuery("took:>5s"))
		is("", "b", "took:>5s", "status")
		if err := b.Wrong("view x"); err == nil || !strings.Contains(err.Error(), "must be one of All, Failed, Unfinished, Slow, of B,") {
			t.Error(err)
		}
	})
}

// Each tab counts the operations of its view.
func TestViewsAreCounted(t *testing.T) {
	t.Parallel()
	own := []query.SavedView{{Name: "of A", Project: "a", Filter: "is:failed"}, {Name: "every", Project: "all"}, {Name: "slow"}}
	onViews(t, Options{Views: &own, View: "Failed"}, func(b *bench) {
		shows := func(want string) {
			t.Helper()
			f := b.frame(100)
			f.Height = tabsFrom
			if got := strings.TrimSpace(b.View(f)[0]); !strings.HasPrefix(got, want+"  ") || !strings.HasSuffix(got, "  complete") {
				t.Errorf("%q", got)
			}
		}
		n := count(b.live.timeline().Loaded())
		shows("All " + n + "  Failed 1  Unfinished 0  slow " + n + "  of A 1  every " + n)
		b.service.add("b", models.StatusFailed, time.Now())
		b.Wait(6 * time.Second)
		n = count(b.live.timeline().Loaded())
		shows("All " + n + "  Failed 2  Unfinished 0  slow " + n + "  of A 1  every " + n)
		// Operations that are not loaded are not counted.
		b.Do(b.Update(page.ShowOperations{Project: models.Project{ID: "b"}}))
		b.Wait(6 * time.Second)
		n = count(b.live.timeline().Loaded())
		shows("All " + n + "  Failed 1  Unfinished 0  slow " + n + "  of A  every")
		// If there is no room for all tabs, the one in force is shown.
		b.run("view", "every")
		f := b.frame(24)
		f.Height = tabsFrom
		if got := b.View(f)[0]; !strings.Contains(got, "every") || strings.Contains(got, "All") {
			t.Errorf("%q", got)
		}
		b.Do(b.Update(page.Click{X: 3}))
		if got, _ := b.views.current(); got.Name != b.tabs.tabs[0].view.Name || got.Name == "every" {
			t.Errorf("%+v", got)
		}
		f.Height--
		if got := b.View(f)[0]; strings.Contains(got, "every") {
			t.Errorf("%q", got)
		}
	})
}

// A view is saved under a name, after a question where it replaces another one.
func TestViewsAreSaved(t *testing.T) {
	t.Parallel()
	own := []query.SavedView{{Name: "Mine", Filter: "x", Columns: []string{"took"}}}
	var saved []query.SavedView
	var failure error
	o := Options{Views: &own, SaveView: func(v query.SavedView) error { saved = append(saved, v); return failure }}
	onViews(t, o, func(b *bench) {
		b.Do(b.list.table.SetQuery("is:failed create"))
		b.Do(b.list.table.SortBy(0, true))
		b.run("save", "view mine")
		if len(saved) != 0 {
			t.Errorf("%+v", saved)
		}
		b.confirms(t, "Replace the view Mine?", "Current filter: x", "New filter: is:failed create")
		want := query.SavedView{Name: "mine", Filter: "is:failed create", Project: "all", Sort: "-status"}
		if len(saved) != 1 || !same(saved[0], want) {
			t.Errorf("%+v", saved)
		}
		if len(own) != 1 || !same(own[0], want) {
			t.Errorf("%+v", own)
		}
		b.opens(t, "Saved the view mine", "pgtower remembers it.", "the TOML of mine")
		failure = errors.New("the disk is full")
		b.run("save", "view other")
		b.opens(t, "Saved the view other until you quit", "The disk is full. To keep the view, write it", "the TOML of other")
		b.Do(b.list.table.SetQuery("took:"))
		b.run("save", "view other")
		if got := b.effects(); len(saved) != 2 || len(own) != 2 || len(got) != 1 || !strings.HasPrefix(got[0], "The view was not saved: ") {
			t.Errorf("%q, %+v", got, own)
		}
		for _, line := range []string{"save", "save x", "save view ", "save view a\u200bb", "save view " + strings.Repeat("x", 40+1)} {
			if b.Wrong(line) == nil {
				t.Errorf("%q is taken", line)
			}
		}
	})
}

// opens checks what is drawn in the dialog that was opened, and returns it.
func (b *bench) opens(t *testing.T, texts ...string) driver.Opened {
	t.Helper()
	opened := b.Opened().Draws(texts...)
	b.Take()
	return opened
}

// A deleted view is gone, and the built-in one that it replaced is back. One of the file cannot be deleted.
func TestViewsAreDeleted(t *testing.T) {
	t.Parallel()
	own := []query.SavedView{{Name: "Mine", Filter: "x"}, {Name: "slow", Filter: "y"}}
	var failure error
	var deleted []string
	forget := func(name string) error { deleted = append(deleted, name); return failure }
	onViews(t, Options{Views: &own, DeleteView: forget}, func(b *bench) {
		b.run("delete", "view Slow")
		b.Wait(0)
		b.says(t, "✓ Deleted the view Slow")
		if got := b.views.filterOf("Slow"); len(own) != 1 || got != "is:slow" {
			t.Errorf("%+v, %q", own, got)
		}
		failure = errors.New("it is in config.toml, remove it there")
		b.run("delete", "view mine")
		b.Wait(0)
		b.says(t, "Could not delete the view mine: it is in config.toml, remove it there")
		if len(own) != 1 || !slices.Equal(deleted, []string{"Slow", "mine"}) {
			t.Errorf("%+v, %q", own, deleted)
		}
		for _, line := range []string{"delete", "delete mine", "delete view Failed", "delete view "} {
			if b.Wrong(line) == nil {
				t.Errorf("%q is taken", line)
			}
		}
	})
}

// confirms checks the question that was asked, and answers yes.
func (b *bench) confirms(t *testing.T, texts ...string) {
	t.Helper()
	b.opens(t, texts...).Confirm()
	b.Wait(0)
}

// A view that replaces a built-in one keeps its alert, and the actions of that name use its filter, as the question says.
func TestViewsReplaceBuiltInOnes(t *testing.T) {
	t.Parallel()
	onViews(t, Options{}, func(b *bench) {
		b.run("failed")
		b.run("save", "view unfinished")
		b.confirms(t, "Current filter: is:unfinished", "New filter: is:failed", "“show only unfinished” will use the new filter")
		b.opens(t, "Saved the view unfinished")
		b.Do(b.list.table.SetQuery("create"))
		b.run("save", "view Failed")
		b.confirms(t, "This view alerts. It will", "“show only failed” will use the new filter")
		b.Wait(time.Minute)
		b.effects()
		b.service.add("b", models.StatusFinished, time.Now())
		b.Wait(6 * time.Second)
		b.says(t, "Failed: ✓ Create branch of B finished after 0s")
		b.run("failed")
		b.run("save", "view Failed")
		b.confirms(t, "New filter: none")
		if a, _ := action.ByID(b.Actions(), "failed"); a.Reason() != "your view of that name has no filter" {
			t.Errorf("%+v", a)
		}
		b.Wait(time.Minute)
		b.effects()
		b.service.add("b", models.StatusFinished, time.Now()).Action = "import_data"
		b.Wait(6 * time.Second)
		b.says(t, "Failed: ✓ Import data of B finished after 0s")
	})
}

func same(a, b query.SavedView) bool {
	return a.Name == b.Name && a.Filter == b.Filter && a.Project == b.Project && a.Sort == b.Sort &&
		slices.Equal(a.Columns, b.Columns)
}

// Columns chosen in a view with its own columns are saved in the view.
func TestViewsHaveColumns(t *testing.T) {
	t.Parallel()
	own := []query.SavedView{{Name: "Mine", Filter: "x", Columns: []string{"took"}}}
	onViews(t, Options{Views: &own}, func(b *bench) {
		b.session.Layout.SetColumns("operations", []string{"status"})
		b.run("view", "Mine")
		b.views.keepColumns([]string{"age"})
		if got := b.session.Layout.Columns["operations"]; !slices.Equal(got, []string{"status"}) || own[0].Columns[0] != "age" {
			t.Errorf("%q, %+v", got, own)
		}
	})
}
