package query

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// comparison is what a duration has to be, such as <10m.
type comparison struct {
	operator string
	than     time.Duration
}

func (c comparison) holds(d time.Duration) bool {
	switch c.operator {
	case "<":
		return d < c.than
	case "<=":
		return d <= c.than
	case ">":
		return d > c.than
	}
	return d >= c.than
}

// above reports whether the comparison bounds a duration from above.
func (c comparison) above() bool { return c.operator == "<" || c.operator == "<=" }

// parseComparison reads the value of a duration field.
func parseComparison(field string, v value) (comparison, *Error) {
	digits := strings.TrimLeft(v.text, "<>=")
	c := comparison{operator: v.text[:len(v.text)-len(digits)]}
	at := v.at + len(c.operator)
	if v.quoted {
		at++
	}
	switch c.operator {
	case "<", "<=", ">", ">=":
	case "":
		example := v.text
		if _, rest := parseDuration(v.text); rest != "" {
			example = "10m"
		}
		return c, errorAt(v.at, v.size, "Say how to compare: %s:<%s or %s:>%s.", field, example, field, example)
	default:
		return c, errorAt(at-len(c.operator), len(c.operator), "Compare with <, <=, > or >=, such as %s:<10m.", field)
	}
	if digits == "" {
		return c, unfinishedAt(at, 0, "Write a duration after the %s, such as %s:%s10m.", c.operator, field, c.operator)
	}
	var rest string
	switch c.than, rest = parseDuration(digits); {
	case rest == "" && c.than < 0:
		return c, errorAt(at, len(digits), "Write a shorter duration: this is more than 292 years.")
	case rest == "":
		return c, nil
	case strings.Trim(rest, ".0123456789") == "" && rest[0] != '.' && strings.Count(rest, ".") < 2:
		return c, unfinishedAt(at, len(digits), "Add a unit to the number: ms, s, m, h, d or w.")
	}
	return c, errorAt(at, len(digits), "Write the duration as a number and ms, s, m, h, d or w, such as %s:%s10m.", field, c.operator)
}

// parseDuration reads numbers with units, and returns what of the text it can't read, all
// of it if that is the beginning. What is too long is negative.
func parseDuration(s string) (total time.Duration, rest string) {
	rest = s
	for {
		digits := len(rest) - len(strings.TrimLeft(rest, ".0123456789"))
		number, err := strconv.ParseFloat(rest[:digits], 64)
		unit, size := unitOf(rest[digits:])
		if err != nil || size == 0 || rest[0] == '.' {
			return total, rest
		}
		if ns := math.Round(number * float64(unit)); total >= 0 && ns < math.MaxInt64-float64(total) {
			total += time.Duration(ns)
		} else {
			total = -1
		}
		if rest = rest[digits+size:]; rest == "" {
			return total, ""
		}
	}
}

// unitOf returns the unit that a text begins with, and how long that is written.
func unitOf(s string) (unit time.Duration, size int) {
	for _, u := range []struct {
		name string
		unit time.Duration
	}{
		{"ms", time.Millisecond},
		{"s", time.Second},
		{"m", time.Minute},
		{"h", time.Hour},
		{"d", 24 * time.Hour},
		{"w", 7 * 24 * time.Hour},
	} {
		if n := len(u.name); len(s) >= n && strings.EqualFold(s[:n], u.name) {
			return u.unit, n
		}
	}
	return 0, 0
}
