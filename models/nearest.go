package models

import (
	"fmt"
	"strings"
)

// Nearest returns the known name that wrong is most likely a misspelling of, or "".
func Nearest(wrong string, names []string) string {
	wrong = strings.ToLower(wrong)
	near, least := "", 1+min(2, len(wrong)/2)
	for _, name := range names {
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

// Unknown returns the error for a name that is not one of the known ones. what names it, such as "column ag".
func Unknown(what, name string, names []string) error {
	if near := Nearest(name, names); near != "" {
		return fmt.Errorf("unknown %s; did you mean %s?", what, near)
	}
	return fmt.Errorf("unknown %s; must be one of %s", what, strings.Join(names, ", "))
}

// distance returns the number of inserted, deleted or changed bytes.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			changed := diagonal
			if a[i] != b[j] {
				changed++
			}
			diagonal = row[j+1]
			row[j+1] = min(changed, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
