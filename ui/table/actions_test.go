package table

import (
	"slices"
	"testing"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/action"
	"pgtower/ui/dialog"
	"pgtower/ui/page"
)

// Every action has an ID, its own keys in each state, and a function, even without rows: the configuration uses its ID.
func TestActionsAreDeclaredInEveryState(t *testing.T) {
	t.Parallel()
	ids := func(m *Model[string]) (out []string) {
		keys := map[string]string{}
		for _, g := range m.Actions() {
			for _, a := range g.Actions {
				out = append(out, a.ID)
				if a.ID == "" || a.Title == "" || a.Run == nil {
					t.Errorf("%+v", a)
				}
				for _, k := range a.Keys {
					if other := keys[k]; other != "" && !a.IsHidden() {
						t.Errorf("%s is the key of %s and %s", k, other, a.ID)
					}
					if !a.IsHidden() {
						keys[k] = a.ID
					}
				}
			}
		}
		slices.Sort(out)
		return out
	}
	m := newTable(t, numbered(0), marking)
	all := ids(m)
	m.config.Source.(*rows).ids = numbered(9).ids
	m.Refresh()
	press(m, "enter")
	if opened := ids(m); !m.Opened() || !slices.Equal(opened, all) || len(all) != 18 {
		t.Errorf("%q, with the detail open %q", all, opened)
	}
}

// A click on a column title sorts by it, a second one reverses the order; s opens a dialog with the orders.
func TestSortAndReverse(t *testing.T) {
	t.Parallel()
	m := newTable(t, numbered(3), func(c *Config[string]) {
		id := column("ID", 10, 1, 0)
		id.Compare = byText
		c.Columns = []Column[string]{id, column("SAME", 10, 1, 0)}
	})
	sorted := func(column int, reverse bool, first string) {
		t.Helper()
		if c, r := m.List().Sorted(); c != column || r != reverse || m.List().row(0) != first {
			t.Errorf("by %d, reverse %v, first %s", c, r, m.List().row(0))
		}
	}
	view(m, 80, 9)
	work(m, m.SortBy(DefaultOrder, true))
	sorted(DefaultOrder, true, "row-2")
	click := func(x int) { work(m, m.Update(page.Click{X: x, Y: 1})) }
	click(5)
	sorted(0, false, "row-0")
	click(5)
	sorted(0, true, "row-2")
	click(60) // an unsortable column
	sorted(0, true, "row-2")
	m.config.Session.Effects()
	press(m, "s")
	open, ok := m.config.Session.Effects()[0].(page.Open)
	if _, picks := open.Dialog.(*dialog.Picker); !ok || !picks {
		t.Fatal("the order cannot be picked")
	}
	groups := open.Dialog.Actions()
	if a, ok := action.Find(groups, tea.KeyPressMsg{Code: tea.KeyEnter}); ok {
		work(m, a.Run())
		sorted(0, false, "row-0")
	}
}

// The argument of the filter action is checked, completed and applied like a typed filter.
func TestFilterArgument(t *testing.T) {
	t.Parallel()
	m := newTable(t, numbered(30), nil)
	a, _ := action.ByID(m.Actions(), "filter")
	if _, err := a.Arg.Parse("nothing:x"); err == nil || a.Arg.Example != "id:…" || a.Arg.Complete("i")[0].Text != "id:" {
		t.Errorf("%v, %+v", err, a.Arg)
	}
	run, err := a.Arg.Parse("id:row-7")
	if err != nil {
		t.Fatal(err)
	}
	work(m, run())
	if m.Query() != "id:row-7" || m.List().Len() != 1 {
		t.Errorf("%q shows %d rows", m.Query(), m.List().Len())
	}
}

// Back closes the details, then the filter, then the page.
func TestBackLeavesInOrder(t *testing.T) {
	t.Parallel()
	behind := false
	m := newTable(t, numbered(30), func(c *Config[string]) { c.CanGoBack = func() bool { return behind } })
	back := func() *action.Action { a, _ := action.ByID(m.Actions(), "back"); return a }
	if a := back(); a.Reason() != "" || a.Look().Footer == action.Shown {
		t.Error("back is not silent where there is nothing to leave")
	}
	behind = true
	press(m, "/", "2", "enter", "enter", "esc", "esc")
	if len(m.config.Session.Effects()) != 0 || m.Opened() || m.List().Filtered() || back().Look().Footer != action.Shown {
		t.Error("the page was left first")
	}
	press(m, "esc")
	if effects := m.config.Session.Effects(); len(effects) != 1 || effects[0] != (page.Back{}) {
		t.Errorf("%v", effects)
	}
	left := false
	m.config.Leave = func() tea.Cmd { left = true; return nil }
	if press(m, "esc"); !left || len(m.config.Session.Effects()) != 0 {
		t.Error("back does not do what the page wants")
	}
}

// A click selects a row. A double click runs the action of Enter, or shows why it cannot run.
func TestMouseDoubleClickIsEnter(t *testing.T) {
	t.Parallel()
	went, why := "", ""
	enter := &action.Action{Title: "go", Hidden: func() bool { return true }, Disabled: func() string { return why }}
	m := newTable(t, numbered(9), func(c *Config[string]) { c.Enter = enter })
	view(m, 80, 20)
	click := page.Click{X: 5, Y: 4}
	if m.Update(click); selected(m) != "row-2" || m.Opened() {
		t.Errorf("%s is selected", selected(m))
	}
	click.Double = true
	if m.Update(click); !m.Opened() {
		t.Error("the detail is not open")
	}
	press(m, "esc")
	enter.Hidden, enter.Run = nil, action.Do(func() { went = selected(m) })
	if m.Update(click); went != "row-2" || m.Opened() {
		t.Errorf("went to %q", went)
	}
	why = "the operation has no id"
	m.Update(click)
	said := m.config.Session.Effects()
	if n, ok := said[0].(page.Notice); !ok || len(said) != 1 || n.Text != "Go: the operation has no id" {
		t.Errorf("%v", said)
	}
}

// The user's row is selected once it is loaded, unless the user moves.
func TestRestore(t *testing.T) {
	t.Parallel()
	s := numbered(30)
	m := newTable(t, s, following)
	draw(m, 11)
	m.Restore(Key{ID: "row-2"}, false)
	if _, line := draw(m, 11); line != 2 {
		t.Errorf("a row on the screen moved to line %d", line)
	}
	m.Restore(Key{ID: "row-5"}, true)
	if _, waits := m.List().Restoring(); waits || selected(m) != "row-5" || !m.Opened() || !m.List().Held() {
		t.Errorf("%s is selected", selected(m))
	}
	work(m, m.SetQuery("old"))
	m.Restore(Key{ID: "old-1"}, false)
	if key, waits := m.List().Restoring(); !waits || key.ID != "old-1" {
		t.Errorf("waits for %q", key)
	}
	s.ids = append(s.ids, "old-0", "old-1")
	work(m, m.Refresh())
	if _, waits := m.List().Restoring(); waits || selected(m) != "old-1" {
		t.Errorf("%s is selected", selected(m))
	}
	view(m, 80, 9)
	for name, use := range map[string]func(){
		"a key": func() { press(m, "j") }, "the wheel": func() { m.Update(page.Wheel{By: 1}) },
		"a click": func() { m.Update(page.Click{X: 1, Y: 3}) }, "an action": func() { m.Choose() }, "a filter": func() { work(m, m.SetQuery("")) },
	} {
		m.Restore(Key{ID: "new"}, false)
		use()
		s.ids = append(s.ids, "new")
		work(m, m.Refresh())
		if _, waits := m.List().Restoring(); waits || selected(m) == "new" {
			t.Errorf("after %s: %s is selected", name, selected(m))
		}
		s.ids = s.ids[:len(s.ids)-1]
		work(m, m.Refresh())
	}
}

// Sorting goes to the top. Numbers are sorted with the largest first.
func TestSortByANumber(t *testing.T) {
	t.Parallel()
	m := newTable(t, numbered(9), func(c *Config[string]) {
		id := column("ID", 10, 1, 0)
		id.Compare, id.Right = byText, true
		c.Columns = []Column[string]{id}
	})
	view(m, 80, 9)
	click := func() { work(m, m.Update(page.Click{X: 5, Y: 1})) }
	for _, want := range []string{"row-8", "row-0"} {
		press(m, "down", "down")
		if click(); selected(m) != want || m.List().row(0) != want {
			t.Errorf("at %s, the first is %s; want %s", selected(m), m.List().row(0), want)
		}
	}
	// A filter leaves the selection where it is.
	press(m, "down", "down")
	if work(m, m.SetQuery("row")); selected(m) != "row-2" {
		t.Errorf("the filter went to %s", selected(m))
	}
	// Where the top is followed, it is that of each result, until the user chooses a row.
	s := numbered(9)
	m = newTable(t, s, func(c *Config[string]) { c.Follow, c.Columns[0].Compare = true, byText })
	work(m, m.SortBy(0, false))
	s.ids = append(s.ids, "a row")
	work(m, m.Refresh())
	if work(m, m.SetQuery("row")); selected(m) != "a row" {
		t.Errorf("%s is selected, which nobody chose", selected(m))
	}
}
