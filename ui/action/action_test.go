package action_test

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/action"
)

func TestFind(t *testing.T) {
	t.Parallel()
	groups := []action.Group{
		{Title: "First", Actions: []action.Action{action.New("↵", "open", "enter").InFooter(), action.New("j", "down", "j", "down")}},
		{Title: "Second", Actions: []action.Action{action.New("j", "json", "j"), action.New("^c", "quit", "ctrl+c").Unless("not now")}},
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
		if ok != (c.want != "") || a.Help().Desc != c.want {
			t.Errorf("%s is %q, want %q", c.key, a.Help().Desc, c.want)
		}
	}
}

func TestAction(t *testing.T) {
	t.Parallel()
	plain := action.New("x", "do it", "x")
	changed := plain.InFooter().Unless("busy")
	if plain.Footer || plain.Off != "" {
		t.Error("the action that was asked changed, not its copy")
	}
	if !changed.Footer || changed.Off != "busy" || changed.Unless("").Off != "" || changed.Help().Key != "x" {
		t.Errorf("%+v", changed)
	}
}
