package action

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pgtower/models"
)

// Map has the changed keys of each page by its name, and by the IDs of the actions, which may have none. The zero
// Map changes none.
type Map map[string]map[string][]string

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

// Apply returns the groups with the keys that are in force on a page.
func (m Map) Apply(page string, groups []Group) []Group {
	changed := m[page]
	if len(changed) == 0 {
		return groups
	}
	out := slices.Clone(groups)
	for i, g := range groups {
		out[i].Actions = slices.Clone(g.Actions)
		for j := range out[i].Actions {
			a := &out[i].Actions[j]
			if keys, ok := changed[a.ID]; ok && a.ID != "" {
				a.Keys, a.Label = keys, label(keys)
			}
		}
	}
	return out
}

// Page is everything that can be done on a page, in whichever state it is.
type Page struct {
	Name   string
	Groups []Group
}

// Actions returns those that can have other keys.
func (p Page) Actions() []Action {
	var out []Action
	for _, g := range Filter(p.Groups, func(a *Action) bool { return a.ID != "" && a.Run != nil }) {
		out = append(out, g.Actions...)
	}
	return out
}

// Custom are the keys that the user gives an action, on one page or, without a Page, on every page.
type Custom struct {
	Page, Action string
	Keys         []string
}

// Fault is what is wrong with the [Custom] of an index.
type Fault struct {
	Index int
	// OfPage reports that there is no such page at all.
	OfPage bool
	Err    error
}

// NewMap makes the map of what the user wrote, or returns what is wrong with it. An earlier Custom
// takes precedence over a later one where both want the same key.
func NewMap(pages []Page, customs []Custom) (Map, []Fault) {
	c := checker{pages: pages, customs: slices.Clone(customs)}
	for i := range c.customs {
		c.check(i)
	}
	m := Map{}
	for _, p := range pages {
		scope, bound := map[string][]string{}, c.bindings(p)
		for _, b := range bound {
			if !slices.Equal(b.keys, b.Keys) {
				scope[b.ID] = b.keys
			}
			if err := c.conflict(b, bound); err != nil {
				c.fail(b.by, err)
			}
		}
		if len(scope) > 0 {
			m[p.Name] = scope
		}
	}
	if len(c.faults) > 0 {
		return nil, c.faults
	}
	return m, nil
}

type checker struct {
	pages   []Page
	customs []Custom
	faults  []Fault
}

func (c *checker) fail(i int, err error) { c.faults = append(c.faults, Fault{Index: i, Err: err}) }

func (c *checker) failed(i int) bool {
	return slices.ContainsFunc(c.faults, func(f Fault) bool { return f.Index == i })
}

// check looks at a Custom by itself, and spells its keys as they are pressed.
func (c *checker) check(i int) {
	custom := &c.customs[i]
	var pages, known []string
	var elsewhere, required string
	for _, p := range c.pages {
		pages = append(pages, p.Name)
		for _, a := range p.Actions() {
			if custom.Page == "" || custom.Page == p.Name {
				known = append(known, a.ID)
			}
			if a.ID == custom.Action {
				elsewhere, required = cmp.Or(elsewhere, p.Name), cmp.Or(required, a.Required)
			}
		}
	}
	switch near := meant(custom.Action, known); {
	case custom.Page != "" && !slices.Contains(pages, custom.Page):
		c.faults = append(c.faults, Fault{Index: i, OfPage: true, Err: fmt.Errorf(
			"pgtower has no such page%s; there are %s", meant(custom.Page, pages), strings.Join(pages, ", "))})
	case elsewhere == "":
		c.fail(i, fmt.Errorf("there is no action of that name%s; pgtower bindings lists them, "+
			"and the keys of dialogs, ctrl+c and ctrl+z are fixed", near))
	case !slices.Contains(known, custom.Action):
		c.fail(i, fmt.Errorf("the page %s has no such action%s, only the page %s has", custom.Page, near, elsewhere))
	case len(custom.Keys) == 0 && required != "":
		c.fail(i, fmt.Errorf("%s must keep a key: %s", custom.Action, required))
	}
	spelt := make([]string, 0, len(custom.Keys))
	for _, written := range custom.Keys {
		name, err := Spell(written)
		if err != nil && !c.failed(i) {
			c.fail(i, err)
		}
		if !slices.Contains(spelt, name) {
			spelt = append(spelt, name)
		}
	}
	custom.Keys = spelt
}

// meant names the word that a wrong one was probably meant to be.
func meant(wrong string, known []string) string {
	if near := models.Nearest(wrong, known); near != "" {
		return ", did you mean " + near + "?"
	}
	return ""
}

// binding is an action of a page with the keys in force, and the index of the Custom that gave them, or -1.
type binding struct {
	Action

	keys []string
	by   int
}

// bindings returns those of a page. What is said of one page takes precedence over what is said of all.
func (c *checker) bindings(p Page) []binding {
	var out []binding
	for _, a := range p.Actions() {
		b := binding{a, a.Keys, -1}
		for _, page := range []string{"", p.Name} {
			is := func(c Custom) bool { return c.Page == page && c.Action == a.ID }
			if i := slices.IndexFunc(c.customs, is); i >= 0 {
				b.by, b.keys = i, c.customs[i].Keys
			}
		}
		out = append(out, b)
	}
	return out
}

// conflict returns the error of an action that was given a key of another one. Actions that are
// declared with the same key never take it in the same state of the page.
func (c *checker) conflict(a binding, all []binding) error {
	if a.by < 0 || c.failed(a.by) {
		return nil
	}
	for _, key := range a.keys {
		for _, b := range all {
			declared := slices.Contains(a.Keys, key) && slices.Contains(b.Keys, key)
			if a.ID == b.ID || declared || b.by > a.by || c.failed(b.by) || !slices.Contains(b.keys, key) {
				continue
			}
			from := "by default"
			if b.by >= 0 {
				from = "by " + Section(c.customs[b.by].Page)
			}
			return fmt.Errorf("%q is the key of %s already%s, %s: give %s another key too, or choose another one here",
				key, b.ID, c.where(a.by, b.ID), from, b.ID)
		}
	}
	return nil
}

// where says on which pages an action is in the way of a Custom for all pages, unless it is on all of them too.
func (c *checker) where(i int, id string) string {
	var on []string
	for _, p := range c.pages {
		if slices.ContainsFunc(p.Actions(), func(a Action) bool { return a.ID == id }) {
			on = append(on, p.Name)
		}
	}
	if c.customs[i].Page != "" || len(on) == len(c.pages) {
		return ""
	}
	return " on the page " + strings.Join(on, " and ")
}

// Section returns the table of the configuration file that has the keys of a page, or of every page.
func Section(page string) string {
	if page == "" {
		return "[keys]"
	}
	return "[keys." + page + "]"
}
