package query

import (
	"slices"
	"strconv"
	"strings"
)

func names[R any](fields []Field[R]) []string {
	out := make([]string, len(fields))
	for i, f := range fields {
		out[i] = f.name
	}
	return out
}

// instead says what to write in the place of a name that does not exist: the one that was
// probably meant first, then all others.
func instead(what, wrong string, known []string) string {
	near := Nearest(wrong, known)
	if near == "" {
		return what + "; write " + list(known) + "."
	}
	others := slices.DeleteFunc(slices.Clone(known), func(s string) bool { return s == near })
	if len(others) == 0 {
		return what + "; write " + near + "."
	}
	return what + "; write " + near + " (or " + list(others) + ")."
}

func list(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// quote keeps what a person wrote short and printable.
func quote(s string) string {
	const most = 24
	if r := []rune(s); len(r) > most {
		s = string(r[:most-1]) + "…"
	}
	return strconv.Quote(s)
}

// Nearest is the name that looks most like what was written, if any looks like a slip.
func Nearest(wrong string, known []string) string {
	wrong = strings.ToLower(wrong)
	near, least := "", 1+min(2, len(wrong)/2)
	for _, name := range known {
		lower := strings.ToLower(name)
		d := distance(wrong, lower)
		if len(wrong) > 1 && strings.HasPrefix(lower, wrong) {
			d = min(d, 1) // an abbreviation
		}
		if d < least {
			near, least = name, d
		}
	}
	return near
}

// distance is how many characters were added, lost, changed or swapped with the next one.
func distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	rows := make([][]int, len(s)+1)
	for i := range rows {
		rows[i] = make([]int, len(t)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(s); i++ {
		for j := 1; j <= len(t); j++ {
			changed := rows[i-1][j-1]
			if s[i-1] != t[j-1] {
				changed++
			}
			d := min(changed, rows[i-1][j]+1, rows[i][j-1]+1)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				d = min(d, rows[i-2][j-2]+1)
			}
			rows[i][j] = d
		}
	}
	return rows[len(s)][len(t)]
}

// beginning are the names that begin with what was written.
func beginning(names []string, with string) []string {
	with = strings.ToLower(with)
	var out []string
	for _, name := range names {
		if strings.HasPrefix(strings.ToLower(name), with) {
			out = append(out, name)
		}
	}
	return out
}
