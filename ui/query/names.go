package query

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"pgtower/models"
)

// Complete proposes what a typed text may become, with a field or a value of one at its end.
func Complete[R any](typed string, fields []Field[R]) []string {
	from := len(typed) - len(strings.TrimLeft(typed[strings.LastIndexAny(typed, " \t")+1:], "!"))
	name, named := fieldName(typed[from:])
	var known []string
	if f := find(fields, name); !named {
		known = names(fields, ":")
	} else if f != nil && f.offers != nil {
		from = max(from+len(name), strings.LastIndexByte(typed, ',')) + 1
		known = f.offers()
	}
	proposals := beginning(known, typed[from:])
	for i := range proposals {
		proposals[i] = typed[:from] + proposals[i]
	}
	return proposals
}

func names[R any](fields []Field[R], end string) (out []string) {
	for _, f := range fields {
		out = append(out, f.name+end)
	}
	return out
}

// instead says what to write in place of a wrong name: the one that was probably meant first.
func instead(what, wrong string, known []string) string {
	near := models.Nearest(wrong, known)
	others := list(slices.DeleteFunc(slices.Clone(known), func(s string) bool { return s == near }))
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

// beginning are the names that begin with what was written.
func beginning(names []string, with string) []string {
	with = strings.ToLower(with)
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return !strings.HasPrefix(strings.ToLower(name), with)
	})
}

// Named returns what a query over the texts finds, in a list of names in which no time matters.
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

// Nearness ranks what [Named] found, 0 for the nearest. What is said besides the name counts less.
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
