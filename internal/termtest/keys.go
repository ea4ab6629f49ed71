package termtest

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// modifiers of a key, as xterm adds them up.
const (
	modShift = 1 << iota
	modAlt
	modCtrl
)

// encodeKey returns what a terminal sends for a key, named as Bubble Tea names it: "a", "enter",
// "ctrl+c", "shift+tab", "alt+left", "pgdown", "f5".
func encodeKey(name string) (string, error) {
	base, mods := cutModifiers(name)
	if seq, ok := encodeControl(base, mods); ok {
		return seq, nil
	}
	if final, ok := finalOf(base); ok {
		return encodeFinal(final, mods), nil
	}
	if number, ok := numberOf(base); ok {
		if mods == 0 {
			return fmt.Sprintf("\x1b[%d~", number), nil
		}
		return fmt.Sprintf("\x1b[%d;%d~", number, 1+mods), nil
	}
	return encodeCharacter(name, base, mods)
}

func cutModifiers(name string) (base string, mods int) {
	prefixes := map[string]int{"shift+": modShift, "alt+": modAlt, "ctrl+": modCtrl}
	for {
		at := strings.Index(name, "+") + 1
		mod, ok := prefixes[name[:at]]
		if !ok || at == len(name) {
			return name, mods
		}
		name, mods = name[at:], mods|mod
	}
}

// encodeControl covers the keys that send a control character.
func encodeControl(base string, mods int) (string, bool) {
	if base == "tab" && mods == modShift {
		return "\x1b[Z", true
	}
	seq, ok := map[string]string{
		"enter": "\r", "tab": "\t", "backspace": "\x7f", "esc": "\x1b", "space": " ",
	}[base]
	if base == "space" && mods&modCtrl != 0 {
		seq, mods = "\x00", mods&^modCtrl
	}
	if !ok || mods&^modAlt != 0 {
		return "", false
	}
	return altPrefix(mods) + seq, true
}

// finalOf covers the keys that are told apart by the last byte of their sequence.
func finalOf(base string) (byte, bool) {
	final, ok := map[string]byte{
		"up": 'A', "down": 'B', "right": 'C', "left": 'D', "home": 'H', "end": 'F',
		"f1": 'P', "f2": 'Q', "f3": 'R', "f4": 'S',
	}[base]
	return final, ok
}

func encodeFinal(final byte, mods int) string {
	switch {
	case mods != 0:
		return fmt.Sprintf("\x1b[1;%d%c", 1+mods, final)
	case final >= 'P':
		return "\x1bO" + string(final)
	default:
		return "\x1b[" + string(final)
	}
}

// numberOf covers the keys that are told apart by a number in their sequence.
func numberOf(base string) (int, bool) {
	number, ok := map[string]int{
		"insert": 2, "delete": 3, "pgup": 5, "pgdown": 6,
		"f5": 15, "f6": 17, "f7": 18, "f8": 19, "f9": 20, "f10": 21, "f11": 23, "f12": 24,
	}[base]
	return number, ok
}

// encodeCharacter covers the keys that write: a letter, a digit, a sign.
func encodeCharacter(name, base string, mods int) (string, error) {
	if utf8.RuneCountInString(base) != 1 {
		return "", fmt.Errorf("no key is called %q", name)
	}
	if mods&modShift != 0 {
		base = strings.ToUpper(base)
	}
	if mods&modCtrl != 0 {
		c := strings.ToUpper(base)[0]
		if c < '@' || c > '_' {
			return "", fmt.Errorf("terminals send nothing of their own for %q", name)
		}
		base = string(c & 0x1f)
	}
	return altPrefix(mods) + base, nil
}

func altPrefix(mods int) string {
	if mods&modAlt != 0 {
		return "\x1b"
	}
	return ""
}
