// Package announce turns what the program shows into lines of text for a screen reader.
//
// A screen reader reads new output, so nothing is painted over: pages and dialogs return a [Description], and a
// [Speaker] decides when to speak and what is new. The lines are printed above the only permanent line, the prompt.
package announce

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

// Description describes what has the keyboard focus.
type Description struct {
	// ID identifies the described thing. A new one is announced as a whole.
	ID     any
	Name   string   // where the user is
	Text   []string // announced only in the introduction
	Parts  []Part   // may change afterwards
	News   []Event  // past events
	Field  *Field   // the text field being edited, or nil
	Secret string   // a secret to show but not to keep in the output: it is never announced
	Hint   string   // the available keys
	Over   bool     // a dialog over something else, to which it returns
}

// Part is a piece of a description, announced when it appears and when it changes.
type Part struct {
	Name, Text string
	// Key is what must change for the part to be announced again: Text if it is empty. It excludes ages.
	Key     string
	Quiet   bool // announced only when it appears, and on request
	Current bool // announced again after a key that changed nothing
}

func (p Part) key() string {
	if p.Key != "" && p.Text != "" {
		return p.Key
	}
	return p.Text
}

// Event is something that happened. Key identifies it, and Kind is the noun for counting many of them.
type Event struct{ Key, Kind, Text string }

// Field is a line of text being typed, on both sides of the cursor. Both are empty if the text is secret.
type Field struct {
	Label         string
	Before, After string
}

func (f *Field) part() Part {
	p := Part{Name: "field", Key: f.Label, Text: "Text field: " + f.Label}
	if typed := f.Before + f.After; typed != "" {
		p.Text += ", now " + typed
	}
	return p
}

const maxEvents = 5 // more events than these are only counted

// whole returns everything there is to announce. Past events are omitted.
func (d *Description) whole() []string {
	lines := append([]string{d.Name}, d.Text...)
	return append(append(lines, d.changes(&Description{}, false)...), d.Hint)
}

// changes returns the parts that differ from those in previous. back also includes the current parts.
func (d *Description) changes(previous *Description, back bool) (lines []string) {
	texts := make(map[string]string, len(previous.Parts))
	for _, p := range previous.Parts {
		texts[p.Name] = p.key()
	}
	for _, p := range d.Parts {
		old := texts[p.Name]
		if p.Text != "" && (back && p.Current || old == "" || !p.Quiet && old != p.key()) {
			lines = append(lines, p.Text)
		}
	}
	return lines
}

// news returns the events that were not there before, or their number by kind.
func (d *Description) news(previous *Description) (lines []string) {
	heard := make(map[string]bool, len(previous.News))
	for _, e := range previous.News {
		heard[e.Key] = true
	}
	kinds := map[string]int{}
	var order []string
	for _, e := range d.News {
		if heard[e.Key] {
			continue
		}
		lines = append(lines, e.Text)
		kinds[e.Kind]++
		if kinds[e.Kind] == 1 {
			order = append(order, e.Kind)
		}
	}
	if len(lines) <= maxEvents {
		return lines
	}
	slices.SortStableFunc(order, func(a, b string) int { return kinds[b] - kinds[a] })
	counts := make([]string, len(order))
	for i, kind := range order {
		counts[i] = strconv.Itoa(kinds[kind]) + " " + kind
	}
	return []string{fmt.Sprintf("%d changes: %s.", len(lines), strings.Join(counts, ", "))}
}

func clean(texts []string) (lines []string) {
	for _, t := range texts {
		for line := range strings.SplitSeq(t, "\n") {
			plain := Plain(line)
			if plain != "" {
				lines = append(lines, plain)
			}
		}
	}
	return lines
}

// signs has the words for drawn signs. A sign before a word of the same meaning is omitted.
var signs = map[rune]string{
	'·': ",", '•': "", '…': "...", '–': "-", '—': "-", '‘': "'", '’': "'", '“': `"`, '”': `"`,
	'×': " times ", '±': " plus or minus ", '✓': "", '✗': "error:", '⚠': "warning:", '∙': "",
	'›': "", '↵': "Enter", '↑': "up", '↓': "down", '←': "left", '→': "right", '≥': "at least ",
	'≤':                     "at most ",
	unicode.ReplacementChar: "?",
}

// Plain returns a text without characters that cannot be read out. It keeps letters of any script and emoji.
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

// Readable reports whether a character can be read out.
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

// Sentence returns a text with an audible end.
func Sentence(text string) string {
	sentence := Plain(text)
	if sentence == "" || strings.ContainsAny(sentence[len(sentence)-1:], ".:!?,") {
		return sentence
	}
	return sentence + "."
}

// keyNames has the keys whose names on the screen are signs or abbreviations.
var keyNames = map[string]string{
	"?": "question mark", "!": "exclamation mark", ":": "colon", "/": "slash", "[": "left bracket",
	"]": "right bracket", "+": "plus", "-": "minus", ".": "period", ",": "comma", "=": "equals",
	"_": "underscore",
	"'": "apostrophe",
	"↵": "Enter", "enter": "Enter", "esc": "Escape", "tab": "Tab", "space": "Space",
	"backspace": "Backspace", "delete": "Delete", "↑": "up arrow", "↓": "down arrow",
	"←": "left arrow", "→": "right arrow", "up": "up arrow", "down": "down arrow",
	"left": "left arrow", "right": "right arrow", "pgup": "page up", "pgdn": "page down",
	"pgdown": "page down", "home": "Home", "end": "End", "ctrl": "control", "shift": "shift",
	"alt": "alt",
}

// Key returns the name of a key in words, from its name on the screen: "↑/k" is "up arrow or k".
func Key(label string) string {
	if name, ok := keyNames[label]; ok {
		return name
	}
	for _, join := range []struct{ sign, word string }{{" ", " and then "}, {"/", " or "}, {"+", " "}} {
		parts := strings.Split(label, join.sign)
		if len(parts) < 2 || slices.Contains(parts, "") {
			continue
		}
		for i := range parts {
			parts[i] = Key(parts[i])
		}
		return strings.Join(parts, join.word)
	}
	if r := []rune(label); len(r) == 1 && unicode.IsUpper(r[0]) {
		return "capital " + label
	}
	return Plain(label)
}
