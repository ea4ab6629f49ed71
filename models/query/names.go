package query

import (
	"iter"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"pgtower/models"
)

// Complete suggests completions of a typed text with a field, a value of one or an operator at its end, the likeliest
// first. Values are those of the first rows: a key press must not wait for all of them.
func Complete[R any](typed string, fields []Field[R], rows iter.Seq[R]) []string {
	from, comma := lastWord(typed)
	name, named := fieldName(typed[from:])
	var words []string
	if f := find(fields, name); !named {
		words = names(fields, ":")
		if strings.TrimSpace(typed[:from]) != "" {
			words = append(words, "or ")
		}
	} else if f != nil {
		from = max(from+len(name), comma) + 1
		words = f.values(typed[from:], rows)
	}
	proposals := beginning(words, typed[from:])
	for i := range proposals {
		proposals[i] = typed[:from] + proposals[i]
	}
	return slices.DeleteFunc(proposals, func(p string) bool { return p == typed })
}

// Exactly returns the condition that a text field has exactly a value, or "" for a value that no filter can have.
func Exactly(field, value string) string {
	if unwritable(value) {
		return ""
	}
	return field + `:"` + value + `"`
}

// unwritable reports whether no filter can have a value in quotes.
func unwritable(value string) bool { return value == "" || strings.ContainsAny(value, "\"\n") }

// lastWord returns where the last word of a typed text begins, and where its last comma is, outside quotes.
func lastWord(typed string) (from, comma int) {
	quoted := false
	for i, r := range typed {
		switch {
		case r == '"':
			quoted = !quoted
		case quoted:
		case r == ',':
			comma = i
		case unicode.IsSpace(r), r == '(', r == '!' && i == from:
			from = i + utf8.RuneLen(r)
		}
	}
	return from, comma
}

// values returns the suggested values of a field, or those of the first rows, the most frequent ones first, quoted if
// necessary.
func (f *Field[R]) values(begun string, rows iter.Seq[R]) (out []string) {
	const most, widest = 4096, 60
	if f.offers != nil {
		out = f.offers(begun)
	}
	times, left := map[string]int{}, most
	for row := range rows {
		if left == 0 || f.suggests == nil {
			break
		}
		left--
		s := f.suggests(row)
		times[s]++
		if times[s] == 1 && len(s) <= widest {
			out = append(out, s)
		}
	}
	slices.SortStableFunc(out, func(a, b string) int { return times[b] - times[a] })
	out = slices.DeleteFunc(out, unwritable)
	for i, s := range out {
		if strings.ContainsAny(s, " \t,()") || isExpression(s) {
			out[i] = `"` + s + `"`
		}
	}
	return out
}

func names[R any](fields []Field[R], end string) (out []string) {
	for _, f := range fields {
		out = append(out, f.name+end)
	}
	return out
}

// wrongName returns the message for a wrong name. It lists the valid names, the probably intended one first.
func wrongName(what, wrong string, names []string) string {
	near := models.Nearest(wrong, names)
	others := list(slices.DeleteFunc(slices.Clone(names), func(s string) bool { return s == near }))
	if near != "" && others != "" {
		others = " (or " + others + ")"
	}
	return what + "; write " + near + others + "."
}

func list(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

func beginning(names []string, with string) []string {
	with = strings.ToLower(with)
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return !strings.HasPrefix(strings.ToLower(name), with)
	})
}

// Named filters a list of names by a query over the texts, independent of the time.
func Named[R any](typed string, list []R, texts ...Field[R]) []R {
	for i := range texts {
		texts[i] = texts[i].Visible()
	}
	q, err := Parse(typed, texts)
	var out []R
	for _, row := range list {
		if err == nil && (q.Empty() || q.Match(row, time.Time{})) {
			out = append(out, row)
		}
	}
	return out
}

// Rank ranks the results of [Named], 0 for the best. Matches in besides count less.
func Rank(typed, name string, besides ...string) int {
	typed, name = strings.ToLower(strings.TrimSpace(typed)), strings.ToLower(name)
	switch {
	case typed == name:
		return 0
	case strings.HasPrefix(name, typed):
		return 1
	case strings.Contains(name, " "+typed):
		return 2
	case beginWords(typed, name):
		return 3
	case strings.Contains(name, typed):
		return 4
	}
	for _, s := range besides {
		lower := strings.ToLower(s)
		if strings.Contains(lower, typed) || beginWords(typed, lower) {
			return 5
		}
	}
	return 6
}

func isBetweenWords(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }

// beginWords reports whether each typed word is a prefix of a word of a text.
func beginWords(typed, s string) bool {
	words := strings.FieldsFunc(s, isBetweenWords)
	for t := range strings.FieldsSeq(typed) {
		if len(beginning(words, t)) == 0 {
			return false
		}
	}
	return true
}
