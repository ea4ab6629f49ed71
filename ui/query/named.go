package query

import (
	"strings"
	"time"
	"unicode"
)

// Named returns what a query over the texts finds: everything where it asks for nothing,
// and nothing where it is no query. It is for lists of names, in which no time matters.
func Named[R any](typed string, all []R, texts ...Field[R]) []R {
	for i := range texts {
		texts[i] = texts[i].Visible()
	}
	q, err := Parse(typed, texts)
	var out []R
	for _, one := range all {
		if err == nil && (q.Empty() || q.Match(one, time.Time{})) {
			out = append(out, one)
		}
	}
	return out
}

// Nearness ranks what [Named] found, 0 for the nearest: the whole name or how it begins counts
// more than letters somewhere in it, and what is said besides the name less.
func Nearness(typed, name string, besides ...string) int {
	typed, name = strings.ToLower(strings.TrimSpace(typed)), strings.ToLower(name)
	switch {
	case typed == name:
		return 0
	case strings.HasPrefix(name, typed):
		return 1
	case beginWords(typed, name):
		return 2
	case strings.Contains(name, typed):
		return 3
	}
	for _, s := range besides {
		if s = strings.ToLower(s); strings.Contains(s, typed) || beginWords(typed, s) {
			return 4
		}
	}
	return 5
}

// beginWords reports whether each of the typed words begins a word of a text.
func beginWords(typed, s string) bool {
	words := strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
	for t := range strings.FieldsSeq(typed) {
		if len(beginning(words, t)) == 0 {
			return false
		}
	}
	return true
}
