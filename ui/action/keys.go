package action

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"pgtower/ui/style"
)

// named are the keys with a name. Terminals have the function keys up to f20 in common.
var named = []string{
	"enter", "esc", "tab", "up", "down", "left", "right", "pgup", "pgdown", "home", "end", "insert",
	"backspace", "delete", "space", "f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "f10",
	"f11", "f12", "f13", "f14", "f15", "f16", "f17", "f18", "f19", "f20",
}

// modifiers are those in the order in which a name has them.
var modifiers = []string{"ctrl+", "alt+", "shift+"}

// errSpelling does not repeat what was written: it may be an API key.
var errSpelling = errors.New("that is not a key: keys are written as r, D, /, f5, space, pgup, ctrl+r, alt+x or shift+tab")

// Spell returns the name of a key as [tea.KeyPressMsg] has it, whatever the case of its
// words, or an error if no action can have it: terminals send the same for some keys.
func Spell(written string) (name string, err error) {
	mods, base, err := split(written)
	if err != nil {
		return "", err
	}
	mod := strings.Join(mods, "")
	name = mod + base
	as := "" // the key that terminals do not tell this one from
	switch letter := len(base) == 1 && base >= "a" && base <= "z"; {
	case name == "ctrl+c":
		return "", errors.New("ctrl+c always quits and cannot be given away")
	case name == "ctrl+z":
		return "", errors.New("ctrl+z always suspends and cannot be given away")
	case mod == "" || name == "shift+tab":
	case slices.Contains([]string{"enter", "esc", "tab", "space", "backspace"}, base):
		as = base
	case slices.Contains(named, base):
	case mod == "ctrl+":
		// These are control characters, and some of them are what other keys send.
		as = map[string]string{"i": "tab", "m": "enter", "j": "enter", "[": "esc"}[base]
		if as == "" && !letter {
			as = base
		}
	case mod == "alt+" && (letter || len(base) == 1 && base >= "0" && base <= "9"):
	case mod == "alt+":
		// These are sent as escape and the key, and some of them begin what other keys send.
		return "", errors.New("with alt, terminals tell only a to z, 0 to 9 and the keys with names apart")
	case mod == "shift+":
		return "", fmt.Errorf("a letter with shift is written as what it makes, such as %q", "D")
	default:
		as = "other keys"
	}
	if as != "" {
		return "", fmt.Errorf("terminals do not tell %s from %s", name, as)
	}
	return name, nil
}

// split takes the modifiers off the name of a key, and puts them into their order.
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

// maxLabel is how long the names of an action's keys may be together on the screen.
const maxLabel = 12

// label returns what the screen shows of keys: as many as there is room for.
func label(names []string) string {
	short := map[string]string{"enter": "↵", "up": "↑", "down": "↓", "left": "←", "right": "→", "pgdown": "pgdn"}
	out := ""
	for i, name := range names {
		name = cmp.Or(short[name], name)
		switch {
		case i == 0:
			out = name
		case style.Width(out+"/"+name) <= maxLabel:
			out += "/" + name
		}
	}
	return out
}
