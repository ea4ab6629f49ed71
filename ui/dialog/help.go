package dialog

import (
	"slices"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/action"
	"pgtower/ui/input"
	"pgtower/ui/query"
)

// Help shows every key that does something now, made from their declarations, and
// finds one by what it does.
type Help struct {
	*Viewer

	groups []action.Group
	filter input.Filter
}

// NewHelp makes the help from the groups of keys.
func NewHelp(title string, groups []action.Group) *Help {
	m := &Help{groups: helpWithKeys(groups), filter: input.NewFilter("a key, or what it does")}
	m.Viewer = NewViewer(title, m.lines)
	m.Width, m.Head = m.width, m.head
	return m
}

// withKeys leaves out the actions that have no key.
func helpWithKeys(groups []action.Group) []action.Group {
	out := slices.Clone(groups)
	for i := range out {
		out[i].Actions = slices.DeleteFunc(slices.Clone(out[i].Actions), func(a action.Action) bool { return len(a.Keys()) == 0 })
	}
	return helpFilled(out)
}

// filled are the groups in which there is something.
func helpFilled(groups []action.Group) []action.Group {
	return slices.DeleteFunc(groups, func(g action.Group) bool { return len(g.Actions) == 0 })
}

func helpFindKey() action.Action    { return action.New("/", "find", "/").InFooter() }
func helpShowAllKey() action.Action { return Leave("show all") }

// closeKey are those of the keys that close which do so while esc shows all.
func helpCloseKey() action.Action { return action.New("q", "close", "q", "enter", "?").InFooter() }

// Keys declares what can be done now.
func (m *Help) Keys() []action.Group {
	if m.filter.Editing() {
		return []action.Group{input.FilterKeys()}
	}
	groups := m.Viewer.Keys()
	first, rest := groups[0].Actions[0], groups[0].Actions[1:]
	own := []action.Action{first, helpFindKey()}
	if m.filter.Shown() {
		own = []action.Action{helpShowAllKey(), helpFindKey(), helpCloseKey()}
	}
	groups[0].Actions = append(own, rest...)
	return groups
}

// Update finds, scrolls or leaves.
func (m *Help) Update(msg tea.Msg) (done bool, answer tea.Msg) {
	k, isKey := msg.(tea.KeyPressMsg)
	switch {
	case m.filter.Editing():
		if m.filter.Update(msg) {
			m.Top()
		}
	case isKey && helpFindKey().Pressed(k):
		m.filter.Open()
	case isKey && m.filter.Shown() && helpShowAllKey().Pressed(k):
		m.filter.Set("")
	default:
		return m.Viewer.Update(msg)
	}
	return false, nil
}

// found are the groups with the actions that are looked for. Whoever types one character
// that is a key looks for that key: most names have most letters in them.
func (m *Help) found() []action.Group {
	typed := m.filter.Query()
	is := func(a action.Action) bool { return slices.Contains(a.Keys(), typed) }
	find := func(all []action.Action) []action.Action {
		return query.Named(typed, all,
			query.Text("key", func(a action.Action) string { return a.Help().Key + " " + strings.Join(a.Keys(), " ") }),
			query.Text("name", func(a action.Action) string { return a.Name }),
			query.Text("does", func(a action.Action) string { return a.Help().Desc }))
	}
	if utf8.RuneCountInString(typed) == 1 && slices.ContainsFunc(m.groups, func(g action.Group) bool { return slices.ContainsFunc(g.Actions, is) }) {
		find = func(all []action.Action) []action.Action {
			return slices.DeleteFunc(slices.Clone(all), func(a action.Action) bool { return !is(a) })
		}
	}
	out := slices.Clone(m.groups)
	for i := range out {
		out[i].Actions = find(out[i].Actions)
	}
	return helpFilled(out)
}
