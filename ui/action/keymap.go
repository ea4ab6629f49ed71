package action

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"pgtower/models"
	"pgtower/models/settings"
	"pgtower/ui/style"
)

// Map has the changed keys of each page by action ID. An action may have no keys.
type Map map[string]map[string][]string

// Count returns the number of actions with changed keys.
func (m Map) Count() int {
	ids := map[string]bool{}
	for _, scope := range m {
		for id := range scope {
			ids[id] = true
		}
	}
	return len(ids)
}

// Apply returns the groups with the keys in force on a page. Actions whose keys are changed are copied.
func (m Map) Apply(page string, groups []Group) []Group {
	changed := m[page]
	if len(changed) == 0 {
		return groups
	}
	out := slices.Clone(groups)
	for i, g := range groups {
		out[i].Actions = slices.Clone(g.Actions)
		for j, a := range g.Actions {
			if keys, ok := changed[a.ID]; ok && a.ID != "" {
				changedAction := *a
				changedAction.Keys, changedAction.custom = keys, true
				out[i].Actions[j] = &changedAction
			}
		}
	}
	return out
}

// Page has all actions of a page, in any state.
type Page struct {
	Name   string
	Groups []Group
}

// Actions returns the actions whose keys can be changed.
func (p Page) Actions() []*Action {
	var out []*Action
	for _, g := range Filter(p.Groups, func(a *Action) bool { return a.ID != "" && a.Run != nil }) {
		out = append(out, g.Actions...)
	}
	return out
}

// NewMap returns the map of the settings, or the first error. If two settings use the same key, the second one is wrong.
func NewMap(pages []Page, customs []settings.KeySetting) (Map, *settings.KeyFault) {
	c := checker{pages, slices.Clone(customs)}
	for i := range c.customs {
		if ofPage, err := c.check(&c.customs[i]); err != nil {
			return nil, &settings.KeyFault{Index: i, OfPage: ofPage, Err: err}
		}
	}
	m := Map{}
	for _, p := range pages {
		m[p.Name] = map[string][]string{}
		bound := c.bindings(p)
		for _, b := range bound {
			if err := c.conflict(b, bound); err != nil {
				return nil, &settings.KeyFault{Index: b.by, Err: err}
			}
			if !slices.Equal(b.keys, b.Keys) {
				m[p.Name][b.ID] = b.keys
			}
		}
	}
	return m, nil
}

type checker struct {
	pages   []Page
	customs []settings.KeySetting
}

// check checks a setting by itself, and normalizes its keys.
func (c *checker) check(custom *settings.KeySetting) (ofPage bool, err error) {
	var pages, actions []string
	var elsewhere, required string
	for _, p := range c.pages {
		pages = append(pages, p.Name)
		for _, a := range p.Actions() {
			if custom.Page == "" || custom.Page == p.Name {
				actions = append(actions, a.ID)
			}
			if a.ID == custom.Action {
				elsewhere, required = cmp.Or(elsewhere, p.Name), cmp.Or(required, a.Required)
			}
		}
	}
	switch near := meant(custom.Action, actions); {
	case custom.Page != "" && !slices.Contains(pages, custom.Page):
		return true, models.Unknown("page", custom.Page, pages)
	case elsewhere == "":
		return false, fmt.Errorf("%sunknown action%s; pgtower bindings lists them "+
			"(the keys of dialogs, ctrl+c and ctrl+z are fixed)", nameOf(custom.Action), near)
	case !slices.Contains(actions, custom.Action):
		return false, fmt.Errorf("the page %s has no such action%s; it is on the page %s", custom.Page, near, elsewhere)
	case len(custom.Keys) == 0 && required != "":
		return false, fmt.Errorf("%s must keep a key: %s", custom.Action, required)
	}
	spelt := make([]string, len(custom.Keys))
	for i, written := range custom.Keys {
		spelt[i], err = Spell(written)
		if err != nil {
			return false, err
		}
	}
	custom.Keys = spelt
	return false, nil
}

// maxAction is longer than the names of all actions, in bytes, and shorter than a key without digits.
const maxAction = 24

// nameOf returns a wrong name of an action as the beginning of an error, or "" if it may be a key that was put in the
// wrong place: keys have other characters than names.
func nameOf(wrong string) string {
	if wrong == "" || len(wrong) > maxAction || strings.Trim(wrong, "abcdefghijklmnopqrstuvwxyz-_") != "" {
		return ""
	}
	return wrong + ": "
}

// meant suggests the word that a wrong one was probably meant to be.
func meant(wrong string, words []string) string {
	if near := models.Nearest(wrong, words); near != "" {
		return " (did you mean " + near + "?)"
	}
	return ""
}

// binding is an action of a page with its keys in force, and the index of the setting that set them, or -1.
type binding struct {
	*Action

	keys []string
	by   int
}

// bindings returns the bindings of a page. Customs for one page take precedence over those for all pages.
func (c *checker) bindings(p Page) []binding {
	var out []binding
	for _, a := range p.Actions() {
		b := binding{a, a.Keys, -1}
		for _, page := range []string{"", p.Name} {
			match := func(c settings.KeySetting) bool { return c.Page == page && c.Action == a.ID }
			if i := slices.IndexFunc(c.customs, match); i >= 0 {
				b.by, b.keys = i, c.customs[i].Keys
			}
		}
		out = append(out, b)
	}
	return out
}

// conflict returns an error if an action was given a key of another one. Declared keys may be shared.
func (c *checker) conflict(a binding, bindings []binding) error {
	if a.by < 0 {
		return nil
	}
	for _, key := range a.keys {
		for _, b := range bindings {
			declared := slices.Contains(a.Keys, key) && slices.Contains(b.Keys, key)
			if a.ID == b.ID || declared || b.by > a.by || !slices.Contains(b.keys, key) {
				continue
			}
			from := "by default"
			if b.by >= 0 {
				from = "by " + c.customs[b.by].Section()
			}
			return fmt.Errorf("%q is already the key of %s%s (%s): give %s another key too, or choose another one here",
				key, b.ID, c.where(a.by, b.ID), from, b.ID)
		}
	}
	return nil
}

// where names the pages on which an action conflicts with a setting for all pages. It is "" if the action is on all pages.
func (c *checker) where(i int, id string) string {
	var pages []string
	for _, p := range c.pages {
		if slices.ContainsFunc(p.Actions(), func(a *Action) bool { return a.ID == id }) {
			pages = append(pages, p.Name)
		}
	}
	if c.customs[i].Page != "" || len(pages) == len(c.pages) {
		return ""
	}
	return " on the page " + strings.Join(pages, " and ")
}

// named are the keys with a name. The common function keys of terminals end at f20.
var named = []string{
	"enter", "esc", "tab", "up", "down", "left", "right", "pgup", "pgdown", "home", "end", "insert",
	"backspace", "delete", "space", "f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "f10",
	"f11", "f12", "f13", "f14", "f15", "f16", "f17", "f18", "f19", "f20",
}

// modifiers are the modifiers in the order of a key's name.
var modifiers = []string{"ctrl+", "alt+", "shift+"}

// errSpelling does not repeat the text: it may be an API key.
var errSpelling = errors.New("not a key: write keys such as r, D, /, f5, space, pgup, ctrl+r, alt+x or shift+tab")

// Spell returns the name of a key in [tea.KeyPressMsg], or an error if terminals cannot distinguish it from another.
func Spell(written string) (name string, err error) {
	mods, base, err := split(written)
	if err != nil {
		return "", err
	}
	mod := strings.Join(mods, "")
	name = mod + base
	sent := "" // the key that terminals send instead
	switch letter := len(base) == 1 && base >= "a" && base <= "z"; {
	case name == "ctrl+c":
		return "", errors.New("ctrl+c always quits and cannot be reassigned")
	case name == "ctrl+z":
		return "", errors.New("ctrl+z always suspends and cannot be reassigned")
	case mod == "" || name == "shift+tab":
	case slices.Contains([]string{"enter", "esc", "tab", "space", "backspace"}, base):
		sent = base
	case slices.Contains(named, base):
	case mod == "ctrl+":
		// These are control characters, and some of them are sent by other keys.
		sent = map[string]string{"i": "tab", "m": "enter", "j": "enter", "[": "esc"}[base]
		if sent == "" && !letter {
			sent = base
		}
	case mod == "alt+" && (letter || len(base) == 1 && base >= "0" && base <= "9"):
	case mod == "alt+":
		// These are sent as escape and the key, and some of them are the beginning of other keys.
		return "", errors.New("with alt, terminals only distinguish a to z, 0 to 9 and named keys")
	case mod == "shift+":
		return "", fmt.Errorf("write a shifted letter as the character itself, such as %q", "D")
	default:
		sent = "other keys"
	}
	if sent != "" {
		return "", fmt.Errorf("terminals cannot distinguish %s from %s", name, sent)
	}
	return name, nil
}

// split removes the modifiers from the name of a key, and sorts them.
func split(written string) (mods []string, base string, err error) {
	base = written
	for {
		mod, rest, ok := strings.Cut(base, "+")
		if !ok || rest == "" {
			break
		}
		mod = strings.ToLower(mod) + "+"
		if !slices.Contains(modifiers, mod) || slices.Contains(mods, mod) {
			return nil, "", errSpelling
		}
		mods, base = append(mods, mod), rest
	}
	slices.SortFunc(mods, func(a, b string) int { return slices.Index(modifiers, a) - slices.Index(modifiers, b) })
	if utf8.RuneCountInString(base) > 1 {
		base = strings.ToLower(base)
		if !slices.Contains(named, base) {
			return nil, "", errSpelling
		}
		return mods, base, nil
	}
	r, _ := utf8.DecodeRuneInString(base)
	switch {
	case base == " ":
		return mods, "space", nil
	case !unicode.IsGraphic(r) || style.Width(base) == 0 || r == utf8.RuneError:
		return nil, "", errSpelling
	case slices.Contains(mods, "ctrl+"):
		base = strings.ToLower(base)
	}
	return mods, base, nil
}

const maxLabel = 12 // the maximum length of an action's keys on the screen

var shortNames = map[string]string{"enter": "↵", "up": "↑", "down": "↓", "left": "←", "right": "→", "pgdown": "pgdn"}

// label returns the screen's text for keys: as many as fit.
func label(names []string) string {
	out := ""
	for i, name := range names {
		name = cmp.Or(shortNames[name], name)
		switch {
		case i == 0:
			out = name
		case style.Width(out+"/"+name) <= maxLabel:
			out += "/" + name
		}
	}
	return out
}
