package action

import (
	"fmt"
	"slices"
	"strings"

	"pgtower/models"
)

// Page is everything that can be done on a page, in whichever state it is.
type Page struct {
	Name   string
	Groups []Group
}

// Custom are the keys that the person gives an action: on one page, or on every page that
// has it where Page is empty.
type Custom struct {
	Page, Action string
	Keys         []string
}

// Fault is what is wrong with a [Custom].
type Fault struct {
	// Index is that of the Custom.
	Index int
	// OfPage says that there is no such page at all.
	OfPage bool
	Err    error
}

// NewMap makes the map of what a person wrote, and says what is wrong with it. An earlier
// Custom goes before a later one where both want the same key.
func NewMap(pages []Page, customs []Custom) (Map, []Fault) {
	c := checker{pages: pages, customs: slices.Clone(customs)}
	for i := range c.customs {
		if err := c.check(i); err != nil {
			c.fail(i, err)
		}
	}
	m := Map{}
	for _, p := range pages {
		c.conflicts(p)
		if scope := c.scope(p); len(scope) > 0 {
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
func (c *checker) check(i int) error {
	custom := &c.customs[i]
	var pages, actions []string
	for _, p := range c.pages {
		pages = append(pages, p.Name)
		if custom.Page == "" || custom.Page == p.Name {
			for _, a := range p.Actions() {
				actions = append(actions, a.ID)
			}
		}
	}
	if custom.Page != "" && !slices.Contains(pages, custom.Page) {
		c.faults = append(c.faults, Fault{Index: i, OfPage: true, Err: fmt.Errorf(
			"pgtower has no such page%s; there are %s", meant(custom.Page, pages), strings.Join(pages, ", "))})
		return nil
	}
	if !slices.Contains(actions, custom.Action) {
		return c.unknown(*custom, actions)
	}
	if len(custom.Keys) == 0 {
		return c.mayLose(custom.Action)
	}
	spelt := make([]string, 0, len(custom.Keys))
	for _, written := range custom.Keys {
		name, err := Spell(written)
		if err != nil {
			return err
		}
		if !slices.Contains(spelt, name) {
			spelt = append(spelt, name)
		}
	}
	custom.Keys = spelt
	return nil
}

// mayLose says why an action must keep a key, if it must.
func (c *checker) mayLose(action string) error {
	for _, p := range c.pages {
		for _, a := range p.Actions() {
			if a.ID == action && a.Required != "" {
				return fmt.Errorf("%s must keep a key: %s", action, a.Required)
			}
		}
	}
	return nil
}

func (c *checker) unknown(custom Custom, actions []string) error {
	for _, p := range c.pages {
		if p.has(custom.Action) {
			return fmt.Errorf("the page %s has no such action%s, only the page %s has", custom.Page, meant(custom.Action, actions), p.Name)
		}
	}
	return fmt.Errorf("there is no action of that name%s; pgtower bindings lists them, and the keys of dialogs, ctrl+c and ctrl+z are fixed",
		meant(custom.Action, actions))
}

// meant names the word that a wrong one was probably meant to be.
func meant(wrong string, known []string) string {
	if near := models.Nearest(wrong, known); near != "" {
		return ": " + near + " is meant, perhaps"
	}
	return ""
}

// conflicts looks for keys that two actions of a page would have. Actions that are
// declared with the same key never take it in the same state of the page.
func (c *checker) conflicts(p Page) {
	for _, a := range p.Actions() {
		i := c.of(p, a)
		if i < 0 || c.failed(i) {
			continue
		}
		for _, key := range c.customs[i].Keys {
			for _, b := range p.Actions() {
				j := c.of(p, b)
				same := a.ID == b.ID || slices.Contains(a.Keys, key) && slices.Contains(b.Keys, key)
				if same || j > i || j >= 0 && c.failed(j) || !slices.Contains(c.keys(p, b), key) || c.failed(i) {
					continue
				}
				c.fail(i, conflict(key, b, c.from(j), c.where(i, b)))
			}
		}
	}
}

func conflict(key string, other Action, from, where string) error {
	return fmt.Errorf("%q is the key of %s already%s, %s: give %s another key too, or choose another one here",
		key, other.ID, where, from, other.ID)
}

// where says on which page an action is in the way of a Custom for all pages, unless it is
// on all of them too.
func (c *checker) where(i int, other Action) string {
	var on []string
	for _, p := range c.pages {
		if p.has(other.ID) {
			on = append(on, p.Name)
		}
	}
	if c.customs[i].Page != "" || len(on) == len(c.pages) {
		return ""
	}
	return " on the page " + strings.Join(on, " and ")
}

// from says where an action has its keys from.
func (c *checker) from(i int) string {
	if i < 0 {
		return "by default"
	}
	return "by " + Section(c.customs[i].Page)
}

// Section is the table of the configuration file that has the keys of a page, or of every
// page.
func Section(page string) string {
	if page == "" {
		return "[keys]"
	}
	return "[keys." + page + "]"
}

// of returns the index of the Custom that is in force for an action of a page, or -1. What
// is said of one page goes before what is said of all.
func (c *checker) of(p Page, a Action) int {
	for _, page := range []string{p.Name, ""} {
		if i := slices.IndexFunc(c.customs, func(c Custom) bool { return c.Page == page && c.Action == a.ID }); i >= 0 {
			return i
		}
	}
	return -1
}

func (c *checker) keys(p Page, a Action) []string {
	if i := c.of(p, a); i >= 0 {
		return c.customs[i].Keys
	}
	return a.Keys
}

// scope are the keys of a page that are not those declared.
func (c *checker) scope(p Page) Scope {
	out := Scope{}
	for _, a := range p.Actions() {
		if keys := c.keys(p, a); !slices.Equal(keys, a.Keys) {
			out[a.ID] = keys
		}
	}
	return out
}

// Actions are those that can have other keys.
func (p Page) Actions() []Action {
	var out []Action
	for _, g := range p.Groups {
		for _, a := range g.Actions {
			if a.ID != "" && a.Run != nil {
				out = append(out, a)
			}
		}
	}
	return out
}

func (p Page) has(name string) bool {
	return slices.ContainsFunc(p.Actions(), func(a Action) bool { return a.ID == name })
}
