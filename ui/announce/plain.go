package announce

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

// signs are what the visual interface draws, in words or as punctuation that is read well.
// A sign that stands before a word which says the same is left out.
func signs() map[rune]string {
	return map[rune]string{
		'·': ",", '•': "", '…': "...", '–': "-", '—': "-", '‘': "'", '’': "'", '“': `"`, '”': `"`, '×': " times ", '±': " plus or minus ",
		'✓': "", '✗': "error:", '⚠': "warning:", '∙': "", '›': "",
		'↵': "Enter", '↑': "up", '↓': "down", '←': "left", '→': "right", '≥': "at least ", '≤': "at most ",
		unicode.ReplacementChar: "?",
	}
}

// Plain is a text without anything that a screen reader stumbles over: no escape
// sequences, control characters, box drawing, blocks or symbols that stand for a word.
// Letters of any script and emoji stay: somebody chose them for a name.
func Plain(s string) string {
	var b strings.Builder
	words := signs()
	for _, r := range ansi.Strip(s) {
		word, ok := words[r]
		switch {
		case ok:
			b.WriteString(word)
		case unicode.IsSpace(r):
			b.WriteByte(' ')
		case Readable(r):
			b.WriteRune(r)
		}
	}
	out := strings.Join(strings.Fields(b.String()), " ")
	out = strings.TrimLeft(strings.ReplaceAll(out, " ,", ","), ", ")
	return out
}

// Readable says that a character can be read out: letters, numbers, the punctuation that
// is on a keyboard, and what other scripts and names have.
func Readable(r rune) bool {
	const (
		firstSymbol, lastSymbol = 0x2000, 0x2bff // punctuation, arrows, lines, blocks, braille
		firstEmoji              = 0x1f000
	)
	switch {
	case r >= ' ' && r <= '~':
		return true
	case unicode.IsLetter(r), unicode.IsMark(r), unicode.IsNumber(r):
		return true
	case r >= firstSymbol && r <= lastSymbol:
		return unicode.Is(unicode.Sc, r)
	case r == '·':
		return false
	case unicode.IsPunct(r), unicode.Is(unicode.Sc, r), r == '°':
		return true
	}
	return r >= firstEmoji && unicode.IsSymbol(r)
}

// Sentences joins texts so that each is heard to end.
func Sentences(texts ...string) string {
	var out []string
	for _, t := range texts {
		if t = Plain(t); t == "" {
			continue
		}
		if !strings.ContainsAny(t[len(t)-1:], ".:!?,") {
			t += "."
		}
		out = append(out, t)
	}
	return strings.Join(out, " ")
}

// Matching says how many things of a kind match what was typed.
func Matching(n int, what string) string {
	if n == 1 {
		return "1 " + what + " matches."
	}
	return strconv.Itoa(n) + " " + what + "s match."
}

// keyNames are the keys whose names on the screen are signs or short for something.
func keyNames() map[string]string {
	return map[string]string{
		"?": "question mark", "!": "exclamation mark", ":": "colon", "/": "slash", "[": "left bracket", "]": "right bracket",
		"+": "plus", "-": "minus", ".": "period", ",": "comma", "=": "equals", "_": "underscore",
		"↵": "Enter", "enter": "Enter", "esc": "Escape", "tab": "Tab", "space": "Space", "backspace": "Backspace", "delete": "Delete",
		"↑": "up arrow", "↓": "down arrow", "←": "left arrow", "→": "right arrow",
		"up": "up arrow", "down": "down arrow", "left": "left arrow", "right": "right arrow",
		"pgup": "page up", "pgdn": "page down", "pgdown": "page down", "home": "Home", "end": "End",
		"ctrl": "control", "shift": "shift", "alt": "alt",
	}
}

// Key is the name of a key in words, as the screen shows it: "↑/k" is "up arrow or k".
func Key(shown string) string {
	names := keyNames()
	if name, ok := names[shown]; ok {
		return name
	}
	for _, join := range []struct{ sign, word string }{{" ", " and then "}, {"/", " or "}, {"+", " "}} {
		parts := strings.Split(shown, join.sign)
		if len(parts) < 2 || strings.Contains(strings.Join(parts, "\x00")+"\x00", "\x00\x00") {
			continue
		}
		for i := range parts {
			parts[i] = Key(parts[i])
		}
		return strings.Join(parts, join.word)
	}
	if r := []rune(shown); len(r) == 1 && unicode.IsUpper(r[0]) {
		return "capital " + shown
	}
	return Plain(shown)
}
