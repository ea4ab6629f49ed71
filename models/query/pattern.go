package query

import "strings"

// pattern searches texts for a text, ignoring the case. A space in it also matches an underscore: the screen shows spaces
// for the service's underscores.
type pattern struct {
	text   string
	spaced bool
}

func newPattern(s string) pattern {
	p := pattern{spaced: strings.Contains(s, " ")}
	p.text = p.normalized(s)
	return p
}

func (p pattern) in(s string) bool { return strings.Contains(p.normalized(s), p.text) }

// is reports whether the pattern is all of a text.
func (p pattern) is(s string) bool { return p.normalized(s) == p.text }

func (p pattern) normalized(s string) string {
	if p.spaced {
		s = strings.ReplaceAll(s, "_", " ")
	}
	return strings.ToLower(s)
}
