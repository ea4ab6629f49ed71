package action_test

import (
	"slices"
	"testing"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/action"
)

func TestFind(t *testing.T) {
	t.Parallel()
	groups := []action.Group{
		{Title: "First", Actions: []action.Action{
			{Title: "gap", Keys: []string{"enter"}, Hidden: true}, {Title: "open", Keys: []string{"enter"}}, {Title: "down", Keys: []string{"j", "down"}},
		}},
		{Title: "Second", Actions: []action.Action{{Title: "json", Keys: []string{"j"}}, {Title: "quit", Keys: []string{"ctrl+c"}, Disabled: "not now"}}},
	}
	for _, c := range []struct {
		key  tea.KeyPressMsg
		want string
	}{
		{tea.KeyPressMsg{Code: tea.KeyEnter}, "open"},
		{tea.KeyPressMsg{Code: 'j', Text: "j"}, "down"}, // the first group comes first
		{tea.KeyPressMsg{Code: tea.KeyDown}, "down"},
		{tea.KeyPressMsg{Code: 'c', Mod: tea.ModCtrl}, "quit"},
		{tea.KeyPressMsg{Code: 'J', Text: "J"}, ""},
		{tea.KeyPressMsg{Code: 'j', Mod: tea.ModAlt}, ""},
	} {
		a, ok := action.Find(groups, c.key)
		if ok != (c.want != "") || a.Title != c.want {
			t.Errorf("%s is %q, want %q", c.key, a.Title, c.want)
		}
	}
}

func TestAnActionIsFoundByItsID(t *testing.T) {
	t.Parallel()
	groups := []action.Group{
		{Title: "Row", Actions: []action.Action{
			{ID: "pin", Title: "unpin", Keys: []string{"*"}, Hidden: true}, {ID: "pin", Title: "pin", Keys: []string{"*"}},
		}},
		{Title: "Gap", Actions: []action.Action{{ID: "load", Keys: []string{"enter"}, Hidden: true}, {ID: "export"}}},
	}
	if a, ok := action.ByID(groups, "pin"); !ok || a.Title != "pin" {
		t.Errorf("pin is %q, %v", a.Title, ok)
	}
	if _, ok := action.ByID(groups, "unknown"); ok {
		t.Error("found an undeclared action")
	}
	for id, want := range map[string]string{"pin": "*", "load": "↵", "export": ":export"} {
		if got := action.LabelsOf(groups).Of(id); got != want {
			t.Errorf("%s is called %q, want %q", id, got, want)
		}
	}
	visible := action.Visible(groups)
	if len(visible) != 2 || len(visible[0].Actions) != 1 || len(visible[1].Actions) != 1 || len(groups[0].Actions) != 2 {
		t.Errorf("%+v of %+v", visible, groups)
	}
	if visible = action.Visible(groups[:1]); len(visible) != 1 {
		t.Errorf("%+v", visible)
	}
}

func TestChoice(t *testing.T) {
	t.Parallel()
	var chosen []string
	arg := action.Choice([]string{"dark", "light"}, func(word string) tea.Cmd {
		chosen = append(chosen, word)
		return nil
	})
	if got := arg.Complete("IG"); !slices.Equal(got, []action.Value{{Text: "light"}}) {
		t.Errorf("proposed: %v", got)
	}
	if _, err := arg.Parse("mauve"); err == nil || err.Error() != `"mauve" must be one of dark, light` {
		t.Errorf("mauve: %v", err)
	}
	run, err := arg.Parse("dark")
	if err != nil {
		t.Fatal(err)
	}
	if run(); !slices.Equal(chosen, []string{"dark"}) {
		t.Errorf("chosen: %v", chosen)
	}
}
