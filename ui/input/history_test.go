package input_test

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/action"
	"pgtower/ui/input"
)

// Up brings back a saved filter, and down the typed one.
func TestFilterHistory(t *testing.T) {
	t.Parallel()
	var saved []string
	m := input.NewFilter("")
	m.History = &input.History{Entries: []string{"a", "b"}, Save: func(s string) tea.Cmd {
		saved = append(saved, s)
		return nil
	}}
	actions := m.Actions(nil, func() tea.Cmd { return nil })[0].Actions
	press := func(keys ...string) {
		for _, key := range keys {
			has := func(a *action.Action) bool { return slices.Contains(a.Keys, key) && !a.IsHidden() }
			at := slices.IndexFunc(actions, has)
			switch {
			case at >= 0:
				actions[at].Run()
			case len(key) == 1:
				m.Update(tea.KeyPressMsg{Code: rune(key[0]), Text: key})
			}
		}
	}
	for _, c := range []struct{ keys, want string }{
		{"x up", "b"},
		{"x up up", "a"},
		{"x up up up", "a"},
		{"x up up down down", "x"},
		{"x up c", "bc"},
		{"b up", "a"}, // b is current
		{"up c up", "b"},
	} {
		m.Set("")
		m.Focus()
		press(strings.Fields(c.keys)...)
		if m.Text() != c.want || !m.Focused() {
			t.Errorf("%s: %q, not %q", c.keys, m.Text(), c.want)
		}
	}
	for _, keep := range []string{"enter", "down"} {
		m.Set("napi_0123456789abc")
		m.Focus()
		press(keep)
		m.Set("new")
		m.Focus()
		press(keep)
		m.Set("a")
		m.Focus()
		press(keep)
	}
	if got := strings.Join(m.History.Entries, " "); got != "b new a" || strings.Join(saved, " ") != "new a new a" {
		t.Errorf("remembered %s, saved %q", got, saved)
	}
}
