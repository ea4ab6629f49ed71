package query

import (
	"slices"
	"strconv"
	"strings"

	"pgtower/models"
)

// Complete proposes what a typed text may become, with a name of a field or a value that
// one knows at its end.
func Complete[R any](typed string, fields []Field[R]) []string {
	from := len(typed) - len(strings.TrimLeft(typed[strings.LastIndexAny(typed, " \t")+1:], "!"))
	name, named := fieldName(typed[from:])
	var known []string
	if !named {
		for _, f := range fields {
			known = append(known, f.name+":")
		}
	} else if f := find(fields, name); f != nil {
		from = max(from+len(name), strings.LastIndexByte(typed, ',')) + 1
		known = f.proposals()
	}
	proposals := beginning(known, typed[from:])
	for i := range proposals {
		proposals[i] = typed[:from] + proposals[i]
	}
	return proposals
}

func names[R any](fields []Field[R]) []string {
	out := make([]string, len(fields))
	for i, f := range fields {
		out[i] = f.name
	}
	return out
}

// instead says what to write in place of a name that does not exist: the one that was
// probably meant first, then all others.
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

// quote keeps what the user wrote short and printable.
func quote(s string) string {
	const most = 24
	if r := []rune(s); len(r) > most {
		s = string(r[:most-1]) + "…"
	}
	return strconv.Quote(s)
}

// beginning are the names that begin with what was written.
func beginning(names []string, with string) []string {
	with = strings.ToLower(with)
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return !strings.HasPrefix(strings.ToLower(name), with)
	})
}
