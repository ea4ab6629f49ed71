package models

import "strings"

// Nearest returns the known name that a wrong one is most likely a slip of, or "".
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
