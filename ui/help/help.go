// Package help shows every key that does something now, made from their declarations, and
// finds one by what it does.
package help

import (
	"slices"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/dialog"
	"pgtower/ui/filter"
	"pgtower/ui/keys"
	"pgtower/ui/query"
	"pgtower/ui/viewer"
)

// Model is the state of the dialog.
type Model struct {
	*viewer.Model

	groups []keys.Group
	filter filter.Model
}

// New makes the help from the groups of keys.
func New(title string, groups []keys.Group) *Model {
	m := &Model{groups: withKeys(groups), filter: filter.New("a key, or what it does")}
	m.Model = viewer.New(title, m.lines)
	m.Width, m.Head = m.width, m.head
	return m
}

// withKeys leaves out the actions that have no key.
func withKeys(groups []keys.Group) []keys.Group {
	out := slices.Clone(groups)
	for i := range out {
		out[i].Actions = slices.DeleteFunc(slices.Clone(out[i].Actions), func(a keys.Action) bool { return len(a.Keys()) == 0 })
	}
	return filled(out)
}

// filled are the groups in which there is something.
func filled(groups []keys.Group) []keys.Group {
	return slices.DeleteFunc(groups, func(g keys.Group) bool { return len(g.Actions) == 0 })
}

func findKey() keys.Action    { return keys.New("/", "find", "/").InFooter() }
func showAllKey() keys.Action { return dialog.Leave("show all") }

// closeKey are those of the keys that close which do so while esc shows all.
func closeKey() keys.Action { return keys.New("q", "close", "q", "enter", "?").InFooter() }

// Keys declares what can be done now.
func (m *Model) Keys() []keys.Group {
	if m.filter.Editing() {
		return []keys.Group{filter.Keys()}
	}
	groups := m.Model.Keys()
	first, rest := groups[0].Actions[0], groups[0].Actions[1:]
	own := []keys.Action{first, findKey()}
	if m.filter.Shown() {
		own = []keys.Action{showAllKey(), findKey(), closeKey()}
	}
	groups[0].Actions = append(own, rest...)
	return groups
}

// Update finds, scrolls or leaves.
func (m *Model) Update(msg tea.Msg) (done bool, answer tea.Msg) {
	k, isKey := msg.(tea.KeyPressMsg)
	switch {
	case m.filter.Editing():
		if m.filter.Update(msg) {
			m.Top()
		}
	case isKey && findKey().Pressed(k):
		m.filter.Open()
	case isKey && m.filter.Shown() && showAllKey().Pressed(k):
		m.filter.Set("")
	default:
		return m.Model.Update(msg)
	}
	return false, nil
}

// found are the groups with the actions that are looked for. Whoever types one character
// that is a key looks for that key: most names have most letters in them.
func (m *Model) found() []keys.Group {
	typed := m.filter.Query()
	is := func(a keys.Action) bool { return slices.Contains(a.Keys(), typed) }
	find := func(all []keys.Action) []keys.Action {
		return query.Named(typed, all,
			query.Text("key", func(a keys.Action) string { return a.Help().Key + " " + strings.Join(a.Keys(), " ") }),
			query.Text("name", func(a keys.Action) string { return a.Name }),
			query.Text("does", func(a keys.Action) string { return a.Help().Desc }))
	}
	if utf8.RuneCountInString(typed) == 1 && slices.ContainsFunc(m.groups, func(g keys.Group) bool { return slices.ContainsFunc(g.Actions, is) }) {
		find = func(all []keys.Action) []keys.Action {
			return slices.DeleteFunc(slices.Clone(all), func(a keys.Action) bool { return !is(a) })
		}
	}
	out := slices.Clone(m.groups)
	for i := range out {
		out[i].Actions = find(out[i].Actions)
	}
	return filled(out)
}
