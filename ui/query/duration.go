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

func unitOf(s string) (unit time.Duration, size int) {
	if len(s) >= 2 && strings.EqualFold(s[:2], "ms") {
		return time.Millisecond, 2
	}
	if s == "" {
		return 0, 0
	}
	switch s[0] | 0x20 { // the lower case of a letter
	case 's':
		return time.Second, 1
	case 'm':
		return time.Minute, 1
	case 'h':
		return time.Hour, 1
	case 'd':
		return 24 * time.Hour, 1
	case 'w':
		return 7 * 24 * time.Hour, 1
	}
	return 0, 0
}
