package action

import "slices"

// Map has the changed keys of each page by its name. The zero Map changes none.
type Map map[string]Scope

// On returns the keys of a page.
func (m Map) On(page string) Scope { return m[page] }

// Count returns how many actions have other keys than the default ones.
func (m Map) Count() int {
	ids := map[string]bool{}
	for _, scope := range m {
		for id := range scope {
			ids[id] = true
		}
	}
	return len(ids)
}

// Scope has the changed keys of one page by the IDs of the actions. An action may have none.
type Scope map[string][]string

// Apply returns the groups with the keys that are in force.
func (s Scope) Apply(groups []Group) []Group {
	if len(s) == 0 {
		return groups
	}
	out := slices.Clone(groups)
	for i, g := range groups {
		out[i].Actions = slices.Clone(g.Actions)
		for j := range out[i].Actions {
			a := &out[i].Actions[j]
			if keys, ok := s[a.ID]; ok && a.ID != "" {
				a.Keys, a.Label = keys, label(keys)
			}
		}
	}
	return out
}
