package action

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"pgtower/ui/style"
)

// maxFunctionKey is the highest function key that terminals have in common.
const maxFunctionKey = 20

// named are the keys that have a word for a name.
func named() map[string]rune {
	all := map[string]rune{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown,
		"left": tea.KeyLeft, "right": tea.KeyRight, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
		"home": tea.KeyHome, "end": tea.KeyEnd, "insert": tea.KeyInsert, "backspace": tea.KeyBackspace,
		"delete": tea.KeyDelete, "space": tea.KeySpace,
	}
	for n := range maxFunctionKey {
		all["f"+strconv.Itoa(n+1)] = tea.KeyF1 + rune(n)
	}
	return all
}

// errSpelling does not repeat what was written: somebody may have put an API key there.
var errSpelling = errors.New("that is not a key: keys are written as r, D, /, f5, space, pgup, ctrl+r, alt+x or shift+tab")

// Spell returns the name of a key as [tea.KeyPressMsg] has it, whatever the case of its
// words, or says why no action can have it.
func Spell(written string) (name string, err error) {
	mods, base, err := split(written)
	if err != nil {
		return "", err
	}
	mod := strings.Join(mods, "")
	name = mod + base
	_, word := named()[base]
	switch {
	case name == "ctrl+c":
		return "", errors.New("ctrl+c always quits and cannot be given away")
	case name == "ctrl+z":
		return "", errors.New("ctrl+z always suspends and cannot be given away")
	case mod == "" || name == "shift+tab":
		return name, nil
	case word:
		// Of these, terminals send the same with a modifier as without.
		if slices.Contains([]string{"enter", "esc", "tab", "space", "backspace"}, base) {
			return "", indistinct(name, base)
		}
		return name, nil
	case mod == "ctrl+":
		return name, withControl(base)
	case mod == "alt+":
		return name, withAlt(base)
	case mod == "shift+":
		return "", fmt.Errorf("a letter with shift is written as what it makes, such as %q", "D")
	}
	return "", indistinct(name, "other keys")
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
		if !slices.Contains([]string{"ctrl+", "alt+", "shift+"}, mod) || slices.Contains(mods, mod) {
			return nil, "", errSpelling
		}
		mods, base = append(mods, mod), rest
	}
	slices.SortFunc(mods, func(a, b string) int {
		return strings.Index("ctrl+alt+shift+", a) - strings.Index("ctrl+alt+shift+", b)
	})
	if utf8.RuneCountInString(base) > 1 {
		base = strings.ToLower(base)
		if _, ok := named()[base]; !ok {
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

// withControl says why a key with ctrl is no key of its own. Terminals send a control
// character for ctrl with a letter, and some of these are what other keys send.
func withControl(base string) error {
	if as := map[string]string{"i": "tab", "m": "enter", "j": "enter", "[": "esc"}[base]; as != "" {
		return indistinct("ctrl+"+base, as)
	}
	if len(base) > 1 || base < "a" || base > "z" {
		return indistinct("ctrl+"+base, base)
	}
	return nil
}

// withAlt says why a key with alt is no key of its own: terminals send it as escape and
// the key, and some of these begin what they send for other keys.
func withAlt(base string) error {
	if len(base) == 1 && (base >= "a" && base <= "z" || base >= "0" && base <= "9") {
		return nil
	}
	return errors.New("with alt, terminals tell only a to z, 0 to 9 and the keys with names apart")
}

func indistinct(name, from string) error {
	return fmt.Errorf("terminals do not tell %s from %s", name, from)
}

// maxLabel is how long the names of an action's keys may be together on the screen.
const maxLabel = 12

// label returns what the screen shows of keys: as many as there is room for.
func label(names []string) string {
	short := map[string]string{"enter": "↵", "up": "↑", "down": "↓", "left": "←", "right": "→", "pgdown": "pgdn"}
	out := ""
	for i, name := range names {
		if s, ok := short[name]; ok {
			name = s
		}
		switch {
		case i == 0:
			out = name
		case style.Width(out+"/"+name) <= maxLabel:
			out += "/" + name
		}
	}
	return out
}
