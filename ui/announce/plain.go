package announce

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

// signs are what the visual interface draws, in words or as punctuation that is read well.
// A sign that stands before a word which says the same is left out.
var signs = map[rune]string{
	'·': ",", '•': "", '…': "...", '–': "-", '—': "-", '‘': "'", '’': "'", '“': `"`, '”': `"`, '×': " times ", '±': " plus or minus ",
	'✓': "", '✗': "error:", '⚠': "warning:", '∙': "", '›': "",
	'↵': "Enter", '↑': "up", '↓': "down", '←': "left", '→': "right", '≥': "at least ", '≤': "at most ",
	unicode.ReplacementChar: "?",
}

// Plain is a text without anything that a screen reader stumbles over: no escape
// sequences, control characters, box drawing, blocks or symbols that stand for a word.
// Letters of any script and emoji stay: somebody chose them for a name.
func Plain(s string) string {
	var b strings.Builder
	for _, r := range ansi.Strip(s) {
		word, ok := signs[r]
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
	return strings.TrimLeft(strings.ReplaceAll(out, " ,", ","), ", ")
}

// Readable says that a character can be read out: letters, numbers, the punctuation that
// is on a keyboard, and what other scripts and names have.
func Readable(r rune) bool {
	const (
		firstSymbol, lastSymbol = 0x2000, 0x2bff // punctuation, arrows, lines, blocks, braille
		firstEmoji              = 0x1f000
	)
	switch {
	case r >= ' ' && r <= '~', unicode.IsLetter(r), unicode.IsMark(r), unicode.IsNumber(r), r == '°':
		return true
	case r >= firstSymbol && r <= lastSymbol:
		return unicode.Is(unicode.Sc, r)
	case r == '·':
		return false
	}
	return unicode.IsPunct(r) || unicode.Is(unicode.Sc, r) || r >= firstEmoji && unicode.IsSymbol(r)
}

// Sentence is a text that is heard to end.
func Sentence(text string) string {
	if text = Plain(text); text != "" && !strings.ContainsAny(text[len(text)-1:], ".:!?,") {
		text += "."
	}
	return text
}

// keyNames are the keys whose names on the screen are signs or short for something.
var keyNames = map[string]string{
	"?": "question mark", "!": "exclamation mark", ":": "colon", "/": "slash", "[": "left bracket", "]": "right bracket",
	"+": "plus", "-": "minus", ".": "period", ",": "comma", "=": "equals", "_": "underscore",
	"↵": "Enter", "enter": "Enter", "esc": "Escape", "tab": "Tab", "space": "Space", "backspace": "Backspace", "delete": "Delete",
	"↑": "up arrow", "↓": "down arrow", "←": "left arrow", "→": "right arrow",
	"up": "up arrow", "down": "down arrow", "left": "left arrow", "right": "right arrow",
	"pgup": "page up", "pgdn": "page down", "pgdown": "page down", "home": "Home", "end": "End",
	"ctrl": "control", "shift": "shift", "alt": "alt",
}

// Key is the name of a key in words, as the screen shows it: "↑/k" is "up arrow or k".
func Key(shown string) string {
	if name, ok := keyNames[shown]; ok {
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
