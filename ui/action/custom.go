package action

import (
	"slices"

	tea "charm.land/bubbletea/v2"
)

// Map is which actions the person gave other keys, for each page by its name. The zero
// Map leaves all keys as they are declared.
//
// Who does an action knows only the keys that it is declared with. What is shown goes
// through [Scope.Apply], and what is pressed comes through [Scope.Own], and nothing else
// knows that keys can be others than those declared.
type Map map[string]Scope

// On returns the keys of a page.
func (m Map) On(page string) Scope { return m[page] }

// Count is how many actions have other keys than those declared.
func (m Map) Count() int {
	names := map[string]bool{}
	for _, scope := range m {
		for name := range scope {
			names[name] = true
		}
	}
	return len(names)
}

// Scope are the keys on one page, by the names of the actions that have others than those
// declared. An action may have none.
type Scope map[string][]string

// Of returns the action with the keys that it has.
func (s Scope) Of(a Action) Action {
	custom, ok := s[a.Name]
	if !ok || a.Name == "" {
		return a
	}
	a.SetKeys(custom...)
	a.SetHelp(label(custom), a.Help().Desc)
	return a
}

// Label is how a sentence calls the key of the action. One without a key is named as it
// is in the palette.
func (s Scope) Label(a Action) string {
	a = s.Of(a)
	if len(a.Keys()) == 0 {
		return ":" + a.Help().Desc
	}
	return a.Help().Key
}

// Apply returns the groups with the keys that their actions have.
func (s Scope) Apply(groups []Group) []Group {
	if len(s) == 0 {
		return groups
	}
	out := slices.Clone(groups)
	for i, g := range groups {
		out[i].Actions = make([]Action, len(g.Actions))
		for j, a := range g.Actions {
			out[i].Actions[j] = s.Of(a)
		}
	}
	return out
}

// Own returns the key that does what the pressed key is to do: one of those with which
// that action is declared in the groups. There is none where the key was taken away from
// its action, and given to no other that there is now.
func (s Scope) Own(groups []Group, pressed tea.KeyPressMsg) (own tea.KeyPressMsg, ok bool) {
	if len(s) == 0 {
		return pressed, true
	}
	for _, g := range groups {
		for _, a := range g.Actions {
			if !s.Of(a).Pressed(pressed) {
				continue
			}
			if leads(groups, pressed, a) {
				return pressed, true
			}
			return Reach(groups, a)
		}
	}
	_, taken := Find(groups, pressed)
	return pressed, !taken
}

// Reach returns a key that leads to the action, although an earlier one of the groups may
// have the first of its keys as well.
func Reach(groups []Group, a Action) (own tea.KeyPressMsg, ok bool) {
	for _, name := range a.own {
		if k := Press(name); leads(groups, k, a) {
			return k, true
		}
	}
	return tea.KeyPressMsg{}, false
}

// leads says that a key does the action.
func leads(groups []Group, k tea.KeyPressMsg, a Action) bool {
	found, ok := Find(groups, k)
	return ok && found.Name == a.Name && found.Help().Desc == a.Help().Desc
}
