package action_test

import (
	"slices"
	"testing"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/action"
)

func off(reason string) func() string { return func() string { return reason } }

func hidden() bool { return true }

// title returns the title of an action, or "" of none.
func title(a *action.Action) string {
	if a == nil {
		return ""
	}
	return a.Title
}

// A key finds the first action that has it and is not hidden, even a disabled one.
func TestActionIsFoundByItsKey(t *testing.T) {
	t.Parallel()
	groups := []action.Group{
		{Title: "First", Actions: []*action.Action{
			{Title: "gap", Keys: []string{"enter"}, Hidden: hidden}, {Title: "open", Keys: []string{"enter"}}, {Title: "down", Keys: []string{"j", "down"}},
		}},
		{Title: "Second", Actions: []*action.Action{{Title: "json", Keys: []string{"j"}}, {Title: "quit", Keys: []string{"ctrl+c"}, Disabled: off("not now")}}},
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
		if ok != (c.want != "") || title(a) != c.want {
			t.Errorf("%s is %q, want %q", c.key, title(a), c.want)
		}
	}
}

// An ID finds a declared action. Labels name it by its key, or for the palette, and hidden actions are left out.
func TestActionIsFoundByItsID(t *testing.T) {
	t.Parallel()
	groups := []action.Group{
		{Title: "Row", Actions: []*action.Action{
			{ID: "unpin", Hidden: hidden}, {ID: "pin", Title: "pin", Keys: []string{"*"}},
		}},
		{Title: "Gap", Actions: []*action.Action{{ID: "load", Keys: []string{"enter"}, Hidden: hidden}, {ID: "export"}}},
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

// What depends on the state is asked for when it is shown.
func TestActionVaries(t *testing.T) {
	t.Parallel()
	pinned := false
	pin := &action.Action{ID: "pin", Title: "pin", Keys: []string{"*"}, Vary: func(l action.Look) action.Look {
		if pinned {
			l.Title, l.Footer, l.Label = "unpin", action.Shown, "star"
		}
		return l
	}}
	if l := pin.Look(); l != (action.Look{Title: "pin"}) || pin.KeyLabel() != "*" || pin.Reason() != "" || pin.IsHidden() {
		t.Errorf("%+v with the key %s", l, pin.KeyLabel())
	}
	pinned = true
	if l := pin.Look(); l.Title != "unpin" || l.Footer != action.Shown || pin.KeyLabel() != "star" {
		t.Errorf("%+v with the key %s", l, pin.KeyLabel())
	}
	own := action.Map{"projects": {"pin": {"f5"}}}.Apply("projects", []action.Group{{Actions: []*action.Action{pin}}})
	if got := own[0].Actions[0]; got.KeyLabel() != "f5" || got.Look().Title != "unpin" || pin.KeyLabel() != "star" {
		t.Errorf("the user's key is shown as %s, and that of the others as %s", got.KeyLabel(), pin.KeyLabel())
	}
}

// An argument that is one of some words completes them, and refuses others.
func TestArgChoice(t *testing.T) {
	t.Parallel()
	var chosen []string
	arg := action.Choice(func() []string { return []string{"dark", "light"} }, func(word string) tea.Cmd {
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
